// The browser verifier in Node, against the vectors that the Python one is checked against too: `node --test tests/web`.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../data/dice/", import.meta.url);
const pages = new URL("../../src/rostra/pages/", import.meta.url);
// As data, because nothing says to Node that the page's file is a module.
const source = readFileSync(new URL("verify.js", pages)).toString("base64");
const { commitment, explain, Stream, verify, WORDS } = await import(`data:text/javascript;base64,${source}`);

const read = (name) => readFileSync(new URL(name, folder), "utf8");
const matches = readdirSync(folder).filter((name) => name.endsWith(".game"));

for (const vector of JSON.parse(read("vectors.json"))) {
  const { seed, match, entropy, epoch, ply, below, numbers } = vector;
  test(`vector ${match}`, async () => {
    assert.equal(await commitment(seed), vector.commit);
    const stream = await Stream.open(seed, match, entropy);
    for (const [b, hmac] of vector.hmac.entries()) {
      assert.equal(Buffer.from(await stream.digest(epoch, ply, b)).toString("hex"), hmac);
    }
    assert.deepEqual((await stream.numbers(epoch, ply, BigInt(below), numbers.length)).map(String), numbers);
    if ("pool" in vector) assert.equal(await stream.outcome(vector.pool, epoch, ply), vector.outcome);
  });
}

test("there are matches to check", () => assert.ok(matches.length > 8));
for (const name of matches) {
  test(name, async () => {
    const text = read(name);
    const result = await verify(text);
    assert.deepEqual([result.ok, result.problem], [true, null]);
    assert.equal(result.plies, text.match(/^\d+ \S /gm).length);
    assert.equal(result.outcomes, text.match(/^\d+ - =/gm).length);
    assert.equal(result.undos, (text.match(/^undo:/gm) ?? []).length);
    const decorated = `\uFEFF# a game\r\n${text.replaceAll("\n", "   # so it was\r\n\r\n")}`;
    assert.ok((await verify(decorated)).ok);
  });
}

for (const { name, base, edits, ...expected } of JSON.parse(read("tampered.json"))) {
  test(`refused: ${name}`, async () => {
    const lines = read(`${base}.game`).split("\n");
    for (const [number, line] of edits) lines[number - 1] = line;
    const { ok, problem } = await verify(lines.filter((line) => line !== null).join("\n"));
    assert.equal(ok, false);
    assert.deepEqual([problem.line, problem.ply], [expected.line, expected.ply]);
    if (expected.expected !== null) {
      assert.deepEqual([problem.found, problem.expected], [expected.found, expected.expected]);
    }
    for (const language of ["en", "de"]) assert.doesNotMatch(explain(problem, language), /[{}]|undefined|null/);
  });
}

test("what is no transcript is refused, whatever it is", async () => {
  const texts = ["", "hello", "game: alea", "game: constructor\nrules: 1\nseats: a, b", "undo: 3", '"', "0 - =s0\n"];
  texts.push('game: alea\nrules: 1\nseats: "a, b', "game: alea\nrules: 1\nseats: a", "game: alea\nrules: 2\nseats: a, b");
  for (const text of texts) {
    const { ok, problem } = await verify(text);
    assert.equal(ok, false, text);
    assert.ok(explain(problem).length > 20, text);
  }
});

test("both languages say the same things, and all that the page asks for", () => {
  const keys = (words) => Object.keys(words).sort();
  const places = (words) => JSON.stringify(keys(words).map((key) => words[key].match(/\{\w+\}/g)?.sort()));
  const { problems: english, ...en } = WORDS.en;
  const { problems: german, ...de } = WORDS.de;
  assert.deepEqual(keys(en), keys(de));
  assert.deepEqual(keys(english), keys(german));
  assert.equal(places(en), places(de));
  assert.equal(places(english), places(german));
  const html = readFileSync(new URL("verify.html", pages), "utf8");
  const asked = [...html.matchAll(/data-say="(\w+)"/g)].map(([, key]) => key);
  assert.ok(asked.length > 10);
  for (const key of asked) assert.ok(key in en, key);
  const ids = new Set([...html.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id));
  for (const [, id] of Buffer.from(source, "base64").toString().matchAll(/\bat\("([\w-]+)"\)/g)) assert.ok(ids.has(id), id);
});

test("every problem that can be thrown has words", () => {
  const codes = [...Buffer.from(source, "base64").toString().matchAll(/new Problem\("(\w+)"/g)].map(([, code]) => code);
  assert.deepEqual([...new Set(codes)].sort(), Object.keys(WORDS.en.problems).sort());
});
