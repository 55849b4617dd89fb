/** Rows and what they would win, in words. */

import { say } from "../../words.svelte";
import { type House, spaced } from "./codes";
import type { Row } from "./stands";

export function winsWords(house: House, n: number): string {
  if (!n) return say("alea.wins_nothing");
  switch (house) {
    case "templum": return say("alea.wins_tokens", { n });
    case "senatus": return say("alea.wins_card");
    case "castrum": return say("alea.wins_province");
    case "forum": return n > 1 ? say("alea.wins_patricians", { n }) : say("alea.wins_patrician");
    case "latrina": return say("alea.wins_chips", { n });
  }
}

/** A whole row: whose it is, what lies there, what it would win. */
export function rowWords(house: House, row: Row, names: string[]): string {
  const name = names[row.seat] ?? "";
  const wins = row.wins === null ? "" : ` ${winsWords(house, row.wins)}`;
  if (house === "templum") return say("alea.row_sum", { name, n: row.dice.length, sum: row.sum }) + wins;
  if (house === "latrina") return say("alea.row_number", { name, n: row.dice.length }) + wins;
  return say("alea.row", { name, dice: spaced(row.dice) }) + wins;
}
