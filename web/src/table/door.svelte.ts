/**
 * The match as anybody may see it, always watched by its page: it tells who sits where, also when a seat of mine went
 * to somebody else. What follows from the position is asked for only when nobody's own eyes are used.
 */

import { LiveMatch } from "../live.svelte";

export class Door extends LiveMatch {
  /** Whether this is what the page shows. */
  shown = false;

  constructor(match: string) {
    super(match, null);
  }

  override async study(): Promise<void> {
    if (this.shown) await super.study();
  }
}
