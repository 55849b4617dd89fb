/** What the table page needs of Quo Vadis?: its board, its log and its moves in words, its promises afterwards. */

import type { Component } from "svelte";
import type { Scene } from "../../scene";
import type { GameFront } from "../index";
import { moveWords } from "./phrases";
import { standing } from "./standing";
import { tell } from "./tell";

export const front: GameFront = {
  board: async () => (await import("./Board.svelte")) as unknown as { default: Component<{ scene: Scene }> },
  tell,
  words: moveWords,
  standing,
  worth: async () => (await import("./NetLine.svelte")) as unknown as Awaited<ReturnType<NonNullable<GameFront["worth"]>>>,
  afterwards: () => import("./Afterwards.svelte"),
};
