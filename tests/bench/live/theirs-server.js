// boardgame.io as its documentation sets it up: `node theirs-server.js memory`, or `file FOLDER`; prints its address.
// Marks go round a board of nine cells and nobody wins, so that a match never ends and its state stays as small as that
// of tic-tac-toe; a board of 2,000 cells would be sent with every move.

const { FlatFile, Origins, Server } = require("boardgame.io/server");

const [store, folder] = process.argv.slice(2);
const ticTacToe = {
  name: "tic-tac-toe",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
    },
  },
};

const server = Server({
  games: [ticTacToe],
  origins: [Origins.LOCALHOST],
  ...(store === "file" ? { db: new FlatFile({ dir: folder }) } : {}),
});
server.app.silent = true; // a client that goes away is no error here
server.run({ port: 0, callback: () => {} }).then(({ appServer }) => {
  console.log(`http://127.0.0.1:${appServer.address().port}`);
});
