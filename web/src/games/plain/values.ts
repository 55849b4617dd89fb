/** Any value of a view, sorted by how it is best drawn. */

export type Row = Record<string, unknown>;

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface Table {
  columns: string[];
  /** Each with what it is called: its number in a list, or its name. */
  rows: [string, Row][];
}

/** Things with the same names are a table, whether they come in a list or each under a name of its own. */
export function tableOf(value: unknown): Table | null {
  const list = Array.isArray(value) ? value : isRow(value) ? Object.values(value) : [];
  const columns = columnsOf(list);
  return columns && { columns, rows: Object.entries(value as Row) as [string, Row][] };
}

function columnsOf(list: unknown[]): string[] | null {
  if (list.length < 2 || !list.every(isRow)) return null;
  const [first, ...rest] = list;
  const columns = Object.keys(first ?? {});
  const alike = rest.every((row) => Object.keys(row).join() === columns.join());
  return alike && columns.length ? columns : null;
}

/** Rows of equal length, as of a board of squares. */
export function isGrid(list: unknown[]): list is unknown[][] {
  const size = Array.isArray(list[0]) ? list[0].length : 0;
  const plain = (one: unknown): boolean => typeof one !== "object" || one === null;
  return size > 1 && list.length > 1 && list.every((row) => Array.isArray(row) && row.length === size && row.every(plain));
}

/** Names under which a number is a seat's. */
const SEATS = ["seat", "active", "drafter"];

/** The seat that a value means, going by its name. */
export function seatOf(name: string, value: unknown, seats: number): number | null {
  const fits = SEATS.includes(name) && typeof value === "number" && value >= 0 && value < seats;
  return fits ? value : null;
}

/** `game_number` as a person writes it. */
export function spoken(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
