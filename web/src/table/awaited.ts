/** For whom everybody waits: the people whose move or answer is missing, as the server counts them. */

import type { LiveMatch } from "../live.svelte";
import { pricesAsked } from "./offers";

/** The seats of other people whom this seat may nudge. */
export function awaitedPeople({ about, play, desk, seat }: LiveMatch): number[] {
  if (about?.status !== "playing" || seat === null) return [];
  const found = new Set<number>();
  if (play?.turn != null) found.add(play.turn);
  for (const offer of desk?.offers ?? []) {
    if (offer.status !== "open") continue;
    for (const party of offer.parties) if (!offer.yes.includes(party) && !offer.no.includes(party)) found.add(party);
  }
  about.seats.forEach((_, one) => void (pricesAsked(desk, one).length && found.add(one)));
  if (desk?.undo) about.seats.forEach((_, one) => void (desk.undo?.agreed.includes(one) || found.add(one)));
  return [...found].filter((one) => about.seats[one]?.kind === "person" && !about.mine.includes(one));
}
