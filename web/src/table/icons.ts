/** Small icons for the log and for buttons, drawn with strokes on a field of 24 by 24; an unknown name is a dot. */

const DICE = "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8M8 12.5v.01M8 16v.01M16 14.3v.01";
const CROWN = "M5 18h14M5 15L4 8l4.5 3L12 5l3.5 6L20 8l-1 7z";
const DOT = "M12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z";

const ICONS: Record<string, string> = {
  // What happens at a table.
  dice: DICE,
  roll: DICE,
  start: "M6 21V4M6 5h11l-2.5 4L17 13H6",
  end: CROWN,
  wait: "M7 4h10M7 20h10M8 4c0 5 8 5 8 8s-8 3-8 8M16 4c0 5-8 5-8 8",
  ask: "M4 5h16v11H11l-4 4v-4H4zM10.5 9a1.6 1.6 0 1 1 2.3 1.5c-.5.2-.8.5-.8 1M12 13.5v.01",
  reroll: "M19 12a7 7 0 1 1-2-5M17.5 3v4.5H13",
  temple: "M3 9l9-5 9 5zM5 9v9M9.7 9v9M14.3 9v9M19 9v9M3 20h18",
  senate: "M4 20h16M5 20v-6a7 7 0 0 1 14 0v6M9 20v-5a3 3 0 0 1 6 0v5",
  fort: "M4 20V7h3v3h3V7h4v3h3V7h3v13zM10 20v-4h4v4",
  forum: "M4 20h16M6 20V8M12 20V8M18 20V8M4.5 8h3M10.5 8h3M16.5 8h3",
  latrina: "M5 10h14l-2 7a3 3 0 0 1-3 2h-4a3 3 0 0 1-3-2zM12 10a3.5 2 0 1 1 0-.01",
  card: "M6 3.5h12v17H6zM9 8h6M9 11.5h6M9 15h4",
  token: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v8M9 10l3-2 3 2",
  province: "M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14",
  patrician: "M12 4a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM5 20c.5-4.5 3.2-7 7-7s6.5 2.5 7 7M9 15.5l6 4.5",
  laurel:
    "M12 21C6 19 4 14 5 7M12 21c6-2 8-7 7-14M5 10c2 0 3 1 3.5 3M6 14.5c2-.5 3.5.5 4.2 2.2" +
    "M19 10c-2 0-3 1-3.5 3M18 14.5c-2-.5-3.5.5-4.2 2.2",
  caesar: "M5 18h14M6 15L4.5 8l4 3L12 5.5l3.5 5.5 4-3L18 15z",
  enter: "M4 12h10M10 8l4 4-4 4M15 4h5v16h-5",
  move: "M4 12h15M14 7l5 5-5 5",
  deal: "M3 9l4-3 5 2 5-2 4 3M3 9v6l3 1 5 4 4-1 3-3 3-1V9M12 8l-3 4 2 1 3-2 4 5",
  yes: "M4.5 12.5l5 5 10-11",
  no: "M6 6l12 12M18 6L6 18",
  undo: "M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12H9",
  crown: CROWN,
  chance: "M12 3l2.3 6.2L21 9.7l-5.2 4.1 1.8 6.4L12 16.5l-5.6 3.7 1.8-6.4L3 9.7l6.7-.5z",
  // Buttons.
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM12 5V3M10 21h4",
  log: "M5 5h14M5 10h14M5 15h9M5 20h9",
  chat: "M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12.5h5",
  players:
    "M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3.5 19c.4-4 2.5-6 5.5-6s5.1 2 5.5 6M16 6a2.5 2.5 0 1 1 0 5" +
    "M17 13.5c2 .6 3.2 2.4 3.5 5",
  menu: "M5 7h14M5 12h14M5 17h14",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.6 10.8c-.7.6-1.1 1.3-1.1 2.2h-5c0-.9-.4-1.6-1.1-2.2A6 6 0 0 1 12 3z",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  help: "M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.5v.01M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  link: "M10 14l4-4M8.5 11L6 13.5a3.2 3.2 0 0 0 4.5 4.5L13 15.5M15.5 13l2.5-2.5A3.2 3.2 0 0 0 13.5 6L11 8.5",
  bot: "M6 9h12v9H6zM12 9V5.5M12 4v.01M9.5 13v.01M14.5 13v.01M10 16h4M3.5 12v3M20.5 12v3",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM5 20c.6-4.4 3.2-6.5 7-6.5s6.4 2.1 7 6.5",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.5l3 2",
  eye:
    "M3 12c2.5-4.3 5.5-6.5 9-6.5s6.5 2.2 9 6.5c-2.5 4.3-5.5 6.5-9 6.5S5.5 16.3 3 12z" +
    "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  mute: "M4 5h16v11H11l-4 4v-4H4zM9 8l6 5M15 8l-6 5",
  first: "M6 5v14M18 5l-8 7 8 7z",
  prev: "M15.5 5l-8 7 8 7z",
  next: "M8.5 5l8 7-8 7z",
  last: "M18 5v14M6 5l8 7-8 7z",
  play: "M7 4.5l12 7.5-12 7.5z",
  pause: "M8 5v14M16 5v14",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 20h16",
  again: "M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5",
  hand:
    "M7 12V6.5a1.5 1.5 0 0 1 3 0V11M10 10V4.8a1.5 1.5 0 0 1 3 0V11M13 10V6a1.5 1.5 0 0 1 3 0v6" +
    "M16 9a1.5 1.5 0 0 1 3 0v5c0 4-2.5 7-6.5 7-3 0-4.5-1.5-6-4l-2.3-4a1.4 1.4 0 0 1 2.4-1.4L8 13.5",
};

export function iconOf(name: string): string {
  return ICONS[name] ?? DOT;
}
