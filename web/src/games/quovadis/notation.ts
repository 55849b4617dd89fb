/**
 * The texts of moves taken apart, to be shown in words. It only reads: what may be done is the server's to say.
 *
 * Consents are seats: one entry for each senator, including the mover's own.
 */

export type Action =
  | { kind: "enter"; room: string }
  | { kind: "move"; path: string; consents: number[] }
  | { kind: "caesar"; place: string }
  | { kind: "leave" };

export type Promised =
  | { what: "support" | "caesar" }
  | { what: "oppose"; whom: number }
  | { what: "pay"; value: number };

export interface Give {
  kind: "give";
  from: number;
  to: number;
  value: number;
}

export type PromiseTerm = { kind: "promise"; from: number; to: number } & Promised;

/** Where Caesar goes after a 2 with his picture; null: he stays. */
export interface Then {
  kind: "then";
  place: string | null;
}

/** What binds in this turn only: a seat refuses its consent or gives it; Caesar spares a place; who gets the last 1. */
export type Vow = { kind: "refuse" | "consent" | "one"; seat: number } | { kind: "spare"; place: string };

export type Term = Action | Give | Then | PromiseTerm | Vow;

export type Written =
  | Term
  | { kind: "dismiss"; room: string }
  | { kind: "start"; seat: number }
  | { kind: "laurel"; laurel: string }
  | { kind: "word"; word: string };

export function read(text: string): Written {
  if (text === "-") return { kind: "leave" };
  const sign = text[0];
  if (sign === "+") return { kind: "enter", room: text.slice(1) };
  if (sign === "@") return { kind: "caesar", place: text.slice(1) };
  if (sign === "-") return { kind: "dismiss", room: text.slice(1) };
  if (text.startsWith("=s")) return { kind: "start", seat: Number(text.slice(2)) };
  if (sign === "=") return { kind: "laurel", laurel: text.slice(1) };
  const move = /^([A-N]>[A-S])(?:\(([\d,]+)\))?$/.exec(text);
  if (move) return { kind: "move", path: move[1] ?? "", consents: move[2] ? move[2].split(",").map(Number) : [] };
  const [word = "", one = "", two = "", what = "", last = ""] = text.split(" ");
  if (word === "give") return { kind: "give", from: Number(one), to: Number(two), value: Number(what) };
  if (word === "then") return { kind: "then", place: one === "-" ? null : one.slice(1) };
  if (word === "promise") return { kind: "promise", from: Number(one), to: Number(two), ...promised(what, Number(last)) };
  if (word === "refuse" || word === "consent" || word === "one") return { kind: word, seat: Number(one) };
  if (word === "spare") return { kind: "spare", place: one };
  return { kind: "word", word: text };
}

function promised(what: string, number: number): Promised {
  if (what === "oppose") return { what, whom: number };
  if (what === "pay") return { what, value: number };
  return { what: what === "caesar" ? "caesar" : "support" };
}

export function isAction(term: Written): term is Action {
  return term.kind === "enter" || term.kind === "move" || term.kind === "caesar" || term.kind === "leave";
}

const VOWS = ["refuse", "consent", "one", "spare"];

export function isVow(term: Written): term is Vow {
  return VOWS.includes(term.kind);
}

const TERMS = ["give", "then", "promise", ...VOWS];

export function isTerm(term: Written): term is Term {
  return isAction(term) || TERMS.includes(term.kind);
}

interface Draft { action: string; gives: string[]; then: string | null; one: string | null; vow: string | null; promises: string[] }

/** The terms of a draft in a view, the action first. */
export function termsOf(draft: Draft): string[] {
  const single = [draft.then, draft.one, draft.vow].filter((term) => term !== null);
  return [draft.action, ...draft.gives, ...single, ...draft.promises];
}

/** Whether two deals are the same: the order of the terms makes no difference. */
export function sameDeal(one: string[], two: string[]): boolean {
  return [...one].sort().join("|") === [...two].sort().join("|");
}
