/**
 * From what the server sends to what a board is given: live, in the past, or in a lesson.
 *
 * A board gets the *current line of play*. Plies that were taken back are removed here; only the log shows them.
 */

import type { ChatLine, Details, DraftInfo, Line, OfferState, Position, QuoVadisPledge, Seat } from "../api";
import { ask } from "../http";
import { command, type LiveMatch } from "../live.svelte";
import type { Acts, Scene } from "../scene";
import { say } from "../words.svelte";

/** A bot is named by its seat: the first Romans of the rule book. */
function botName(index: number): string {
  const names = [say("table.bot_a"), say("table.bot_b"), say("table.bot_c"), say("table.bot_d"), say("table.bot_e")];
  return names[index] ?? say("table.bot");
}

/** The name for a seat; a bot that took over is named after the player whom it replaces. */
export function nameOf(seat: Pick<Seat, "kind" | "name" | "bot">, index: number): string {
  if (seat.kind === "bot" && (seat.name === null || seat.name === seat.bot)) return botName(index);
  return seat.name ?? say("table.seat", { letter: "ABCDE"[index] ?? index + 1 });
}

export function namesOf(seats: Seat[]): string[] {
  return seats.map(nameOf);
}

/** The lines of the current line of play, without plies that were taken back and without the undos. */
export function currentLines(lines: Line[]): Line[] {
  let found: Line[] = [];
  for (const line of lines) {
    if (!line.undo) found.push(line);
    else {
      const cut = found.findIndex((one) => one.ply >= line.ply);
      if (cut >= 0) found = found.slice(0, cut);
    }
  }
  return found;
}

/** Of these, the ones before a ply. */
export function linesBefore(lines: Line[], ply: number): Line[] {
  const cut = lines.findIndex((line) => line.ply >= ply);
  return cut < 0 ? lines : lines.slice(0, cut);
}

/** A scene without actions; everything else is up to the caller. */
export function stillScene(game: string, names: string[], more: Partial<Scene>): Scene {
  const seats = names.map((name): Seat => ({ kind: "person", name, bot: null, resigned: false }));
  return {
    game, names, seats, view: {}, outlook: null, ledger: null, seat: null, turn: null, moves: [], asks: [], actions: [],
    chosen: null, confirmBy: null, desk: null, lines: [], result: null, acts: null, suggested: null, point: [],
    place: "table",
    ...more,
  };
}

/** What the seat does, as commands to the server. */
export function actsOf(live: LiveMatch): Acts | null {
  const { match, seat } = live;
  if (seat === null) return null;
  const at = (): { epoch: number; ply: number } => ({ epoch: live.play?.epoch ?? 0, ply: live.play?.ply ?? 0 });
  const talk = (): { epoch: number; plies: number } => ({ epoch: at().epoch, plies: at().ply });
  const send = async (what: Parameters<typeof command>[0]): Promise<void> => {
    await command(what);
  };
  return {
    play: (move) => send({ type: "play", match, seat, ...at(), move }),
    confirm: () => send({ type: "confirm", match, seat, ...at() }),
    takeBack: () => send({ type: "take-back", match, seat, ...at() }),
    offer: (terms, counters, words) =>
      send({ type: "offer", match, seat, ...talk(), terms, counters: counters ?? null, words: words ?? [] }),
    counter: (terms, counters) => send({ type: "offer", match, seat, ...talk(), terms, counters }),
    answer: (offer, yes) => send({ type: "answer", match, seat, offer, yes }),
    withdraw: (offer) => send({ type: "withdraw", match, seat, offer }),
    judge: (promise, kept) => send({ type: "judge", match, seat, promise, kept }),
    ready: () => send({ type: "ready", match, seat, ...talk() }),
    drafting: (on) => send({ type: "drafting", match, seat, ...talk(), on }),
    askPrices: (about) => send({ type: "ask-prices", match, seat, ...talk(), about }),
    namePrice: (price, about, stands) =>
      send({ type: "name-price", match, seat, ...(stands || price === null ? {} : talk()), price, about, stands }),
    takePrices: (action, prices) => send({ type: "take-prices", match, seat, ...talk(), action, prices }),
    draft: (terms) => ask<DraftInfo>("POST", `/api/matches/${match}/draft`, { terms }),
  };
}

/** The only game with promises types them; the server's details are the same for all games. */
function ledgerOf(told: Position | Details | undefined): QuoVadisPledge[] | null {
  return (told?.ledger ?? null) as QuoVadisPledge[] | null;
}

function heardChat(live: LiveMatch): ChatLine[] {
  return live.chat.filter(({ seat }) => !live.about?.muted.includes(seat));
}

/** The match as it is now; null until enough was received. */
export function liveScene(
  live: LiveMatch, acts: Acts | null, suggested: string[] | null, offers: OfferState[] = [],
): Scene | null {
  const { about, play } = live;
  if (!about || !play) return null;
  const seated = live.seat !== null;
  const mine = seated && play.turn === live.seat && about.status === "playing";
  const { details } = play;
  return stillScene(about.game, namesOf(about.seats), {
    view: play.view,
    outlook: details?.outlook ?? null,
    ledger: ledgerOf(details),
    seat: live.seat,
    seats: about.seats,
    turn: about.status === "playing" ? play.turn : null,
    moves: mine ? (details?.moves ?? []) : [],
    asks: mine ? (play.asks ?? []) : [],
    actions: details?.actions ?? [],
    chosen: play.chosen,
    confirmBy: play.confirm_by,
    desk: live.desk,
    earlier: offers.filter(({ offer }) => !live.desk?.offers.some((one) => one.offer === offer)),
    chat: heardChat(live),
    lines: currentLines(live.lines),
    result: about.result,
    acts: about.status === "playing" ? acts : null,
    suggested,
  });
}

/** The match as it was before a ply, for looking only. */
export function pastScene(live: LiveMatch, position: Position, offers: OfferState[] = []): Scene | null {
  const { about } = live;
  if (!about) return null;
  const lines = currentLines(live.lines);
  const next = lines.find((line) => line.ply >= position.ply);
  // Chat has no ply: what was said before the next offer was made is shown.
  const later = offers.find(({ ply }) => ply > position.ply)?.at ?? Infinity;
  return stillScene(about.game, namesOf(about.seats), {
    view: position.view,
    outlook: position.outlook,
    ledger: ledgerOf(position),
    seat: live.seat,
    seats: about.seats,
    turn: next?.seat ?? null,
    lines: linesBefore(lines, position.ply),
    earlier: offers.filter(({ ply }) => ply <= position.ply),
    chat: heardChat(live).filter(({ at }) => at < later),
    result: position.ply === position.plies ? about.result : null,
    place: "past",
  });
}
