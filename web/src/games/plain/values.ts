/** Any value of a view, sorted by how it is best drawn. */

export type Row = Record<string, unknown>;

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of things with the same names is a table. */
export function columnsOf(list: unknown[]): string[] | null {
  if (list.length < 2 || !list.every(isRow)) return null;
  const [first, ...rest] = list;
  const columns = Object.keys(first ?? {});
  const alike = rest.every((row) => Object.keys(row).join() === columns.join());
  return alike && columns.length ? columns : null;
}

/** Rows of equal length, as of a board of squares. */
export function isGrid(list: unknown[]): list is unknown[][] {
  const size = Array.isArray(list[0]) ? list[0].length : 0;
  return size > 1 && list.length > 1 && list.every((row) => Array.isArray(row) && row.length === size && !row.some((one) => typeof one === "object" && one !== null));
}

/** `game_number` as a person writes it. */
export function spoken(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
