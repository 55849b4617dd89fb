// Two players of boardgame.io, each with a socket of its own, as its own client speaks.

const { io } = require("socket.io-client");
const { post } = require("./post.js");

const GAME = "tic-tac-toe";

/** A pair whose match never ends. */
class Pair {
  constructor(meter) {
    this.meter = meter;
    this.newest = [-1, -1]; // the state that each player has seen last
  }

  /** Make the match through the lobby, and connect. */
  async open(urls) {
    const lobby = `${urls[0]}/games/${GAME}`;
    const { matchID } = await post(`${lobby}/create`, { numPlayers: 2 });
    this.match = matchID;
    this.credentials = [];
    for (const seat of ["0", "1"]) {
      const joined = await post(`${lobby}/${matchID}/join`, { playerID: seat, playerName: `player ${seat}` });
      this.credentials.push(joined.playerCredentials);
    }
    this.sockets = await Promise.all([0, 1].map((seat) => this.connect(urls[seat % urls.length], seat)));
  }

  connect(url, seat) {
    const socket = io(`${url}/${GAME}`, { transports: ["websocket"], forceNew: true, reconnection: false });
    socket.on("disconnect", () => this.meter.refused({ code: "closed" }));
    socket.on("update", (match, state) => this.see(seat, state));
    return new Promise((resolve, reject) => {
      socket.on("connect", () => socket.emit("sync", this.match, String(seat), this.credentials[seat], 2));
      socket.on("connect_error", reject);
      socket.on("sync", (match, { state }) => {
        this.first = state;
        resolve(socket);
      });
    });
  }

  start() {
    this.see(0, this.first);
  }

  see(seat, state) {
    if (state._stateID <= this.newest[seat]) return;
    this.newest[seat] = state._stateID;
    const turn = Number(state.ctx.currentPlayer);
    if (turn !== seat) return;
    if (state._stateID > 0) this.meter.arrived(this, this.at);
    if (!this.meter.more(this)) return;
    const payload = { type: "mark", args: [state._stateID % 9], playerID: String(seat), credentials: this.credentials[seat] };
    this.at = this.meter.now();
    this.sockets[seat].emit("update", { type: "MAKE_MOVE", payload }, state._stateID, this.match, String(seat));
  }
}

module.exports = { Pair };
