/** What open offers and questions for prices have in common in all games with deals. */

import type { AskedPrices, Desk, OfferState } from "../api";

/** Those that wait for an answer of this seat. */
export function offersFor(desk: Desk | null, seat: number | null): OfferState[] {
  if (!desk || seat === null) return [];
  return desk.offers.filter(
    (one) => one.status === "open" && one.parties.includes(seat) && !one.yes.includes(seat) && !one.no.includes(seat),
  );
}

/** What a seat has said that its consents cost, for this or for anything; undefined: nothing yet. */
export function priceOf(desk: Desk | null, seat: number, about: string): number | null | undefined {
  const named = desk?.prices.filter((one) => one.seat === seat) ?? [];
  const price = named.find((one) => one.about === about);
  return price ? price.price : named.find((one) => one.about === null)?.price ?? undefined;
}

/** The questions for a price that this seat has not answered. */
export function pricesAsked(desk: Desk | null, seat: number | null): AskedPrices[] {
  if (!desk || seat === null) return [];
  return desk.asked.filter(({ about, of }) => of.includes(seat) && priceOf(desk, seat, about) === undefined);
}

/** How many questions of all kinds wait for an answer of this seat. */
export function callsFor(desk: Desk | null, seat: number | null): number {
  return offersFor(desk, seat).length + pricesAsked(desk, seat).length;
}
