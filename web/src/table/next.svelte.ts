/** The next match in which everybody waits for me, so that one can play through all of them. */

import type { Matches } from "../api";
import { ask } from "../http";
import { me } from "../me.svelte";

const EVERY = 20_000;

/** The matches that wait for me, the one that waits longest first; and when and at which table that was asked. */
let waiting: string[] = [];
let asked = { at: -Infinity, match: "" };

/** Ask, unless that was just done at this table, which shows and hides the way to the next match at every move. */
async function awaited(match: string): Promise<string[]> {
  if (asked.match !== match || Date.now() - asked.at >= EVERY) {
    asked = { at: Date.now(), match };
    const { matches } = await ask<Matches>("GET", "/api/matches?show=next");
    waiting = matches.map((one) => one.match);
  }
  return waiting;
}

/** Looked up while a component is shown and somebody looks at it. */
export class Next {
  match = $state<string | null>(null);

  constructor(current: () => string) {
    const look = async (): Promise<void> => {
      if (document.visibilityState === "hidden" || !me.now) return;
      try {
        this.match = (await awaited(current())).find((match) => match !== current()) ?? null;
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
