/**
 * What a board is given. It knows no rules and no server: the same board shows a live match, a replay and a lesson.
 */

import type { ChatLine, Desk, DraftInfo, Line, MoveInfo, OfferState, OwnWords, QuoVadisPledge, Result, Seat } from "./api";

/** What the seat can do; a promise fails with a reason for people. */
export interface Acts {
  play(move: string): Promise<void>;
  confirm(): Promise<void>;
  takeBack(): Promise<void>;
  offer(terms: string[], counters?: number, words?: OwnWords[]): Promise<void>;
  answer(offer: number, yes: boolean): Promise<void>;
  withdraw(offer: number): Promise<void>;
  /** Say whether a promise that was made to this seat in own words was kept. */
  judge?(promise: number, kept: boolean): Promise<void>;
  ready(): Promise<void>;
  /** Tell the others that an offer is being put together, or no longer. */
  drafting(on: boolean): Promise<void>;
  /** Answer an offer with another one at once; missing where only one answer is right, as in a lesson. */
  counter?(terms: string[], counters: number): Promise<void>;
  /** Ask everybody who can consent to this what that costs; missing where nobody names prices, as in a lesson. */
  askPrices?(about: string): Promise<void>;
  /** What each consent costs, to this or (null) to anything, in this turn or as long as it stands; null: not for sale. */
  namePrice?(price: number | null, about: string | null, stands: boolean): Promise<void>;
  /** Do this, and pay each seat its price. */
  takePrices?(action: string, prices: [number, number][]): Promise<void>;
  /** Try a deal out without offering it. */
  draft(terms: string[]): Promise<DraftInfo>;
}

export interface Scene<View = Record<string, unknown>, Outlook = Record<string, unknown>> {
  game: string;
  view: View;
  /** What follows from the view; null until it is known. */
  outlook: Outlook | null;
  ledger: QuoVadisPledge[] | null;
  /** The seat that looks; null for a spectator. */
  seat: number | null;
  seats: Seat[];
  /** What to call each seat. */
  names: string[];
  /** The seat that is to decide, null when the match is over. */
  turn: number | null;
  /** What this seat may do now by itself, with ways to click it; empty when it is not to decide. */
  moves: MoveInfo[];
  /** What it may do with the consent of others. */
  asks: string[];
  /** The actions of the active seat that a deal can be about. */
  actions: string[];
  /** A choice that does not count yet, and until when it can be taken back (null: until it is confirmed). */
  chosen: string | null;
  confirmBy: number | null;
  desk: Desk | null;
  /** Offers of earlier turns, the oldest first. */
  earlier?: OfferState[];
  /** What was said meanwhile. */
  chat?: ChatLine[];
  lines: Line[];
  result: Result | null;
  /** Null: for looking only. */
  acts: Acts | null;
  /** What is to be picked as if it had been clicked: a move, or the terms of a deal. A new list is a new request. */
  suggested: string[] | null;
  /** Parts of the board that a lesson points at. */
  point: string[];
  /** Where the board is shown: at the table, in the past of a match, or in a lesson. */
  place: "table" | "past" | "lesson";
}
