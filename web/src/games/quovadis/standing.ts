/** The final order: winners, then those whose laurels count by points and arrival, then the others. */

import type { QuoVadisPlayer, QuoVadisView, Result } from "../../api";

export function inOrder(result: Result, players: QuoVadisPlayer[]): number[] {
  const first = (seat: number): number => (result.winners.includes(seat) ? 0 : players[seat]?.counts ? 1 : 2);
  const points = (seat: number): number => result.points[seat] ?? 0;
  const arrival = (seat: number): number => players[seat]?.arrival || Infinity;
  const later = (a: number, b: number): number => (arrival(a) === arrival(b) ? 0 : arrival(a) - arrival(b));
  return players.map((_, seat) => seat).sort((a, b) => first(a) - first(b) || points(b) - points(a) || later(a, b));
}

/** Groups of seats that count and have the same points, where the order of arrival decides. */
export function ties(result: Result, players: QuoVadisPlayer[]): number[][] {
  const counting = inOrder(result, players).filter((seat) => players[seat]?.counts);
  const points = [...new Set(counting.map((seat) => result.points[seat] ?? 0))];
  return points.map((n) => counting.filter((seat) => result.points[seat] === n))
    .filter((seats) => new Set(seats.map((seat) => players[seat]?.arrival ?? 0)).size > 1);
}

/** The order for the banner, with the seats that do not count. */
export function standing(result: Result, view: Record<string, unknown>): { seat: number; counts: boolean }[] {
  const { players } = view as unknown as QuoVadisView;
  return inOrder(result, players).map((seat) => ({ seat, counts: players[seat]?.counts ?? true }));
}
