/** Whose turn it is, in words; what to do in a phase, where the catalogue knows the phase. */

import type { LiveMatch } from "../live.svelte";
import { say, sayIf } from "../words.svelte";
import { offersFor, pricesAsked } from "./offers";

/** Whether a bot is waiting so that this seat can make an offer, in a game with deals. */
export function waitsForTalk({ about, play, desk, seat }: LiveMatch): boolean {
  if (about?.status !== "playing" || play?.turn == null || about.seats[play.turn]?.kind !== "bot") return false;
  return desk !== null && desk.until !== null && seat !== null && !desk.ready.includes(seat);
}

export function turnText(live: LiveMatch, names: string[]): string {
  const { about, play, seat } = live;
  if (!about || !play) return say("table.loading");
  if (about.status === "over" || play.turn === null) return say("table.over");
  if (play.turn === seat) {
    if (play.chosen !== null) return say("table.turn_chosen");
    const phase = String(play.view["phase"] ?? "").replaceAll("-", "_");
    const task = sayIf(`table.phase_${phase}`);
    return task === null ? say("table.turn_mine") : say("table.turn_task", { task });
  }
  const name = names[play.turn] ?? "";
  const offers = offersFor(live.desk, seat);
  if (offers.length) return say("table.turn_offer", { n: offers.length });
  if (pricesAsked(live.desk, seat).length) return say("table.turn_price", { name });
  const drafting = (live.desk?.drafting ?? []).filter((one) => one !== seat).map((one) => names[one] ?? "");
  if (drafting[0] !== undefined) return say("table.turn_drafting", { name: drafting[0] });
  if (waitsForTalk(live)) return say("table.turn_talk", { name });
  if (about.seats[play.turn]?.kind === "bot") return say("table.turn_bot", { name });
  const here = live.presence[play.turn];
  if (here === "away") return say("table.turn_person_away", { name });
  return here === "offline" ? say("table.turn_person_offline", { name }) : say("table.turn_person", { name });
}
