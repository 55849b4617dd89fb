/** The rows of dice in each building as the board shows them: ranked by the outlook, or plain while it is not known. */

import type { AleaEffect, AleaOutlook, AleaStand, AleaView } from "../../api";
import type { House } from "./codes";

/** A row; `wins` is null while it is not known what it would win. */
export type Row = Omit<AleaStand, "wins"> & { wins: number | null };

function plain(view: AleaView, house: House): Row[] {
  const row = (seat: number, dice: string, sum = 0): Row => ({ seat, dice, sum, wins: null });
  switch (house) {
    case "templum":
      return (view.templum ?? []).map(({ seat, dice, sum }) => row(seat, "?".repeat(dice), sum));
    case "senatus":
    case "castrum":
      return view[house].map(({ seat, dice }) => row(seat, dice));
    case "forum":
      return view.forum.map(({ seat, die }) => row(seat, String(die)));
    case "latrina":
      return view.latrina.flatMap((dice, seat) => (dice ? [row(seat, "?".repeat(dice))] : []));
  }
}

const named = ({ seat, dice }: Row): string => `${seat}:${dice}`;

/** What lies in a building; an outlook that is not of this very view is not used. */
export function rowsOf(view: AleaView, outlook: AleaOutlook | null, house: House): Row[] {
  const seen = plain(view, house);
  const ranked = outlook?.buildings[house];
  if (!ranked) return seen;
  const same = seen.map(named).sort().join() === ranked.map(named).sort().join();
  return same ? ranked : seen;
}

/** The columns of the dice that a placing in the Forum puts there; of equal dice of one seat the new one is leftmost. */
export function columnsOf({ rank = 0, rows = [] }: AleaEffect, move: string): number[] {
  const seat = rows[rank]?.seat;
  return [...move.slice(1)].map((die) => rows.findIndex((row) => row.seat === seat && row.dice === die));
}
