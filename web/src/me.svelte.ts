/** Who plays on this device: a name and a token that proves it. The token stays in this browser. */

import type { Code, NewToken, Person } from "./api";
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
    const made = await ask<NewToken>("POST", "/api/people", { name, label: deviceName() });
    remember(made);
    return made;
  }
  if (me.now.name !== name) remember({ ...me.now, ...(await ask<Person>("PATCH", "/api/me", { name })) });
  return me.now;
}

/** What to call this device in the list of my devices, until it is renamed. */
function deviceName(): string {
  const { userAgent } = navigator;
  const browser = /Firefox|Edg|OPR|SamsungBrowser|Chrome|Safari/.exec(userAgent)?.[0] ?? "";
  const system = /Android|iPhone|iPad|Windows|Macintosh|Linux/.exec(userAgent)?.[0] ?? "";
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", SamsungBrowser: "Samsung", Macintosh: "Mac" };
  return [browser, system].filter(Boolean).map((one) => names[one] ?? one).join(", ");
}

/**
 * Become the person whose code this is. Personal links of versions before 0.10 hold a token instead, which this device
 * exchanges for one of its own, so that it can be revoked alone.
 */
export async function become(code: string): Promise<void> {
  const label = deviceName();
  if (!code.includes("-") || code.length === 43) {
    const found = await ask<Person>("GET", "/api/me", undefined, code).catch(() => null);
    if (found) code = (await ask<Code>("POST", "/api/me/codes", { kind: "code" }, code)).code;
  }
  remember(await ask<NewToken>("POST", "/api/sign-in", { code, label }));
}

/** This device has another token. */
export function renewed(made: NewToken): void {
  remember(made);
}

export function forget(): void {
  remember(null);
}
