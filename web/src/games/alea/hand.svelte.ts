/**
 * What the person is about to do, before it is sent: some dice, a place for them, or a tile to take.
 *
 * Legal is what the server listed; here clicks are only matched with its paths (`pick`). The order does not matter:
 * dice first and then the building, or the building first.
 */

import type { AleaEffect, AleaOutlook, AleaView, MoveInfo } from "../../api";
import { attempt } from "../../notice.svelte";
import { moveOf, nextSpots, waysFrom } from "../../pick";
import type { Scene } from "../../scene";
import { HOUSES, type Letter, LETTERS } from "./codes";

export type AleaScene = Scene<AleaView, AleaOutlook>;

export function effectOf(move: MoveInfo): AleaEffect {
  return move.effect as AleaEffect;
}

/** A way to place dice in the building aimed at. */
export interface Option {
  move: MoveInfo;
  /** The spots of the dice, and what they show. */
  spots: string[];
  dice: string;
}

/** Where each building stands with the dice picked: they go there as they are, more are needed, or they do not go. */
export type Light = "fits" | "more" | null;

export class Hand {
  #scene: () => AleaScene;
  dice = $state.raw<ReadonlySet<string>>(new Set());
  target = $state<Letter | null>(null);
  /** The move of a chooser that is picked. */
  choice = $state<string | null>(null);
  sending = $state(false);

  constructor(scene: () => AleaScene) {
    this.#scene = scene;
  }

  /** What may be decided now; nothing while a choice waits to be confirmed. */
  moves: MoveInfo[] = $derived.by(() => {
    const { acts, chosen, moves, seat, turn } = this.#scene();
    return acts && chosen === null && seat !== null && turn === seat ? moves : [];
  });
  placing = $derived.by(() => this.moves.length > 0 && this.#scene().view.phase === "place");
  choosing = $derived.by(() => this.moves.length > 0 && this.#scene().view.phase !== "place");
  #aimed = $derived(new Set([...this.dice, ...(this.target ? [this.target] : [])]));
  next = $derived(this.placing ? nextSpots(this.moves, this.dice) : new Set<string>());
  /** The placing that is picked completely. */
  move: MoveInfo | null = $derived(this.placing && this.target ? moveOf(this.moves, this.#aimed) : null);
  reroll: MoveInfo | null = $derived(this.placing && this.dice.size ? moveOf(this.moves, new Set([...this.dice, "reroll"])) : null);
  canReroll = $derived(this.placing && this.moves.some(({ paths }) => paths[0]?.includes("reroll")));
  /** All that can be done in the building aimed at with the dice picked, the best rank first. */
  options: Option[] = $derived.by(() => {
    if (!this.placing || !this.target) return [];
    const found = new Map<string, Option>();
    for (const { move, path } of waysFrom(this.moves, this.#aimed)) {
      const spots = path.filter((spot) => spot !== this.target);
      if (!found.has(move.move)) found.set(move.move, { move, spots, dice: this.show(spots) });
    }
    const rank = ({ move }: Option): number => effectOf(move).rank ?? 99;
    return [...found.values()].sort((a, b) => rank(a) - rank(b) || a.spots.length - b.spots.length);
  });

  /** The move of a chooser that would be made: the one picked, or the only one. */
  pick: string | null = $derived.by(() => {
    const only = this.moves.length === 1 ? (this.moves[0]?.move ?? null) : null;
    return this.choosing ? (this.choice ?? only) : null;
  });

  /** What dice of the roll show. */
  show(spots: Iterable<string>): string {
    const { roll } = this.#scene().view;
    return [...spots].map((spot) => roll.charAt(Number(spot.slice(1)))).sort().join("");
  }

  light(letter: Letter): Light {
    if (!this.placing || !this.next.has(letter)) return null;
    if (!this.dice.size) return "more";
    return moveOf(this.moves, new Set([...this.dice, letter])) ? "fits" : "more";
  }

  toggle(spot: string): void {
    const dice = new Set(this.dice);
    if (!dice.delete(spot)) dice.add(spot);
    this.dice = dice;
  }

  take(spots: Iterable<string>): void {
    this.dice = new Set(spots);
  }

  aim(letter: Letter): void {
    if (this.placing) this.target = letter;
  }

  /** Pick what a tile on the table stands for. */
  choose(code: string): void {
    const found = this.moves.find(({ paths }) => paths.some((path) => path.length === 1 && path[0] === code));
    if (found) this.choice = found.move;
  }

  /** Pick a whole move, as if it was clicked. */
  pickUp(text: string): void {
    const path = this.moves.find(({ move }) => move === text)?.paths[0];
    if (!path) return;
    this.clear();
    if (this.choosing) this.choice = text;
    else {
      this.take(path.filter((spot) => /^d\d$/.test(spot)));
      this.target = LETTERS.find((letter) => path.includes(letter)) ?? null;
    }
  }

  clear(): void {
    this.dice = new Set();
    this.target = null;
    this.choice = null;
  }

  async play(move: string): Promise<void> {
    const { acts } = this.#scene();
    if (!acts || this.sending) return;
    this.sending = true;
    await attempt(() => acts.play(move));
    this.sending = false;
    this.clear();
  }

  /** Do what is picked. */
  async confirm(): Promise<void> {
    const move = this.choosing ? this.pick : this.move?.move;
    if (move) await this.play(move);
  }

  /** A number for a die, a letter for a building, R, Enter or Escape; says whether the key meant something. */
  key(key: string): boolean {
    const letter = key.toUpperCase();
    if (key === "Escape") {
      const any = this.dice.size > 0 || this.target !== null || this.choice !== null;
      this.clear();
      return any;
    }
    if (key === "Enter") {
      const any = this.choosing ? this.pick !== null : this.move !== null;
      if (any) void this.confirm();
      return any;
    }
    if (!this.placing) return false;
    if (/^[1-8]$/.test(key) && Number(key) <= this.#scene().view.roll.length) {
      this.toggle(`d${Number(key) - 1}`);
      return true;
    }
    if (letter in HOUSES && this.next.has(letter)) {
      this.aim(letter as Letter);
      return true;
    }
    if (letter === "R" && this.reroll) {
      void this.play(this.reroll.move);
      return true;
    }
    return false;
  }
}
