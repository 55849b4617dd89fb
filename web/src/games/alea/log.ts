/**
 * The log of Alea, line by line: what kind of event each line is, to which set it belongs, and how it is told.
 *
 * A roll `=1` and a fortuna token `=1` look the same. An outcome is a roll exactly if a placing or a reroll directly
 * follows it.
 */

import type { Line } from "../../api";
import { say } from "../../words.svelte";
import type { Told } from "../index";
import { codeWords, HOUSES, intoHouse, isPatrician, isProvince, type Letter, spaced, summed } from "./codes";

export type Kind =
  | "start" | "offer" | "roll" | "token" | "card" | "hidden" | "place" | "again" | "keep" | "take" | "undo" | "end";

export interface Event {
  kind: Kind;
  line: Line;
  /** The set it belongs to, from 1. */
  set: number;
  /** Who rolled, drew or decided, where that is known. */
  who: number | null;
  /** Play went back to before it. */
  undone: boolean;
}

const DECIDES = /^[TSCFLR]\d/;

/** What each line is; `rolling` is the seat that has just rolled if the last line is its roll. */
export function read(lines: Line[], rolling: number | null): Event[] {
  const events: Event[] = [];
  let set = 0;
  let drawer: number | null = null; // who placed in the Templum last: tokens are drawn by nobody else
  let scored = true; // before the first set is like after a scoring: the next offer opens a set
  lines.forEach((line, at) => {
    const kind = kindOf(line, lines[at + 1], at + 1 === lines.length && rolling !== null);
    if (kind === "undo") {
      for (const event of events) event.undone ||= event.line.ply >= line.ply;
      const last = events.filter((event) => !event.undone).at(-1);
      set = last?.set ?? 0;
      scored = !last || last.kind === "take" || last.kind === "keep" || last.kind === "start";
    }
    if (kind === "offer" && scored) {
      set += 1;
      scored = false;
    }
    if (kind === "take" || kind === "keep") scored = true;
    if (line.seat !== null && line.move?.startsWith("T")) drawer = line.seat;
    const who = kind === "roll" ? lines[at + 1]?.seat ?? rolling : kind === "token" ? drawer : line.seat;
    events.push({ kind, line, set, who, undone: false });
  });
  return events;
}

function kindOf(line: Line, next: Line | undefined, lastRoll: boolean): Kind {
  const { move, seat } = line;
  if (move === null) return line.undo ? "undo" : "end";
  if (seat !== null) {
    if (move.startsWith("+")) return "take";
    if (move.startsWith("K")) return "keep";
    return move.startsWith("R") ? "again" : "place";
  }
  const what = move.slice(1);
  if (what === "?") return "hidden";
  if (/^s\d$/.test(what)) return "start";
  if (isProvince(what) || isPatrician(what)) return "offer";
  if (!/^\d+$/.test(what)) return "card";
  if (what.length > 1 || lastRoll || (next !== undefined && next.seat !== null && DECIDES.test(next.move ?? ""))) return "roll";
  return /[456]/.test(what) ? "roll" : "token";
}

/** A decision in words, without who made it. */
export function decisionWords(move: string): string {
  const rest = move.slice(1);
  if (move.startsWith("+")) return rest === "?" ? say("alea.told_take_hidden") : say("alea.told_take", { what: codeWords(rest) });
  if (move.startsWith("K")) return say("alea.told_keep", { tokens: summed(rest), n: rest.length });
  if (move.startsWith("R")) return say("alea.told_reroll", { dice: spaced(rest) });
  return say("alea.told_place", { dice: spaced(rest), where: intoHouse(HOUSES[move.charAt(0) as Letter]) });
}

/** The same as the person's own choice, without a verb of somebody else. */
export function choiceWords(move: string): string {
  const rest = move.slice(1);
  if (move.startsWith("+")) return codeWords(rest);
  if (move.startsWith("K")) return say("alea.keep_these", { tokens: summed(rest) });
  if (move.startsWith("R")) return say("alea.again_these", { dice: spaced(rest) });
  return decisionWords(move);
}

const ICONS: Partial<Record<Kind, string>> = { start: "start", roll: "roll", token: "token", card: "card", again: "reroll",
  keep: "token" };
const PLACE_ICONS: Record<string, string> = { T: "temple", S: "senate", C: "fort", F: "forum", L: "latrina" };

/** All lines in words, one entry a line. */
export function tellLines(lines: Line[], names: string[], rolling: number | null): (Told | null)[] {
  const events = read(lines, rolling);
  const name = (seat: number | null): string => (seat === null ? "" : names[seat] ?? "");
  return events.map((event, at) => {
    const { kind, line, set } = event;
    const what = (line.move ?? "").slice(1);
    const icon = ICONS[kind] ?? "card";
    switch (kind) {
      case "start":
        return { icon, text: say("alea.told_start", { name: name(Number(what.slice(1))) }) };
      case "offer": {
        if (events[at - 1]?.kind === "offer") return null; // all tiles of a set are told with the first
        const tiles = [];
        for (let i = at; events[i]?.kind === "offer"; i++) tiles.push(codeWords((events[i]?.line.move ?? "").slice(1)));
        const text = say("alea.told_offer", { tiles: tiles.join(", ") });
        return { icon: "province", text, heading: say("alea.set_heading", { set }) };
      }
      case "roll":
        return { icon, text: say("alea.told_roll", { name: name(event.who), dice: spaced(what) }) };
      case "token":
        return { icon, text: say("alea.told_token", { name: name(event.who), value: what }) };
      case "card":
        return { icon, text: say("alea.told_card", { card: codeWords(what) }) };
      case "take":
        return {
          icon: isPatrician(what) ? "patrician" : isProvince(what) ? "province" : "card",
          text: decisionWords(line.move ?? ""),
        };
      case "place":
        return { icon: PLACE_ICONS[line.move?.charAt(0) ?? ""] ?? "place", text: decisionWords(line.move ?? "") };
      case "again":
      case "keep":
        return { icon, text: decisionWords(line.move ?? "") };
      default:
        return null;
    }
  });
}

export interface Scored {
  set: number;
  /** Names the scoring: the ply of its first line. */
  ply: number;
  keeps: Line[];
  cards: Line[];
  provinces: Line[];
  patricians: Line[];
}

/** Who took what at the end of the last set that has begun to be scored. */
export function lastScoring(lines: Line[]): Scored | null {
  const events = read(lines, null).filter(({ kind, undone }) => !undone && (kind === "keep" || kind === "take"));
  const set = events.at(-1)?.set;
  if (set === undefined) return null;
  const ours = events.filter((event) => event.set === set).map(({ line }) => line);
  const taken = (fits: (code: string) => boolean): Line[] =>
    ours.filter(({ move }) => move?.startsWith("+") && fits(move.slice(1)));
  return {
    set,
    ply: ours[0]?.ply ?? 0,
    keeps: ours.filter(({ move }) => move?.startsWith("K")),
    cards: taken((code) => !isProvince(code) && !isPatrician(code)),
    provinces: taken(isProvince),
    patricians: taken(isPatrician),
  };
}
