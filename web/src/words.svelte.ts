/**
 * All words of the interface, from the catalogue that Python shares (src/rostra/words).
 *
 * A key is an area and a name, `lobby.play_now`; an unknown one does not compile. `{name}` is filled in, `{n:die|dice}`
 * chosen by a number. Areas that only some pages need are loaded by those pages (`need`).
 */

import type alea from "../../src/rostra/words/en/alea.json";
import type app from "../../src/rostra/words/en/app.json";
import type lesson from "../../src/rostra/words/en/lesson.json";
import type lobby from "../../src/rostra/words/en/lobby.json";
import type notify from "../../src/rostra/words/en/notify.json";
import type people from "../../src/rostra/words/en/people.json";
import type quovadis from "../../src/rostra/words/en/quovadis.json";
import type review from "../../src/rostra/words/en/review.json";
import type rules from "../../src/rostra/words/en/rules.json";
import type table from "../../src/rostra/words/en/table.json";
import { keep, type Language, taste } from "./taste.svelte";

type Areas = {
  alea: typeof alea;
  app: typeof app;
  lesson: typeof lesson;
  lobby: typeof lobby;
  notify: typeof notify;
  people: typeof people;
  quovadis: typeof quovadis;
  review: typeof review;
  rules: typeof rules;
  table: typeof table;
};
export type Area = keyof Areas;
export type Key = { [A in Area]: `${A}.${keyof Areas[A] & string}` }[Area];
export type Params = Record<string, string | number>;

/** Prefixes of keys that are put together at run time; the test for unused keys ignores them. */
export const COMPUTED = [
  "alea.card_", "app.refused_", "lesson.", "lobby.bot_", "lobby.clock_", "lobby.end_", "lobby.level_", "lobby.option_", "lobby.title_",
  "lobby.trouble_", "people.reason_",
  "quovadis.hall_", "quovadis.line_", "review.", "rules.", "table.end_", "table.handed_", "table.phase_", "table.phrase_",
];

const files = import.meta.glob<Record<string, string>>("../../src/rostra/words/*/*.json", { import: "default" });
const ALWAYS: Area[] = ["app", "lobby"];
const coming = new Map<Area, Promise<void>>();
/** Raw: one signal for all texts, not one for each. */
let texts = $state.raw<Record<string, string>>({});

async function read(language: Language, area: Area): Promise<Record<string, string>> {
  const found = await files[`../../src/rostra/words/${language}/${area}.json`]?.();
  return Object.fromEntries(Object.entries(found ?? {}).map(([name, text]) => [`${area}.${name}`, text]));
}

async function add(area: Area): Promise<void> {
  const { language } = taste;
  const found = await read(language, area);
  if (language !== taste.language) return add(area); // the language has changed again
  texts = { ...texts, ...found };
}

/** Load an area that is not there from the start. */
export function need(area: Area): Promise<void> {
  let there = coming.get(area);
  if (!there) {
    there = add(area).catch((error: unknown) => {
      coming.delete(area); // so that it can be tried again
      throw error;
    });
    coming.set(area, there);
  }
  return there;
}

export async function loadWords(): Promise<void> {
  await Promise.all(ALWAYS.map(need));
}

export async function speak(language: Language): Promise<void> {
  const found = await Promise.all([...coming.keys()].map((area) => read(language, area)));
  keep({ language });
  texts = Object.assign({}, ...found) as Record<string, string>;
}

export function say(key: Key, params: Params = {}): string {
  return fill(texts[key] ?? key, params);
}

/** A text whose key is put together at run time, where there is one. */
export function sayIf(key: string, params: Params = {}): string | null {
  const text = texts[key];
  return text === undefined ? null : fill(text, params);
}

export function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return one === undefined ? String(value) : (Number(value) === 1 ? one : many ?? "");
  });
}

export function number(value: number, digits = 3): string {
  return new Intl.NumberFormat(taste.language, { maximumFractionDigits: digits }).format(value);
}

/** A share of 1 as a percentage; with its sign where it is a difference. */
export function percent(share: number, { digits = 0, sign = false } = {}): string {
  const signDisplay = sign ? "exceptZero" : "auto";
  const format = new Intl.NumberFormat(taste.language, { style: "percent", maximumFractionDigits: digits, signDisplay });
  return format.format(share).replace("-", "−");
}

export function day(at: number): string {
  return new Intl.DateTimeFormat(taste.language, { dateStyle: "medium" }).format(at);
}

export function when(at: number): string {
  const format = new Intl.DateTimeFormat(taste.language, { dateStyle: "medium", timeStyle: "short" });
  return format.format(at);
}
