/** Short notices at the edge of the page, for what went wrong or was done; read out by screen readers. */

import { Refusal } from "./http";
import { sayIf } from "./words.svelte";

interface Notice {
  id: number;
  text: string;
  bad: boolean;
}

export const notices = $state<{ list: Notice[]; spoken: string }>({ list: [], spoken: "" });
let last = 0;

export function tell(text: string, bad = false): void {
  const id = ++last;
  // What is refused to several requests of one page is said once.
  notices.list = notices.list.filter((one) => one.text !== text);
  notices.list.push({ id, text, bad });
  setTimeout(() => dismiss(id), bad ? 8000 : 4000);
}

export function dismiss(id: number): void {
  notices.list = notices.list.filter((one) => one.id !== id);
}

const recent: { text: string; at: number }[] = [];
const TOGETHER = 1500;

/**
 * Announce to screen readers what everybody else sees happen: the turn, the roll, the result. Messages of about the
 * same time are joined, or the last would drown the others.
 */
export function announce(text: string): void {
  const now = Date.now();
  while (recent.length && now - (recent[0]?.at ?? 0) > TOGETHER) recent.shift();
  if (recent.at(-1)?.text === text) return;
  recent.push({ text, at: now });
  notices.spoken = recent.map((one) => one.text).join(" ");
}

/** Why something did not work, in the person's language where the catalogue has it. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return sayIf(`app.refused_${error.code.replaceAll("-", "_")}`) ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Run something that the server may refuse; a refusal becomes a notice. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    tell(reasonOf(error), true);
    return undefined;
  }
}
