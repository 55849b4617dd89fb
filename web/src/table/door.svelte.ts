/**
 * What anybody may know of a match. The page finds here which seats are its own, whatever seat it shows.
 *
 * A page has one subscription. It is the door's only while no seat of its own is in use; otherwise the door takes what
 * is public from the updates of that seat.
 */

import type { Update } from "../api";
import type { Refusal } from "../http";
import { LiveMatch } from "../live.svelte";

export class Door extends LiveMatch {
  /** Where play is, from the latest update of any seat; null before the match begins. */
  where = $state.raw<{ epoch: number; turn: number | null } | null>(null);

  #number = -1;
  #subscribed = true;

  constructor(match: string) {
    super(match, null);
  }

  /** Use the door's own subscription, or (false) that of a seat. */
  use(subscribed: boolean): void {
    if (subscribed === this.#subscribed) return;
    this.#subscribed = subscribed;
    if (!subscribed) return this.leave();
    this.play = null; // it is older
    this.ask();
  }

  override ask(): void {
    if (this.#subscribed) super.ask();
  }

  /** A seat that is no longer ours cannot be watched: ask again who sits where. */
  override failed(problem: Refusal): void {
    if (problem.code === "not-yours") super.ask();
    else super.failed(problem);
  }

  override hear(update: Update): void {
    super.hear(update);
    if (update.match !== this.match || update.number < this.#number) return;
    this.#number = update.number;
    if (update.about) this.about = update.about;
    if (update.play !== undefined) this.where = update.play;
  }
}
