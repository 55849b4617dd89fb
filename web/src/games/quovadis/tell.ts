/**
 * The log in words.
 *
 * A deal is many plies (its terms, `ask`, the answers), but only one line of the log: the `ask`. The answers that follow
 * say whether it was carried out.
 */

import type { Line } from "../../api";
import type { Told } from "../index";
import { say } from "../../words.svelte";
import { type Action, isAction, isTerm, read, type Written } from "./notation";
import { dealPhrase, list, phrase, sentence } from "./phrases";

const ICONS: Record<string, string> = {
  enter: "enter", move: "move", caesar: "caesar", leave: "caesar", dismiss: "undo", start: "start", laurel: "laurel",
};
const LAID_OUT = 10;

/** The answers to the `ask` at this place, and whether one of them refuses. */
function answersTo(lines: Line[], at: number): { seats: number[]; refused: boolean } {
  const seats: number[] = [];
  for (const { move, seat } of lines.slice(at + 1)) {
    if (move === "no") return { seats, refused: true };
    if (move !== "yes" || seat === null) break;
    seats.push(seat);
  }
  return { seats, refused: false };
}

export function tell(lines: Line[], names: string[]): (Told | null)[] {
  const games = lines.some((line) => line.points);
  let game = 0;
  let active = -1; // whose turn it is, which in a draft of another seat is not who speaks
  let hearing = false; // whether others may draft for the active seat
  let drafting = false;
  let terms: string[] = [];
  let answers: { seats: number[]; refused: boolean } = { seats: [], refused: false };
  let toLay = 0;
  return lines.map((line, at): Told | null => {
    if (line.points) {
      const points = list(line.points.map((n, seat) => say("quovadis.name_points", { name: names[seat] ?? "", n })));
      return { icon: "end", text: say("quovadis.game_ended", { points }) };
    }
    if (line.undo || line.move === null) {
      drafting = hearing = false;
      return null;
    }
    const said = read(line.move);
    if (said.kind === "start") {
      toLay = LAID_OUT;
      const told: Told = { icon: "start", text: phrase(said, active, names) };
      return games ? { ...told, heading: say("quovadis.game_number", { n: ++game }) } : told;
    }
    if (said.kind === "laurel") {
      hearing = false;
      if (toLay > 0) {
        toLay -= 1;
        return null;
      }
      return { icon: "laurel", text: phrase(said, active, names) };
    }
    const seat = line.seat ?? -1;
    if (said.kind === "word") {
      switch (said.word) {
        case "deal":
          drafting = true;
          terms = [];
          if (!hearing) active = seat;
          return null;
        case "drop": drafting = false; return { icon: "no", text: say("quovadis.drops") };
        case "bargain":
          drafting = true;
          terms = [];
          return null;
        case "hear":
          active = seat;
          hearing = true;
          if (leadsToBargain(lines, at)) return null;
          return { icon: "deal", text: say("quovadis.hears") };
        case "pass":
          if (hearing && leadsToBargain(lines, at)) return null;
          return { icon: "wait", text: hearing ? say("quovadis.passes") : say("quovadis.demands_nothing") };
        case "show": return { icon: "ask", text: say("quovadis.shows") };
        case "ask": {
          answers = answersTo(lines, at);
          drafting = false;
          const deal = seat === active
            ? dealPhrase(terms, seat, names)
            : terms.map(read).filter(isTerm).map((term) => sentence(term, active, names)).join("; ");
          hearing &&= answers.refused || !answers.seats.length; // a deal carried out ends the turn
          if (answers.refused || !answers.seats.length) return { icon: "ask", text: say("quovadis.asks", { deal }) };
          const agreed = say("quovadis.agreed", { deal, names: list(answers.seats.map((one) => names[one] ?? "")) });
          return { icon: "deal", text: agreed };
        }
        case "yes": return answers.refused ? { icon: "yes", text: say("quovadis.agrees") } : null;
        case "no": return { icon: "no", text: say("quovadis.refuses") };
      }
      return { icon: "deal", text: said.word };
    }
    if (isTerm(said) && (drafting || !isAction(said))) {
      terms.push(line.move);
      return null;
    }
    if (hearing ? seat !== active : opensDraft(said, seat)) {
      drafting = true;
      terms = [line.move];
      if (!hearing) active = seat;
      return null;
    }
    active = seat;
    hearing = false;
    return { icon: ICONS[said.kind] ?? "move", text: phrase(said, seat, names) };
  });
}

/** Whether somebody opens a bargain after this ply and passes: the words before it only give that player the floor. */
function leadsToBargain(lines: Line[], at: number): boolean {
  return lines.slice(at + 1).find((line) => line.move !== "pass")?.move === "bargain";
}

/** An action that needs others opens a draft by itself. */
function opensDraft(said: Written, mover: number): boolean {
  return said.kind === "move" && said.consents.some((one) => one !== mover);
}

/** The action that was carried out last, for the board to show. */
export function lastAction(lines: Line[]): Action | null {
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at];
    if (!line || line.move === null || line.seat === null) continue;
    const said = read(line.move);
    if (!isAction(said)) continue;
    const rest = lines.slice(at + 1);
    const end = rest.findIndex(({ move }) => move === null || !/^(give|then|promise) /.test(move));
    const next = rest[end]?.move;
    const draft = end > 0 || next === "ask" || next === "drop" || (end < 0 && opensDraft(said, line.seat));
    if (!draft) return said;
    const answers = answersTo(lines, at + 1 + end);
    if (next === "ask" && !answers.refused && answers.seats.length) return said;
  }
  return null;
}
