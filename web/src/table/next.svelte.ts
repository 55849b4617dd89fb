/** The next match in which everybody waits for me, so that one can play through all of them. */

import type { Matches, Summary } from "../api";
import { ask } from "../http";
import { me } from "../me.svelte";

const EVERY = 20_000;

const waits = (one: Summary): boolean => one.status === "playing" && one.turn !== null && one.mine.includes(one.turn);

/** The matches that wait for me, the one that waits longest first. This is the only place that asks for them. */
async function awaited(): Promise<Summary[]> {
  const { matches } = await ask<Matches>("GET", "/api/matches?show=mine");
  return matches.filter(waits).sort((a, b) => a.changed - b.changed);
}

/** Looked up while a component is shown and somebody looks at it. */
export class Next {
  match = $state<string | null>(null);

  constructor(current: () => string) {
    const look = async (): Promise<void> => {
      if (document.visibilityState === "hidden" || !me.now) return;
      try {
        this.match = (await awaited()).find((one) => one.match !== current())?.match ?? null;
      } catch {
        // Then there is no button.
      }
    };
    $effect(() => {
      current();
      void look();
      const timer = setInterval(look, EVERY);
      return () => clearInterval(timer);
    });
  }
}
