/** Which page an address shows, loaded when it is wanted, together with the words that it says. */

import type { Component } from "svelte";
import { type Area, need } from "./words.svelte";

export type Params = Record<string, string | undefined>;
export type Page = Component<{ params: Params }>;

interface Kind {
  at: RegExp;
  load: () => Promise<Page>;
}

function kind(at: RegExp, page: () => Promise<{ default: unknown }>, ...areas: Area[]): Kind {
  return {
    at,
    load: async () => {
      const [loaded] = await Promise.all([page(), ...areas.map(need)]);
      return loaded.default as Page;
    },
  };
}

const PAGES: Kind[] = [
  kind(/^\/$/, () => import("./lobby/Lobby.svelte"), "table"), // bots in its lists are named there
  kind(/^\/new$/, () => import("./lobby/NewMatch.svelte")),
  kind(/^\/me$/, () => import("./lobby/Me.svelte"), "people", "notify"),
  kind(/^\/people\/(?<person>[a-z2-7]{20})$/, () => import("./people/ProfilePage.svelte"), "people", "table"),
  kind(/^\/unsubscribe$/, () => import("./notify/UnsubscribePage.svelte"), "notify"),
  kind(
    /^\/match\/(?<match>[a-z2-7]{20})(?:\/ply\/(?<ply>\d+))?$/, () => import("./table/MatchPage.svelte"),
    "table", "alea", "quovadis", "review", "people",
  ),
  kind(
    /^\/match\/(?<match>[a-z2-7]{20})\/review$/, () => import("./review/ReviewPage.svelte"),
    "table", "alea", "quovadis", "review",
  ),
  kind(/^\/rules\/(?<game>\w+)$/, () => import("./rules/RulesPage.svelte"), "rules", "alea"),
  kind(
    /^\/learn\/(?<game>\w+)$/, () => import("./learn/LearnPage.svelte"), "lesson", "table", "alea", "quovadis",
  ),
];

/** The page of an address and what the address says to it; null where there is none. */
export function pageAt(path: string): { load: () => Promise<Page>; params: Params } | null {
  for (const { at, load } of PAGES) {
    const fit = at.exec(path);
    if (fit) return { load, params: { ...fit.groups } };
  }
  return null;
}
