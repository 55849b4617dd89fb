/** The log in words: what the game's front says of the current line of play, with what was taken back marked. */

import type { Line } from "../api";
import type { GameFront, Told } from "../games";
import { currentLines } from "./sceneOf";

export interface Entry {
  key: string;
  /** What kind: a ply, a note that play went back to before `ply`, or the points of one of several games. */
  kind: "ply" | "undo" | "points";
  ply: number;
  seat: number | null;
  told: Told | null;
  points: number[] | null;
}

export function entriesOf(front: GameFront, lines: Line[], names: string[], view: Record<string, unknown> | null): Entry[] {
  const current = currentLines(lines);
  const told = front.tell(current, names, view);
  const texts = new Map(current.map((line, index) => [line, told[index] ?? null]));
  const found: Entry[] = [];
  lines.forEach((line, index) => {
    const shared = { key: `${index}`, ply: line.ply, seat: line.seat, points: line.points ?? null };
    const text = texts.get(line) ?? null;
    if (line.undo) found.push({ ...shared, kind: "undo", told: null });
    else if (text) found.push({ ...shared, kind: "ply", told: text });
    else if (line.points && texts.has(line)) found.push({ ...shared, kind: "points", told: null });
  });
  return found;
}
