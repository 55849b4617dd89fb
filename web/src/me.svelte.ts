/** Who plays on this device: a name and a token that proves it. The token stays in this browser and in personal links. */

import type { NewToken, Person } from "./api";
import { ask } from "./http";

const STORED = "rostra.me";

interface Me extends Person {
  token: string;
}

function initial(): Me | null {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "null") as Me | null;
  } catch {
    return null;
  }
}

export const me = $state<{ now: Me | null }>({ now: initial() });

function remember(now: Me | null): void {
  me.now = now;
  try {
    if (now) localStorage.setItem(STORED, JSON.stringify(now));
    else localStorage.removeItem(STORED);
  } catch {
    // It holds until the page is closed.
  }
}

/** Register, or change your own name. */
export async function call(name: string): Promise<Me> {
  if (me.now === null) {
    const made = await ask<NewToken>("POST", "/api/people", { name });
    remember(made);
    return made;
  }
  if (me.now.name !== name) remember({ ...me.now, ...(await ask<Person>("PATCH", "/api/me", { name })) });
  return me.now;
}

/** Become the person of a personal link, or report that nobody has this token. */
export async function become(token: string): Promise<void> {
  const person = await ask<Person>("GET", "/api/me", undefined, token);
  remember({ ...person, token });
}

export function forget(): void {
  remember(null);
}

/** The address that signs another device in; what follows the # is never sent to a server. */
export function personalLink(): string {
  return `${location.origin}/me#${me.now?.token ?? ""}`;
}
