/** Where things are in the chart of chances, in pixels. It draws nothing and knows no game. */

import type { ReviewPoint } from "../api";

export const EDGE = { left: 44, right: 30, top: 22, bottom: 10 };
/** How far apart the letters at the ends of the lines are, at least. */
const APART = 18;

export interface Plot {
  width: number;
  height: number;
  x(ply: number): number;
  y(chance: number): number;
}

export function plotOf(points: ReviewPoint[], width: number): Plot {
  const height = Math.round(Math.min(380, Math.max(240, width * 0.42)));
  const [first, last] = [points[0]?.ply ?? 0, points.at(-1)?.ply ?? 1];
  const inner = { width: width - EDGE.left - EDGE.right, height: height - EDGE.top - EDGE.bottom };
  return {
    width, height,
    x: (ply) => EDGE.left + (inner.width * (ply - first)) / Math.max(1, last - first),
    y: (chance) => EDGE.top + inner.height * (1 - chance),
  };
}

/** The line of one seat. */
export function pathOf(points: ReviewPoint[], seat: number, { x, y }: Plot): string {
  return points.map(({ ply, chances }, i) => `${i ? "L" : "M"}${x(ply).toFixed(1)} ${y(chances[seat] ?? 0).toFixed(1)}`).join("");
}

/** The point that is nearest to a place. */
export function nearest(points: ReviewPoint[], { x }: Plot, place: number): number {
  let found = 0;
  points.forEach(({ ply }, i) => {
    if (Math.abs(x(ply) - place) < Math.abs(x(points[found]?.ply ?? 0) - place)) found = i;
  });
  return found;
}

/** Heights for labels that want to be at these, moved apart where they would cover each other. */
export function spread(wanted: number[], lowest: number): number[] {
  const found = [...wanted];
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[b] ?? 0) - (wanted[a] ?? 0) || b - a);
  let free = lowest;
  for (const i of order) {
    found[i] = Math.min(wanted[i] ?? 0, free);
    free = found[i] - APART;
  }
  return found;
}
