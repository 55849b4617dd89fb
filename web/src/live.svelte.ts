/**
 * The connection to the server, and the matches that it keeps up to date.
 *
 * One WebSocket for the whole page. It reconnects by itself; a command is sent again, with the same id, until it is
 * answered, so nothing happens twice and nothing is lost. What is refused for now is sent again after a while. An update may come late or twice: a part of it counts only
 * when its number is higher than that of the same part before.
 */

import type {
  About, AnyCommand, Chat, ChatLine, Desk, Done, FromClient, FromServer, Line, PlayState, Presence, Update,
} from "./api";
import { ask, Refusal, retryIn } from "./http";
import { me } from "./me.svelte";
import { watchAway } from "./table/away";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Command = WithoutId<AnyCommand>;

interface Waiting {
  message: AnyCommand;
  /** When it was first sent, and when last. */
  since: number;
  sent: number;
  done: (answer: Done) => void;
  failed: (error: Refusal) => void;
}

const PING_EVERY = 20_000;
const PATIENCE = 8_000;

/** The state of the connection; `since` is when it was lost. */
export const line = $state<{ status: "idle" | "joining" | "open" | "lost"; since: number }>({ status: "idle", since: 0 });

let socket: WebSocket | null = null;
let greeted = false;
let away = false;
let heard = 0;
let attempts = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
const waiting = new Map<string, Waiting>();
const watched = new Set<LiveMatch>();

function send(message: FromClient): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function sendCommand(one: Waiting): void {
  one.sent = Date.now();
  send(one.message);
}

function connect(): void {
  clearTimeout(retry);
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  greeted = false;
  if (line.status !== "lost") line.status = "joining";
  const made = (socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/live`));
  made.onopen = hello;
  made.onmessage = (event) => {
    heard = Date.now();
    hear(JSON.parse(event.data as string) as FromServer);
  };
  made.onclose = () => {
    if (socket !== made) return;
    socket = null;
    greeted = false;
    if (line.status !== "lost") Object.assign(line, { status: "lost", since: Date.now() });
    if (watched.size || waiting.size) retry = setTimeout(connect, Math.min(8000, 300 * 2 ** attempts++));
    else line.status = "idle";
  };
}

function hello(): void {
  if (!greeted) send({ type: "hello", token: me.now?.token ?? null });
}

function hear(message: FromServer): void {
  switch (message.type) {
    case "welcome":
      greeted = true;
      attempts = 0;
      line.status = "open";
      if (away) send({ type: "away", on: true });
      for (const match of watched) match.ask();
      for (const one of waiting.values()) sendCommand(one);
      break;
    case "update":
      for (const match of watched) match.hear(message);
      break;
    case "presence":
      for (const match of watched) if (match.match === message.match) match.presence = message.seats;
      break;
    case "done": {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      one?.done(message);
      break;
    }
    case "refused":
      refused(message.id, new Refusal(message.code, message.reason, message.retry_ms ?? null));
      break;
  }
}

function refused(id: string | null, refusal: Refusal): void {
  if (id === null) {
    if (!greeted) {
      if (refusal.code === "unknown" || refusal.code === "banned") send({ type: "hello", token: null });
      else if (refusal.retryMs !== null) setTimeout(hello, refusal.retryMs);
    } else if (refusal.retryMs !== null) {
      setTimeout(() => greeted && watched.forEach((match) => match.about ?? match.ask()), refusal.retryMs);
    } else for (const match of watched) match.failed(refusal);
    return;
  }
  const one = waiting.get(id);
  if (!one) return;
  const wait = retryIn(refusal, one.since);
  if (wait === null) {
    waiting.delete(id);
    one.failed(refusal);
  } else setTimeout(() => waiting.has(id) && greeted && sendCommand(one), wait);
}

/** Reconnect, as when another person uses this device from now on. */
export function reconnect(): void {
  socket?.close();
  socket = null;
  greeted = false;
  attempts = 0;
  if (watched.size || waiting.size) connect();
}

/** Send a command; resolves when it is on disk. */
export function command(what: Command): Promise<Done> {
  const id = crypto.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  const message = { ...what, id } as AnyCommand;
  return new Promise((done, failed) => {
    const one = { message, done, failed, since: Date.now(), sent: 0 };
    waiting.set(id, one);
    if (greeted) sendCommand(one);
    else connect();
  });
}

function revive(): void {
  if (document.visibilityState === "visible" && (watched.size || waiting.size)) {
    attempts = 0;
    if (socket) send({ type: "ping" });
    else connect();
  }
}

setInterval(() => {
  if (!socket || socket.readyState !== WebSocket.OPEN) return;
  if (heard && Date.now() - heard > PING_EVERY + PATIENCE) socket.close();
  else if (Date.now() - heard > PING_EVERY) send({ type: "ping" });
  if (greeted) for (const one of waiting.values()) if (Date.now() - one.sent > PATIENCE) sendCommand(one);
}, 4000);
watchAway((now) => {
  away = now;
  if (greeted) send({ type: "away", on: now });
});
addEventListener("online", revive);
document.addEventListener("visibilitychange", revive);

/** A match as one seat (null: a spectator) sees it, kept up to date while it is watched. */
export class LiveMatch {
  about = $state.raw<About | null>(null);
  play = $state.raw<PlayState | null>(null);
  lines = $state.raw<Line[]>([]);
  desk = $state.raw<Desk | null>(null);
  chat = $state.raw<ChatLine[]>([]);
  /** The number of the first line of chat that is here; earlier ones can be loaded. */
  chatFrom = $state(0);
  /** Who is there, by seat. */
  presence = $state.raw<Presence["seats"]>([]);
  /** The last nudge for this seat, and how many there were. */
  nudge = $state.raw<{ by: number; count: number } | null>(null);
  problem = $state.raw<Refusal | null>(null);
  /** When this page received the present position. */
  since = $state(Date.now());
  /** How far the server's clock is ahead of ours, in milliseconds. */
  ahead = $state(0);

  #numbers = new Map<string, number>();

  constructor(readonly match: string, readonly seat: number | null) {}

  watch(): () => void {
    watched.add(this);
    if (greeted) this.ask();
    else connect();
    return () => {
      watched.delete(this);
      this.leave();
    };
  }

  /** Subscribe: everything about the match comes at once, and from now on what changes. */
  ask(): void {
    send({ type: "watch", match: this.match, seat: this.seat, details: true });
  }

  leave(): void {
    if (![...watched].some((one) => one.match === this.match && one.seat === this.seat && one !== this))
      send({ type: "unwatch", match: this.match, seat: this.seat });
  }

  failed(problem: Refusal): void {
    if (this.about === null) this.problem = problem;
  }

  hear(update: Update): void {
    if (update.match !== this.match || update.seat !== this.seat) return;
    const counts = (part: string): boolean => {
      if (update.number < (this.#numbers.get(part) ?? -1)) return false;
      this.#numbers.set(part, update.number);
      return true;
    };
    if (update.about && counts("about")) this.about = update.about;
    if (update.log && counts("log")) this.#read(update.log.first, update.log.lines);
    if (update.play !== undefined && counts("play")) {
      if (update.play?.ply !== this.play?.ply || update.play?.epoch !== this.play?.epoch) this.since = Date.now();
      this.play = update.play;
      if (update.play?.time) this.ahead = update.play.time.now - Date.now();
    }
    if (update.desk && counts("desk")) this.desk = update.desk;
    if (update.nudge !== undefined) this.nudge = { by: update.nudge, count: (this.nudge?.count ?? 0) + 1 };
    if (update.chat) this.#say(update.chat);
  }

  /** Load a page of what was said before. */
  async earlierChat(): Promise<void> {
    const seat = this.seat === null ? "" : `&seat=${this.seat}`;
    const page = await ask<Chat>("GET", `/api/matches/${this.match}/chat?before=${this.chatFrom}${seat}`);
    this.#say(page.lines);
    this.chatFrom = page.first;
  }

  #say(lines: ChatLine[]): void {
    const known = new Set(this.chat.map((one) => one.number));
    const more = lines.filter((one) => !known.has(one.number));
    if (!more.length) return;
    if (!this.chat.length) this.chatFrom = more[0]?.number ?? 0;
    this.chat = [...this.chat, ...more].sort((one, two) => one.number - two.number);
  }

  #read(first: number, lines: Line[]): void {
    if (first > this.lines.length) this.ask(); // a gap
    else this.lines = [...this.lines.slice(0, first), ...lines];
  }
}
