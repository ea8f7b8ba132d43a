// guesses.js - what the pieces of a game may be: in words for the square that is pointed at, and the
// player's own notes on enemy pieces.
import { pieceIcon } from "./board.js";
import { el } from "./dom.js";
import { keep, kept } from "./game_cache.js";
import { abilityWords, refusalWords } from "./pieces.js";
import { kindName, sideName, t } from "./words.js";

export class Guesses {
  // `view`: the game's.
  constructor(view) {
    this.view = view;
    this.labels = kept(view.game, view.own).marks ?? {}; // by the piece's id
    this.element = el("p", { class: "look" });
  }

  markOf(piece) {
    return piece.kind === null ? this.labels[piece.id] ?? null : null;
  }

  // Those of a game that is over last as long as the page.
  setMark(piece, label) {
    if (label) this.labels[piece.id] = label;
    else delete this.labels[piece.id];
    if (!this.view.main.end) keep(this.view.game, this.view.own, { marks: this.labels });
  }

  // Map(square → note), for the board.
  get marks() {
    const { view } = this, marks = new Map();
    if (view.eyes !== view.own) return marks;
    for (const [square, piece] of view.entry.at) {
      const note = this.markOf(piece);
      if (note) marks.set(square, note);
    }
    return marks;
  }

  mayBe(square) {
    const { entry, shown } = this.view, piece = entry?.at.get(square);
    return piece && shown.armies ? { piece, kinds: shown.mayBe(piece, entry) } : null;
  }

  ruledOut(square, kind) {
    const { piece, kinds } = this.mayBe(square) ?? {};
    if (!piece || piece.kind !== null) return false;
    return !kinds.some((one) => one.kind === kind && !one.vain);
  }

  // Says what stands on the square that is looked at.
  look(square) {
    if (square === this.looked) return;
    this.looked = square;
    this.describe();
  }

  // What the abilities of a piece need and, in its side's turn, why they cannot be used.
  abilityWords(square, piece) {
    const { view } = this, { abilities } = view.main.kinds.get(piece.kind), { moves, asked } = view.input;
    const used = ({ name }) => view.shown.history.flatMap(({ events }) => events)
      .filter(({ type, side, ability }) => type === "ability" && side === piece.side && ability === name).length;
    const refused = asked && piece.side === view.side && !moves.some((move) => move.from === square && move.ability !== null);
    return abilities.map((one) => [abilityWords(one), refused ? refusalWords(one, used(one)) : ""].filter(Boolean).join(" "));
  }

  // Says it again: the position may be another one.
  describe() {
    const square = this.looked;
    const found = square && this.mayBe(square);
    if (!found) {
      this.element.textContent = "";
      return;
    }
    const { piece, kinds } = found, name = `${square}: ${sideName(piece.side)}`;
    if (piece.kind !== null) {
      this.element.textContent = [`${name}, ${kindName(piece.kind)}${piece.known ? `, ${t("known to the other side")}` : ""}.`,
        ...this.abilityWords(square, piece)].join(" ");
      return;
    }
    const list = kinds.map(({ kind, count, vain }) => el(vain ? "s" : "span", {}, `${kindName(kind)}${count > 1 ? ` (${count})` : ""}`));
    this.element.replaceChildren(`${name}, ${piece.moved ? t("has moved") : t("has never moved")}. ${t("May be:")} `,
      ...list.flatMap((one, index) => [index ? ", " : "", one]));
  }

  // The player's own mark on a hidden piece.
  async note(square) {
    const { view } = this, found = this.mayBe(square);
    if (!found || found.piece.kind !== null || view.eyes !== view.own || found.piece.side === view.side) return;
    const { piece, kinds } = found, board = new Map(view.main.variant.kinds.map((kind) => [kind.name, kind]));
    const now = this.markOf(piece);
    const choices = kinds.map(({ kind, count, vain }) => ({
      value: board.get(kind).label, text: kindName(kind), icon: pieceIcon(board, { side: piece.side, kind }), hint: `${count}`, dim: vain,
    }));
    if (now) choices.unshift({ value: "", text: t("no mark") });
    const label = await view.chooser.choose(square, t("{1} may be one of these. Mark it as:", square), choices);
    if (label === null) return;
    this.setMark(piece, label);
    view.showPosition();
  }
}
