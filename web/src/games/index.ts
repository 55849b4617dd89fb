/** Which games have a board and words of their own; all others are shown by the plain one. */

import type { Component } from "svelte";
import type { Line, Position, Result } from "../api";
import type { Scene } from "../scene";

/** What is said about a line of the log: an icon (an emoji-free sign of ours, by name) and a short text without the name
    of who did it; `chance` lines that say nothing new are left out. */
export interface Told {
  icon: string;
  text: string;
  /** Set where a part of the game begins, such as a new set: a heading in the log. */
  heading?: string;
}

export interface GameFront {
  board: () => Promise<{ default: Component<{ scene: Scene }> }>;
  /** The log in words: one entry a line, null for a line that is not worth showing. */
  tell: (lines: Line[], names: string[], view: Record<string, unknown> | null) => (Told | null)[];
  /** What `seat` does by a move, or by the terms of a deal, without its name. */
  words: (terms: string[], seat: number, names: string[]) => string;
  /** The seats from the best to the last, and whose points count, where it is not all of them. */
  standing?: (result: Result, view: Record<string, unknown>) => { seat: number; counts: boolean }[];
  /** What a deal moves for each party. */
  worth?: () => Promise<{ default: Component<{ worth: Record<string, unknown>; names: string[]; seat: number | null }> }>;
  /** What a game has to show of a match that is over, besides what all games have. */
  afterwards?: () => Promise<{ default: Component<{ position: Position; names: string[] }> }>;
}

const FRONTS: Record<string, () => Promise<GameFront>> = {
  alea: async () => (await import("./alea/front")).front,
  quovadis: async () => (await import("./quovadis/front")).front,
};

export async function frontOf(game: string): Promise<GameFront> {
  return (FRONTS[game] ?? (async () => (await import("./plain/front")).front))();
}
