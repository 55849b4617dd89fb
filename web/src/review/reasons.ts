/** Why a move is good or bad, in words; the catalogue has the sentences, the server the numbers. */

import type { Reason } from "../api";
import { number, sayIf } from "../words.svelte";

/** A seat is given by its number; only the page knows its name. */
export function reasonText({ key, values = {} }: Reason, names: string[]): string {
  const said = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (typeof value === "string") return [name, value];
    return [name, name.endsWith("name") ? (names[value] ?? "") : Number.isInteger(value) ? value : number(value, 1)];
  });
  const text = sayIf(`review.${key}`, Object.fromEntries(said)) ?? key;
  return text.replaceAll(" %", "\u00a0%"); // a number and its sign stay on one line
}
