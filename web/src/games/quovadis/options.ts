/** What can be done, as the server told it, sorted by where it is on the board. */

import type { QuoVadisEffect } from "../../api";
import { read, type Written } from "./notation";

export interface Option {
  text: string;
  said: Written;
  /** Whether it needs nobody else. */
  alone: boolean;
  effect: QuoVadisEffect;
}

export function optionOf(text: string, alone: boolean, effect: QuoVadisEffect = {}): Option {
  return { text, said: read(text), alone, effect };
}

/** The spots where these options begin; with Caesar in hand, the places where he can be put. */
export function litSpots(options: Option[], caesarInHand: boolean): Set<string> {
  const lit = new Set<string>();
  for (const { said } of options) {
    if (said.kind === "caesar") lit.add(caesarInHand ? `place:${said.place}` : "caesar");
    if (caesarInHand) continue;
    if (said.kind === "enter" || said.kind === "dismiss") lit.add(`room:${said.room}`);
    if (said.kind === "move") {
      lit.add(`path:${said.path}`);
      lit.add(`room:${said.path[0]}`);
    }
  }
  return lit;
}

/** The spot where a move is picked; null for what has none. */
export function spotOf(said: Written): string | null {
  switch (said.kind) {
    case "enter":
    case "dismiss": return `room:${said.room}`;
    case "move": return `path:${said.path}`;
    case "caesar": return `place:${said.place}`;
    default: return null;
  }
}

/** The options of one spot. */
export function optionsAt(options: Option[], spot: string | null): Option[] {
  const [kind, name] = spot?.split(":") ?? [];
  return options.filter(({ said }) => {
    switch (said.kind) {
      case "enter":
      case "dismiss": return kind === "room" && said.room === name;
      case "move": return (kind === "path" && said.path === name) || (kind === "room" && said.path[0] === name);
      case "caesar": return kind === "place" && said.place === name;
      default: return false;
    }
  });
}
