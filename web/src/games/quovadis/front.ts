/** What the table page needs of Quo Vadis?: its board, and its log in words. */

import type { Component } from "svelte";
import type { Scene } from "../../scene";
import type { GameFront } from "../index";
import { tell } from "./tell";

export const front: GameFront = {
  board: async () => (await import("./Board.svelte")) as unknown as { default: Component<{ scene: Scene }> },
  tell,
};
