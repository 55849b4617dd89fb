/** Which panel beside the table is visible, and how much of the chat is unread. */

import type { LiveMatch } from "../live.svelte";

export type Tab = "log" | "chat" | "players" | "hint";

const wide = matchMedia("(min-width: 1000px)");

export class Around {
  tab = $state<Tab>("log");
  /** On small screens: whether the sheet is up. */
  up = $state(false);
  /** On large screens there is space for it beside the board. */
  beside = $state(wide.matches);
  /** The number of the last chat line that was visible; null until the match is known. */
  #read = $state<number | null>(null);

  constructor(readonly live: () => LiveMatch) {
    $effect(() => {
      const changed = (): void => void (this.beside = wide.matches);
      wide.addEventListener("change", changed);
      return () => wide.removeEventListener("change", changed);
    });
    $effect(() => {
      const { about, chat } = this.live();
      // What was said before this page was opened is not news.
      if (about && (this.#read === null || (this.shown && this.tab === "chat"))) this.#read = chat.at(-1)?.number ?? -1;
    });
  }

  readonly shown = $derived.by(() => this.beside || this.up);
  readonly unread = $derived.by(() => {
    const { about, chat, seat } = this.live();
    const news = chat.filter((one) => one.number > (this.#read ?? -1) && one.seat !== seat);
    return news.filter((one) => !about?.muted.includes(one.seat)).length;
  });

  show(tab: Tab): void {
    this.tab = tab;
    this.up = !this.beside;
  }
}
