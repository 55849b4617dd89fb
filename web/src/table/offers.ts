/** What open offers have in common in all games with deals. */

import type { Desk, OfferState } from "../api";

/** Those that wait for an answer of this seat. */
export function offersFor(desk: Desk | null, seat: number | null): OfferState[] {
  if (!desk || seat === null) return [];
  return desk.offers.filter(
    (one) => one.status === "open" && one.parties.includes(seat) && !one.yes.includes(seat) && !one.no.includes(seat),
  );
}
