/** What a screen reader hears: my turn, an offer that asks me, a no to mine, a deal carried out, the end. */

import type { QuoVadisOutlook, QuoVadisView } from "../../api";
import { announce } from "../../notice.svelte";
import type { Scene } from "../../scene";
import { pricesAsked } from "../../table/offers";
import { say } from "../../words.svelte";
import { asksSeat } from "./offers";
import { dealSentence, list } from "./phrases";
import { tell } from "./tell";

/** Call it while a component is made; it listens as long as that lives. */
export function listen(of: () => Scene<QuoVadisView, QuoVadisOutlook>): void {
  let turn = "";
  let over = false;
  let shown = false;
  let heard = -1;
  const told = new Set<number>();
  const refused = new Set<number>();
  const questions = new Set<number>();
  const named = new Set<string>();

  $effect(() => {
    const { view, seat, turn: deciding, acts, names, desk, lines, result } = of();
    if (!acts && !result) return; // a replay is looked at
    const now = `${deciding} ${view.phase} ${view.active}`;
    if (now !== turn && deciding === seat && seat !== null && acts) {
      const asked = { "place-caesar": "quovadis.prompt_caesar", demand: "quovadis.prompt_demand" } as const;
      announce(say(view.phase in asked ? asked[view.phase as keyof typeof asked] : "quovadis.hear_turn"));
    }
    turn = now;
    if (view.shown && !shown) announce(say("quovadis.hands_shown"));
    shown = view.shown;
    for (const offer of desk?.offers ?? []) {
      const about = { name: names[offer.seat] ?? "", deal: dealSentence(offer.terms, view.active, names) };
      if (offer.seat === seat && offer.status === "refused" && !refused.has(offer.offer)) {
        refused.add(offer.offer);
        const who = list(offer.no.map((one) => names[one] ?? ""));
        announce(say("quovadis.hear_refused", { names: who, deal: about.deal }));
      }
      if (!asksSeat(offer, seat) || told.has(offer.offer)) continue;
      told.add(offer.offer);
      announce(say("quovadis.hear_offer", about));
    }
    for (const asked of pricesAsked(desk, seat)) {
      if (questions.has(asked.at)) continue;
      questions.add(asked.at);
      announce(say("quovadis.price_asked", { name: names[view.active] ?? "" }));
    }
    for (const { seat: by, price, about } of desk?.prices ?? []) {
      const one = `${by} ${price} ${about} ${view.active} ${view.turn}`;
      if (by === seat || price === null || named.has(one)) continue;
      named.add(one);
      if (view.active === seat) announce(say("quovadis.price_of", { name: names[by] ?? "", n: price }));
    }
    // A deal that was carried out is no longer on the desk: its turn is over. The log has it.
    if (lines.length !== heard) {
      const deals = heard < 0 ? [] : tell(lines, names).slice(heard).flatMap((one, i) => {
        const who = names[lines[heard + i]?.seat ?? -1];
        return one?.icon === "deal" && who ? [say("quovadis.sentence", { name: who, phrase: one.text })] : [];
      });
      if (deals.length) announce(deals.join(" "));
      heard = lines.length;
    }
    if (result && !over) {
      over = true;
      const winners = result.winners.map((one) => names[one] ?? "");
      const n = winners.length;
      announce(n ? say("quovadis.won", { n, names: list(winners) }) : say("quovadis.nobody_won"));
    }
  });
}
