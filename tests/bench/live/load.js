// The load: pairs of players who move as soon as they see that it is their turn, the same loop for both servers.
//
//   node load.js ours|theirs URL[,URL] PAIRS SPARE WARM_UP SECONDS [MOVES]
//
// Prints one JSON object a line: {"event": "ready"}, "begin" when the warm-up is over, "end" with what was measured.
// With MOVES every pair stops after that many, and the sockets stay open until the input ends. Times are milliseconds.
// A move counts when the other player has received it, not when it is sent or acknowledged.

const [side, urls, pairs, spare, warmUp, seconds, moves] = process.argv.slice(2);
const { Pair } = require(`./${side}.js`);
const AT_ONCE = 8;

class Meter {
  constructor(limit) {
    this.limit = limit;
    this.running = true;
    this.reset();
  }

  reset() {
    this.times = [];
    this.problems = {};
    this.ended = 0;
    this.made = 0;
  }

  now() {
    return performance.now();
  }

  arrived(pair, at) {
    this.times.push(performance.now() - at);
    pair.moves++;
  }

  more(pair) {
    return this.running && pair.moves < this.limit;
  }

  refused({ code }) {
    if (this.running) this.problems[code] = (this.problems[code] ?? 0) + 1;
  }

  report() {
    const times = Float64Array.from(this.times).sort();
    const part = (p) => times[Math.min(times.length - 1, Math.floor(p * times.length))] ?? null;
    const { ended, made, problems } = this;
    return { moves: times.length, median: part(0.5), p99: part(0.99), ended, made, problems };
  }
}

const say = (event, more = {}) => console.log(JSON.stringify({ event, ...more }));
const wait = (s) => new Promise((resolve) => setTimeout(resolve, 1000 * s));

async function main() {
  const meter = new Meter(moves ? Number(moves) : Infinity);
  const all = Array.from({ length: Number(pairs) }, () => new Pair(meter, Number(spare)));
  const queue = [...all];
  const opening = async () => {
    for (let pair = queue.pop(); pair; pair = queue.pop()) {
      pair.moves = 0;
      await pair.open(urls.split(","));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, opening));
  say("ready");
  for (const pair of all) pair.start();
  if (moves) {
    while (all.some((pair) => pair.moves < meter.limit)) await wait(0.2);
    say("end", meter.report());
    await new Promise((resolve) => process.stdin.on("end", resolve).resume());
  } else {
    await wait(Number(warmUp));
    meter.reset();
    const began = meter.now();
    say("begin");
    await wait(Number(seconds));
    say("end", { ...meter.report(), seconds: (meter.now() - began) / 1000 });
  }
  meter.running = false;
  process.exit(0); // thousands of sockets need no goodbye
}

main();
