// film.js - a recorded game, ply by ply, decoded from the text that the program wrote.
//
// It knows no rules: a film lists the squares that change and their new contents.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUE = new Map([...DIGITS].map((digit, value) => [digit, value]));
// Bits of a square's contents; documented in host/film.h.
const KIND = 31, BLUE = 32, MOVED = 64, KNOWN = 128, SEEN_MOVED = 256, UNSEEN = 512, DARK = { red: 1024, blue: 2048 };
const PLAIN_STEP = 255, TOLD_FROM = 1, TOLD_TO = 2;

// The number that begins there.
function readNumber(text, at) {
  let value = 0;
  for (let i = at; i < at + 4; i++) value = value << 6 | VALUE.get(text[i]);
  return value;
}

// The chances before each ply and at the end: { red, blue }, from 0 to 1.
function readChances(text) {
  return Array.from({ length: text.length / 4 }, (_, ply) => readNumber(text, 4 * ply))
    .map((number) => ({ red: (number >> 12) / 1000, blue: (number & 4095) / 1000 }));
}

// Every ply: { from, to, told, changes: [[square, contents], …] }; `changes` is null for a plain
// step. The first entry is the start.
function readPlies(text) {
  let at = 0;
  const number = () => readNumber(text, (at += 4) - 4);
  const plies = [];
  while (at < text.length) {
    const head = number(), count = head & 255;
    const changes = count === PLAIN_STEP ? null
      : Array.from({ length: count }, number).map((change) => [change >> 12, change & 4095]);
    plies.push({ from: head >> 17 & 127, to: head >> 10 & 127, told: head >> 8 & 3, changes });
  }
  return plies;
}

// "r3bM..../…" from the top rank down, as numbers by square.
function readStart(board, text) {
  const held = new Uint16Array(board.files * board.ranks);
  const letters = new Map(board.kinds.map((kind, index) => [kind.letter, index + 1]));
  text.split(" ")[0].split("/").forEach((line, row) => {
    let file = 0;
    for (let i = 0; i < line.length; i++, file++) {
      if (line[i] === ".") continue;
      const side = line[i] === "b" ? BLUE : 0;
      held[(board.ranks - 1 - row) * board.files + file] = side | letters.get(line[++i]);
    }
  });
  return held;
}

// One game: its squares after any ply, through any eyes ("red", "blue", "open").
class Film {
  constructor(board, [, , , , , first, start, text, notes, ending, bot, chances]) {
    this.board = board;
    this.first = first;
    this.notes = notes || {};
    this.ending = ending;
    this.bot = bot;
    this.chances = chances && readChances(chances);
    this.plies = readPlies(text);
    this.start = readStart(board, start);
    this.step(this.start, this.plies[0]);
    this.at = 0;
    this.held = this.start.slice();
  }

  get length() { return this.plies.length - 1; }

  step(held, { from, to, changes }) {
    if (changes) {
      for (const [square, value] of changes) held[square] = value;
    } else {
      held[to] = held[from] | MOVED | SEEN_MOVED;
      held[from] = 0;
    }
  }

  // The side that made this ply.
  side(ply) { return (ply % 2 === 1) === (this.first === "red") ? "red" : "blue"; }

  // Contents of the squares after `ply` plies. Valid until the next call.
  squares(ply) {
    if (ply < this.at) {
      this.held.set(this.start);
      this.at = 0;
    }
    while (this.at < ply) this.step(this.held, this.plies[++this.at]);
    return this.held;
  }

  // A square as these eyes see it: null, or { side, kind (null: hidden), moved, known }; known: an
  // own piece whose kind the enemy knows.
  see(value, eyes) {
    if (!(value & KIND)) return null;
    const side = value & BLUE ? "blue" : "red", own = eyes === "open" || eyes === side;
    if (!own && value & UNSEEN) return null;
    return {
      side,
      kind: own || value & KNOWN ? (value & KIND) - 1 : null,
      moved: Boolean(value & (own ? MOVED : SEEN_MOVED)),
      known: own && Boolean(value & KNOWN),
    };
  }

  // Is the square out of sight of these eyes?
  dark(value, eyes) { return eyes !== "open" && Boolean(value & DARK[eyes]); }

  // Do these eyes learn the squares of a ply: [`from`, `to`].
  told(ply, eyes) {
    const { told } = this.plies[ply], all = eyes === "open" || eyes === this.side(ply);
    return [all || Boolean(told & TOLD_FROM), all || Boolean(told & TOLD_TO)];
  }

  // { attacker, defender }: kinds that these eyes know (else null); null if it was no attack. A side
  // knows its own piece, and the enemy's if the attack revealed it.
  battle(ply, eyes) {
    const { from, to, told } = this.plies[ply], before = this.squares(ply - 1);
    if (from === to || !(before[to] & KIND)) return null;
    const open = eyes === "open", mover = eyes === this.side(ply);
    return {
      attacker: open || mover || told & TOLD_FROM ? (before[from] & KIND) - 1 : null,
      defender: open || !mover || told & TOLD_TO ? (before[to] & KIND) - 1 : null,
    };
  }

  // The move in notation, with "?" for a square that these eyes do not learn.
  move(ply, eyes) {
    const attack = this.battle(ply, eyes);
    const [from, to] = attack ? [true, true] : this.told(ply, eyes);
    if (this.notes[ply] && from && to) return this.notes[ply];
    const name = (at, known) => (known ? squareName(this.board, at) : "?");
    return name(this.plies[ply].from, from) + (attack ? "x" : "-") + name(this.plies[ply].to, to);
  }

  // All moves from the first to the last.
  moves(eyes) {
    return Array.from({ length: this.length }, (_, index) => this.move(index + 1, eyes));
  }

  // The squares of a ply that may be marked for these eyes.
  marks(ply, eyes) {
    if (ply === 0) return [];
    const { from, to } = this.plies[ply];
    const [one, other] = this.battle(ply, eyes) ? [true, true] : this.told(ply, eyes);
    return [...(one ? [from] : []), ...(other ? [to] : [])];
  }

  // The fallen pieces of a side, which are public: [{ kind, count }, …].
  lost(ply, side) {
    const count = (held) => {
      const counts = new Array(this.board.kinds.length).fill(0);
      for (const value of held) {
        if (value & KIND && (value & BLUE ? "blue" : "red") === side) counts[(value & KIND) - 1]++;
      }
      return counts;
    };
    const now = count(this.squares(ply));
    return count(this.start)
      .map((before, kind) => ({ kind, count: before - now[kind] }))
      .filter((entry) => entry.count > 0);
  }
}
