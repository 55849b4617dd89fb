/** Games without a board of their own: drawn from what their view says, told in their own notation. */

import { say } from "../../words.svelte";
import type { GameFront } from "../index";

export const front: GameFront = {
  board: () => import("./Board.svelte"),
  tell: (lines) =>
    lines.map((line) => {
      if (line.move === null) return null;
      if (line.seat !== null) return { icon: "move", text: line.move };
      return { icon: "chance", text: say("table.plain_chance", { what: line.move.replace(/^=/, "") }) };
    }),
  words: (terms) => terms.join("; "),
};
