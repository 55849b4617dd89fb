/**
 * Hints for the seat that is to decide: the best moves, requested once per position and dropped when play goes on.
 *
 * A hint is never played. It is put into the board's pick (`suggested`), where the person sees what it does and
 * decides.
 */

import type { Hint } from "../api";
import { ask } from "../http";
import { hasHints } from "../lobby/plan";
import type { LiveMatch } from "../live.svelte";
import { reasonOf } from "../notice.svelte";

/** The parts of a hint's move: usually one, for an offer all its terms. */
export function termsOf(move: string): string[] {
  return move.split("; ");
}

export class Hints {
  busy = $state(false);
  #found = $state.raw<Hint | null>(null);
  #problem = $state.raw<{ text: string; at: string } | null>(null);
  #wish = $state.raw<{ terms: string[]; at: string } | null>(null);

  constructor(readonly live: () => LiveMatch) {}

  /** The position, as hints name it. */
  readonly #at = $derived.by(() => {
    const { seat, play } = this.live();
    return `${seat} ${play?.epoch} ${play?.ply}`;
  });
  /** Whether there are hints in this match. */
  readonly atTable = $derived.by(() => {
    const { about } = this.live();
    const people = about?.seats.filter(({ kind }) => kind === "person").length ?? 0;
    return hasHints(about?.settings.hints, people);
  });
  /** Whether this seat may ask for them. */
  readonly allowed = $derived.by(() => {
    const { about, seat } = this.live();
    return this.atTable && about?.status === "playing" && seat !== null;
  });
  /** Whether there is something to decide now. */
  readonly open = $derived.by(() => {
    const { play, seat } = this.live();
    return this.allowed && play?.turn === seat && play?.chosen === null;
  });
  readonly found = $derived.by(() => {
    const hint = this.#found;
    return this.open && hint && `${hint.seat} ${hint.epoch} ${hint.ply}` === this.#at ? hint : null;
  });
  readonly problem = $derived.by(() => (this.#problem?.at === this.#at ? this.#problem.text : null));
  /** What the board is to pick. */
  readonly suggested = $derived.by(() => (this.open && this.#wish?.at === this.#at ? this.#wish.terms : null));

  /** Ask for a hint, unless it is there or requested; returns it if it still fits the position. */
  async ask(): Promise<Hint | null> {
    const { match, seat, play } = this.live();
    if (!this.open || this.found || this.busy || !play) return null;
    const at = this.#at;
    this.busy = true;
    this.#problem = null;
    try {
      const { epoch, ply } = play;
      this.#found = await ask<Hint>("POST", `/api/matches/${match}/hint`, { seat, epoch, ply });
    } catch (error) {
      this.#problem = { text: reasonOf(error), at };
    }
    this.busy = false;
    return this.found;
  }

  show(move: string): void {
    this.#wish = { terms: termsOf(move), at: this.#at };
  }
}
