// army.js - an army that is being laid out: which piece stands where in a side's own zone.
//
// Places are numbered as the owner sees them: from the front rank's left, rank by rank, as in the
// text of a set-up. Nothing here draws; every change can be undone.

function shuffled(list, random) {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

// Pieces of a kind that a side starts with.
export const countOf = (kind, side) => kind.counts?.[side] ?? kind.count;

// The places with another letter on one of them.
const put = (places, at, letter) => places.map((before, place) => (place === at ? letter : before));

export class Army {
  // `variant`: of the protocol; `random`: gives numbers from 0 to below 1.
  constructor(variant, side, random = Math.random) {
    this.variant = variant;
    this.side = side;
    this.random = random;
    this.kinds = new Map(variant.kinds.map((kind) => [kind.letter, kind]));
    const zone = variant.zone[side] ?? variant.zone;
    this.ranks = zone.ranks;
    this.places = new Array(this.ranks * variant.files).fill(null); // a letter, or null
    this.past = [];
    const lakes = new Set(variant.lakes), inside = zone.squares && new Set(zone.squares);
    this.land = this.places.map((_, place) => (inside ? inside.has(this.squareOf(place)) : !lakes.has(this.squareOf(place))));
  }

  // "a4" of a place.
  squareOf(place) {
    const { files, ranks } = this.variant;
    const row = Math.floor(place / files), column = place % files;
    const [file, rank] = this.side === "red" ? [column, this.ranks - row] : [files - 1 - column, ranks - this.ranks + row + 1];
    return String.fromCharCode(97 + file) + rank;
  }

  // The place of a square; -1 outside the zone and on lakes.
  placeOf(square) {
    return this.places.findIndex((_, place) => this.land[place] && this.squareOf(place) === square);
  }

  at(square) {
    return this.places[this.placeOf(square)] ?? null;
  }

  // Pieces of a kind still to be placed.
  left(letter) {
    return countOf(this.kinds.get(letter), this.side) - this.places.filter((one) => one === letter).length;
  }

  // May a piece of the kind start on this place?
  allows(letter, place) {
    const start = this.kinds.get(letter)?.start;
    return !start || start[this.side].includes(this.squareOf(place));
  }

  // What is still to be placed: [{ kind, count }, …].
  missing() {
    return this.variant.kinds.map((kind) => ({ kind, count: this.left(kind.letter) })).filter(({ count }) => count > 0);
  }

  get text() {
    const rows = [];
    for (let at = 0; at < this.places.length; at += this.variant.files)
      rows.push(this.places.slice(at, at + this.variant.files).map((letter) => letter ?? ".").join(""));
    return rows.join("/");
  }

  // Puts other pieces in the places; false if nothing changes.
  change(places) {
    if (places.every((letter, place) => letter === this.places[place])) return false;
    this.past.push(this.places);
    this.places = places;
    return true;
  }

  undo() {
    if (!this.past.length) return false;
    this.places = this.past.pop();
    return true;
  }

  clear() {
    return this.change(this.places.map(() => null));
  }

  // Puts a piece of a kind on a square; what stood there is to be placed again. False if none is
  // left, or it may not start there.
  put(letter, square) {
    const place = this.placeOf(square);
    if (place < 0 || !this.kinds.has(letter) || this.places[place] === letter || this.left(letter) <= 0 || !this.allows(letter, place)) return false;
    return this.change(put(this.places, place, letter));
  }

  // Takes the piece off a square.
  take(square) {
    const place = this.placeOf(square);
    return place >= 0 && this.change(put(this.places, place, null));
  }

  // Moves a piece to another square of the zone; the one there goes the other way.
  move(from, to) {
    const [a, b] = [this.placeOf(from), this.placeOf(to)];
    if (a < 0 || b < 0) return false;
    const fits = (letter, place) => !letter || this.allows(letter, place);
    if (!fits(this.places[a], b) || !fits(this.places[b], a)) return false;
    return this.change(put(put(this.places, a, this.places[b]), b, this.places[a]));
  }

  // Left becomes right.
  mirror() {
    const { files } = this.variant;
    const twin = (place) => place - place % files + files - 1 - place % files;
    const whole = this.places.every((letter, place) => !letter || (this.land[twin(place)] && this.allows(letter, twin(place))));
    return whole && this.change(this.places.map((_, place) => this.places[twin(place)]));
  }

  // Places what is missing by chance: what may not start everywhere first, then what cannot move far
  // back, the flag in the last rank.
  fill() {
    const { files } = this.variant, places = [...this.places];
    const free = shuffled(places.keys(), this.random).filter((place) => !places[place] && this.land[place]);
    const room = (kind) => kind.start?.[this.side].length ?? Infinity;
    const still = this.missing().sort((a, b) => Math.sign(room(a.kind) - room(b.kind)) || Number(a.kind.mobile) - Number(b.kind.mobile) || Number(b.kind.flag) - Number(a.kind.flag));
    for (const { kind, count } of still) {
      for (let i = 0; i < count && free.length; i++) {
        if (kind.start) {
          const open = free.findIndex((place) => this.allows(kind.letter, place));
          if (open >= 0) places[free.splice(open, 1)[0]] = kind.letter;
          continue;
        }
        const rank = (place) => Math.floor(place / files);
        const back = Math.max(...free.map(rank)) - (kind.flag ? 0 : 1);
        const at = kind.mobile ? 0 : free.findIndex((place) => rank(place) >= back);
        places[free.splice(at, 1)[0]] = kind.letter;
      }
    }
    return this.change(places);
  }

  // The whole army by chance.
  shuffle() {
    const before = this.places, steps = this.past.length;
    this.places = this.places.map(() => null);
    this.fill();
    this.past.length = steps;
    this.past.push(before);
    return true;
  }

  // Takes a set-up's text. False, and nothing changes, if it does not fit this variant.
  read(text) {
    const rows = text.trim().split("/"), letters = [...rows.join("")];
    const { files } = this.variant;
    if (rows.length !== this.ranks || rows.some((row) => [...row].length !== files)) return false;
    const places = letters.map((letter) => (letter === "." ? null : letter));
    const count = (letter) => places.filter((one) => one === letter).length;
    const fits = places.every((letter, place) => !letter || (this.land[place] && this.kinds.has(letter) && this.allows(letter, place) && count(letter) <= countOf(this.kinds.get(letter), this.side)));
    if (fits) this.change(places);
    return fits;
  }

  // The board's pieces: Map(square → piece), as board.js shows them. Each keeps its id as long as
  // pieces of its kind only move.
  position() {
    const at = new Map(), numbers = new Map();
    this.places.forEach((letter, place) => {
      if (!letter) return;
      const number = numbers.get(letter) ?? 0;
      numbers.set(letter, number + 1);
      at.set(this.squareOf(place), { id: `${letter}${number}`, side: this.side, kind: this.kinds.get(letter).name, moved: false, known: false });
    });
    return { at, dark: new Set() };
  }
}
