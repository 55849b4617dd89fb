/** Requests to the server over HTTP. */

import type { Problem } from "./api";
import { me } from "./me.svelte";

/** The server refused; `code` is for programs, the message for people. */
export class Refusal extends Error {
  /** `retryMs`: after so many milliseconds the same may succeed. */
  constructor(readonly code: string, reason: string, readonly retryMs: number | null = null) {
    super(reason);
  }
}

/** Milliseconds for which the page tries again by itself what was too much for the server; after that it is said. */
export const PATIENT = 15_000;

/** When to try again what was refused, a little later for each try; null: not at all. `since` is when it was first sent. */
export function retryIn(refusal: Refusal, since: number): number | null {
  if (refusal.retryMs === null) return null;
  const wait = refusal.retryMs + Math.random() * 200;
  return Date.now() - since + wait > PATIENT ? null : wait;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Send a request; one that the server refuses for now is sent again. */
export async function ask<T>(method: Method, address: string, body?: unknown, token?: string): Promise<T> {
  const since = Date.now();
  for (;;) {
    try {
      return await once<T>(method, address, body, token);
    } catch (error) {
      const wait = error instanceof Refusal ? retryIn(error, since) : null;
      if (wait === null) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

async function once<T>(method: Method, address: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = {};
  const proof = token ?? me.now?.token;
  if (proof) headers["authorization"] = `Bearer ${proof}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Refusal("offline", "the server cannot be reached");
  }
  if (answer.ok) return (await answer.json()) as T;
  const problem = (await answer.json().catch(() => null)) as Problem | null;
  throw new Refusal(problem?.code ?? "broken", problem?.reason ?? answer.statusText, problem?.retry_ms ?? null);
}
