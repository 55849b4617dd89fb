/*
 * Checks the dice of a finished match, in the browser or in Node, from the text of its transcript alone.
 *
 * It shares no line with the program that rolled them: it computes every outcome of chance from the revealed seed and
 * compares. It knows the pieces of both games and when one is drawn, but no rules of play: `rostra verify` checks
 * whether moves were legal and points right. An outcome must be computed before the written one is looked at; what was
 * drawn only determines what is left for later.
 *
 * The parts: the formula; what the games draw from; reading; checking; words; the page.
 */

/* The formula. */

const ASCII = new TextEncoder();

function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function subtle() {
  if (!globalThis.crypto?.subtle) throw new Problem("crypto");
  return globalThis.crypto.subtle;
}

/** What is published before play: the SHA-256 of the seed, both in hex. */
export async function commitment(seed) {
  return hexOf(await subtle().digest("SHA-256", bytesOf(seed)));
}

/** The dice of one match; `entropy` are pairs of a seat and what it contributed. */
export class Stream {
  static async open(seed, match, entropy) {
    const stream = new Stream();
    const hmac = { name: "HMAC", hash: "SHA-256" };
    stream.key = await subtle().importKey("raw", bytesOf(seed), hmac, false, ["sign"]);
    const contributions = [...entropy].sort(([a], [b]) => a - b).map(([seat, hex]) => `${seat}:${hex}`);
    stream.prefix = `rostra/1|${match}|${contributions.join(",")}`;
    return stream;
  }

  /** The text that draw `b` of a ply is computed from. */
  message(epoch, ply, b) {
    return `${this.prefix}|${epoch}|${ply}|${b}`;
  }

  async digest(epoch, ply, b) {
    return subtle().sign("HMAC", this.key, ASCII.encode(this.message(epoch, ply, b)));
  }

  /** Unbiased numbers below a BigInt: a draw from the uneven rest of 2**64 is passed over, and `b` counts on. */
  async numbers(epoch, ply, below, count) {
    const even = 2n ** 64n - (2n ** 64n % below);
    const found = [];
    for (let b = 0; found.length < count; b += 1) {
      const number = new DataView(await this.digest(epoch, ply, b)).getBigUint64(0);
      if (number < even) found.push(number % below);
    }
    return found;
  }

  /** What a ply brings, from a number of dice or from a list of all pieces that lie face down. */
  async outcome(pool, epoch, ply) {
    if (typeof pool === "number") {
      const faces = await this.numbers(epoch, ply, 6n, pool);
      return `=${faces.map((face) => String(face + 1n)).sort().join("")}`;
    }
    const [index] = await this.numbers(epoch, ply, BigInt(pool.length), 1);
    return [...pool].sort()[Number(index)];
  }
}

/*
 * What the games draw from. The course of a game is a generator. It yields what must come next, `{what, pool}` for a
 * draw or `{seats}` for a decision of one of these seats, and is given the ply that came. `{seats, rest: true}` stands
 * for any number of decisions that change no pool; after it the generator is shown the next draw before asking for it.
 */

function times(number, text) {
  return Array(number).fill(text);
}

/** One piece is drawn and no longer lies face down. */
function* take(what, pool) {
  const { move } = yield { what, pool: [...pool].sort() };
  pool.splice(pool.indexOf(move), 1);
  return move;
}

function startSeats(n, options) {
  const named = options.start_seat ?? "random";
  return named === "random" ? Array.from({ length: n }, (_, seat) => `=s${seat}`) : [`=s${named}`];
}

const COLOURS = [..."ROYGBV"];
const CARDS = "I II III V VI VII VIII IX X XI XII:RG XII:OG XII:OB XII:YB XII:YV XII:RV XIII XIII"; // A-SET-5

/** Alea Iacta Est: which die, tile, token or card is next follows from how many dice were placed where. */
function* alea(n, options) {
  const everybody = [...Array(n).keys()];
  const provinces = ["=J0", ...COLOURS.flatMap((c) => [1, 2, 3, 4].map((value) => `=${c}${value}`))]; // A-SET-2
  const patricians = COLOURS.flatMap((c) => [..."wm"].flatMap((sex) => [1, 2, 3].map((value) => `=${c}${sex}${value}`)));
  const cards = CARDS.split(" ").map((card) => `=${card}`);
  let supply = [];
  let discards = []; // face up, A-TEM-5
  if (n >= 4) { // A-SET-6
    cards.push("=IV");
    supply = [...times(8, "=1"), ...times(14, "=2"), ...times(8, "=3")]; // A-SET-4
  }
  function tokenAtHand() {
    if (supply.length === 0) [supply, discards] = [discards, []]; // A-TEM-5: not earlier than a token must be drawn
    return supply.length > 0;
  }

  const first = Number((yield* take("seat", startSeats(n, options))).slice(2));
  for (let set = 0; set < (n <= 3 ? 6 : 5); set += 1) { // A-SET-9
    for (let i = 0; i < n; i += 1) yield* take("province", provinces); // A-SET-8
    for (let i = 0; i < n + 2; i += 1) yield* take("patrician", patricians);
    const left = times(n, 8); // dice in hand by seat
    const drawn = everybody.map(() => []); // tokens of this set that are neither kept nor discarded yet, by seat
    const placed = { T: 0, S: 0, C: 0, F: 0, L: 0 };
    while (!left.includes(0)) { // A-TURN-5: the round is played to its end
      for (const turn of everybody) {
        const seat = (first + set + turn) % n; // A-SET-10
        let dice = left[seat];
        let building;
        do {
          yield { what: "dice", pool: dice };
          const { move } = yield { seats: [seat] };
          if (!/^[TSCFLR][1-6]+$/.test(move) || move.length - 1 > left[seat]) throw new Problem("move");
          building = move[0];
          dice = move.length - 1; // those to roll again, or those placed
        } while (building === "R");
        left[seat] -= dice;
        placed[building] += dice;
        for (let i = 0; building === "T" && i < dice && tokenAtHand(); i += 1) { // A-TEM-4
          drawn[seat].push(yield* take("token", supply));
        }
      }
    }
    if (placed.T === 1) { // A-SCO-2: the only token is kept, and one more is drawn and kept
      if (tokenAtHand()) yield* take("token", supply);
    } else {
      while (drawn.some((tokens) => tokens.length > 0)) { // A-SCO-1: what is not kept is discarded
        const { seat, move } = yield { seats: everybody.filter((one) => drawn[one].length > 0) };
        if (!/^K[1-3]{1,2}$/.test(move)) throw new Problem("move");
        for (const value of move.slice(1)) {
          const place = drawn[seat].indexOf(`=${value}`);
          if (place < 0) throw new Problem("move");
          drawn[seat].splice(place, 1);
        }
        discards.push(...drawn[seat]);
        drawn[seat] = [];
      }
    }
    for (let i = 0; placed.S > 0 && i < 3; i += 1) yield* take("card", cards); // A-SCO-4
    yield { seats: everybody, rest: true }; // cards, provinces and patricians are taken
  }
}

/** Quo Vadis?: laurels; a start seat after the first begins the next game of an election, with all laurels again. */
function* quovadis(n, options) {
  const everybody = [...Array(n).keys()];
  for (let game = 0; game < (options.consul_election === "on" ? 3 : 1); game += 1) { // Q-VAR-3
    yield* take("seat", startSeats(n, options));
    const stack = [...times(8, "=2"), ...times(6, "=2c"), ...times(15, "=3"), ...times(9, "=4"), ...times(6, "=5")];
    for (let i = 0; i < 10; i += 1) yield* take("laurel", stack); // Q-SET-3
    while (!(yield { seats: everybody, rest: true }).move.startsWith("=s")) {
      if (stack.length === 0) throw new Problem("empty");
      yield* take("laurel", stack); // Q-MOV-3
    }
  }
}

const GAMES = {
  alea: { course: alea, fewest: 2, most: 5, rules: "1" },
  quovadis: { course: quovadis, fewest: 3, most: 5, rules: "1" },
};

/** Where a game stands: what must come next, and going on from there. */
class Course {
  constructor({ game, seats, options }, plies) {
    this.steps = GAMES[game].course(seats.length, options);
    this.next = this.steps.next().value;
    for (const ply of plies) this.advance(ply);
  }

  /** What this ply is drawn from; a decision is only checked for its seat, and gives null. */
  pool(ply) {
    if (ply.seat === null && this.next?.rest) this.next = this.steps.next(ply).value;
    if (!this.next) throw new Problem("over");
    if (ply.seat === null && this.next.seats) throw new Problem("decision", { expected: this.next.seats.join(", ") });
    if (ply.seat !== null && !this.next.seats) throw new Problem("chance");
    if (ply.seat !== null && !this.next.seats.includes(ply.seat)) {
      throw new Problem("seat", { found: ply.seat, expected: this.next.seats.join(", ") });
    }
    return ply.seat === null ? this.next : null;
  }

  advance(ply) {
    this.pool(ply);
    if (!this.next.rest) this.next = this.steps.next(ply).value;
  }
}

/* Reading. */

/** Why a transcript is refused: a code for `explain`, and what belongs to it (line, ply, found, expected). */
class Problem extends Error {
  constructor(code, details = {}) {
    super(code);
    Object.assign(this, { code, line: null, ply: null, found: null, expected: null }, details);
  }
}

const LINE_ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
const RESULT = ["points", "tiebreak", "winners", "end"];
const KEYS = ["game", "rules", "match", "seats", "options", "commit", "entropy", "digest", "undo", "game-end"];

/** The line up to a `#` that stands outside a JSON string. */
function withoutComment(line) {
  return line.match(/^(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^"#])*/)[0];
}

function namesOf(written) {
  const names = [];
  for (const [, name] of written.matchAll(/(?:^|,)\s*("(?:[^"\\]|\\.)*"|[^,"]*)\s*/g)) {
    if (!name.trim()) return null;
    try {
      names.push(name.startsWith('"') ? JSON.parse(name) : name.trim());
    } catch {
      return null;
    }
  }
  return names;
}

function read(text) {
  const transcript = { entropy: [], events: [], lines: {}, values: {} };
  const { values, lines, events, entropy } = transcript;
  let nextPly = 0;
  for (const [index, whole] of text.replace(/^\uFEFF/, "").split(LINE_ENDS).entries()) {
    const line = index + 1;
    const written = withoutComment(whole).trim();
    if (!written) continue;
    const over = [...RESULT, "seed"].some((key) => key in values);
    const ply = /^(0|[1-9][0-9]{0,8}) (-|[0-9]) (\S.*)$/.exec(written);
    if (ply) {
      const number = Number(ply[1]);
      if (over) throw new Problem("late", { line, found: written });
      if (number !== nextPly) throw new Problem("number", { line, found: number, expected: nextPly });
      events.push({ number, seat: ply[2] === "-" ? null : Number(ply[2]), move: ply[3], line });
      nextPly += 1;
      continue;
    }
    const colon = written.indexOf(":");
    const key = written.slice(0, colon);
    const value = written.slice(colon + 1).trim();
    const ofResult = [...RESULT, "seed"].includes(key);
    if (colon < 0 || !(ofResult || KEYS.includes(key))) throw new Problem("line", { line, found: written });
    if (over && !ofResult) throw new Problem("late", { line, found: key });
    if (key === "undo") {
      if (!/^[0-9]{1,9}$/.test(value) || Number(value) > nextPly) throw new Problem("line", { line, found: written });
      nextPly = Number(value);
      events.push({ undo: nextPly, line });
    } else if (key === "entropy") {
      const contribution = /^([0-9]) ([0-9a-f]+)$/.exec(value);
      if (!contribution || events.length > 0) throw new Problem("line", { line, found: written });
      entropy.push([Number(contribution[1]), contribution[2]]);
      lines[key] ??= line;
    } else if (key !== "digest" && key !== "game-end") {
      const misplaced = !ofResult && events.length > 0;
      const noHex = (key === "commit" || key === "seed") && !/^[0-9a-f]+$/.test(value);
      if (key in values || misplaced || noHex) throw new Problem("line", { line, found: written });
      values[key] = value;
      lines[key] = line;
    }
  }
  for (const key of ["game", "rules", "seats"]) if (!(key in values)) throw new Problem("key", { expected: key });
  const game = Object.hasOwn(GAMES, values.game) ? GAMES[values.game] : null;
  if (!game) throw new Problem("game", { line: lines.game, found: values.game });
  const seats = namesOf(values.seats);
  if (!seats || seats.length < game.fewest || seats.length > game.most) {
    throw new Problem("seats", { line: lines.seats, found: values.seats, expected: `${game.fewest}-${game.most}` });
  }
  if (values.rules !== game.rules) {
    throw new Problem("rules", { line: lines.rules, found: values.rules, expected: game.rules });
  }
  const options = Object.fromEntries((values.options ?? "").split(/\s+/).map((word) => word.split("=")));
  const start = options.start_seat ?? "random";
  if (start !== "random" && !(/^[0-9]$/.test(start) && Number(start) < seats.length)) {
    throw new Problem("option", { line: lines.options, found: `start_seat=${start}` });
  }
  return Object.assign(transcript, { game: values.game, seats, options });
}

/* Checking. */

async function streamOf({ events, values, lines, entropy, seats }) {
  const hidden = events.find(({ move }) => move === "=?" || move === "+?");
  if (hidden) throw new Problem("hidden", { line: hidden.line, ply: hidden.number, found: hidden.move });
  if (!RESULT.every((key) => key in values)) throw new Problem("unfinished");
  for (const key of ["match", "commit", "seed"]) if (!(key in values)) throw new Problem("missing", { expected: key });
  if (values.seed.length !== 64) throw new Problem("seed", { line: lines.seed, found: values.seed.length });
  const expected = await commitment(values.seed);
  if (values.commit !== expected) throw new Problem("commit", { line: lines.commit, found: values.commit, expected });
  if (!/^[ -{}~]+$/.test(values.match)) throw new Problem("match", { line: lines.match, found: values.match });
  const contributors = entropy.map(([seat]) => seat);
  if (new Set(contributors).size < contributors.length || contributors.some((seat) => seat >= seats.length)) {
    throw new Problem("entropy", { line: lines.entropy, found: contributors.join(", ") });
  }
  return Stream.open(values.seed, values.match, entropy);
}

/**
 * Check the text of a finished transcript. Never rejects for a bad one: the result says `ok` or has a `problem`; `rows`
 * are the plies up to there with what each was drawn from (`pool`) and what the seed gives (`expected`).
 */
export async function verify(text) {
  const result = { ok: false, problem: null, rows: [], plies: 0, outcomes: 0, undos: 0 };
  let now = null;
  try {
    const transcript = read(text);
    const { game, seats, entropy, values } = transcript;
    Object.assign(result, { game, seats, entropy, match: values.match, commit: values.commit, end: values.end });
    const stream = await streamOf(transcript);
    result.seed = values.seed;
    result.prefix = stream.prefix;
    let course = new Course(transcript, []);
    const log = []; // the rows that stand, undone ones left out
    for (const event of transcript.events) {
      if ("undo" in event) {
        result.undos += 1;
        for (const row of log.splice(event.undo)) row.undone = true;
        course = new Course(transcript, log);
        result.rows.push({ undo: event.undo, line: event.line });
        continue;
      }
      now = { ...event, epoch: result.undos, undone: false, ok: false };
      result.rows.push(now);
      const drawn = course.pool(now);
      if (drawn) {
        Object.assign(now, drawn);
        now.expected = await stream.outcome(drawn.pool, now.epoch, now.number);
        if (now.expected !== now.move) throw new Problem("outcome", { found: now.move, expected: now.expected });
        result.outcomes += 1;
      }
      course.advance(now);
      now.ok = true;
      result.plies += 1;
      log.push(now);
    }
    result.ok = true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, line, ply, found, expected } = error;
    // What goes wrong in the course of a game goes wrong at the ply being looked at.
    const at = { line: line ?? now?.line ?? null, ply: ply ?? now?.number ?? null, move: now?.move ?? null };
    result.problem = { code, ...at, found, expected, undos: result.undos };
  }
  return result;
}

/* Words. */

/** All texts of the page. */
export const WORDS = {
  en: {
    title: "Check the dice of a match",
    back: "To the start page",
    backToMatch: "Back to the match",
    languages: "Language",
    lead: "Paste the transcript of a finished match, drop the file here or choose it. Your browser does the whole check.",
    how: "How the check works, and why nobody could choose the dice",
    how1: "Before anybody sat down the server drew a secret number, the seed, and published its fingerprint (SHA-256), the commitment. No other seed has that fingerprint, so the seed could not be changed any more.",
    how2: "Then the players' browsers contributed random digits of their own. The server could not know them when it committed itself.",
    how3: "Every die, tile, token, card and laurel is computed from the seed, the contributions and the number of the ply. Nobody could choose it: not the players, who did not know the seed, and not the server, which was bound to its seed and did not know the contributions.",
    how4: "At the end the seed is revealed. This page computes the fingerprint and every outcome again and compares.",
    how5: "Compare two things yourself: the commitment and your own contribution below must be those that your browser showed when the match began. Not proved: that a server did not work together with the person who contributed last, trying contributions until it liked the dice.",
    how6: "This page knows what lies in the boxes of the games, not their rules. That all moves were legal and the points right is checked by the command “rostra verify FILE”.",
    paste: "Transcript",
    file: "Choose a file",
    check: "Check",
    working: "Checking …",
    fetching: "Fetching the transcript …",
    fetched: "The transcript of match {match} could not be fetched: {found}. You can paste it here instead.",
    passed: "The dice are in order",
    failed: "Refused",
    goThere: "Show it in the table",
    commitOk: "The commitment is that of the revealed seed.",
    counts: "{outcomes} outcomes of chance follow from the seed, in {plies} plies.",
    undone: "Play went back {undos} times by agreement; what was undone is checked too.",
    facts: "To compare with what you were shown before play",
    match: "Match",
    commit: "Commitment",
    seed: "Seed",
    contributed: "Contribution of {name}",
    nobody: "Nobody contributed: the server alone knew the seed from the beginning.",
    byHand: "Check one draw by hand",
    byHandHint: "Type this in a terminal. The first 16 digits of the answer are draw 0 of ply 0 as a number; its remainder by the number of pieces is the place in the sorted list, counted from 0.",
    moves: "show the players’ moves too",
    table: "Ply by ply",
    ply: "Ply",
    from: "Drawn from",
    written: "In the transcript",
    gives: "The seed gives",
    verdict: "Verdict",
    right: "✓ right",
    wrong: "✗ wrong",
    decided: "{name} decided",
    back: "Play went back to before ply {ply}",
    takenBack: "taken back later",
    dice: "{n} dice",
    seat: "{n} seats",
    province: "{n} provinces",
    patrician: "{n} patricians",
    card: "{n} senate cards",
    token: "{n} fortuna tokens",
    laurel: "{n} laurels",
    problems: {
      crypto: "this browser computes fingerprints only on pages opened by https or on this computer itself; use “rostra verify FILE”",
      line: "this line is not understood: {found}",
      late: "this stands after the result: {found}",
      number: "found ply {found}, expected ply {expected}; lines are missing, or an “undo” is",
      key: "this is no transcript: the line “{expected}: …” is missing",
      game: "this page does not know the game {found}",
      seats: "the seats are {found}; this game is for {expected} players",
      rules: "written for rules {found}; this page knows rules {expected}",
      option: "there is no such seat: {found}",
      hidden: "{found} is hidden: this is a player’s own transcript; the whole one can be had when the match is over",
      unfinished: "the match is not finished: there is no result, and the seed is revealed only at the end",
      missing: "the line “{expected}: …” is missing: these dice were not drawn verifiably, or it was cut off",
      seed: "the seed has 64 hex digits, not {found}",
      commit: "the commitment is {found}, but that of the revealed seed is {expected}",
      match: "the name of the match may not be {found}",
      entropy: "a seat contributes once; here the contributions are of the seats {found}",
      outcome: "found {found}, but the seed gives {expected}",
      over: "found {move}, but nothing more can come",
      decision: "found {move} by chance, but seat {expected} is to decide",
      chance: "found the decision {move}, but chance is to draw",
      seat: "found a decision of seat {found}, but seat {expected} is to decide",
      move: "{move} cannot be decided here",
      empty: "found {move}, but the stack is empty",
    },
    where: "Line {line}: ",
    whereply: "Line {line}, ply {ply}: ",
  },
  de: {
    title: "Die Würfel einer Partie prüfen",
    back: "Zur Startseite",
    backToMatch: "Zurück zur Partie",
    languages: "Sprache",
    lead: "Fügen Sie das Protokoll einer beendeten Partie ein, ziehen Sie die Datei hierher oder wählen Sie sie aus. Ihr Browser prüft alles selbst.",
    how: "Wie geprüft wird und warum niemand die Würfel bestimmen konnte",
    how1: "Bevor jemand Platz nahm, zog der Server eine geheime Zahl (seed) und veröffentlichte ihren Fingerabdruck (SHA-256), die Festlegung (commit). Keine andere Zahl hat diesen Fingerabdruck; sie konnte also nicht mehr ausgetauscht werden.",
    how2: "Dann steuerten die Browser der Spieler eigene Zufallsziffern bei. Der Server konnte sie nicht kennen, als er sich festlegte.",
    how3: "Jeder Würfel, jedes Plättchen, jede Karte und jeder Lorbeer wird aus der geheimen Zahl, den Beiträgen und der Nummer des Zuges berechnet. Niemand konnte sie aussuchen: die Spieler nicht, weil sie die Zahl nicht kannten, und der Server nicht, weil er an seine Zahl gebunden war und die Beiträge nicht kannte.",
    how4: "Am Ende wird die geheime Zahl aufgedeckt. Diese Seite berechnet den Fingerabdruck und jedes Ergebnis noch einmal und vergleicht.",
    how5: "Zweierlei vergleichen Sie bitte selbst: Die Festlegung und Ihr eigener Beitrag unten müssen die sein, die Ihr Browser zu Beginn der Partie gezeigt hat. Nicht bewiesen ist, dass der Server nicht mit der Person zusammenarbeitete, die zuletzt beitrug, und mit ihr Beiträge durchprobierte.",
    how6: "Diese Seite weiß, was in den Schachteln der Spiele liegt, nicht ihre Regeln. Ob alle Züge erlaubt und die Punkte richtig sind, prüft der Befehl „rostra verify DATEI“.",
    paste: "Protokoll",
    file: "Datei wählen",
    check: "Prüfen",
    working: "Wird geprüft …",
    fetching: "Das Protokoll wird geholt …",
    fetched: "Das Protokoll der Partie {match} war nicht zu bekommen: {found}. Sie können es stattdessen hier einfügen.",
    passed: "Die Würfel sind in Ordnung",
    failed: "Abgelehnt",
    goThere: "In der Tabelle zeigen",
    commitOk: "Die Festlegung gehört zu der aufgedeckten Zahl.",
    counts: "{outcomes} Zufallsergebnisse folgen aus der geheimen Zahl, in {plies} Zügen.",
    undone: "{undos}-mal wurde einvernehmlich zurückgenommen; auch das Zurückgenommene ist geprüft.",
    facts: "Zum Vergleich mit dem, was vor der Partie gezeigt wurde",
    match: "Partie",
    commit: "Festlegung",
    seed: "Geheime Zahl",
    contributed: "Beitrag von {name}",
    nobody: "Niemand hat beigetragen: Der Server allein kannte die Zahl von Anfang an.",
    byHand: "Eine Ziehung von Hand nachrechnen",
    byHandHint: "Geben Sie dies in ein Terminal ein. Die ersten 16 Ziffern der Antwort sind Ziehung 0 von Zug 0 als Zahl; ihr Rest bei Teilung durch die Zahl der Teile ist der Platz in der sortierten Liste, von 0 an gezählt.",
    moves: "auch die Züge der Spieler zeigen",
    table: "Zug für Zug",
    ply: "Zug",
    from: "Gezogen aus",
    written: "Im Protokoll",
    gives: "Die Zahl ergibt",
    verdict: "Urteil",
    right: "✓ richtig",
    wrong: "✗ falsch",
    decided: "{name} entschied",
    back: "Zurückgenommen bis vor Zug {ply}",
    takenBack: "später zurückgenommen",
    dice: "{n} Würfeln",
    seat: "{n} Plätzen",
    province: "{n} Provinzen",
    patrician: "{n} Patriziern",
    card: "{n} Senatskarten",
    token: "{n} Fortunaplättchen",
    laurel: "{n} Lorbeeren",
    problems: {
      crypto: "dieser Browser berechnet Fingerabdrücke nur auf Seiten, die über https oder auf diesem Rechner selbst geöffnet sind; nehmen Sie „rostra verify DATEI“",
      line: "diese Zeile ist unverständlich: {found}",
      late: "dies steht hinter dem Ergebnis: {found}",
      number: "Zug {found} gefunden, Zug {expected} erwartet; es fehlen Zeilen oder ein „undo“",
      key: "dies ist kein Protokoll: Die Zeile „{expected}: …“ fehlt",
      game: "diese Seite kennt das Spiel {found} nicht",
      seats: "die Plätze sind {found}; dieses Spiel ist für {expected} Spieler",
      rules: "für die Regeln {found} geschrieben; diese Seite kennt die Regeln {expected}",
      option: "diesen Platz gibt es nicht: {found}",
      hidden: "{found} ist verdeckt: Dies ist das Protokoll eines einzelnen Spielers; das ganze gibt es, wenn die Partie beendet ist",
      unfinished: "die Partie ist nicht beendet: Es gibt kein Ergebnis, und die geheime Zahl wird erst am Ende aufgedeckt",
      missing: "die Zeile „{expected}: …“ fehlt: Diese Würfel sind nicht überprüfbar gezogen, oder sie wurde abgeschnitten",
      seed: "die geheime Zahl hat 64 Hexadezimalziffern, nicht {found}",
      commit: "die Festlegung ist {found}, zur aufgedeckten Zahl gehört aber {expected}",
      match: "die Partie darf nicht {found} heißen",
      entropy: "jeder Platz trägt einmal bei; hier sind die Beiträge von den Plätzen {found}",
      outcome: "{found} gefunden, die geheime Zahl ergibt aber {expected}",
      over: "{move} gefunden, es kann aber nichts mehr kommen",
      decision: "{move} als Zufall gefunden, aber Platz {expected} hat zu entscheiden",
      chance: "die Entscheidung {move} gefunden, aber der Zufall ist an der Reihe",
      seat: "eine Entscheidung von Platz {found} gefunden, aber Platz {expected} hat zu entscheiden",
      move: "{move} kann hier nicht entschieden werden",
      empty: "{move} gefunden, der Stapel ist aber leer",
    },
    where: "Zeile {line}: ",
    whereply: "Zeile {line}, Zug {ply}: ",
  },
};

function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** A problem of `verify` in a sentence, in English ("en") or German ("de"). */
export function explain(problem, language = "en") {
  const words = WORDS[language];
  const where = problem.line === null ? "" : filled(problem.ply === null ? words.where : words.whereply, problem);
  return where + filled(words.problems[problem.code], problem);
}

/* The page. */

function startPage() {
  const at = (id) => document.getElementById(id);
  const asked = new URLSearchParams(location.search);
  let language = (asked.get("lang") ?? navigator.language).toLowerCase().startsWith("de") ? "de" : "en";
  const match = asked.get("match") ?? new URLSearchParams(location.hash.slice(1)).get("match");
  if (match) {
    at("back").href = `/match/${encodeURIComponent(match)}`;
    at("back").dataset.say = "backToMatch";
  }
  let shown = null; // the result on the page
  let latest = 0; // a check that was overtaken by another one shows nothing

  function say(key, values = {}) {
    return filled(WORDS[language][key], values);
  }

  function element(name, text = "", className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function translate() {
    document.documentElement.lang = language;
    document.title = say("title");
    for (const one of document.querySelectorAll("[data-say]")) one.textContent = say(one.dataset.say);
    for (const one of document.querySelectorAll("[data-language]")) {
      one.setAttribute("aria-pressed", String(one.dataset.language === language));
    }
    at("languages").setAttribute("aria-label", say("languages"));
    if (shown) show(shown);
  }

  function fact(name, value) {
    at("facts").append(element("dt", name), element("dd", value));
  }

  function show(result) {
    shown = result;
    at("result").hidden = false;
    at("result").className = result.ok ? "passed" : "failed";
    at("verdict").textContent = result.ok ? `✓ ${say("passed")}` : `✗ ${say("failed")}`;
    const sentences = result.ok ? [say("commitOk"), say("counts", result)] : [explain(result.problem, language)];
    if (result.ok && result.undos) sentences.push(say("undone", result));
    if (result.ok && result.entropy.length === 0) sentences.push(say("nobody"));
    at("sentences").replaceChildren(...sentences.map((sentence) => element("li", sentence)));
    at("there").hidden = !result.rows.some((row) => row.ok === false);
    at("facts").replaceChildren();
    if (result.match) fact(say("match"), result.match);
    if (result.commit) fact(say("commit"), result.commit);
    if (result.seed) fact(say("seed"), result.seed);
    for (const [seat, hex] of result.entropy ?? []) {
      fact(say("contributed", { name: result.seats[seat] ?? seat }), hex);
    }
    at("hand").hidden = !result.prefix;
    if (result.prefix) {
      const key = `openssl dgst -sha256 -mac HMAC -macopt hexkey:${result.seed}`;
      at("command").textContent = `printf '%s' '${result.prefix.replaceAll("'", "'\\''")}|0|0|0' | ${key}`;
    }
    showRows(result);
  }

  function showRows(result) {
    at("plies").hidden = result.rows.length === 0;
    const withMoves = at("moves").checked;
    const rows = result.rows.filter((row) => withMoves || "undo" in row || row.pool !== undefined || !row.ok);
    at("rows").replaceChildren(...rows.map((row) => rowOf(row, result)));
  }

  function rowOf(row, result) {
    const line = element("tr");
    if ("undo" in row) {
      const cell = element("td", say("back", { ply: row.undo }));
      cell.colSpan = 5;
      line.append(cell);
      return line;
    }
    const isDraw = row.pool !== undefined;
    const from = isDraw
      ? say(row.what, { n: typeof row.pool === "number" ? row.pool : row.pool.length })
      : say("decided", { name: result.seats[row.seat] ?? "?" });
    line.className = row.ok ? (isDraw ? "right" : "") : "wrong";
    if (!row.ok) line.id = "wrong";
    const verdict = row.ok ? (isDraw ? say("right") : "") : say("wrong");
    const undone = row.undone ? say("takenBack") : "";
    const verdicts = [verdict, undone].filter(Boolean).join(", ");
    const number = element("th", String(row.number));
    number.scope = "row";
    const cells = [from, row.move, row.expected ?? "", verdicts].map((text) => element("td", text));
    cells[1].className = cells[2].className = "code";
    line.append(number, ...cells);
    return line;
  }

  async function check(text) {
    latest += 1;
    const mine = latest;
    at("status").textContent = say("working");
    const result = await verify(text);
    if (mine !== latest) return;
    at("status").textContent = "";
    show(result);
    at("verdict").focus();
  }

  async function checkFile(file) {
    at("text").value = await file.text();
    await check(at("text").value);
  }

  async function fetchMatch(match) {
    at("status").textContent = say("fetching");
    try {
      const answer = await fetch(`/api/matches/${encodeURIComponent(match)}/transcript`);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
      at("text").value = await answer.text();
    } catch (error) {
      at("status").textContent = say("fetched", { match, found: error.message });
      return;
    }
    await check(at("text").value);
  }

  for (const one of document.querySelectorAll("[data-language]")) {
    one.addEventListener("click", () => {
      language = one.dataset.language;
      translate();
    });
  }
  at("check").addEventListener("click", () => check(at("text").value));
  at("moves").addEventListener("change", () => showRows(shown));
  at("file").addEventListener("change", () => at("file").files[0] && checkFile(at("file").files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) checkFile(file);
  });
  translate();
  if (match) fetchMatch(match);
}

if (globalThis.document) startPage();
