/** Codes of the notation in words: colours, tiles, senate cards, buildings. It reads for display, it judges nothing. */

import { type Key, say } from "../../words.svelte";

export type Letter = "T" | "S" | "C" | "F" | "L";
export type House = "templum" | "senatus" | "castrum" | "forum" | "latrina";

export const HOUSES: Record<Letter, House> = {
  T: "templum", S: "senatus", C: "castrum", F: "forum", L: "latrina",
};
export const LETTERS = Object.keys(HOUSES) as Letter[];

const HOUSE_NAMES = {
  templum: "alea.templum",
  senatus: "alea.senatus",
  castrum: "alea.castrum",
  forum: "alea.forum",
  latrina: "alea.latrina",
} as const satisfies Record<House, Key>;

const COLOURS: Record<string, readonly [colour: Key, province: Key]> = {
  R: ["alea.colour_R", "alea.province_R"],
  O: ["alea.colour_O", "alea.province_O"],
  Y: ["alea.colour_Y", "alea.province_Y"],
  G: ["alea.colour_G", "alea.province_G"],
  B: ["alea.colour_B", "alea.province_B"],
  V: ["alea.colour_V", "alea.province_V"],
  J: ["alea.colour_J", "alea.province_J"],
};

const CARDS: Record<string, readonly [name: Key, text: Key]> = {
  I: ["alea.card_I", "alea.card_I_text"],
  II: ["alea.card_II", "alea.card_II_text"],
  III: ["alea.card_III", "alea.card_III_text"],
  IV: ["alea.card_IV", "alea.card_IV_text"],
  V: ["alea.card_V", "alea.card_V_text"],
  VI: ["alea.card_VI", "alea.card_VI_text"],
  VII: ["alea.card_VII", "alea.card_VII_text"],
  VIII: ["alea.card_VIII", "alea.card_VIII_text"],
  IX: ["alea.card_IX", "alea.card_IX_text"],
  X: ["alea.card_X", "alea.card_X_text"],
  XI: ["alea.card_XI", "alea.card_XI_text"],
  XII: ["alea.card_XII", "alea.card_XII_text"],
  XIII: ["alea.card_XIII", "alea.card_XIII_text"],
};

const INTO = {
  templum: "alea.into_templum",
  senatus: "alea.into_senatus",
  castrum: "alea.into_castrum",
  forum: "alea.into_forum",
  latrina: "alea.into_latrina",
} as const satisfies Record<House, Key>;

export function houseName(house: House): string {
  return say(HOUSE_NAMES[house]);
}

/** Where dice are placed, for a sentence: "in the Senatus". */
export function intoHouse(house: House): string {
  return say(INTO[house]);
}

export const isPatrician = (code: string): boolean => /^[ROYGBV][wm]\d$/.test(code);
export const isProvince = (code: string): boolean => /^[ROYGBVJ]\d$/.test(code);

export function colourWord(letter: string): string {
  const keys = COLOURS[letter];
  return keys ? say(keys[0]) : letter;
}

/** The roman number of a senate card, and its two colours if it is a border province. */
export function cardParts(code: string): { roman: string; colours: string[] } {
  const [roman = code, colours = ""] = code.split(":");
  return { roman, colours: [...colours] };
}

export function cardName(code: string): string {
  const { roman, colours } = cardParts(code);
  const keys = CARDS[roman];
  return keys ? say(keys[0], between(colours)) : code;
}

export function cardText(code: string): string {
  const { roman, colours } = cardParts(code);
  const keys = CARDS[roman];
  return keys ? say(keys[1], between(colours)) : "";
}

function between([one = "", other = ""]: string[]): { one: string; other: string } {
  return { one: colourWord(one), other: colourWord(other) };
}

/** Any tile or card in words: "Britannia 3 (green)", "green woman 3", "many provinces". */
export function codeWords(code: string): string {
  if (isPatrician(code)) {
    const params = { colour: colourWord(code.charAt(0)), value: code.charAt(2) };
    return code[1] === "w" ? say("alea.woman", params) : say("alea.man", params);
  }
  if (isProvince(code)) {
    const keys = COLOURS[code.charAt(0)];
    if (!keys) return code;
    return say("alea.province", { name: say(keys[1]), colour: say(keys[0]), value: code.charAt(1) });
  }
  return cardName(code);
}

export function spaced(dice: string): string {
  return [...dice].join(" ");
}

/** Values that are added up in the end: "2 + 3". */
export function summed(values: string): string {
  return [...values].join(" + ");
}

/** A number of points with its sign, with a real minus. */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`;
}
