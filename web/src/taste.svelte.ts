/** A person's preferences on this device: language, theme, sound, notifications, opponents. Kept in the browser, never sent. */

export type Language = "en" | "de";
export type Theme = "auto" | "light" | "dark";
export type Tempo = "quick" | "calm" | "slow";

interface Taste {
  language: Language;
  theme: Theme;
  sound: boolean;
  notify: boolean;
  /** The strength of bots, as the name of a level. */
  level: string;
  /** How fast bots are, and how long they wait for people. */
  tempo: Tempo;
}

const STORED = "rostra.taste";

function initial(): Taste {
  const language: Language = navigator.language.startsWith("de") ? "de" : "en";
  const plain: Taste = { language, theme: "auto", sound: false, notify: false, level: "eques", tempo: "calm" };
  try {
    return { ...plain, ...(JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Taste>) };
  } catch {
    return plain; // storage is blocked, or something else wrote there
  }
}

export const taste = $state(initial());

export function show(): void {
  const root = document.documentElement;
  root.lang = taste.language;
  if (taste.theme === "auto") delete root.dataset["theme"];
  else root.dataset["theme"] = taste.theme;
}

export function keep(change: Partial<Taste>): void {
  Object.assign(taste, change);
  show();
  try {
    localStorage.setItem(STORED, JSON.stringify(taste));
  } catch {
    // It holds until the page is closed.
  }
}

show();
