/** A rematch: same game, seats, options and settings. A link in the chat leads the other players there. */

import type { About, ChatLine, SeatPlan } from "../api";
import { makeMatch } from "../lobby/house";
import { command } from "../live.svelte";
import { say } from "../words.svelte";
import { linked } from "./chatLinks";

export async function rematch(match: string, about: About, seat: number): Promise<string> {
  const seats = about.seats.map((one, index): SeatPlan => {
    if (about.mine.includes(index)) return { kind: "me" };
    return one.kind === "bot" ? { kind: "bot", bot: one.bot } : { kind: "open" };
  });
  const names = about.mine.map((index) => about.seats[index]?.name ?? "");
  const made = await makeMatch({ game: about.game, seats, options: about.options, settings: about.settings }, names);
  const text = say("table.rematch_said", { link: `${location.origin}/match/${made}` });
  if (seats.some((one) => one.kind === "open")) await command({ type: "say", match, seat, text });
  return made;
}

/** The rematch that somebody else has already made: the last match named in the chat. */
export function rematchOf(chat: ChatLine[]): string | null {
  return chat.flatMap((line) => linked(line.text)).filter((part) => part.address).at(-1)?.address ?? null;
}
