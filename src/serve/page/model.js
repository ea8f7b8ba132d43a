// model.js - what one seat, or one onlooker, knows of a game: made from the messages of the seat
// protocol and nothing else.
//
// It knows no rules: it follows events, as the server told them to these eyes. Squares are their
// names ("a4"). A piece is
//   { id, side, kind (its name, null: hidden), moved, known (the other side knows the kind),
//     winner (kinds that it may be, as an unseen winner or by what was learned, or null), named (kinds that were named in vain) }
// and is never changed once it stands in a position: a turn that changes it makes a new one with
// the same id, so that every position of the game stays at hand.
//
// No document is needed: tests run this file under node.
import { readPosition, writePosition } from "./position.js";

const OTHER = { red: "blue", blue: "red" };

export function otherSide(side) {
  return OTHER[side];
}

// The outcome of a battle between kinds on the squares of an event; undefined if the first never attacks.
function outcomeOf({ battles, battles_on: others = [] }, { side, from, to }, attacker, defender) {
  const on = others.find((one) => one.from[side].includes(from) && one.to[side].includes(to));
  return on?.battles[attacker]?.[defender] ?? battles[attacker]?.[defender];
}

export class Model {
  // `game`: the message of that type.
  constructor(game) {
    this.history = []; // one entry a ply, from the start: see enter()
    this.kinds = new Map();
    this.letters = new Map();
    this.takeGame(game);
  }

  takeGame(game) {
    this.game = game.game;
    this.side = game.side;
    this.eyes = game.eyes;
    this.names = game.names;
    this.variant = game.variant;
    this.kinds = new Map(game.variant.kinds.map((kind) => [kind.name, kind]));
    this.letters = new Map(game.variant.kinds.map((kind) => [kind.letter, kind.name]));
    this.question = null; // the message that asks this seat
    this.end = null;      // the message
  }

  // Follows a message. Returns what it was: "new" (another position from which nothing leads on),
  // "turn" (an entry was added), "ask", "end", or null if nothing has changed.
  take(message) {
    switch (message.type) {
      case "game":
        this.takeGame(message);
        return null;
      case "start":
        return this.takeStart(message);
      case "events":
        return this.takeEvents(message);
      case "undone":
        return this.takeUndone(message);
      case "setup":
      case "draw":
        this.question = message;
        return "ask";
      case "move":
        return this.takeQuestion(message);
      case "end":
        this.question = null;
        this.end = message;
        return "end";
      default:
        return null;
    }
  }

  get started() { return this.history.length > 0; }

  // Plies played.
  get ply() { return this.history.length - 1; }

  get now() { return this.history[this.history.length - 1]; }

  // Does a piece of `side` show these eyes its kind from the beginning?
  owns(side) {
    return this.eyes === "all" || this.eyes === side;
  }

  takeStart(message) {
    this.armies = message.armies;
    this.ids = 0;
    this.end = null;
    this.history = [{ ...this.fromPosition(message.position, null), counters: message.counters ?? {} }];
    return "new";
  }

  // The entry of a position text; pieces are those of `before` where they can be the same.
  fromPosition(text, before) {
    const read = readPosition(text), at = new Map();
    for (const [square, { side, letter }] of read.at) {
      const kind = this.letters.get(letter) || null, old = before && before.at.get(square);
      if (old && old.side === side && (old.kind === kind || old.kind === null)) at.set(square, old.kind === kind ? old : { ...old, kind });
      else at.set(square, this.newPiece(side, kind));
    }
    const fallen = before ? before.fallen : { red: {}, blue: {} };
    return { ...this.enter(), at, dark: read.dark, fallen, toMove: read.toMove };
  }

  // An entry: the position after a turn, and the turn that led to it.
  enter() {
    return { at: new Map(), dark: new Set(), fallen: { red: {}, blue: {} }, counters: {}, toMove: null, side: null, move: null, events: [], squares: [], battle: null };
  }

  newPiece(side, kind) {
    return { id: ++this.ids, side, kind, moved: false, known: false, winner: null, named: [] };
  }

  takeUndone(message) {
    this.end = null;
    this.question = null;
    if (message.ply < this.history.length && this.started) {
      this.history.length = message.ply + 1;
      return "new";
    }
    this.ids = this.ids || 0;
    this.history = [{ ...this.fromPosition(message.position, null), counters: message.counters ?? {} }];
    return "new";
  }

  // The question's position is the host's word on what this side knows for certain.
  takeQuestion(message) {
    this.question = message;
    if (this.started && message.ply === this.ply && writePosition(this.variant, this.now) !== message.position) {
      const { at, dark } = this.fromPosition(message.position, this.now);
      this.history[this.ply] = { ...this.now, at, dark };
    }
    return "ask";
  }

  // Has this model missed something? Then the game must be told again.
  get behind() {
    return Boolean(this.question && this.question.type === "move" && this.question.ply !== this.ply);
  }

  takeEvents(message) {
    if (!this.started) return null;
    const bare = message.events.every((event) => event.type === "end");
    if (bare) {
      this.question = null;
      return null; // an end without a turn; `end` follows
    }
    if (message.ply !== this.ply + 1) return null; // told already
    this.question = null;
    const turn = new Turn(this, this.now, message);
    for (const event of message.events) turn.follow(event);
    this.history.push(turn.finish(message));
    return "turn";
  }

  // Kinds that a hidden piece may still be, by its moves, its battle and the counts, as
  // [{ kind, count (left to be found), vain (named without effect) }, …]; a known one is its kind.
  mayBe(piece, entry = this.now) {
    if (piece.kind !== null) return [{ kind: piece.kind, count: 1, vain: false }];
    const left = { ...(this.armies ? this.armies[piece.side] : {}) };
    for (const [kind, count] of Object.entries(entry.fallen[piece.side])) left[kind] = (left[kind] || 0) - count;
    for (const other of entry.at.values()) {
      if (other.side === piece.side && other.kind !== null) left[other.kind] -= 1;
    }
    return this.variant.kinds
      .filter(({ name, mobile }) => left[name] > 0 && (mobile || !piece.moved) && (!piece.winner || piece.winner.includes(name)))
      .map(({ name }) => ({ kind: name, count: left[name], vain: piece.named.includes(name) }));
  }
}

// One turn: a copy of the position before it that follows the events.
class Turn {
  constructor(model, before, message) {
    this.model = model;
    this.entry = {
      ...model.enter(),
      at: new Map(before.at), dark: new Set(before.dark),
      fallen: { red: { ...before.fallen.red }, blue: { ...before.fallen.blue } }, counters: { ...before.counters },
      toMove: otherSide(message.side), side: message.side, move: message.move, events: message.events,
    };
  }

  // The piece on a square, taken off it. One that comes from out of sight is new.
  lift(square, side) {
    const { at } = this.entry, piece = square && at.get(square);
    if (piece) at.delete(square);
    return piece || this.model.newPiece(side, null);
  }

  change(square, changes) {
    const piece = square && this.entry.at.get(square);
    if (piece) this.entry.at.set(square, { ...piece, ...changes });
  }

  // Without a kind: "?", where the fallen stay hidden.
  fall(side, kind) {
    const fallen = this.entry.fallen[side];
    fallen[kind || "?"] = (fallen[kind || "?"] || 0) + 1;
  }

  mark(...squares) {
    this.entry.squares.push(...squares.filter((square) => square && !this.entry.squares.includes(square)));
  }

  follow(event) {
    this[event.type]?.(event);
  }

  // Where a piece moves out of sight or into it, one of the two squares is missing; both are for an
  // onlooker who sees no square.
  move({ side, from, to }) {
    this.mark(from, to);
    if (!from && !to) return;
    const piece = this.lift(from, side);
    if (to) this.entry.at.set(to, { ...piece, moved: true });
  }

  battle(event) {
    const { side, from, to, kind = null, other = null, outcome } = event;
    this.mark(from, to);
    const attacker = this.lift(from, side), defender = this.lift(to, otherSide(side));
    const attackerKind = kind || attacker.kind, defenderKind = other || defender.kind;
    this.entry.battle = { side, from, to, attacker: attackerKind, defender: defenderKind, outcome };
    if (outcome === "attacker") {
      this.entry.at.set(event.stays ? from : to, { ...attacker, moved: true, winner: this.winners(attacker, this.kindsOf(defender, defenderKind), event) });
    } else {
      this.fall(side, attackerKind);
    }
    if (outcome === "defender") this.entry.at.set(to, { ...defender, winner: this.winners(defender, this.kindsOf(attacker, attackerKind), event) });
    else this.fall(otherSide(side), defenderKind);
  }

  // Kinds that a piece may be whose fall was told, or hidden from these eyes.
  kindsOf(piece, kind) {
    if (kind) return [kind];
    return piece.winner || this.model.variant.kinds.map(({ name }) => name);
  }

  // Kinds that a hidden winner may be: those that win this battle against one of the others.
  winners(piece, others, event) {
    if (piece.kind !== null) return null;
    const { variant } = this.model, { kinds } = variant, { outcome } = event;
    const wins = (name) => others.some((other) => {
      const result = outcome === "attacker" ? outcomeOf(variant, event, name, other) : outcomeOf(variant, event, other, name);
      return result === outcome || result === "ask";
    });
    return kinds.map(({ name }) => name).filter((name) => wins(name) && (!piece.winner || piece.winner.includes(name)));
  }

  ability({ from, to, kind }) {
    this.mark(from, to);
    this.show(from);
    const target = to && this.entry.at.get(to);
    if (kind && target && target.kind === null && !target.named.includes(kind)) {
      this.change(to, { named: [...target.named, kind] });
    }
  }

  // An enemy that acts from out of sight stands there.
  show(square) {
    if (!OTHER[this.model.eyes] || !square || this.entry.at.has(square)) return;
    this.entry.at.set(square, this.model.newPiece(otherSide(this.model.eyes), null));
  }

  remove({ side, from, kind }) {
    this.mark(from);
    if (from) this.entry.at.delete(from);
    this.fall(side, kind);
  }

  reveal({ from, kind }) {
    this.show(from);
    this.change(from, { kind, known: true, winner: null, named: [] });
  }

  // Told to these eyes, or that the other side was told something.
  learn({ side, from, kinds }) {
    this.mark(from);
    if (!kinds || this.model.owns(otherSide(side))) return;
    const piece = this.entry.at.get(from);
    if (!piece || piece.kind !== null) return;
    if (kinds.length === 1) this.change(from, { kind: kinds[0], known: true, winner: null, named: [] });
    else this.change(from, { winner: piece.winner ? piece.winner.filter((kind) => kinds.includes(kind)) : kinds });
  }

  count({ side, counter, now }) {
    const { counters } = this.entry;
    counters[counter] = side ? { ...counters[counter], [side]: now } : now;
  }

  conceal({ side, from }) {
    const forgotten = this.model.owns(side) ? {} : { kind: null, winner: null, named: [] };
    this.change(from, { known: false, ...forgotten });
  }

  // One end of an exchange may be out of sight.
  swap({ from, to }) {
    this.mark(from, to);
    const { at } = this.entry, first = from && at.get(from), second = to && at.get(to);
    if (from) at.delete(from);
    if (to) at.delete(to);
    if (first && to) at.set(to, first);
    if (second && from) at.set(from, second);
  }

  place({ side, to, kind }) {
    this.mark(to);
    const { fallen, at } = this.entry;
    if (kind) fallen[side][kind] = (fallen[side][kind] || 0) - 1;
    if (to) at.set(to, this.model.newPiece(side, this.model.owns(side) ? kind : null));
  }

  // After the events: enemies that came into sight, or went out of it. `dark` are the squares out of
  // sight; who watches a game in the fog with no side's eyes sees no square.
  finish(message) {
    const { at } = this.entry, { eyes } = this.model;
    if (message.dark) this.entry.dark = new Set(message.dark);
    const seen = new Set(message.seen);
    for (const [square, piece] of at) {
      if (message.seen ? piece.side !== eyes && !seen.has(square) : this.entry.dark.has(square)) at.delete(square);
    }
    for (const square of seen) {
      if (!at.has(square)) at.set(square, this.model.newPiece(otherSide(eyes), null));
    }
    return this.entry;
  }
}
