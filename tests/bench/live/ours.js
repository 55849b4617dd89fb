// Two people at a table of `rostra serve`, each with a socket of its own.
// A match of Alea ends, so a pair has several. They are made before the clock runs, and going on to the next one is a
// `watch`; a pair that has none left makes one, and the meter counts it.

const WebSocket = require("ws");
const { post } = require("./post.js");

/** A pair and its matches. */
class Pair {
  constructor(meter, spare) {
    this.meter = meter;
    this.spare = spare;
    this.matches = [];
    this.commands = 0;
    this.waiting = new Map(); // what to do when a command is done, by its id
  }

  /** Become somebody, connect, make the matches and sit down. */
  async open(urls) {
    this.urls = [0, 1].map((seat) => urls[seat % urls.length]);
    this.tokens = [];
    for (const seat of [0, 1]) {
      const { token } = await post(`${this.urls[seat]}/api/people`, { name: `player ${seat}` });
      this.tokens.push(token);
    }
    this.sockets = await Promise.all([0, 1].map((seat) => this.connect(seat)));
    for (let i = 0; i < 1 + this.spare; i++) await this.make();
  }

  async make() {
    const plan = { game: "alea", seats: [{ kind: "me" }, { kind: "open" }] };
    const { match } = await post(`${this.urls[0]}/api/matches`, plan, { authorization: `Bearer ${this.tokens[0]}` });
    for (const seat of [0, 1]) {
      const id = this.id();
      this.say(seat, { type: "sit", id, match, seat, name: `player ${seat}` });
      await new Promise((resolve) => this.waiting.set(id, resolve));
    }
    this.matches.push(match);
  }

  connect(seat) {
    const socket = new WebSocket(`${this.urls[seat].replace("http", "ws")}/api/live`);
    socket.on("message", (data) => this.hear(seat, JSON.parse(data.toString())));
    return new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", () => this.meter.refused({ code: "closed" }));
      socket.on("open", () => {
        socket.send(JSON.stringify({ type: "hello", token: this.tokens[seat] }));
        resolve(socket);
      });
    });
  }

  say(seat, message) {
    this.sockets[seat].send(JSON.stringify(message));
  }

  id() {
    return `c${this.commands++}`;
  }

  start() {
    this.match = this.matches.shift();
    this.seen_end = 0;
    this.acted = -1; // the ply at which somebody has decided last
    this.sent = []; // decisions that the other player has not seen yet
    for (const seat of [0, 1]) this.say(seat, { type: "watch", match: this.match, seat });
  }

  hear(seat, message) {
    if (message.type === "update") this.see(seat, message);
    else if (message.type === "refused") this.meter.refused(message);
    else if (this.waiting.has(message.id)) {
      this.waiting.get(message.id)();
      this.waiting.delete(message.id);
    }
  }

  see(seat, { match, play, about }) {
    if (match !== this.match || !play) return;
    while (this.sent.length && this.sent[0].seat !== seat && this.sent[0].ply < play.ply) {
      this.meter.arrived(this, this.sent.shift().at);
    }
    if (about?.status === "over") this.end();
    else if (play.legal?.length && play.ply > this.acted) this.move(seat, play);
  }

  /** Any move but a reroll: those go on for long. */
  move(seat, { epoch, ply, legal }) {
    if (!this.meter.more(this)) return;
    const placing = legal.filter((move) => !move.startsWith("R"));
    const choice = placing.length ? placing : legal;
    const move = choice[(ply * 7919) % choice.length];
    this.acted = ply;
    this.sent.push({ seat, ply, at: this.meter.now() });
    this.say(seat, { type: "play", id: this.id(), match: this.match, seat, epoch, ply, move });
  }

  /** On to the next match, when both have seen the end of this one. */
  async end() {
    this.seen_end++;
    if (this.seen_end < 2) return;
    for (const seat of [0, 1]) this.say(seat, { type: "unwatch", match: this.match, seat });
    this.meter.ended++;
    if (!this.matches.length) {
      this.meter.made++;
      await this.make();
    }
    this.start();
  }
}

module.exports = { Pair };
