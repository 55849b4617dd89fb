// Made by `python -m rostra.server.documents` from the server's schema; do not edit.

/** What rarely changes. */
export interface About {
  game: string;
  rules: number;
  options: Record<string, string>;
  settings: Settings;
  status: "over" | "playing" | "waiting";
  seats: Seat[];
  mine: number[];
  creator: boolean;
  muted: number[];
  commit: string;
  entropy: [number, string][];
  created: number;
  result: Result | null;
  seed: string | null;
  handed?: HandOver[];
  ask?: SeatAsk | null;
  back?: number[];
}

/** My friends, and whom I block. */
export interface Acquaintances {
  friends: Known[];
  blocked: Known[];
}

/** Where notifications go. Nothing is sent before it is confirmed. */
export interface Address {
  address: string;
  channel: "email" | "push" | "webhook";
  target: string;
  kinds: ("nudge" | "offer" | "over" | "turn")[];
  confirmed: boolean;
  failing: boolean;
}

/** The code that was sent to an e-mail address. */
export interface AddressCode {
  code: string;
}

/** The new address, and the secret that a webhook's messages are signed with: it is sent only once. */
export interface AddressMade {
  address: string;
  secret: string | null;
}

/** All buildings, best row first (Forum: from the left); dice that show no value in the view are `?`. */
export interface AleaBuildings {
  castrum: AleaStand[];
  forum: AleaStand[];
  latrina: AleaStand[];
  senatus: AleaStand[];
  templum: AleaStand[] | null;
}

/** A senate card that the seat holds or may choose: the exact difference it makes to the points now, and an upper
    bound of what it can be worth at the end. */
export interface AleaCard {
  best: number;
  card: string;
  now: number;
}

/** A die on a column of the Forum. */
export interface AleaDie {
  die: number;
  seat: number;
}

/** What a move would do. A placing: the building's rows after it, its own row's rank (from 0), the seats of dice it
    pushes into the Latrina, the tokens it draws. A choice: the exact gain in points now; of a card also its bound. */
export interface AleaEffect {
  best?: number;
  building?: "castrum" | "forum" | "latrina" | "senatus" | "templum";
  gain?: number;
  pushed?: number[];
  rank?: number;
  rows?: AleaStand[];
  tokens?: number;
}

/** An occupied province (tile or card) in the best assignment. */
export interface AleaHome {
  child: string | null;
  patricians: string[];
  province: string;
}

/** A seat's dice in the Templum: how many, and their sum. */
export interface AleaOffering {
  dice: number;
  seat: number;
  sum: number;
}

/** Where a seat stands, with the arithmetic done; `cards` are the seat's own and those it chooses from. */
export interface AleaOutlook {
  buildings: AleaBuildings;
  cards: AleaCard[];
  tableaux: AleaTableau[];
}

/** What only the seat itself knows: its tokens of this set, its cards, those it handed on, those it chooses from. */
export interface AleaOwn {
  choice: string[];
  drawn: string;
  passed: string[];
  senate: string[];
}

/** What all see of a player: numbers of dice, chips, secret tokens and cards; tiles; kept tokens as digits. */
export interface AleaPlayer {
  chips: number;
  dice: number;
  drawn: number;
  fortuna: string;
  patricians: string[];
  points: number | null;
  provinces: string[];
  senate: number;
}

/** A sequence in the Senatus or a group in the Castrum, as digits. */
export interface AleaRow {
  dice: string;
  seat: number;
}

/** Number of pieces that lie face down. */
export interface AleaStacks {
  fortuna: number;
  patricians: number;
  provinces: number;
  senate: number;
}

/** A row of dice in a building with its rank, and what it wins as things stand: tokens kept in the Templum (ranked
    by `sum`), cards in the Senatus, provinces in the Castrum, patricians in the Forum, chips in the Latrina. */
export interface AleaStand {
  dice: string;
  seat: number;
  sum: number;
  wins: number;
}

/** What a player's possessions score now by the best assignment, item by item; `whole` is false where the player
    has senate cards that the seat cannot see and that are therefore not counted. */
export interface AleaTableau {
  assignment: AleaHome[];
  cards: [string, number][];
  chips: number;
  fortuna: number;
  homeless: string[];
  patricians: number;
  provinces: number;
  senate: number;
  tiebreak: number;
  total: number;
  whole: boolean;
}

/** Province and patrician tiles by code. */
export interface AleaTiles {
  patricians: string[];
  provinces: string[];
}

/** What a seat may see; `senate` has everybody's cards once the game is over. */
export interface AleaView {
  active: number;
  castrum: AleaRow[];
  columns: number;
  discards: string;
  forum: AleaDie[];
  game: "alea";
  latrina: number[];
  offered: AleaTiles;
  own: AleaOwn | null;
  phase: "deal" | "finished" | "keep" | "lay-patricians" | "lay-provinces" | "lone-token" | "place" | "reroll" | "roll" | "start" | "take-card" | "take-patrician" | "take-province" | "token";
  players: AleaPlayer[];
  roll: string;
  round: number;
  seat: number | null;
  senate?: string[][];
  senatus: AleaRow[];
  set: number;
  sets: number;
  stacks: AleaStacks;
  start: number;
  templum: AleaOffering[] | null;
  turn: number | "chance" | "over";
}

/** Accept or refuse an offer. */
export interface Answer {
  type: "answer";
  id: string;
  match: string;
  seat: number;
  offer: number;
  yes: boolean;
}

/** Agree that a seat is given away, or do not; whoever asked takes it back by a no. */
export interface AnswerSeat {
  type: "answer-seat";
  id: string;
  match: string;
  seat: number;
  yes: boolean;
}

/** Agree to go back, or not. */
export interface AnswerUndo {
  type: "answer-undo";
  id: string;
  match: string;
  seat: number;
  yes: boolean;
  epoch?: number | null;
  plies?: number | null;
}

/** What could this seat of mine do at this ply? */
export interface AskHint {
  seat: number;
  epoch: number;
  ply: number;
}

/** By the active seat: what does a consent cost? `about` is what it is for (in Quo Vadis? a path, `B>I`); asked is
    one seat or, without `of`, everybody who can consent. */
export interface AskPrices {
  type: "ask-prices";
  id: string;
  match: string;
  seat: number;
  about: string;
  of?: number | null;
  epoch?: number | null;
  plies?: number | null;
}

/** Ask everybody to go back to before a ply. */
export interface AskUndo {
  type: "ask-undo";
  id: string;
  match: string;
  seat: number;
  ply: number;
  epoch?: number | null;
  plies?: number | null;
}

/** The active seat asks what consents cost. */
export interface AskedPrices {
  about: string;
  of: number[];
  at: number;
}

/** The person at this connection is not looking at it, or is again: all at the tables that it watches see it. */
export interface Away {
  type: "away";
  on?: boolean;
}

/** Lines of chat, from line `first` on: a page of what was said before. There are earlier ones unless it is 0. */
export interface Chat {
  match: string;
  first: number;
  lines: ChatLine[];
}

/** A line of chat. A phrase has its English words as text. A whisper (`to`) has no text for those whom it is not
    meant for. */
export interface ChatLine {
  number: number;
  seat: number;
  name: string;
  text: string;
  at: number;
  phrase?: "agreed" | "deal" | "next-time" | "not-now" | "thank-you" | "think-it-over" | "too-little" | "well-played" | "what-do-you-want" | "your-turn" | null;
  to?: number | null;
}

/** Seconds for every move, and a bank for what takes longer. */
export interface Clock {
  move: number;
  bank?: number;
}

/** By the creator: end a match that has not begun, or in which no other person plays. */
export interface Close {
  type: "close";
  id: string;
  match: string;
}

/** The code is sent once; the server has only its hash. */
export interface Code {
  code: string;
  until: number;
}

/** Make the choice count. */
export interface Confirm {
  type: "confirm";
  id: string;
  match: string;
  seat: number;
  epoch: number;
  ply: number;
}

/** What is being talked about. */
export interface Desk {
  offers: OfferState[];
  ready: number[];
  undo: UndoState | null;
  drafting: number[];
  words: WordState[];
  until: number | null;
  asked: AskedPrices[];
  prices: PriceState[];
}

/** What a page shows of a position beside the view: what `moves`, `plies` and an empty `draft` would answer. */
export interface Details {
  moves: MoveInfo[];
  outlook: Record<string, unknown>;
  ledger: Record<string, unknown>[] | null;
  actions: string[];
}

/** A device of mine, or a personal link that nobody has used yet. */
export interface Device {
  device: string;
  label: string;
  created: number;
  used: number;
  this: boolean;
}

/** Where I am signed in, and with what others could be. */
export interface Devices {
  devices: Device[];
  links: OpenLink[];
}

/** The command is stored, as part of this entry. Everybody whom it concerns is sent an update. */
export interface Done {
  type: "done";
  id: string;
  match: string;
  number: number;
  key?: string;
}

/** A deal to try out, action first. */
export interface Draft {
  terms: string[];
}

/** Who would have to agree, and what may be added; `problem` says why it cannot be offered as it is. */
export interface DraftInfo {
  parties: number[];
  more: string[];
  problem: string | null;
  worth: Record<string, unknown> | null;
}

/** You are putting an offer together, or no longer: all see it, and an active bot waits for you. */
export interface Drafting {
  type: "drafting";
  id: string;
  match: string;
  seat: number;
  on?: boolean;
  epoch?: number | null;
  plies?: number | null;
}

/** Erase me for ever; the name must be mine, so that it does not happen by mistake. */
export interface Erase {
  name: string;
}

/** All that the server keeps about you. */
export interface Export {
  person: string;
  name: string;
  created: number;
  devices: Device[];
  friends: string[];
  blocked: string[];
  reports: Record<string, unknown>[];
  skills: Skill[];
  matches: Record<string, unknown>[];
}

/** What a game needs to be set up. */
export interface GameInfo {
  name: string;
  title: string;
  rules: number;
  seats: [number, number];
  options: OptionInfo[];
  deals: boolean;
  bots: string[];
  levels: string[];
}

/** How much of a game is compiled, from 0 to 1: what a table needs, and what its bots need. */
export interface GameProgress {
  game: string;
  table: number;
  bots: number;
}

/** All games. */
export interface Games {
  games: GameInfo[];
}

/** A seat went to somebody else in the running match. */
export interface HandOver {
  seat: number;
  before: string | null;
  after: string;
  bot: string | null;
  by: number | null;
  how: "agreed" | "clock" | "forfeited" | "left" | "link" | "patience" | "resigned" | "returned" | "unknown";
  at: number;
  ply: number;
}

/** The first message: who you are; without a token you can only watch. */
export interface Hello {
  type: "hello";
  token?: string | null;
}

/** What a seat could do now: at most three moves, the best first. `chance` is the chance to win with the best. */
export interface Hint {
  seat: number;
  epoch: number;
  ply: number;
  chance: number;
  moves: HintMove[];
}

/** A good move, the chance to win after it, and what it loses against the best move. */
export interface HintMove {
  move: string;
  chance: number;
  loss: number;
  reasons: Reason[];
}

/** Say whether a promise that was made to you in own words was kept. */
export interface Judge {
  type: "judge";
  id: string;
  match: string;
  seat: number;
  promise: number;
  kept: boolean;
}

/** A friend, or somebody I block. */
export interface Known {
  person: string;
  name: string;
  since: number;
}

/** Give the seat up; in a running match the stand-in bot takes it. */
export interface Leave {
  type: "leave";
  id: string;
  match: string;
  seat: number;
}

/** A guided first game: a played game with explanations. */
export interface Lesson {
  game: string;
  seat: number;
  names: string[];
  options: Record<string, string>;
  steps: LessonStep[];
}

/** A position of a lesson as the learner sees it, and the move that was made there (null: none, it is the end). */
export interface LessonStep {
  ply: number;
  seat: number | null;
  move: string | null;
  view: Record<string, unknown>;
  outlook: Record<string, unknown>;
  ledger: Record<string, unknown>[] | null;
  moves: MoveInfo[];
  say: string[];
  point: string[];
}

/** One line of the log: a ply (of chance, when its seat is null); or that play went back to before it (`undo`); or
    that one of several games ended with these points. */
export interface Line {
  ply: number;
  seat: number | null;
  move: string | null;
  undo?: boolean;
  points?: number[] | null;
}

/** A new key that opens a seat once; `done` has it: for your own seat; by the creator for a free one, before the
    match begins; for the seat of a bot or an absent person when all others agree, and not before that. */
export interface Link {
  type: "link";
  id: string;
  match: string;
  seat: number;
}

/** Lines of the log from line `first` on. */
export interface Log {
  first: number;
  lines: Line[];
}

/** The code of a friend's link. */
export interface MakeFriend {
  code: string;
}

/** The match, and the commitment of its dice, published before anybody could contribute to them. */
export interface MatchMade {
  match: string;
  commit: string;
}

/** A page of matches; `more` asks for the next one, as `before`. */
export interface Matches {
  matches: Summary[];
  more: string | null;
}

/** A deal to which its parties would have agreed, and what the seat would have gained by it. */
export interface MissedDeal {
  seat: number;
  ply: number;
  terms: string[];
  gain: number;
  reasons: Reason[];
}

/** A move that playouts showed to be worse than another one; the 95 % interval of the loss is above zero. */
export interface Mistake {
  seat: number;
  ply: number;
  move: string;
  better: string;
  loss: number;
  low: number;
  high: number;
  grade: "blunder" | "inaccuracy" | "mistake";
  reasons: Reason[];
}

/** A legal move: all ways to click it, what it means, and what it would do. */
export interface MoveInfo {
  move: string;
  paths: string[][];
  means: string;
  effect: Record<string, unknown>;
}

/** The legal moves of a seat, in detail. */
export interface Moves {
  match: string;
  seat: number;
  epoch: number;
  ply: number;
  moves: MoveInfo[];
}

/** Mute another seat, or stop muting it. */
export interface Mute {
  type: "mute";
  id: string;
  match: string;
  seat: number;
  other: number;
  on?: boolean;
}

/** Another name for a device. */
export interface NameDevice {
  label: string;
}

/** What each consent of yours costs, besides what the rules give for it: a yes given in advance. `about` is what it
    is for, null: whatever the active seat does. It holds in this turn or, if it `stands`, until you name another one.
    Price null: at no price (any more). */
export interface NamePrice {
  type: "name-price";
  id: string;
  match: string;
  seat: number;
  price: number | null;
  about?: string | null;
  stands?: boolean;
  epoch?: number | null;
  plies?: number | null;
}

/** Where to send: an e-mail address, the endpoint of a push subscription, or a webhook. */
export interface NewAddress {
  channel: "email" | "push" | "webhook";
  target: string;
  keys?: PushKeys | null;
  kinds?: ("nudge" | "offer" | "over" | "turn")[] | null;
}

/** `code`: short, to type on another device within ten minutes. `link`: long, for a year. `friend`: makes a friend,
    within 30 days. Each works once. */
export interface NewCode {
  kind: "code" | "friend" | "link";
}

/** What is sent to an address. */
export interface NewKinds {
  kinds: ("nudge" | "offer" | "over" | "turn")[];
}

/** A match to be played. */
export interface NewMatch {
  game: string;
  seats: SeatPlan[];
  options?: Record<string, string>;
  settings?: Settings;
}

/** Who you are; a name is enough. `label` is what you call the device, for your own list. */
export interface NewPerson {
  name: string;
  label?: string;
}

/** The token is the only proof of who you are. Keep it: the server has only its hash. */
export interface NewToken {
  person: string;
  name: string;
  token: string;
}

/** All about my notifications. */
export interface Notifications {
  offered: ("email" | "push" | "webhook")[];
  push_key: string | null;
  taste: NotifyTaste;
  addresses: Address[];
  vacation: Vacation | null;
  days_left: number;
}

/** How a person is told. */
export interface NotifyTaste {
  language?: "de" | "en";
  zone?: string;
  quiet?: Quiet | null;
}

/** Remind a person for whom everybody waits: once for each decision, and not too often. */
export interface Nudge {
  type: "nudge";
  id: string;
  match: string;
  seat: number;
  other: number;
}

/** Put a deal on the table: the active seat's action or `bargain` first, then gives, `then`, promises and vows. */
export interface Offer {
  type: "offer";
  id: string;
  match: string;
  seat: number;
  terms: string[];
  counters?: number | null;
  epoch?: number | null;
  plies?: number | null;
  words?: OwnWords[];
}

/** An offer on the table. */
export interface OfferState {
  offer: number;
  seat: number;
  terms: string[];
  parties: number[];
  yes: number[];
  no: number[];
  counters: number | null;
  status: "carried-out" | "lapsed" | "open" | "refused" | "withdrawn";
  worth: Record<string, unknown> | null;
  lines: Record<string, string[]>;
  considers: number[];
  words: [number, number, string][];
  at: number;
  ply: number;
  turn: number;
  mover: number;
}

/** Offers of a match, of earlier turns too, the oldest first. At most the last 500: `first` is the number of the
    first one here. */
export interface Offers {
  match: string;
  first: number;
  offers: OfferState[];
}

/** A personal link or code that nobody has used yet. */
export interface OpenLink {
  link: string;
  kind: "code" | "friend" | "link";
  created: number;
  until: number;
}

/** A rule option; the first value is the default. */
export interface OptionInfo {
  name: string;
  values: string[];
  help: string;
}

/** A promise in own words. */
export interface OwnWords {
  maker: number;
  receiver: number;
  text: string;
}

/** A finished match. */
export interface Past {
  match: string;
  game: string;
  at: number;
  seat: number;
  seats: PastSeat[];
}

/** How a seat did. */
export interface PastSeat {
  name: string;
  bot: string | null;
  points: number;
  place: number;
  won: boolean;
}

/** A person, as only that person sees it. */
export interface Person {
  person: string;
  name: string;
}

/** Are you there? */
export interface Ping {
  type: "ping";
}

/** Decide. */
export interface Play {
  type: "play";
  id: string;
  match: string;
  seat: number;
  epoch: number;
  ply: number;
  move: string;
}

/** Where play is, as this seat may see it. */
export interface PlayState {
  epoch: number;
  ply: number;
  turn: number | null;
  view: Record<string, unknown>;
  legal: string[] | null;
  asks: string[] | null;
  chosen: string | null;
  confirm_by: number | null;
  time: Time | null;
  details?: Details;
}

/** I am. */
export interface Pong {
  type: "pong";
}

/** A view of the past or the present, with the arithmetic done. */
export interface Position {
  match: string;
  seat: number | null;
  ply: number;
  plies: number;
  view: Record<string, unknown>;
  outlook: Record<string, unknown>;
  ledger: Record<string, unknown>[] | null;
}

/** Who is there now, by seat; null for bots and empty seats. Not stored, and sent only to those who watch with
    details. `away`: connected, but not looking. `unknown`: perhaps connected to another process of the server. */
export interface Presence {
  type: "presence";
  match: string;
  seats: ("away" | "offline" | "online" | "unknown" | null)[];
}

/** What each consent of a seat costs; null: it is not for sale. About null: whatever it is for. */
export interface PriceState {
  seat: number;
  price: number | null;
  about: string | null;
  stands: boolean;
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  reason: string;
  retry_ms?: number;
}

/** What you may see of a person: of others, only matches that were listed or that you played too. */
export interface Profile {
  person: string;
  name: string;
  since: number;
  public: boolean;
  me: boolean;
  friend: boolean;
  blocked: boolean;
  skills: Skill[];
  versus: Versus | null;
  past: Past[];
  more: number | null;
}

/** How much is compiled, from 0 to 1. After an install or update that takes a while: a table opens when its game is
    ready for it, and bots move as soon as they can. */
export interface Progress {
  done: boolean;
  share: number;
  games: GameProgress[];
}

/** The keys of a push subscription, as the browser gives them. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Hours in which nothing is sent, by the person's own clock; they may go past midnight. */
export interface Quiet {
  start: number;
  end: number;
}

/** A committee: its number of seats, and whose senators sit there. */
export interface QuoVadisCommittee {
  seats: number;
  senators: number[];
}

/** A deal that is being drafted or was refused, as move texts. */
export interface QuoVadisDraft {
  action: string;
  gives: string[];
  one: string | null;
  promises: string[];
  then: string | null;
  vow: string | null;
}

/** What an action would do: the laurel it wins, the seats that get a 1 (one entry each, ascending), whether it
    fills the Senate, whether Caesar may be moved after it. What would not happen is left out. */
export interface QuoVadisEffect {
  caesar?: boolean;
  ends?: boolean;
  laurel?: string;
  ones?: number[];
}

/** The deal that is being drafted, and by whom. */
export interface QuoVadisOpenDraft {
  action: string;
  drafter: number;
  gives: string[];
  one: string | null;
  promises: string[];
  then: string | null;
  vow: string | null;
}

/** Where the game stands, with the counting done; `stall` is how many more turns without progress end the game,
    from half of the way on (else null), `worth` what the open draft moves (null where there is none). */
export interface QuoVadisOutlook {
  paths: QuoVadisPath[];
  reach: QuoVadisReach[];
  senate_free: number;
  stall: number | null;
  worth: QuoVadisWorth | null;
}

/** Points that a deal moves for a player: won on the path, earned by consenting, or given by or to a seat. */
export interface QuoVadisPart {
  points: number;
  seat: number | null;
  why: "consent" | "gift" | "path";
}

/** A path out of a committee for the active seat: whether its senator is there, whether the end has a free seat,
    how many consents it takes (0 where Caesar frees it), how many of these its own other senators there can give, which
    other seats could give some (one entry a senator, ascending; empty where none is taken), how many laurels of 1
    the consents of others would earn, the laurel it would win, and the laurel that stays because Caesar lies there. */
export interface QuoVadisPath {
  consents: number;
  free: boolean;
  laurel: string | null;
  mine: boolean;
  ones: number;
  others: number[];
  own: number;
  path: string;
  stays: string | null;
}

/** A player: senators off the board, laurels (how many of value 1 to 5 where that may be seen), its place in the
    order of arrival in the Senate (0: not there), and whether its laurels count as things are now: in an election an
    earlier game can have qualified it. */
export interface QuoVadisPlayer {
  arrival: number;
  counts: boolean;
  hand: number[] | null;
  off: number;
  points: number | null;
  tiles: number;
  total: number;
}

/** A promise of the ledger: the ply whose deal made it, and what became of it at which ply. */
export interface QuoVadisPledge {
  fate: "broken" | "kept" | "lapsed" | "open";
  made: number;
  promise: string;
  settled: number | null;
}

/** An open promise, and the number of turns of its maker after which it lapses. */
export interface QuoVadisPromise {
  promise: string;
  turns: number;
}

/** How near a player is to the Senate: senators inside, and the fewest moves (entering is one) for the next one of
    its own; null when it has none left to send. */
export interface QuoVadisReach {
  inside: number;
  moves: number | null;
}

/** What a deal moves for one of its parties, and the sum. */
export interface QuoVadisShare {
  net: number;
  parts: QuoVadisPart[];
  seat: number;
}

/** What a seat may see; `open_hands` is the option (Q-VAR-2), `shown` whether a demand has opened all hands now. */
export interface QuoVadisView {
  active: number;
  caesar: string;
  caesar_frees: "committee" | "path";
  committees: Record<string, QuoVadisCommittee>;
  consenting: number[];
  draft: QuoVadisOpenDraft | null;
  drafts: number;
  fates: number[][][];
  game: "quovadis";
  game_number: number;
  heard: boolean;
  laurels: Record<string, string | null>;
  ones: number;
  open_hands: boolean;
  phase: "act" | "answer" | "demand" | "dismiss" | "draft" | "finished" | "lay-out" | "listen" | "open" | "place-caesar" | "refill" | "start";
  players: QuoVadisPlayer[];
  promises: QuoVadisPromise[];
  quiet: number;
  refused: QuoVadisDraft[];
  refusing: number[];
  seat: number | null;
  senate: number[];
  shown: boolean;
  spared: string[];
  stack: number;
  stalls_at: number | null;
  turn: number | "chance" | "over";
}

/** What a deal moves at once, the active seat first. Promises have no number. `unpaid` are the seats whose consent
    earns nothing because the ones have run out (one entry a senator), `stays` is the laurel that is not won because
    Caesar lies on the path. */
export interface QuoVadisWorth {
  shares: QuoVadisShare[];
  stays: string | null;
  unpaid: number[];
}

/** Nothing more to say in this turn: a bot that waits for talk may act. */
export interface Ready {
  type: "ready";
  id: string;
  match: string;
  seat: number;
  epoch?: number | null;
  plies?: number | null;
}

/** Why a move is good, or another one better: the text `review.<key>` of the catalogue with these values. */
export interface Reason {
  key: string;
  values?: Record<string, string | number>;
}

/** The message was refused and changed nothing. */
export interface Refused {
  type: "refused";
  id: string | null;
  code: string;
  reason: string;
  retry_ms?: number;
}

/** It is gone. */
export interface Removed {
}

/** Change your name. */
export interface Rename {
  type: "rename";
  id: string;
  match: string;
  seat: number;
  name: string;
}

/** Give a seat to a bot. Before the match begins: the creator an open one. In a running match: anybody who plays one
    whose person is absent, by time or by agreement of the others; or the seat of a bot to another bot, by agreement. */
export interface Replace {
  type: "replace";
  id: string;
  match: string;
  seat: number;
  bot: string;
}

/** Something that the operators should know about who sits in a seat. */
export interface Report {
  seat: number;
  reason: "cheating" | "name" | "other" | "stalling" | "talk";
  text?: string;
}

/** Give up. */
export interface Resign {
  type: "resign";
  id: string;
  match: string;
  seat: number;
}

/** How a match ended. */
export interface Result {
  points: number[];
  tiebreak: number[];
  winners: number[];
  end: string;
}

/** A finished match, judged by what everybody knew at the time, with the three largest mistakes of each seat.
    `judge` names the bot that judged. */
export interface Review {
  chart: ReviewPoint[];
  seats: ReviewSeat[];
  mistakes: Mistake[];
  missed: MissedDeal[];
  judge: string;
}

/** Everybody's chance to win before a ply; after the last ply, everybody's share of the win. */
export interface ReviewPoint {
  ply: number;
  chances: number[];
}

/** Where a seat's result came from: luck + skill + others + rest = result. The result is the seat's share of the win
    minus a fair share; `error` is the chance to win that it lost per decision. */
export interface ReviewSeat {
  seat: number;
  luck: number;
  skill: number;
  others: number;
  rest: number;
  result: number;
  decisions: number;
  error: number;
}

/** Chat: your own words, or a phrase; to everybody or, where the match allows whispers, to one other player. */
export interface Say {
  type: "say";
  id: string;
  match: string;
  seat: number;
  text?: string | null;
  phrase?: "agreed" | "deal" | "next-time" | "not-now" | "thank-you" | "think-it-over" | "too-little" | "well-played" | "what-do-you-want" | "your-turn" | null;
  to?: number | null;
}

/** Who sits there; `me` is the person who asks. */
export interface Seat {
  kind: "bot" | "open" | "person" | "reserved";
  name: string | null;
  bot: string | null;
  resigned: boolean;
  also?: number[];
  vacation?: number | null;
}

/** Somebody asks to give a seat to a bot, or (null) to whoever has a link. */
export interface SeatAsk {
  by: number;
  seat: number;
  bot: string | null;
  agreed: number[];
  needed: number[];
}

/** Who sits in a seat. */
export interface SeatOf {
  match: string;
  seat: number;
}

/** Who is to sit there: the creator, anybody, or a bot. */
export interface SeatPlan {
  kind: "bot" | "me" | "open";
  bot?: string | null;
}

/** Whether everybody may see my profile. */
export interface SetProfile {
  public: boolean;
}

/** How a match is played. */
export interface Settings {
  listed?: boolean;
  confirm?: number | null;
  clock?: Clock | null;
  timeout?: "bot" | "forfeit";
  stand_in?: string;
  hints?: boolean | null;
  pace?: number;
  talk?: number;
  answer?: number;
  whisper?: boolean;
  patience?: number;
  only_move?: boolean;
}

/** Take a seat, with a name and (if you like) randomness of your own for the dice; the key of a link opens any. */
export interface Sit {
  type: "sit";
  id: string;
  match: string;
  seat: number;
  name: string;
  entropy?: string;
  key?: string | null;
}

/** What you may know of who sits in a seat of a match. */
export interface Sitting {
  seat: number;
  person: string | null;
  rating: number | null;
  friend: boolean;
  blocked: boolean;
}

/** The people of a match. */
export interface SittingPeople {
  seats: Sitting[];
}

/** How somebody does in a game with a number of seats. */
export interface Skill {
  game: string;
  seats: number;
  played: number;
  won: number;
  rating: number | null;
  off: number | null;
}

/** A match in a list. */
export interface Summary {
  match: string;
  game: string;
  status: "over" | "playing" | "waiting";
  seats: Seat[];
  mine: number[];
  turn: number | null;
  number: number;
  created: number;
  changed: number;
  result: Result | null;
  awaited?: number | null;
  trouble?: "damaged" | "game" | "newer" | "rules" | null;
}

/** Take the choice back before it counts. */
export interface TakeBack {
  type: "take-back";
  id: string;
  match: string;
  seat: number;
  epoch: number;
  ply: number;
}

/** By the active seat: do this, and pay for each consent its price. It is carried out at once. The prices, in pairs
    of seat and price, are those that you see: if one has changed meanwhile, nothing happens. */
export interface TakePrices {
  type: "take-prices";
  id: string;
  match: string;
  seat: number;
  action: string;
  prices: [number, number][];
  epoch?: number | null;
  plies?: number | null;
}

/** Clocks in milliseconds: the bank of every seat, and when the time of the seat to move is up. */
export interface Time {
  bank: number[];
  until: number | null;
  now: number;
}

/** A request to undo. */
export interface UndoState {
  seat: number;
  ply: number;
  agreed: number[];
}

/** Whether there was such an address; it gets no more mail. */
export interface Unsubscribed {
  done: boolean;
}

/** The end of a vacation that begins now, in milliseconds since 1970; null: back again. */
export interface Until {
  until: number | null;
}

/** Stop sending this match. */
export interface Unwatch {
  type: "unwatch";
  match: string;
  seat?: number | null;
}

/** What changed. Each part is complete (log and chat: from a line on); missing parts did not change. A part counts
    when its number is higher than that of the same part before. Of the chat, whoever begins to watch is sent the last
    50 lines. */
export interface Update {
  type: "update";
  match: string;
  seat: number | null;
  number: number;
  about?: About;
  play?: PlayState | null;
  log?: Log;
  desk?: Desk;
  chat?: ChatLine[];
  nudge?: number;
}

/** Sign in with a code or the code of a personal link. */
export interface UseCode {
  code: string;
  label?: string;
}

/** Clocks of days stand still from the one to the other, in milliseconds since 1970. */
export interface Vacation {
  since: number;
  until: number;
}

/** You against the person of the profile, in matches that both played: who had the better place. */
export interface Versus {
  played: number;
  ahead: number;
  behind: number;
}

/** Send me this match as this seat sees it (null: as a spectator), from now on. */
export interface Watch {
  type: "watch";
  match: string;
  seat?: number | null;
  details?: boolean;
}

/** The answer to hello. */
export interface Welcome {
  type: "welcome";
  person: string | null;
  name: string | null;
}

/** Withdraw your own offer. */
export interface Withdraw {
  type: "withdraw";
  id: string;
  match: string;
  seat: number;
  offer: number;
}

/** A promise in own words, made in a deal; only its receiver says whether it was kept. */
export interface WordState {
  maker: number;
  receiver: number;
  text: string;
  ply: number;
  fate: "broken" | "kept" | "open";
}

export type FromClient = Hello | Watch | Unwatch | Away | Ping | Sit | Leave | Rename | Play | Confirm | TakeBack | Offer | Answer | Withdraw | Judge | Drafting | Ready | AskPrices | NamePrice | TakePrices | AskUndo | AnswerUndo | Resign | Say | Nudge | Mute | Replace | Link | AnswerSeat | Close;
export type FromServer = Welcome | Done | Refused | Update | Presence | Pong;
export type AnyCommand = Sit | Leave | Rename | Play | Confirm | TakeBack | Offer | Answer | Withdraw | Judge | Drafting | Ready | AskPrices | NamePrice | TakePrices | AskUndo | AnswerUndo | Resign | Say | Nudge | Mute | Replace | Link | AnswerSeat | Close;
