/** Offers on the table, sorted by what they want of a seat. */

import type { ChatLine, OfferState, OwnWords, QuoVadisWorth } from "../../api";

/** The server's messages are the same for all games; what a deal moves is this game's. */
export function worthOf(told: { worth: Record<string, unknown> | null } | null): QuoVadisWorth | null {
  return (told?.worth ?? null) as QuoVadisWorth | null;
}

/** The promises in own words of an offer. */
export function wordsOf({ words }: OfferState): OwnWords[] {
  return words.map(([maker, receiver, text]) => ({ maker, receiver, text }));
}

/** Whether an offer is off the table without having been carried out. */
export function isClosed({ status }: OfferState): boolean {
  return status !== "open" && status !== "carried-out";
}

/** Whether an offer waits for this seat's answer. */
export function asksSeat(offer: OfferState, seat: number | null): boolean {
  if (seat === null || offer.status !== "open" || !offer.parties.includes(seat)) return false;
  return !offer.yes.includes(seat) && !offer.no.includes(seat);
}

/** Whether all have agreed, so that the mover chooses whether to do it: other actions are on offer as well. */
export function isChoice(offer: OfferState): boolean {
  return offer.status === "open" && offer.parties.every((party) => offer.yes.includes(party));
}

/** Whose offer it is an answer to. */
export function answeredBy(offer: OfferState, offers: OfferState[], names: string[]): string | null {
  if (offer.counters === null) return null;
  const first = offers.find((one) => one.offer === offer.counters);
  return first ? names[first.seat] ?? null : null;
}

/** The terms that an offer answers with its own. */
export function answeredTerms(offer: OfferState, offers: OfferState[]): string[] | null {
  return offer.counters === null ? null : offers.find((one) => one.offer === offer.counters)?.terms ?? null;
}

export type Said = { offer: OfferState } | { line: ChatLine };

export interface Group {
  key: string;
  /** Whose turn it was. */
  mover: number;
  said: Said[];
}

/** Offers and chat in the order in which they happened, by turns; the last group is the present turn. */
export function threadOf(earlier: OfferState[], now: OfferState[], chat: ChatLine[], mover: number): Group[] {
  const groups: Group[] = [];
  const lines = [...chat].sort((one, two) => one.at - two.at);
  let turn = -1;
  let at = 0;
  const talk = (until: number): Said[] => {
    const from = at;
    while (at < lines.length && (lines[at]?.at ?? 0) <= until) at += 1;
    return lines.slice(from, at).map((line) => ({ line }));
  };
  for (const offer of earlier) {
    if (offer.turn !== turn || !groups.length) groups.push({ key: `${offer.offer}`, mover: offer.mover, said: [] });
    turn = offer.turn;
    groups.at(-1)?.said.push(...talk(offer.at), { offer });
  }
  const present: Group = { key: "now", mover, said: [] };
  for (const offer of now) present.said.push(...talk(offer.at), { offer });
  present.said.push(...talk(Infinity));
  return [...groups, present];
}
