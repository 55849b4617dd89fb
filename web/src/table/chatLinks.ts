/** Addresses of matches on this server inside a text; no other address becomes a link. */

export interface Part {
  text: string;
  address: string | null;
}

const MATCH = /(https?:\/\/[^\s/]+)(\/match\/[a-z2-7]{20})(?![\w/])/g;

export function linked(text: string): Part[] {
  const parts: Part[] = [];
  let done = 0;
  for (const found of text.matchAll(MATCH)) {
    if (found[1] !== location.origin) continue;
    if (found.index > done) parts.push({ text: text.slice(done, found.index), address: null });
    parts.push({ text: found[0], address: found[2] ?? null });
    done = found.index + found[0].length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), address: null });
  return parts;
}
