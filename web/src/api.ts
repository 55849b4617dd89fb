// Made by `python -m rostra.server.documents` from the server's schema; do not edit.

/** What changes seldom. */
export interface About {
  game: string;
  rules: number;
  options: Record<string, string>;
  settings: Settings;
  status: "over" | "playing" | "waiting";
  seats: Seat[];
  mine: number[];
  creator: boolean;
  muted: number[];
  commit: string;
  entropy: [number, string][];
  created: number;
  result: Result | null;
  seed: string | null;
}

/** Accept or refuse an offer. */
export interface Answer {
  type: "answer";
  id: string;
  match: string;
  seat: number;
  offer: number;
  yes: boolean;
}

/** Agree to go back, or not. */
export interface AnswerUndo {
  type: "answer-undo";
  id: string;
  match: string;
  seat: number;
  yes: boolean;
  epoch?: number | null;
  plies?: number | null;
}

/** Ask everybody to go back to before a ply. */
export interface AskUndo {
  type: "ask-undo";
  id: string;
  match: string;
  seat: number;
  ply: number;
  epoch?: number | null;
  plies?: number | null;
}

/** What a seat said. */
export interface ChatLine {
  number: number;
  seat: number;
  name: string;
  text: string;
  at: number;
}

/** Seconds for every move, and a bank for what takes longer. */
export interface Clock {
  move: number;
  bank?: number;
}

/** By the creator: end a match that has not begun, or in which no other person plays. */
export interface Close {
  type: "close";
  id: string;
  match: string;
}

/** Make the choice count. */
export interface Confirm {
  type: "confirm";
  id: string;
  match: string;
  seat: number;
  epoch: number;
  ply: number;
}

/** What is being talked about. */
export interface Desk {
  offers: OfferState[];
  ready: number[];
  undo: UndoState | null;
}

/** The command is stored for ever, as part of this entry. An update follows to whom it concerns. */
export interface Done {
  type: "done";
  id: string;
  match: string;
  number: number;
  key?: string;
}

/** A deal to try out, action first. */
export interface Draft {
  terms: string[];
}

/** Who would have to agree, and what may be added; `problem` says why it cannot be offered as it is. */
export interface DraftInfo {
  parties: number[];
  more: string[];
  problem: string | null;
}

/** What a game needs to be set up. */
export interface GameInfo {
  name: string;
  title: string;
  rules: number;
  seats: [number, number];
  options: OptionInfo[];
  deals: boolean;
  bots: string[];
}

/** All games. */
export interface Games {
  games: GameInfo[];
}

/** The first message: who you are; without a token you can only watch. */
export interface Hello {
  type: "hello";
  token?: string | null;
}

/** Give the seat up; in a running match the stand-in bot takes it. */
export interface Leave {
  type: "leave";
  id: string;
  match: string;
  seat: number;
}

/** One line of the log: a ply (of chance, when its seat is null); or that play went back to before it (`undo`); or
    that one of several games ended with these points. */
export interface Line {
  ply: number;
  seat: number | null;
  move: string | null;
  undo?: boolean;
  points?: number[] | null;
}

/** By the creator, or for the own seat: a new key that opens this seat once; `done` has it. */
export interface Link {
  type: "link";
  id: string;
  match: string;
  seat: number;
}

/** Lines of the log from line `first` on. */
export interface Log {
  first: number;
  lines: Line[];
}

/** The match, and what its dice are bound to, published before anybody could add to them. */
export interface MatchMade {
  match: string;
  commit: string;
}

/** A page of matches; the next page begins before `more`. */
export interface Matches {
  matches: Summary[];
  more: number | null;
}

/** A legal move: all ways to click it, and what it means. */
export interface MoveInfo {
  move: string;
  paths: string[][];
  means: string;
}

/** The legal moves of a seat, with all that is known of them. */
export interface Moves {
  match: string;
  seat: number;
  epoch: number;
  ply: number;
  moves: MoveInfo[];
}

/** Read another seat no more, or again. */
export interface Mute {
  type: "mute";
  id: string;
  match: string;
  seat: number;
  other: number;
  on?: boolean;
}

/** A match to be played. */
export interface NewMatch {
  game: string;
  seats: SeatPlan[];
  options?: Record<string, string>;
  settings?: Settings;
}

/** Who you are; a name is enough. */
export interface NewPerson {
  name: string;
}

/** The token is the only proof of who you are: keep it; the server knows just its hash. */
export interface NewToken {
  person: string;
  name: string;
  token: string;
}

/** Put a deal on the table: the active seat's action first, then gives, `then` and promises. */
export interface Offer {
  type: "offer";
  id: string;
  match: string;
  seat: number;
  terms: string[];
  counters?: number | null;
  epoch?: number | null;
  plies?: number | null;
}

/** An offer on the table. */
export interface OfferState {
  offer: number;
  seat: number;
  terms: string[];
  parties: number[];
  yes: number[];
  no: number[];
  counters: number | null;
  status: "carried-out" | "lapsed" | "open" | "refused" | "withdrawn";
}

/** A rule option; the first value is the default. */
export interface OptionInfo {
  name: string;
  values: string[];
  help: string;
}

/** A person as only that person sees itself. */
export interface Person {
  person: string;
  name: string;
}

/** Are you there? */
export interface Ping {
  type: "ping";
}

/** Decide. */
export interface Play {
  type: "play";
  id: string;
  match: string;
  seat: number;
  epoch: number;
  ply: number;
  move: string;
}

/** Where play is, as this seat may see it. */
export interface PlayState {
  epoch: number;
  ply: number;
  turn: number | null;
  view: Record<string, unknown>;
  legal: string[] | null;
  asks: string[] | null;
  chosen: string | null;
  confirm_by: number | null;
  time: Time | null;
}

/** I am. */
export interface Pong {
  type: "pong";
}

/** A view of the past. */
export interface Position {
  match: string;
  seat: number | null;
  ply: number;
  plies: number;
  view: Record<string, unknown>;
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  reason: string;
}

/** Nothing more to say in this turn: a bot that waits for talk may act. */
export interface Ready {
  type: "ready";
  id: string;
  match: string;
  seat: number;
  epoch?: number | null;
  plies?: number | null;
}

/** The message was refused and changed nothing. */
export interface Refused {
  type: "refused";
  id: string | null;
  code: string;
  reason: string;
}

/** Be called otherwise. */
export interface Rename {
  type: "rename";
  id: string;
  match: string;
  seat: number;
  name: string;
}

/** By the creator: give a seat that keeps all waiting, or an open one, to a bot. */
export interface Replace {
  type: "replace";
  id: string;
  match: string;
  seat: number;
  bot: string;
}

/** Give up. */
export interface Resign {
  type: "resign";
  id: string;
  match: string;
  seat: number;
}

/** How a match ended. */
export interface Result {
  points: number[];
  tiebreak: number[];
  winners: number[];
  end: string;
}

/** Chat. */
export interface Say {
  type: "say";
  id: string;
  match: string;
  seat: number;
  text: string;
}

/** Who sits there; `me` is for the person that asks. */
export interface Seat {
  kind: "bot" | "open" | "person" | "reserved";
  name: string | null;
  bot: string | null;
  resigned: boolean;
}

/** Who is to sit there: the creator, anybody, or a bot. */
export interface SeatPlan {
  kind: "bot" | "me" | "open";
  bot?: string | null;
}

/** How a match is played. */
export interface Settings {
  listed?: boolean;
  confirm?: number | null;
  clock?: Clock | null;
  timeout?: "bot" | "forfeit";
  stand_in?: string;
  pace?: number;
  talk?: number;
  patience?: number;
}

/** Take a seat, with a name and (if you like) randomness of your own for the dice; the key of a link opens any. */
export interface Sit {
  type: "sit";
  id: string;
  match: string;
  seat: number;
  name: string;
  entropy?: string;
  key?: string | null;
}

/** A match in a list. */
export interface Summary {
  match: string;
  game: string;
  status: "over" | "playing" | "waiting";
  seats: Seat[];
  mine: number[];
  turn: number | null;
  number: number;
  created: number;
  changed: number;
  end: string | null;
}

/** Take the choice back before it counts. */
export interface TakeBack {
  type: "take-back";
  id: string;
  match: string;
  seat: number;
  epoch: number;
  ply: number;
}

/** Clocks in milliseconds: what every seat has in the bank, and when the time of the seat to move is up. */
export interface Time {
  bank: number[];
  until: number | null;
  now: number;
}

/** Somebody asks to go back. */
export interface UndoState {
  seat: number;
  ply: number;
  agreed: number[];
}

/** No more of it. */
export interface Unwatch {
  type: "unwatch";
  match: string;
  seat?: number | null;
}

/** What changed: each part is complete (log and chat: from a line on), parts that are missing did not change.
    A part counts when its number is higher than that of the same part before. */
export interface Update {
  type: "update";
  match: string;
  seat: number | null;
  number: number;
  about?: About;
  play?: PlayState | null;
  log?: Log;
  desk?: Desk;
  chat?: ChatLine[];
}

/** Send me this match as this seat sees it (null: as a watcher does), from now on. */
export interface Watch {
  type: "watch";
  match: string;
  seat?: number | null;
}

/** The answer to hello. */
export interface Welcome {
  type: "welcome";
  person: string | null;
  name: string | null;
}

/** Take an own offer off the table. */
export interface Withdraw {
  type: "withdraw";
  id: string;
  match: string;
  seat: number;
  offer: number;
}

export type FromClient = Hello | Watch | Unwatch | Ping | Sit | Leave | Rename | Play | Confirm | TakeBack | Offer | Answer | Withdraw | Ready | AskUndo | AnswerUndo | Resign | Say | Mute | Replace | Link | Close;
export type FromServer = Welcome | Done | Refused | Update | Pong;
export type AnyCommand = Sit | Leave | Rename | Play | Confirm | TakeBack | Offer | Answer | Withdraw | Ready | AskUndo | AnswerUndo | Resign | Say | Mute | Replace | Link | Close;
