/** Reading the texts of the rules: the ids of rules in them, what is stressed, and what somebody looks for. */

export interface Piece {
  kind: "text" | "strong" | "home" | "mention";
  text: string;
}

const MARKS = /\(([AQ]-[A-Z]+-\d+)\)|\[([AQ]-[A-Z]+-\d+)\]|\*([^*]+)\*/g;

/** A text in pieces: `(A-SEN-1)` is the home of a rule, `[A-SEN-1]` a mention of it, `*so*` is stressed. */
export function piecesOf(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const mark of text.matchAll(MARKS)) {
    if (mark.index > from) found.push({ kind: "text", text: text.slice(from, mark.index) });
    const [whole, home, mention, strong] = mark;
    if (home) found.push({ kind: "home", text: home });
    else if (mention) found.push({ kind: "mention", text: mention });
    else if (strong) found.push({ kind: "strong", text: strong });
    from = mark.index + whole.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter((word) => word !== "");
}

/** Whether all words occur in the texts. */
export function fits(words: string[], ...texts: string[]): boolean {
  const all = texts.join(" ").replaceAll("*", "").toLowerCase();
  return words.every((word) => all.includes(word));
}

/** A text cut so that every second part is one of the words looked for. */
export function cut(text: string, words: string[]): string[] {
  if (words.length === 0) return [text];
  const safe = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp(`(${safe.join("|")})`, "gi"));
}
