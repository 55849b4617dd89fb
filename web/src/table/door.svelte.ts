/**
 * What anybody may know of a match. The page reads here which seats are its own, whatever seat it looks through.
 *
 * A page holds one subscription. It is the door's only while no seat of its own is in use; otherwise the door learns
 * what is public from the updates of that seat.
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

  /** Look through the door, or (false) through a seat of one's own, which has its own subscription. */
  use(subscribed: boolean): void {
    if (subscribed === this.#subscribed) return;
    this.#subscribed = subscribed;
    if (!subscribed) return this.leave();
    this.play = null; // it is from before
    this.ask();
  }

  override ask(): void {
    if (this.#subscribed) super.ask();
  }

  /** A seat that is no longer ours cannot be watched: who sits where is asked for again. */
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
