/**
 * In which order the rules are told: games, chapters, topics, terms. The words are in the catalogue, area `rules`:
 * `alea_senatus_title`, `_short`, then `_1`, `_2` ... the rules, `_note_1` our rulings, `_example_1` examples.
 * A topic is named `alea-senatus` from outside; in a text `(A-SEN-1)` is the home of a rule, `[A-SEN-1]` a mention.
 */

import { taste } from "../taste.svelte";
import { sayIf } from "../words.svelte";

export const GAMES = ["alea", "quovadis"] as const;
export type Game = (typeof GAMES)[number];
export type Kind = "rule" | "note" | "example";

export interface Passage {
  kind: Kind;
  key: string;
  text: string;
}

export interface Topic {
  game: Game;
  name: string;
}

interface Chapter {
  name: string;
  topics: string[];
}

export const CHAPTERS: Record<Game, Chapter[]> = {
  alea: [
    { name: "start", topics: ["aim", "setup"] },
    { name: "turn", topics: ["turn", "dice", "reroll"] },
    { name: "buildings", topics: ["templum", "senatus", "castrum", "forum", "latrina"] },
    { name: "scoring", topics: ["scoring", "keep", "take_card", "take_province", "take_patrician"] },
    { name: "end", topics: ["tableau", "end", "cards"] },
    { name: "more", topics: ["secrets", "options"] },
  ],
  quovadis: [
    { name: "start", topics: ["aim", "board", "setup"] },
    { name: "turn", topics: ["turn", "enter", "move", "consent", "laurels", "caesar"] },
    { name: "talk", topics: ["deal", "promise"] },
    { name: "end", topics: ["senate", "end", "stall"] },
    { name: "more", topics: ["secrets", "variants"] },
  ],
};

export const TERMS: Record<Game, string[]> = {
  alea: [
    "set", "round", "reroll", "chip", "sequence", "group", "column", "token", "card", "province", "joker", "border", "free",
    "patrician", "couple", "child", "fame", "unassigned",
  ],
  quovadis: [
    "committee", "senate", "senator", "path", "laurel", "place", "consent", "caesar", "deal", "party", "promise", "ledger",
    "stalled",
  ],
};

/** The senate cards, told one by one in the topic `alea-cards`. */
export const CARDS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"];

export function isGame(game: string | undefined): game is Game {
  return GAMES.some((one) => one === game);
}

/** The topic of a name such as `alea-take-card`; an unknown one leads to the beginning of its game's rules. */
export function topicOf(topic: string): Topic {
  const [first, ...rest] = topic.split("-");
  const game = isGame(first) ? first : "alea";
  const name = rest.join("_");
  const known = CHAPTERS[game].some(({ topics }) => topics.includes(name));
  return { game, name: known ? name : "aim" };
}

/** What a topic is called in an address. */
export function anchorOf(name: string): string {
  return name.replaceAll("_", "-");
}

export function titleOf({ game, name }: Topic): string {
  return sayIf(`rules.${game}_${name}_title`) ?? "";
}

export function shortOf({ game, name }: Topic): string {
  return sayIf(`rules.${game}_${name}_short`) ?? "";
}

function numbered(prefix: string, kind: Kind): Passage[] {
  const found: Passage[] = [];
  for (let number = 1; ; number++) {
    const key = `${prefix}${number}`;
    const text = sayIf(`rules.${key}`);
    if (text === null) return found;
    found.push({ kind, key, text });
  }
}

/** All that is said about a topic: rules first, then our rulings, then examples. */
export function passagesOf({ game, name }: Topic): Passage[] {
  const prefix = `${game}_${name}_`;
  return [
    ...numbered(prefix, "rule"),
    ...numbered(`${prefix}note_`, "note"),
    ...numbered(`${prefix}example_`, "example"),
  ];
}

/** The senate cards as passages. Their names are the game's own words; there a border province is named by its colours. */
export function cardPassages(): (Passage & { card: string; title: string })[] {
  return CARDS.map((card) => ({
    kind: "rule",
    key: `alea_card_${card}`,
    text: sayIf(`rules.alea_card_${card}`) ?? "",
    card,
    title: sayIf(card === "XII" ? "rules.alea_term_border" : `alea.card_${card}`) ?? "",
  }));
}

/** The words of a game, in the order of the alphabet. */
export function termsOf(game: Game): { name: string; title: string; text: string }[] {
  return TERMS[game]
    .map((name) => ({
      name, title: sayIf(`rules.${game}_term_${name}`) ?? "", text: sayIf(`rules.${game}_term_${name}_text`) ?? "",
    }))
    .sort((one, other) => one.title.localeCompare(other.title, taste.language));
}
