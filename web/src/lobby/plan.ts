/** A match being planned: who sits where, and how it is played. */

import type { GameInfo, NewMatch, Settings } from "../api";
import { botWords, TEMPOS, romanNames, STAND_IN, usualBot } from "./house";

export interface Chair {
  kind: "me" | "open" | "bot";
  bot: string;
  /** My name in this seat. */
  name: string;
}

/** Clocks by name, in seconds for a move and in the bank. */
export const CLOCKS = {
  none: null,
  quick: { move: 30, bank: 120 },
  calm: { move: 120, bank: 600 },
  day: { move: 86_400, bank: 0 },
  days: { move: 259_200, bank: 0 },
} as const;
export type ClockName = keyof typeof CLOCKS;

export interface Manner {
  listed: boolean;
  /** Whether players may whisper. */
  whisper: boolean;
  clock: ClockName;
  timeout: "bot" | "forfeit";
  /** The bot that takes over a seat. */
  stand_in: string;
  /** Whether hints are allowed; null: the default for this number of people. */
  hints: boolean | null;
  /** Seconds to take a move back; -1: until it is confirmed. */
  confirm: number;
  pace: number;
  talk: number;
  answer: number;
  patience: number;
  /** Whether the only move is made by itself. */
  only_move: boolean;
}

export function usualManner(): Manner {
  return {
    listed: false, whisper: false, clock: "none", timeout: "bot", stand_in: STAND_IN, hints: null, confirm: 0, ...TEMPOS.calm, patience: 180,
    only_move: false,
  };
}

/** By default hints are allowed only if one person plays. */
export function hasHints(hints: boolean | null | undefined, people: number): boolean {
  return hints ?? people === 1;
}

/** The initial seats: me, a friend, and bots for the rest. Seats beyond the chosen number are never shown. */
export function usualChairs(info: GameInfo, name: string): Chair[] {
  const bot = usualBot(info);
  const names = [name, ...romanNames().filter((one) => one !== name)];
  return Array.from({ length: info.seats[1] }, (_, seat) => ({
    kind: seat === 0 ? "me" : seat === 1 ? "open" : "bot", bot, name: names[seat] ?? `${name} ${seat + 1}`,
  }));
}

export function usualNumber(info: GameInfo): number {
  return Math.max(info.seats[0], Math.min(info.seats[1], info.deals ? 4 : 3));
}

export function settingsOf(manner: Manner, people: number): Settings {
  const { clock, confirm, hints, ...rest } = manner;
  return { ...rest, clock: CLOCKS[clock], confirm: confirm < 0 ? null : confirm, hints: hasHints(hints, people) };
}

export function matchOf(info: GameInfo, chairs: Chair[], options: Record<string, string>, manner: Manner): NewMatch {
  const seats = chairs.map(({ kind, bot }) => (kind === "bot" ? { kind, bot } : { kind }));
  return { game: info.name, seats, options, settings: settingsOf(manner, chairs.filter(({ kind }) => kind !== "bot").length) };
}

/** What to call a seat before anybody sits there. */
export function chairText(chair: Chair, friend: string): string {
  return chair.kind === "me" ? chair.name : chair.kind === "open" ? friend : botWords(chair.bot);
}
