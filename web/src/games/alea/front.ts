/** Alea Iacta Est in the browser: its board, its log and its moves in words. */

import type { AleaView } from "../../api";
import type { GameFront } from "../index";
import { say } from "../../words.svelte";
import { choiceWords, tellLines } from "./log";

export const front: GameFront = {
  board: () => import("./Board.svelte") as unknown as ReturnType<GameFront["board"]>,
  tell: (lines, names, view) => {
    const seen = view as AleaView | null;
    return tellLines(lines, names, seen?.phase === "place" ? seen.active : null);
  },
  words: ([move = ""]) =>
    move.startsWith("+") ? say("alea.take_this", { what: choiceWords(move) }) : choiceWords(move),
};
