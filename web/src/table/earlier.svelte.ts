/** Offers of earlier turns, in games with deals: fetched when the page opens, and when those on the desk are gone. */

import type { OfferState, Offers } from "../api";
import { ask } from "../http";
import type { LiveMatch } from "../live.svelte";

export class Earlier {
  offers = $state.raw<OfferState[]>([]);

  #of: LiveMatch | null = null;
  /** The last offer that was seen on the desk. */
  #seen = -1;

  constructor(current: () => LiveMatch) {
    $effect(() => {
      const live = current();
      const { desk, play } = live;
      if (!desk || !play?.details?.ledger) return;
      const last = desk.offers.at(-1)?.offer ?? -1;
      const gone = last < this.#seen || (last >= 0 && (desk.offers[0]?.offer ?? 0) > this.#seen && this.#seen >= 0);
      if (this.#of === live && !gone) {
        this.#seen = Math.max(last, this.#seen);
        return;
      }
      if (this.#of?.match !== live.match) this.offers = [];
      this.#of = live;
      this.#seen = last;
      void this.#fetch(live);
    });
  }

  async #fetch(live: LiveMatch): Promise<void> {
    try {
      const seat = live.seat === null ? "" : `?seat=${live.seat}`;
      const found = await ask<Offers>("GET", `/api/matches/${live.match}/offers${seat}`);
      if (this.#of === live) this.offers = found.offers;
    } catch {
      // the next turn asks again
    }
  }
}
