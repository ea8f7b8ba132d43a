// ensign.js - libensign for JavaScript: the calls of ensign.h on typed arrays, by WebAssembly.
//
// What the arrays hold: ensign.d.ts, and src/lib/README.md of the sources. Arrays lie in the memory
// of the module, and move when it grows: take them from the batch again after each call. What was
// freed, and numbers out of range, are an EnsignError; so are illegal actions, after all others were
// played. Nothing here needs a document: it runs in pages, workers and node.

export const RED = 0, BLUE = 1, PUBLIC = 2, ALL = 3;

// Groups of planes by name; without a choice a batch has all but "sight".
export const PLANES = { own: 1, shown: 2, may_be: 4, think: 8, states: 16, moves: 32, sight: 64 };

const FLAGS = { autoReset: 1, absolute: 2, setupsByAgent: 4, record: 8 };
const ILLEGAL = 6; // of ensign_status
const NO_SUCH_CALL = 52; // ENOSYS of WASI

// The structs of ensign.h as a machine of 32 bits lays them out: names, with the number of elements
// of an array; those of 64 bits end with "*".
const STRUCTS = {
  options: ["size", "games", "flags", "seed*", "plies_limit", "no_attack_limit", "planes", "moves", "undo"],
  shape: ["size", "files", "ranks", "squares", "kinds", "army 2", "zone 2", "actions", "mask_words", "ways", "planes",
    "scalars", "plies_max", "calls", "env_version", "rules_hash*", "game_bytes"],
  out: ["size", "planes", "mask_bits", "mask", "cells", "scalars", "reward", "to_move", "terminated", "truncated", "reason",
    "episode", "ply", "info_hash"],
};
const ERROR = { size: 912, status: 4, text: 272 };

// Offsets of the fields of a struct, and its size.
function layout(fields) {
  const at = {};
  let end = 0, widest = 4;
  for (const field of fields) {
    const [word, count = 1] = field.split(" "), width = word.endsWith("*") ? 8 : 4;
    end = Math.ceil(end / width) * width;
    at[word.replace("*", "")] = end;
    end += width * count;
    widest = Math.max(widest, width);
  }
  return { at, size: Math.ceil(end / widest) * widest };
}

const LAYOUT = Object.fromEntries(Object.entries(STRUCTS).map(([name, fields]) => [name, layout(fields)]));

// A struct of this many bytes that begins with its size.
function sized(size) {
  const struct = new Uint32Array(size / 4);
  struct[0] = size;
  return struct;
}

export class EnsignError extends Error {
  constructor(status, text, games = []) {
    super(text || status);
    this.name = "EnsignError";
    this.status = status; // as in ensign_status_name()
    this.games = games;   // those whose actions were illegal
  }
}

function number(value, low, high, what) {
  if (typeof value !== "number" || !Number.isInteger(value)) throw new TypeError(`${what} is ${String(value)}, expected a whole number`);
  if (value < low || value > high) throw new EnsignError("usage", `${what} is ${value}, expected ${low} to ${high}`);
  return value;
}

const WORD = (1n << 64n) - 1n;

function seedOf(value) {
  if (value === undefined) return crypto.getRandomValues(new BigUint64Array(1))[0];
  const seed = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof seed !== "bigint") throw new TypeError(`seed is ${String(value)}, expected a bigint or a whole number`);
  if (seed < 0n || seed > WORD) throw new EnsignError("usage", `seed is ${seed}, expected 0 to ${WORD}`);
  return seed;
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  return WebAssembly.compile(await contents(source));
}

async function contents(url) {
  if (new URL(url).protocol === "file:") return (await import("node:fs/promises")).readFile(new URL(url));
  const answer = await fetch(url);
  if (!answer.ok) throw new EnsignError("not-found", `${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

// The library. `source`: the module, its bytes or its URL; none: ensign.wasm beside this file.
export async function load(source = new URL("ensign.wasm", import.meta.url)) {
  const refuse = () => NO_SUCH_CALL;
  const { exports } = await WebAssembly.instantiate(await compiled(source), {
    wasi_snapshot_preview1: { fd_close: refuse, fd_seek: refuse, fd_write: refuse }, // there are no files
  });
  exports._initialize();
  return new Ensign(exports);
}

class Ensign {
  constructor(calls) {
    this.calls = calls;
    this.decoder = new TextDecoder();
    this.encoder = new TextEncoder();
  }

  get version() {
    const version = this.calls.ensign_version();
    return `${version >>> 16}.${(version >>> 8) & 255}.${version & 255}`;
  }

  // Rules from what ensign_rules_write(), `ensign show VARIANT --bytes` or rules.bytes() gave.
  rules(bytes) {
    return new Rules(this, bytes);
  }

  // One of the variants that come with this package.
  async variant(name) {
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) throw new EnsignError("not-found", `${name} is not the name of a variant`);
    return this.rules(new Uint8Array(await contents(new URL(`rules/${name}.rules`, import.meta.url))));
  }

  reasonName(reason) {
    const at = this.calls.ensign_reason_name(number(reason, 0, 255, "reason"));
    return at ? this.textAt(at) : "";
  }

  // From here on: for this file.

  get view() { return new DataView(this.calls.memory.buffer); }

  array(Type, at, length) { return new Type(this.calls.memory.buffer, at, length); }

  // Zeroed memory, until free().
  take(size) {
    const at = this.calls.malloc(size || 1);
    if (!at) throw new EnsignError("no-memory", `no memory for ${size} bytes`);
    this.array(Uint8Array, at, size).fill(0);
    return at;
  }

  // Calls `use` with copies of these arrays (0 for null) in memory.
  given(arrays, use) {
    const places = [];
    try {
      for (const array of arrays) {
        if (!array) { places.push(0); continue; }
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at = this.take(bytes.length);
        places.push(at);
        this.array(Uint8Array, at, bytes.length).set(bytes);
      }
      return use(...places);
    } finally {
      for (const at of places) this.calls.free(at);
    }
  }

  textAt(at) {
    const memory = new Uint8Array(this.calls.memory.buffer, at);
    return this.decoder.decode(memory.subarray(0, memory.indexOf(0)));
  }

  // Bytes that `write(at, room)` writes, which returns how many there are.
  bytesOf(write, end = 0) {
    const length = write(0, 0) >>> 0;
    if (!length) return null;
    const at = this.take(length + end);
    try {
      write(at, length + end);
      return this.array(Uint8Array, at, length).slice();
    } finally {
      this.calls.free(at);
    }
  }

  textOf(write) {
    const bytes = this.bytesOf(write, 1);
    return bytes && this.decoder.decode(bytes);
  }

  // Calls `use` with the place of an error. What `use` returns, unless `failed(it)`.
  checked(use, failed) {
    return this.given([sized(ERROR.size)], (at) => {
      const result = use(at);
      if (!failed(result)) return result;
      throw this.error(this.view.getInt32(at + ERROR.status, true), this.textAt(at + ERROR.text));
    });
  }

  error(status, text) { return new EnsignError(this.textAt(this.calls.ensign_status_name(status)), text); }
}

// The options of a batch as bytes of the struct.
function optionsBytes(options) {
  const { at, size } = LAYOUT.options, view = new DataView(new ArrayBuffer(size));
  const set = (name, value, most) => view.setUint32(at[name], number(value ?? 0, 0, most, name), true);
  const groups = options.planes ?? [];
  for (const name of groups) if (!(name in PLANES)) throw new EnsignError("usage", `planes: "${name}" is not one of ${Object.keys(PLANES).join(", ")}`);
  view.setUint32(at.size, size, true);
  set("games", options.games ?? 1, 1 << 20);
  set("flags", Object.entries(FLAGS).reduce((set, [name, bit]) => set | (options[name] ? bit : 0), 0), 15);
  view.setBigUint64(at.seed, seedOf(options.seed), true);
  set("plies_limit", options.pliesLimit, 2 ** 32 - 1);
  set("no_attack_limit", options.noAttackLimit, 2 ** 32 - 1);
  set("planes", groups.reduce((set, name) => set | PLANES[name], 0), 127);
  set("moves", options.moves, 64);
  set("undo", options.undo, 4096);
  return new Uint8Array(view.buffer);
}

class Rules {
  #handle;

  constructor(ensign, bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("rules are a Uint8Array");
    const { calls } = ensign;
    this.ensign = ensign;
    this.#handle = ensign.given([bytes], (at) =>
      ensign.checked((error) => calls.ensign_rules_read(at, bytes.length, error), (handle) => !handle));
    this.shape = this.shapeFor(optionsBytes({ seed: 0 }));
  }

  get handle() {
    if (!this.#handle) throw new EnsignError("usage", "the rules are freed");
    return this.#handle;
  }

  // Batches of the rules stay usable. Again: does nothing.
  free() {
    this.ensign.calls.ensign_rules_free(this.#handle);
    this.#handle = 0;
  }

  get title() { return this.text("ensign_title"); }

  // Names of the kinds; kind number 1 is the first.
  get kinds() { return Array.from({ length: this.shape.kinds }, (_, i) => this.text("ensign_kind_name", i + 1)); }

  get scalars() { return Array.from({ length: this.shape.scalars }, (_, i) => this.text("ensign_scalar_name", i)); }

  bytes() {
    return this.ensign.bytesOf((at, room) => this.ensign.calls.ensign_rules_write(this.handle, at, room));
  }

  // The text of an action of a side; null if it leads off the board.
  actionText(action, side = RED) {
    return this.text("ensign_action_text", number(action, 0, 2 ** 32 - 1, "action"), number(side, RED, BLUE, "side"));
  }

  // The number of an action by its text.
  action(text, side = RED) {
    const { calls, encoder } = this.ensign;
    const found = this.ensign.given([encoder.encode(`${text}\0`)], (at) => calls.ensign_action_read(this.handle, number(side, RED, BLUE, "side"), at));
    if (found < 0) throw new EnsignError("usage", `"${text}" is no action`);
    return found;
  }

  batch(options = {}) {
    return new Batch(this, options);
  }

  // From here on: for this file.

  text(call, ...numbers) {
    return this.ensign.textOf((at, room) => this.ensign.calls[call](this.handle, ...numbers, at, room));
  }

  shapeFor(options) {
    const { ensign } = this, { at, size } = LAYOUT.shape;
    return ensign.given([options, sized(size)], (given, to) => {
      const status = ensign.calls.ensign_shape_of(this.handle, given, to);
      if (status) throw ensign.error(status, "an option is out of range");
      const { view } = ensign, shape = {};
      for (const field of STRUCTS.shape) {
        const [word, count] = field.split(" "), name = word.replace("*", "");
        const one = (i) => view.getUint32(to + at[name] + 4 * i, true);
        if (name !== "size") shape[name] = word.endsWith("*") ? view.getBigUint64(to + at[name], true) : count ? [one(0), one(1)] : one(0);
      }
      return Object.freeze(shape);
    });
  }
}

class Batch {
  #handle = 0;
  #places = {}; // of the arrays, by name
  #out = 0;
  #options;

  constructor(rules, options) {
    const { ensign } = rules;
    this.rules = rules;
    this.ensign = ensign;
    this.#options = optionsBytes(options);
    this.shape = rules.shapeFor(this.#options);
    this.games = options.games ?? 1;
    const outputs = options.outputs ?? ["planes", "mask"], { shape, games } = this, { at, size } = LAYOUT.out;
    const wide = { planes: [Uint8Array, shape.planes * shape.squares], mask: [Uint8Array, shape.actions],
      maskBits: [BigUint64Array, shape.mask_words], cells: [Uint8Array, shape.squares], scalars: [Float32Array, shape.scalars] };
    for (const name of outputs) if (!(name in wide)) throw new EnsignError("usage", `outputs: "${name}" is not one of ${Object.keys(wide).join(", ")}`);
    this.#handle = ensign.given([this.#options], (given) =>
      ensign.checked((error) => ensign.calls.ensign_batch_new(rules.handle, given, error), (handle) => !handle));
    const rows = { ...Object.fromEntries(outputs.map((name) => [name, wide[name]])), reward: [Float32Array, 2], toMove: [Uint8Array, 1],
      terminated: [Uint8Array, 1], truncated: [Uint8Array, 1], reason: [Uint8Array, 1], episode: [BigUint64Array, 1],
      ply: [Uint32Array, 1], infoHash: [BigUint64Array, 1] };
    try {
      this.#out = ensign.take(size);
      for (const [name, [Type, row]] of Object.entries(rows)) {
        const place = ensign.take(Type.BYTES_PER_ELEMENT * row * games);
        this.#places[name] = { Type, place, length: row * games };
      }
    } catch (error) {
      this.free();
      throw error;
    }
    const { view } = ensign;
    view.setUint32(this.#out + at.size, size, true);
    for (const name of Object.keys(rows)) view.setUint32(this.#out + at[name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)], this.#places[name].place, true);
  }

  get handle() {
    if (!this.#handle) throw new EnsignError("usage", "the batch is freed");
    return this.#handle;
  }

  // Frees the games and arrays. Again: does nothing.
  free() {
    const { calls } = this.ensign;
    calls.ensign_batch_free(this.#handle);
    calls.free(this.#out);
    for (const { place } of Object.values(this.#places)) calls.free(place);
    this.#handle = this.#out = 0;
    this.#places = {};
  }

  #array(name) {
    const { Type, place, length } = this.#places[name] ?? {};
    if (!place) return null;
    return this.ensign.array(Type, place, length);
  }

  get planes() { return this.#array("planes"); }
  get mask() { return this.#array("mask"); }
  get maskBits() { return this.#array("maskBits"); }
  get cells() { return this.#array("cells"); }
  get scalars() { return this.#array("scalars"); }
  get reward() { return this.#array("reward"); }
  get toMove() { return this.#array("toMove"); }
  get terminated() { return this.#array("terminated"); }
  get truncated() { return this.#array("truncated"); }
  get reason() { return this.#array("reason"); }
  get episode() { return this.#array("episode"); }
  get ply() { return this.#array("ply"); }
  get infoHash() { return this.#array("infoHash"); }

  get planeNames() {
    const { ensign } = this;
    return ensign.given([this.#options], (options) => Array.from({ length: this.shape.planes }, (_, plane) =>
      this.rules.text("ensign_plane_name", options, plane)));
  }

  #check(status) {
    if (!status) return this;
    if (status === ILLEGAL) {
      const games = [...this.reason.keys()].filter((game) => this.reason[game] === 255);
      throw new EnsignError("illegal", `illegal actions in ${games.length} games, the first in game ${games[0]}`, games);
    }
    const { ensign } = this;
    return ensign.given([sized(ERROR.size)], (at) => {
      ensign.calls.ensign_batch_error(this.handle, at);
      throw ensign.error(status, ensign.textAt(at + ERROR.text));
    });
  }

  #game(game) { return number(game, 0, this.games - 1, "game"); }

  // Begins games anew: those with which[game] (none: all). `seeds`: one a game. `setups`: games x 2
  // x squares of the larger zone, the kind on each square of a side's zone as its owner counts, 0
  // empty; none: drawn.
  reset({ which, seeds, setups } = {}) {
    const rows = this.#list(which, this.games, "which", (list) => Uint8Array.from(list, Number));
    const chance = this.#list(seeds, this.games, "seeds", (list) => BigUint64Array.from(list, seedOf));
    const armies = this.#list(setups, 2 * this.games * Math.max(...this.shape.zone), "setups", (list) => Uint8Array.from(list));
    return this.#check(this.ensign.given([rows, chance, armies], (...places) =>
      this.ensign.calls.ensign_reset(this.handle, ...places, this.#out)));
  }

  #list(list, length, what, read) {
    if (list === undefined || list === null) return null;
    if (list.length !== length) throw new EnsignError("usage", `${what} has ${list.length} numbers, expected ${length}`);
    return read(list);
  }

  // One decision in each game: a legal action; -1 leaves a game as it is.
  step(actions) {
    const list = this.#list(actions, this.games, "actions", (numbers) => Int32Array.from(numbers, (one) => number(one, -(2 ** 31), 2 ** 31 - 1, "action")));
    if (!list) throw new TypeError("actions are missing");
    return this.#check(this.ensign.given([list], (at) => this.ensign.calls.ensign_step(this.handle, at, this.#out)));
  }

  // A random legal move in each game; the (first) actions.
  stepRandom() {
    return this.ensign.given([new Int32Array(this.games)], (at) => {
      this.#check(this.ensign.calls.ensign_step_random(this.handle, at, this.#out));
      return this.ensign.array(Int32Array, at, this.games).slice();
    });
  }

  // Fills the arrays with what a side may know; none: the side to move.
  observe(side = -1) {
    return this.#check(this.ensign.calls.ensign_observe(this.handle, number(side, -1, BLUE, "side"), this.#out));
  }

  // Single games. The arrays show what they have become after observe().

  copy(to, source, game) {
    return this.#check(this.ensign.calls.ensign_copy(this.handle, this.#game(to), source.handle, number(game, 0, source.games - 1, "game")));
  }

  undo(game) {
    return this.#check(this.ensign.calls.ensign_undo(this.handle, this.#game(game)));
  }

  save(game) {
    return this.ensign.bytesOf((at, room) => this.ensign.calls.ensign_save(this.handle, this.#game(game), at, room));
  }

  load(game, bytes) {
    this.ensign.given([bytes], (at) => this.ensign.checked((error) =>
      this.ensign.calls.ensign_load(this.handle, this.#game(game), at, bytes.length, error), (status) => status !== 0));
    return this;
  }

  // A position for the eyes of RED, BLUE, PUBLIC or ALL; a record for ALL with `record`.
  text(game, eyes = PUBLIC) {
    return this.#text("ensign_text", this.#game(game), number(eyes, RED, ALL, "eyes")) ?? "";
  }

  // Why an action of the side to move is legal or not: the word of the rule, ": " and a sentence.
  why(game, action) {
    return this.#text("ensign_why", this.#game(game), number(action, -1, 2 ** 31 - 1, "action")) ?? "";
  }

  // The text of the move that an action begins or ends; null if it is illegal.
  moveText(game, action) {
    return this.#text("ensign_move_text", this.#game(game), number(action, -1, 2 ** 31 - 1, "action"));
  }

  #text(call, ...numbers) {
    return this.ensign.textOf((at, room) => this.ensign.calls[call](this.handle, ...numbers, at, room));
  }

  // Fills games of `to` with games that `side` cannot tell from this one. `weights`: squares x
  // (kinds + 1), how likely each kind is on each square, as the side counts them.
  sample(game, side, to, { first = 0, count = to.games - first, weights, seed } = {}) {
    const given = this.#list(weights, this.shape.squares * (this.shape.kinds + 1), "weights", (list) => Float32Array.from(list));
    number(first, 0, to.games - 1, "first");
    number(count, 1, to.games - first, "count");
    return this.#check(this.ensign.given([given], (at) => this.ensign.calls.ensign_sample(this.handle, this.#game(game),
      number(side, RED, BLUE, "side"), at, seedOf(seed), to.handle, first, count)));
  }
}
