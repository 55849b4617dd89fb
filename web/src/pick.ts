/**
 * From clicks to a move: the server lists the spots by which each legal move can be clicked.
 *
 * The order of clicks does not matter, so a pick is a set of spots: a move fits while one of its paths contains them
 * all.
 */

import type { MoveInfo } from "./api";

export interface Way {
  move: MoveInfo;
  path: string[];
}

/** All ways to click a move that go on from these spots. */
export function waysFrom(moves: MoveInfo[], picked: ReadonlySet<string>): Way[] {
  const found: Way[] = [];
  for (const move of moves)
    for (const path of move.paths) if (picked.size <= path.length && [...picked].every((spot) => path.includes(spot))) found.push({ move, path });
  return found;
}

/** The spots that can be clicked next. */
export function nextSpots(moves: MoveInfo[], picked: ReadonlySet<string>): Set<string> {
  return new Set(waysFrom(moves, picked).flatMap(({ path }) => path.filter((spot) => !picked.has(spot))));
}

/** The move that exactly these spots mean. */
export function moveOf(moves: MoveInfo[], picked: ReadonlySet<string>): MoveInfo | null {
  return waysFrom(moves, picked).find(({ path }) => path.length === picked.size)?.move ?? null;
}
