/** The prices of consents: which stand on the board, and the set of senators whose prices the mover takes. */

import type { Desk, QuoVadisView } from "../../api";
import { priceOf } from "../../table/offers";
import type { Option } from "./options";

/** A price at a senator, who is named by his seat and his number among those of the seat in the room. */
export interface Tag {
  price: number;
  seat: number;
  /** Whether it is in the set that the mover would take. */
  chosen: boolean;
  press: (() => void) | null;
}

/** A senator who could consent; a price of null: at no price, undefined: not named yet. */
export interface Seller {
  key: string;
  seat: number;
  price: number | null | undefined;
  asked: boolean;
}

function othersOf(option: Option, mover: number): number[] {
  return option.said.kind === "move" ? option.said.consents.filter((seat) => seat !== mover) : [];
}

function keysOf(seats: number[]): string[] {
  return seats.map((seat, at) => `${seat}.${seats.slice(0, at).filter((one) => one === seat).length}`);
}

function seatOf(key: string): number {
  return Number(key.split(".")[0]);
}

export class PriceSet {
  /** What the mover has tapped; null: the cheapest set. */
  #tapped = $state.raw<string[] | null>(null);

  readonly sellers = $derived.by((): Seller[] => {
    const { path, desk } = this.of();
    if (path === null) return [];
    const asked = new Set(desk?.asked.filter(({ about }) => about === path).flatMap(({ of }) => of));
    const keys = new Set(this.#sets.flatMap(({ keys }) => keys));
    return [...keys].sort().map((key) => {
      const seat = seatOf(key);
      return { key, seat, price: priceOf(desk, seat, path), asked: asked.has(seat) };
    });
  });

  /** The keys of the senators who are chosen. */
  readonly chosen = $derived.by((): string[] => {
    if (this.#tapped) return this.#tapped;
    return this.#sets.filter(({ cost }) => cost !== null).sort((one, two) => Number(one.cost) - Number(two.cost))[0]?.keys ?? [];
  });

  /** The action whose consents are just those chosen, and what it costs. */
  readonly deal = $derived.by((): { action: string; cost: number; seats: number[] } | null => {
    const wanted = this.chosen.map(seatOf).sort().join(); // which senator of a player it is makes no difference
    const set = this.#sets.find(({ seats }) => [...seats].sort().join() === wanted);
    return set && set.cost !== null ? { action: set.action, cost: set.cost, seats: set.seats } : null;
  });

  /** Only actions that take no more of other people's consents than need be. */
  readonly #sets = $derived.by(() => {
    const { path, options, mover, desk } = this.of();
    const found = (path === null ? [] : options).flatMap((option) => {
      if (option.said.kind !== "move" || option.said.path !== path) return [];
      const seats = othersOf(option, mover);
      const prices = seats.map((seat) => priceOf(desk, seat, path));
      const cost = prices.reduce<number | null>((sum, one) => (sum === null || one == null ? null : sum + one), 0);
      return seats.length ? [{ action: option.text, seats, keys: keysOf(seats), cost }] : [];
    });
    const least = Math.min(...found.map(({ seats }) => seats.length));
    return found.filter(({ seats }) => seats.length === least);
  });

  constructor(readonly of: () => { path: string | null; options: Option[]; mover: number; desk: Desk | null }) {}

  /** Put a senator into the set or take him out; with more than are needed, the first one leaves it. */
  tap(key: string): void {
    const most = this.#sets[0]?.seats.length ?? 1;
    const now = this.chosen;
    this.#tapped = now.includes(key) ? now.filter((one) => one !== key) : [...now, key].slice(-most);
  }

  reset(): void {
    this.#tapped = null;
  }
}

/** The prices at the senators of each room: for a path out of it, or for anything where the mover has a senator, too. */
export function tagsOf(view: QuoVadisView, desk: Desk | null, set: PriceSet, mine: boolean): Record<string, Record<string, Tag>> {
  const { path } = set.of();
  const found: Record<string, Record<string, Tag>> = {};
  for (const [room, { senators }] of Object.entries(view.committees)) {
    if (!desk?.prices.length || !senators.includes(view.active)) continue;
    const here = path !== null && path[0] === room;
    const about = here ? path : desk.prices.findLast((one) => one.about?.[0] === room)?.about ?? "";
    for (const key of keysOf(senators)) {
      const seat = seatOf(key);
      const price = seat === view.active ? null : priceOf(desk, seat, about);
      if (price == null) continue;
      const sold = mine && here && set.sellers.some((one) => one.key === key);
      (found[room] ??= {})[key] = {
        price, seat, chosen: sold && set.chosen.includes(key), press: sold ? () => set.tap(key) : null,
      };
    }
  }
  return found;
}
