/** Which panel beside the table is visible, and how much of the chat is unread. */

import type { LiveMatch } from "../live.svelte";

export type Tab = "log" | "chat" | "players" | "hint";

const STORED = "rostra.read";
const MOST = 50;

/** The last chat line that was read, by match and seat. */
function kept(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, number>;
  } catch {
    return {}; // storage is blocked, or something else wrote there
  }
}

function keepRead(name: string, read: number): void {
  const { [name]: before, ...others } = kept();
  if (before === read) return;
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries([...Object.entries(others), [name, read]].slice(-MOST))));
  } catch {
    // Then a reload forgets it.
  }
}

const wide = matchMedia("(min-width: 1000px)");

export class Around {
  tab = $state<Tab>("log");
  /** On small screens: whether the sheet is up. */
  up = $state(false);
  /** On large screens there is space for it beside the board. */
  beside = $state(wide.matches);
  /** The number of the last chat line that was visible; null until the match is known. */
  #read = $state<number | null>(null);

  get #name(): string {
    const { match, seat } = this.live();
    return `${match} ${seat ?? ""}`;
  }

  constructor(readonly live: () => LiveMatch) {
    $effect(() => {
      const changed = (): void => void (this.beside = wide.matches);
      wide.addEventListener("change", changed);
      return () => wide.removeEventListener("change", changed);
    });
    $effect(() => {
      const { about, chat } = this.live();
      if (!about) return;
      const last = chat.at(-1)?.number ?? -1;
      // What was said before this device first opened the match is not news.
      if (this.#read === null) this.#read = kept()[this.#name] ?? last;
      if (this.shown && this.tab === "chat") this.#read = last;
      keepRead(this.#name, this.#read);
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
