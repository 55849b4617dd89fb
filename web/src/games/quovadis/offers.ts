/** Offers on the table, sorted by what they want of a seat. */

import type { OfferState, QuoVadisWorth } from "../../api";

/** The server's messages are the same for all games; what a deal moves is this game's. */
export function worthOf(told: { worth: Record<string, unknown> | null } | null): QuoVadisWorth | null {
  return (told?.worth ?? null) as QuoVadisWorth | null;
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

/** Open ones first, then the newest. */
export function inOrder(offers: OfferState[]): OfferState[] {
  const isOpen = ({ status }: OfferState): number => (status === "open" ? 1 : 0);
  return [...offers].sort((one, two) => isOpen(two) - isOpen(one) || two.offer - one.offer);
}

/** Whose offer it is an answer to. */
export function answeredBy(offer: OfferState, offers: OfferState[], names: string[]): string | null {
  if (offer.counters === null) return null;
  const first = offers.find((one) => one.offer === offer.counters);
  return first ? names[first.seat] ?? null : null;
}
