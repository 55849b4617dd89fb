/**
 * What the pages around a match do: sign in, make a match, sit down, and name games, bots and seats.
 *
 * An open socket keeps the person it was opened for, so signing in as somebody else reconnects.
 */

import type { GameInfo, Games, MatchMade, NewMatch, Seat, SeatPlan, Settings } from "../api";
import { ask, Refusal } from "../http";
import { command, reconnect } from "../live.svelte";
import { call, forget, me } from "../me.svelte";
import { nameOf } from "../table/sceneOf";
import { taste, type Tempo } from "../taste.svelte";
import { say, sayIf } from "../words.svelte";

/** How fast bots are, in seconds: for a move, for talk in a game with deals, and for an answer that they wait for. Calm is
    slow enough for a newcomer to follow. */
export const TEMPOS = {
  quick: { pace: 0.3, talk: 3, answer: 45 },
  calm: { pace: 1.2, talk: 6, answer: 45 },
  slow: { pace: 3, talk: 20, answer: 120 },
} satisfies Record<Tempo, Settings>;

/** The levels for people, from gentle to strongest; every game with trained nets has them. */
export const LEVELS = ["tiro", "civis", "eques", "senator", "consul"];

/** The bot of medium strength, which also takes over a seat that somebody left. */
export const STAND_IN = "eques";

/** Seats for a good first game: three in Alea (fewer buildings), four in Quo Vadis? (three is too few to bargain). */
const FIRST_GAME: Record<string, number> = { alea: 3, quovadis: 4 };

export function romanNames(): string[] {
  return say("lobby.roman_names").split(", ");
}

/** The name in use, or a friendly one to begin with. */
let guest: string | null = null;
export function myName(): string {
  const names = romanNames();
  guest ??= names[Math.floor(Math.random() * names.length)] ?? "Julia";
  return me.now?.name ?? guest;
}

export async function beSomebody(name = myName()): Promise<void> {
  const stranger = me.now === null;
  await call(name.trim());
  if (stranger) reconnect();
}

/** Run a request as this person; if the server does not know them (another database), as a new one of the same name. */
export async function asMyself<T>(work: () => Promise<T>): Promise<T> {
  const name = myName();
  await beSomebody(name);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "unknown")) throw error;
    forget();
    await beSomebody(name);
    return work();
  }
}

/** Random bytes from this device, as hex. */
export function ownRandomness(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function sit(match: string, seat: number, name: string): Promise<void> {
  await command({ type: "sit", match, seat, name: name.trim(), entropy: ownRandomness() });
}

/** Make a match and sit down in my seats, with these names in order. */
export async function makeMatch(wanted: NewMatch, names: string[]): Promise<string> {
  const { match } = await asMyself(() => ask<MatchMade>("POST", "/api/matches", wanted));
  const mine = wanted.seats.flatMap((plan, seat) => (plan.kind === "me" ? [seat] : []));
  for (const [index, seat] of mine.entries()) await sit(match, seat, names[index] ?? myName());
  return match;
}

/** One click: me against bots of the strength I like. */
export async function playNow(game: string): Promise<string> {
  const info = (await allGames()).find((one) => one.name === game);
  const bot = info ? usualBot(info) : STAND_IN;
  const others = Array.from({ length: (FIRST_GAME[game] ?? 3) - 1 }, (): SeatPlan => ({ kind: "bot", bot }));
  const seats: SeatPlan[] = [{ kind: "me" }, ...others];
  return makeMatch({ game, seats, settings: TEMPOS[taste.tempo] ?? TEMPOS.calm }, [myName()]);
}

let games: Promise<GameInfo[]> | null = null;
/** All games of this server, asked for once. */
export function allGames(): Promise<GameInfo[]> {
  games ??= ask<Games>("GET", "/api/games").then((found) => found.games);
  games.catch(() => (games = null));
  return games;
}

export function titleOf(game: string, info?: GameInfo): string {
  return sayIf(`lobby.title_${game}`) ?? info?.title ?? game;
}

/** The bots to choose from: the levels, from gentle to strongest, and the others under "more". */
export interface Bots {
  levels: string[];
  more: string[];
}

/** Styles of bots (`learned:STYLE`) are for programs. */
export function botsOf({ bots, levels }: GameInfo): Bots {
  return { levels, more: bots.filter((bot) => !levels.includes(bot) && !bot.startsWith("learned")) };
}

/** The bot to begin with: of the strength that was chosen last. */
export function usualBot(info: GameInfo): string {
  return [taste.level, STAND_IN, "greedy"].find((bot) => info.bots.includes(bot)) ?? info.bots[0] ?? "random";
}

/** The name of a level, such as Eques; other bots have none. */
export function levelName(bot: string): string | null {
  return sayIf(`lobby.level_${bot}`);
}

/** What a bot is like, in words; one that the catalogue does not know by its own name. */
export function botWords(bot: string): string {
  const level = levelName(bot);
  if (level !== null) return `${level}: ${sayIf(`lobby.level_${bot}_text`) ?? ""}`;
  return sayIf(`lobby.bot_${bot.replaceAll(/\W/g, "_")}`) ?? bot;
}

/** The name of the player in a seat, or that it is empty. */
export function seatName(seat: Seat, index: number): string {
  if (seat.kind === "open") return say("lobby.seat_open");
  return seat.kind === "reserved" ? say("lobby.seat_reserved") : nameOf(seat, index);
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];

/** How long ago, roughly. */
export function ago(at: number, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(taste.language, { numeric: "auto" });
  const found = UNITS.find(([, length]) => now - at >= length);
  return found ? format.format(-Math.floor((now - at) / found[1]), found[0]) : say("lobby.just_now");
}
