/** Alea Iacta Est in the browser: its board, and its log in words. */

import type { AleaView } from "../../api";
import type { GameFront } from "../index";
import { tellLines } from "./log";

export const front: GameFront = {
  board: () => import("./Board.svelte") as unknown as ReturnType<GameFront["board"]>,
  tell: (lines, names, view) => {
    const seen = view as AleaView | null;
    return tellLines(lines, names, seen?.phase === "place" ? seen.active : null);
  },
};
