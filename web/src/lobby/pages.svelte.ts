/** A list of matches that grows page by page. */

import type { Matches, Summary } from "../api";
import { ask } from "../http";

export class Pages {
  list = $state.raw<Summary[]>([]);
  /** Whether there are more than are shown. */
  more = $state(false);
  #shown = 1;

  /** `query`: which list, as in the address. */
  constructor(readonly query: string) {}

  /** Ask again for all pages that are shown. */
  async refresh(): Promise<void> {
    const found = new Map<string, Summary>();
    let before: string | null = "";
    for (let page = 0; page < this.#shown && before !== null; page++) {
      const got: Matches = await ask<Matches>(
        "GET", `/api/matches?${this.query}${before && `&before=${encodeURIComponent(before)}`}`,
      );
      for (const one of got.matches) found.set(one.match, one);
      before = got.more;
    }
    this.list = [...found.values()];
    this.more = before !== null;
  }

  async grow(): Promise<void> {
    this.#shown += 1;
    await this.refresh();
  }

  clear(): void {
    this.list = [];
    this.more = false;
    this.#shown = 1;
  }
}
