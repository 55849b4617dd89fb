/**
 * The offer that is being put together at the desk. What may be added to it and who must agree is asked of the server
 * after every change; an answer that comes after the next change does not count. An empty desk asks nothing.
 */

import type { DraftInfo, OwnWords } from "../../api";
import type { Acts } from "../../scene";

const KEPT = "rostra.draft";

interface Kept {
  at: string;
  terms: string[];
  words?: OwnWords[];
  counters: number | null;
}

export class Deal {
  terms = $state.raw<string[]>([]);
  /** Promises in own words. */
  words = $state.raw<OwnWords[]>([]);
  /** The offer that this one is an answer to. */
  counters = $state<number | null>(null);
  info = $state.raw<DraftInfo | null>(null);
  /** Whether the desk is to be looked at, once the server has answered. */
  opened = $state(false);

  #asked = 0;

  open(terms: string[], counters: number | null = null, words: OwnWords[] = []): void {
    this.terms = terms;
    this.words = words;
    this.info = null; // of other terms
    this.counters = counters;
    this.opened = true;
  }

  choose(action: string): void {
    this.terms = action ? [action] : [];
  }

  add(term: string): void {
    this.terms = [...this.terms, term];
  }

  remove(at: number): void {
    this.terms = this.terms.filter((_, i) => i !== at);
  }

  clear(): void {
    this.terms = [];
    this.words = [];
    this.counters = null;
    this.info = null;
  }

  /** Keep what lies on the desk for a reload of the page; `at` names the place and the moment it belongs to. */
  save(at: string): void {
    try {
      if (this.terms.length) {
        sessionStorage.setItem(KEPT, JSON.stringify({ at, terms: this.terms, words: this.words, counters: this.counters }));
      } else sessionStorage.removeItem(KEPT);
    } catch {
      // a browser that stores nothing
    }
  }

  /** Put back what lay on the desk, if it belongs here and now. */
  restore(at: string): void {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
      if (kept?.at !== at) return;
      this.terms = kept.terms;
      this.words = kept.words ?? [];
      this.counters = kept.counters;
    } catch {
      // nothing that can be used
    }
  }

  /** Another turn, another table. */
  reset(): void {
    this.clear();
    this.opened = false;
  }

  async study(acts: Acts, terms: string[]): Promise<void> {
    const asked = ++this.#asked;
    try {
      const info = terms.length ? await acts.draft(terms) : null;
      if (asked === this.#asked) this.info = info;
    } catch {
      if (asked === this.#asked) this.info = null; // the next change asks again
    }
  }
}
