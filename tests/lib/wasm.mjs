// What the npm package in FOLDER promises, as assertions; run by test_wasm.c. NAME is a function.
//
//     node wasm.mjs FOLDER NAME [ARGUMENTS]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, name, ...given] = process.argv.slice(2);
const { load, EnsignError, RED, ALL, PUBLIC } = await import(pathToFileURL(`${folder}/ensign.js`));
const ensign = await load();
const OUTPUTS = ["planes", "mask", "maskBits", "cells", "scalars"];

// FNV-1a of 32 bits.
function hashOf(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return (hash >>> 0).toString(16);
}

// The n-th legal action of the first game, modulo their number.
function nthLegal({ mask, shape }, n) {
  const legal = [];
  for (let action = 0; action < shape.actions; action++) if (mask[action]) legal.push(action);
  return legal[n % legal.length];
}

function refused(status, action) {
  assert.throws(action, (error) => error instanceof EnsignError && error.status === status);
}

function tell(batch, lines) {
  for (const side of [0, 1, -1]) {
    batch.observe(side);
    lines.push([...OUTPUTS, "reward", "reason", "ply", "infoHash"].map((array) => hashOf(batch[array])).join(" "));
  }
  for (let eyes = 0; eyes <= ALL; eyes++) lines.push(batch.text(0, eyes));
  lines.push(batch.text(1, PUBLIC));
}

const over = (batch, game) => batch.terminated[game] || batch.truncated[game];

// The same lines as play() of test_wasm.c.
function games(plies, ...files) {
  const lines = [];
  for (const file of files) {
    const bytes = readFileSync(file), rules = ensign.rules(bytes);
    assert.deepEqual(rules.bytes(), new Uint8Array(bytes));
    lines.push(`${rules.title} ${rules.shape.rules_hash.toString(16)} ${rules.shape.actions} ${rules.shape.planes}`);
    const batch = rules.batch({ games: 2, seed: 58, undo: 2, record: true, pliesLimit: Number(plies), outputs: OUTPUTS }).reset();
    for (let n = 0; !over(batch, 0); n++) {
      tell(batch, lines);
      const action = nthLegal(batch, 7919 * n);
      lines.push(`${batch.moveText(0, action)} ${batch.why(0, (7919 * n) % batch.shape.actions)}`);
      batch.step([action, -1]);
      if (n % 5 === 4) batch.undo(0).observe().step([action, -1]);
      if (over(batch, 1) || n % 2) continue;
      const saved = batch.save(0);
      lines.push(`${batch.stepRandom()[1]}`);
      batch.load(0, saved).observe();
    }
    tell(batch, lines);
    batch.free();
    rules.free();
  }
  console.log(lines.join("\n"));
}

async function wrong_use_is_an_error() {
  const rules = await ensign.variant("duel"), batch = rules.batch({ games: 3, seed: 1 }).reset();
  refused("usage", () => batch.text(3));
  refused("usage", () => batch.step([0, 0]));
  refused("usage", () => batch.undo(0));
  refused("usage", () => rules.batch({ games: (1 << 20) + 1 }));
  refused("usage", () => rules.batch({ outputs: ["boards"] }));
  refused("usage", () => rules.batch({ planes: ["boards"] }));
  refused("usage", () => rules.batch({ seed: -1 }));
  refused("usage", () => rules.action("a0-a0"));
  refused("setup", () => batch.reset({ setups: new Uint8Array(6 * Math.max(...rules.shape.zone)).fill(1) }));
  refused("data", () => batch.load(0, new Uint8Array(100)));
  assert.throws(() => batch.step("abc"), TypeError);
  assert.throws(() => ensign.rules("duel"), TypeError);
  await assert.rejects(ensign.variant("../package"), EnsignError);
  const legal = nthLegal(batch, 0), illegal = batch.mask.subarray(0, rules.shape.actions).indexOf(0);
  assert.throws(() => batch.step([illegal, -1, illegal]), (error) => error.status === "illegal" && `${error.games}` === "0,2");
  assert.equal(batch.ply[0], 0);
  batch.step([legal, -1, -1]);
  assert.equal(batch.ply[0], 1);
  batch.free();
  batch.free();
  refused("usage", () => batch.observe());
  assert.equal(batch.planes, null);
  rules.free();
  refused("usage", () => rules.title);
}

// Every byte of the rules is cut off or changed somewhere.
function damaged_rules_are_refused_or_played(file) {
  const bytes = new Uint8Array(readFileSync(file));
  let read = 0, chance = 1;
  const next = (below) => (chance = (Math.imul(chance, 1103515245) + 12345) >>> 0) % below;
  for (let round = 0; round < 3000; round++) {
    const damaged = round % 3 ? bytes.slice() : bytes.slice(0, next(bytes.length));
    for (let i = next(3); round % 3 && i >= 0; i--) damaged[next(bytes.length)] = next(256);
    try {
      const rules = ensign.rules(damaged), batch = rules.batch({ seed: round, autoReset: true });
      read++;
      rules.free();
      try {
        batch.reset();
        for (let step = 0; step < 20; step++) batch.stepRandom();
      } finally {
        batch.free();
      }
    } catch (error) {
      if (!(error instanceof EnsignError)) throw error;
    }
  }
  assert.ok(read > 100, `${read} were read`);
}

async function arrays_are_right_when_memory_has_grown() {
  const rules = await ensign.variant("original"), batch = rules.batch({ seed: 3 }).reset();
  const before = batch.planes, kept = before.slice();
  const large = rules.batch({ games: 2000, seed: 3 }).reset();
  assert.equal(before.length, 0); // the old memory is gone
  assert.deepEqual(batch.planes, kept);
  large.free();
  batch.free();
  rules.free();
}

async function declarations_name_what_there_is() {
  const text = readFileSync(`${folder}/ensign.d.ts`, "utf8");
  const rules = await ensign.variant("duel"), batch = rules.batch();
  for (const [type, it] of Object.entries({ Ensign: ensign, Rules: rules, Batch: batch, Shape: rules.shape })) {
    const [, body] = text.match(new RegExp(`export interface ${type} \\{\\n([^]*?)\\n\\}`));
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(?:]/gm)].map(([, member]) => member);
    assert.ok(members.length > 3);
    for (const member of members) assert.ok(member in it, `${type}.${member}`);
  }
  assert.deepEqual(Object.keys(rules.shape).filter((field) => !text.includes(`readonly ${field}:`)), []);
  assert.equal(rules.action("a1-a2", RED), rules.action(rules.actionText(rules.action("a1-a2"))));
}

const tests = { games, wrong_use_is_an_error, damaged_rules_are_refused_or_played, arrays_are_right_when_memory_has_grown,
  declarations_name_what_there_is };
await tests[name](...given);
