/**
 * What calls a person back to the table: the tab's title, a sound, a notification, and announcements for screen
 * readers.
 *
 * Boards announce what is their own (your turn with the roll, an offer); here is what is the same in every game.
 */

import type { Line } from "../api";
import { titleOf } from "../lobby/house";
import { line, type LiveMatch } from "../live.svelte";
import { announce, tell } from "../notice.svelte";
import { taste } from "../taste.svelte";
import { say } from "../words.svelte";
import { resultText } from "./ending";
import { callsFor } from "./offers";
import { namesOf } from "./sceneOf";
import { sound } from "./sounds";

/** A browser on a phone shows notifications only through its service worker. */
async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!taste.notify || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(title, { body, tag });
    else {
      const shown = new Notification(title, { body, tag });
      shown.onclick = () => window.focus();
    }
  } catch {
    // Then only the title shows it.
  }
}

/** Whether it is up to me: my turn, or an offer that waits for my answer. */
export function isMyTurn(live: LiveMatch): boolean {
  return live.about?.status === "playing" && live.seat !== null && live.play?.turn === live.seat;
}

/** Show another title now and then for some seconds. */
function flash(text: string): void {
  const usual = document.title;
  let left = 10;
  const timer = setInterval(() => {
    document.title = left-- % 2 === 0 && left > 0 ? text : usual;
    if (left <= 0) clearInterval(timer);
  }, 800);
}

function chanceIn(lines: Line[], from: number): boolean {
  return lines.slice(from).some((one) => one.seat === null && one.move !== null && !one.undo);
}

/** Call it while a component is set up; `hidden` says that the table is covered, so that nothing is revealed. */
export function attend(current: () => LiveMatch, hidden: () => boolean): void {
  $effect(() => {
    const live = current();
    const game = live.about ? titleOf(live.about.game) : "";
    const mine = isMyTurn(live) || callsFor(live.desk, live.seat) > 0;
    document.title = mine ? say("table.title_turn", { game }) : say("table.title", { game });
    return () => (document.title = "Rostra");
  });

  // A nudge: a notice, a sound, and for some seconds another title. Read without `hidden`: the seat is asked, not shown.
  let nudges: { live: LiveMatch; count: number } | null = null;
  $effect(() => {
    const live = current();
    const { nudge } = live;
    const count = nudge?.count ?? 0;
    const before = nudges?.live === live ? nudges.count : count;
    nudges = { live, count };
    if (!nudge || count === before || !live.about) return;
    const name = namesOf(live.about.seats)[nudge.by] ?? "";
    tell(say("table.nudged_by", { name }));
    if (taste.sound) sound("nudge");
    void notify(say("table.nudged_by", { name }), titleOf(live.about.game), live.match);
    flash(say("table.nudged_title", { name }));
  });

  let turn = "";
  $effect(() => {
    const live = current();
    if (!live.about || !live.play || hidden()) return;
    const now = `${live.seat} ${live.play.epoch} ${live.play.turn} ${live.about.status}`;
    if (now === turn) return;
    const first = turn === "";
    turn = now;
    if (first || live.about.status !== "playing" || live.play.turn === null) return;
    if (isMyTurn(live)) {
      if (taste.sound) sound("turn");
      void notify(say("table.notify_turn"), titleOf(live.about.game), live.match);
    } else announce(say("table.spoken_turn", { name: namesOf(live.about.seats)[live.play.turn] ?? "" }));
  });

  let heard: { live: LiveMatch; lines: number; offers: number; status: string } | null = null;
  $effect(() => {
    const live = current();
    if (!live.about || !live.play) return;
    const offers = callsFor(live.desk, live.seat);
    const found = { live, lines: live.lines.length, offers, status: live.about.status };
    const before = heard?.live === live ? heard : found;
    heard = found;
    if (found.status === "over" && before.status !== "over") {
      announce(resultText(live.about, namesOf(live.about.seats)));
      if (taste.sound) sound("end");
      void notify(say("table.over"), titleOf(live.about.game), live.match);
    } else if (found.offers > before.offers) {
      if (taste.sound) sound("offer");
      void notify(say("table.notify_offer"), titleOf(live.about.game), live.match);
    } else if (taste.sound && chanceIn(live.lines, before.lines)) sound("dice");
  });

  let lost = false;
  $effect(() => {
    if (line.status === "lost" && !lost) announce(say("table.spoken_lost"));
    if (line.status === "open" && lost) announce(say("table.spoken_back"));
    if (line.status === "lost" || line.status === "open") lost = line.status === "lost";
  });
}
