/** Who came to which seat in a running match, in words. */

import type { HandOver } from "../api";
import { levelName } from "../lobby/house";
import { say, sayIf } from "../words.svelte";

export function handedText(one: HandOver, names: string[]): string {
  const after = one.bot === null ? one.after : (levelName(one.bot) ?? say("table.bot"));
  const values = { before: one.before ?? "", after, by: one.by === null ? "" : (names[one.by] ?? "") };
  if (one.how === "link" && one.by === one.seat) values.by = values.before;
  return sayIf(`table.handed_${one.how}`, values) ?? say("table.handed_unknown", values);
}
