/** Requests to the server over HTTP. */

import type { Problem } from "./api";
import { me } from "./me.svelte";

/** The server refused; `code` is for programs, the message for people. */
export class Refusal extends Error {
  constructor(readonly code: string, reason: string) {
    super(reason);
  }
}

export async function ask<T>(method: "GET" | "POST" | "PATCH" | "DELETE", address: string, body?: unknown, token?: string): Promise<T> {
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
  throw new Refusal(problem?.code ?? "broken", problem?.reason ?? answer.statusText);
}
