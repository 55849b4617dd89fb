/** Moves and deals in words. A phrase has no subject ("enters the Forum committee"); `sentence` puts the name in front. */

import { taste } from "../../taste.svelte";
import { say, sayIf } from "../../words.svelte";
import { isTerm, type Promised, read, type Term, type Written } from "./notation";

export function list(parts: string[]): string {
  return new Intl.ListFormat(taste.language, { type: "conjunction" }).format(parts);
}

/** The name of a committee, or of the Senate, by its letter. */
export function hall(room: string): string {
  return (room === "S" ? say("quovadis.senate") : sayIf(`quovadis.hall_${room.toLowerCase()}`)) ?? room;
}

export function roomName(room: string): string {
  return room === "S" ? say("quovadis.senate") : say("quovadis.committee", { room: hall(room) });
}

/** A path for the eye, short. */
export function pathName(path: string): string {
  const [from = "", to = ""] = path.split(">");
  return `${hall(from)}\u00a0→ ${hall(to)}`;
}

/** A path for the ear. */
export function pathSpoken(path: string): string {
  const [from = "", to = ""] = path.split(">");
  return say("quovadis.path_spoken", { from: hall(from), to: hall(to) });
}

export function laurelName(laurel: string): string {
  return laurel === "2c" ? say("quovadis.laurel_caesar") : say("quovadis.laurel_of", { value: laurel });
}

/** Points with their sign, as people write them. */
export function signed(points: number): string {
  return points ? `${points > 0 ? "+" : "−"}${Math.abs(points)}` : "±0";
}

/** Seats as names; a seat that consents with two senators is marked. */
export function counted(seats: number[], names: string[]): string[] {
  return [...new Set(seats)].map((seat) => {
    const name = names[seat] ?? "";
    const n = seats.filter((one) => one === seat).length;
    return n > 1 ? say("quovadis.times", { name, n }) : name;
  });
}

function consented(consents: number[], mover: number, names: string[]): string | null {
  const others = consents.filter((seat) => seat !== mover);
  if (!consents.length) return null;
  if (!others.length) return say("quovadis.own_consent", { n: consents.length });
  return say("quovadis.with_consent", { names: list(counted(others, names)) });
}

export function promisePhrase(promise: Promised, to: number, names: string[]): string {
  const name = names[to] ?? "";
  switch (promise.what) {
    case "support": return say("quovadis.promises_support", { name });
    case "caesar": return say("quovadis.promises_caesar", { name });
    case "oppose": return say("quovadis.promises_oppose", { name, whom: names[promise.whom] ?? "" });
    case "pay": return say("quovadis.promises_pay", { name, value: promise.value });
  }
}

/** What was done, without who did it; `mover` is the active seat. */
export function phrase(term: Written, mover: number, names: string[]): string {
  switch (term.kind) {
    case "enter": return say("quovadis.enters", { room: hall(term.room) });
    case "move": {
      const with_ = consented(term.consents, mover, names);
      const path = pathName(term.path);
      return with_ ? say("quovadis.moves_with", { path, with: with_ }) : say("quovadis.moves", { path });
    }
    case "caesar": return say("quovadis.puts_caesar", { path: pathName(term.place) });
    case "leave": return say("quovadis.leaves_caesar");
    case "dismiss": return say("quovadis.dismisses", { room: hall(term.room) });
    case "give": return say("quovadis.gives", { name: names[term.to] ?? "", value: term.value });
    case "then":
      return term.place === null ? say("quovadis.then_stays") : say("quovadis.then_puts", { path: pathName(term.place) });
    case "promise": return promisePhrase(term, term.to, names);
    case "refuse": return say("quovadis.vows_refuse", { name: names[mover] ?? "" });
    case "consent": return say("quovadis.vows_consent", { name: names[mover] ?? "" });
    case "spare": return say("quovadis.vows_spare", { path: pathName(term.place) });
    case "one": return say("quovadis.last_one", { name: names[term.seat] ?? "" });
    case "start": return say("quovadis.begins", { name: names[term.seat] ?? "" });
    case "laurel": return say("quovadis.turned_up", { laurel: laurelName(term.laurel) });
    case "word": return term.word;
  }
}

/** The words of the notation that are moves by themselves. */
function wordPhrase(word: string): string {
  switch (word) {
    case "deal":
    case "ask": return say("table.hint_deal");
    case "hear": return say("quovadis.hears");
    case "bargain": return say("quovadis.bargains");
    case "pass": return say("quovadis.passes");
    case "show": return say("quovadis.shows");
    case "drop": return say("quovadis.drops");
    case "yes": return say("quovadis.agrees");
    case "no": return say("quovadis.refuses");
  }
  return word;
}

/** A move, or all terms of a deal, without who does it. */
export function moveWords(terms: string[], mover: number, names: string[]): string {
  const said = read(terms[0] ?? "");
  if (terms.length > 1) return dealPhrase(terms, mover, names);
  return said.kind === "word" ? wordPhrase(said.word) : phrase(said, mover, names);
}

/** Who does what a term says. */
export function doerOf(term: Term, mover: number): number {
  if (term.kind === "refuse" || term.kind === "consent") return term.seat;
  return term.kind === "give" || term.kind === "promise" ? term.from : mover;
}

export function sentence(term: Term, mover: number, names: string[]): string {
  return say("quovadis.sentence", { name: names[doerOf(term, mover)] ?? "", phrase: phrase(term, mover, names) });
}

/** A whole deal in one sentence; what `mover` does comes first, and its name only once. */
export function dealSentence(terms: string[], mover: number, names: string[]): string {
  const found = terms.map(read).filter(isTerm);
  const own = found.filter((term) => doerOf(term, mover) === mover).map((term) => phrase(term, mover, names));
  const parts = found.filter((term) => doerOf(term, mover) !== mover).map((term) => sentence(term, mover, names));
  if (own.length) parts.unshift(say("quovadis.sentence", { name: names[mover] ?? "", phrase: list(own) }));
  return parts.length ? `${parts.join("; ")}.` : "";
}

/** The same for the log, where the name of `mover` stands in front already. */
export function dealPhrase(terms: string[], mover: number, names: string[]): string {
  const found = terms.map(read).filter(isTerm);
  const [action, ...others] = found;
  if (!action) return "";
  return [
    ...[action, ...others].map((term) =>
      doerOf(term, mover) === mover ? phrase(term, mover, names) : sentence(term, mover, names)),
  ].join("; ");
}
