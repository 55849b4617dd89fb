/** How a match ended, in words. */

import type { About, Result } from "../api";
import { say, sayIf } from "../words.svelte";

/** “A, B and C”. */
export function listed(names: string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return say("table.and", { some: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
}

/** Why it ended, with the name of the player who gave up or whose time was up. */
export function endText(about: About, names: string[]): string {
  const end = about.result?.end ?? "";
  const name = listed(names.filter((_, seat) => about.seats[seat]?.resigned)) || say("table.somebody");
  const words = end.replaceAll("-", " "); // of a game that the catalogue does not know
  return sayIf(`table.end_${end.replaceAll("-", "_")}`, { name }) ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

export function winnersText(result: Result, names: string[]): string {
  const winners = listed(result.winners.map((seat) => names[seat] ?? ""));
  if (!result.winners.length) return say("table.nobody_wins");
  return result.winners.length === 1 ? say("table.wins", { name: winners }) : say("table.win_together", { names: winners });
}

/** The whole result as a sentence, for screen readers. */
export function resultText(about: About, names: string[]): string {
  const { result } = about;
  if (!result) return say("table.over");
  const points = names.map((name, seat) => say("table.name_points", { name, n: result.points[seat] ?? 0 }));
  return `${winnersText(result, names)} ${points.join(", ")}. ${endText(about, names)}`;
}

/** Seats from the best to the last: winners first, then by points. */
export function ranking(result: Result): number[] {
  const first = (seat: number): number => (result.winners.includes(seat) ? 0 : 1);
  const points = (seat: number): number => result.points[seat] ?? 0;
  return result.points.map((_, seat) => seat).sort((a, b) => first(a) - first(b) || points(b) - points(a));
}
