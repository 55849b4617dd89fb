/**
 * Which seat the table is shown for.
 *
 * Usually there is one seat of mine, or none. Several seats of mine are several people with one device: the seat that
 * is to decide is `wanted`, and nothing is shown until its person confirms. The cover must come before the new view, so
 * the page follows `shown`, never `wanted`.
 */

import type { Door } from "./door.svelte";

export class Eyes {
  /** Who holds the device, as far as they said. */
  #here = $state<number | null>(null);
  /** The seat that somebody asked to look as, until this turn ends. */
  #asked = $state<{ seat: number; turn: string } | null>(null);

  constructor(readonly door: () => Door) {}

  readonly mine = $derived.by(() => this.door().about?.mine ?? []);
  readonly #turn = $derived.by(() => `${this.door().where?.epoch} ${this.door().where?.turn}`);

  /** The seat that should look now. */
  readonly wanted = $derived.by((): number | null => {
    const [first = null] = this.mine;
    if (this.mine.length < 2) return first;
    const here = this.#here !== null && this.mine.includes(this.#here) ? this.#here : null;
    if (this.#asked?.turn === this.#turn && this.mine.includes(this.#asked.seat)) return this.#asked.seat;
    const turn = this.door().about?.status === "playing" ? this.door().where?.turn : null;
    if (turn != null && this.mine.includes(turn)) return turn;
    return here ?? first;
  });

  /** Whether the device is to be handed on first; when it is over nobody has secrets any more. */
  readonly covered = $derived.by(
    () => this.mine.length > 1 && this.door().about?.status === "playing" && this.#here !== this.wanted,
  );

  /** The seat that is shown; null for a spectator, and under the cover. */
  readonly shown = $derived.by(() => (this.covered ? null : this.wanted));

  /** “I am …” */
  come(): void {
    this.#here = this.wanted;
  }

  /** Show the table for somebody else who plays on this device. */
  look(seat: number): void {
    this.#asked = { seat, turn: this.#turn };
  }
}
