/** Positions of the past, fetched once each, the next ones ahead of time. */

import type { Position } from "../api";
import { ask } from "../http";
import { attempt } from "../notice.svelte";

export class Past {
  /** The position that was asked for last, once it is there. */
  shown = $state.raw<Position | null>(null);

  #kept = new Map<string, Promise<Position>>();
  #wanted = "";

  constructor(readonly match: string, readonly seat: number | null) {}

  /** Show the position before a ply; an epoch has its own, because going back changes what comes after. */
  async show(epoch: number, ply: number, plies: number): Promise<void> {
    const wanted = (this.#wanted = `${epoch} ${ply}`);
    const found = await attempt(() => this.#fetch(epoch, ply));
    if (this.#wanted !== wanted || !found) return;
    this.shown = found;
    for (const near of [ply + 1, ply - 1]) if (near >= 0 && near <= plies) this.#fetch(epoch, near).catch(() => undefined);
  }

  #fetch(epoch: number, ply: number): Promise<Position> {
    const key = `${epoch} ${ply}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const seat = this.seat === null ? "" : `?seat=${this.seat}`;
    const coming = ask<Position>("GET", `/api/matches/${this.match}/plies/${ply}${seat}`);
    this.#kept.set(key, coming);
    coming.catch(() => this.#kept.delete(key));
    return coming;
  }
}
