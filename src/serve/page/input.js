// input.js - how a player makes a move on a board: a piece, a square, and whatever else tells the
// legal moves apart (the ability, its target, the kind that it names).
//
// The legal moves are those of the server's question; nothing is worked out here.
import { el } from "./dom.js";
import { readMove } from "./position.js";
import { kindName, t } from "./words.js";
import { pieceIcon } from "./board.js";

// A small list beside a square of a board. choose() resolves to the chosen value, null if it was
// closed without one.
export class Chooser {
  // `frame`: the element that lies over the board.
  constructor(frame, board) {
    this.frame = frame;
    this.board = board;
  }

  // `choices`: [{ value, text, icon, hint, dim }, …]
  choose(square, title, choices) {
    this.close();
    return new Promise((resolve) => {
      this.resolve = resolve;
      const button = ({ value, text, icon, hint, dim }) => el("button", {
        type: "button", class: dim ? "dim" : null, "data-choice": String(value), onclick: () => this.close(value),
      }, icon, el("span", {}, text), hint ? el("small", {}, hint) : null);
      this.box = el("div", { class: choices.length > 5 ? "chooser many" : "chooser", role: "dialog", "aria-label": title },
        el("p", {}, title), el("div", {}, choices.map(button)),
        el("button", { type: "button", class: "cancel", onclick: () => this.close() }, t("Cancel")));
      this.box.addEventListener("keydown", (event) => this.keyed(event));
      this.frame.append(this.box);
      this.put(square);
      this.box.querySelector("button").focus({ preventScroll: true });
      this.box.scrollIntoView?.({ block: "nearest" });
    });
  }

  get open() { return Boolean(this.box); }

  // Below the square, or above it; never beyond the frame.
  put(square) {
    const { x, y } = this.board.middle(square), frame = this.frame.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const cell = frame.width / (this.board.variant.files + 1);
    const below = y + cell * .6, above = y - cell * .6 - height;
    const top = below + height <= frame.height ? below : above >= 0 ? above : Math.max(0, frame.height - height);
    this.box.style.left = `${Math.max(0, Math.min(x - width / 2, frame.width - width))}px`;
    this.box.style.top = `${top}px`;
  }

  keyed(event) {
    const buttons = [...this.box.querySelectorAll("button")], at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (step) buttons.at((at + step) % buttons.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close(value = null) {
    if (!this.box) return;
    const { box, resolve } = this, focused = box.contains(document.activeElement);
    this.box = null;
    box.remove();
    if (focused) this.board.focus(this.board.focused);
    resolve(value);
  }
}

export class MoveInput {
  // `send(text)` makes a move; `refuse(from, to)` is told of one that is not legal; `changed()` asks
  // for the board to be shown again; `variant` names the kinds.
  constructor({ chooser, variant, side, send, refuse, changed }) {
    Object.assign(this, { chooser, variant, side, send, refuse, changed });
    this.kinds = new Map(variant.kinds.map((kind) => [kind.name, kind]));
    this.moves = [];
    this.picked = null;
    this.aiming = null; // moves among which a target is to be chosen
    this.planned = null; // { from, to }: to be made once this side is asked
  }

  // While the other side thinks: a piece of one's own that can move, then where it is to go. False
  // if the square means nothing to that; another click takes a plan back.
  plan(square) {
    const piece = this.chooser.board.position.at.get(square), { picked, planned } = this;
    const own = piece?.side === this.side && this.kinds.get(piece.kind)?.mobile;
    if (!picked && !planned && !own) return false;
    this.planned = picked && square !== picked && piece?.side !== this.side ? { from: picked, to: square } : null;
    this.picked = !this.planned && own && square !== picked && square !== planned?.from ? square : null;
    this.changed();
    return true;
  }

  // Makes the move that was planned; false if it is not one of those that can be made.
  makePlanned() {
    const { planned } = this, [move] = planned ? this.meant(planned.from, planned.to).filter(({ ability }) => ability === null) : [];
    this.planned = null;
    if (move) this.make(move.text);
    else this.changed();
    return !planned || Boolean(move);
  }

  // The legal moves; none while this side is not asked. Asked the same again, a player keeps what is
  // in hand.
  offer(texts) {
    if (this.asked && texts.join() === this.moves.map(({ text }) => text).join()) return;
    this.moves = texts.map(readMove).filter(Boolean);
    this.aiming = null;
    if (!this.moves.some(({ from }) => from === this.picked)) this.picked = null;
    if (!this.asked) this.planned = null;
    this.chooser.close();
  }

  get asked() { return this.moves.length > 0; }

  // What the board is to mark.
  get options() {
    const movable = new Set(this.moves.map((move) => move.from));
    if (this.planned) return { planned: Object.values(this.planned) };
    if (this.aiming) return { picked: this.picked, targets: this.aiming.map((move) => move.target) };
    if (!this.picked) return { movable };
    const own = this.moves.filter((move) => move.from === this.picked);
    return {
      movable, picked: this.picked,
      legal: own.filter((move) => move.to !== move.from).map((move) => move.to),
      targets: own.filter((move) => move.to === move.from).map((move) => move.target),
    };
  }

  lift(square) {
    this.aiming = null;
    this.picked = square;
    this.changed();
  }

  drop(from, to) {
    if (to === null) this.changed();
    else this.go(from, to);
  }

  cancel() {
    this.picked = this.aiming = this.planned = null;
    this.chooser.close();
    this.changed();
  }

  // A click on a square. False if it means nothing to a move.
  pick(square) {
    if (!this.asked) return false;
    if (this.aiming) {
      this.aim(square);
      return true;
    }
    const own = this.moves.some((move) => move.from === square);
    if (this.picked && this.meant(this.picked, square).length) {
      this.go(this.picked, square);
    } else if (own) {
      this.picked = this.picked === square ? null : square;
      this.changed();
    } else if (this.picked) {
      this.go(this.picked, square);
    } else {
      return false;
    }
    return true;
  }

  // The moves that a piece and a second square may mean.
  meant(from, square) {
    return this.moves.filter((move) => move.from === from && (move.to === from ? move.target === square : move.to === square));
  }

  async go(from, square) {
    const moves = this.meant(from, square);
    if (!moves.length) {
      this.picked = null;
      this.changed();
      this.refuse(from, square);
      return;
    }
    this.picked = from;
    this.changed();
    const way = await this.chooseWay(square, moves);
    if (!way) return;
    const targets = new Set(way.map((move) => move.target));
    if (targets.size > 1) {
      this.aiming = way;
      this.changed();
    } else {
      this.finish(square, way);
    }
  }

  // Moves that differ by more than target and choice: which of them?
  async chooseWay(square, moves) {
    const ways = new Map();
    for (const move of moves) {
      const key = `${move.to === move.from} ${move.ability}`;
      ways.set(key, [...ways.get(key) ?? [], move]);
    }
    if (ways.size === 1) return moves;
    const choices = [...ways.values()].map((way) => ({ value: way[0].text, text: this.wayWords(way[0]), way }));
    const chosen = await this.chooser.choose(square, t("How?"), choices);
    return choices.find((choice) => choice.value === chosen)?.way ?? null;
  }

  wayWords(move) {
    const ability = move.ability === null ? "" : this.abilityWords(move);
    if (move.to === move.from) return t("stay on {1}: {2}", move.from, ability);
    if (ability) return t("go to {1}, then {2}", move.to, ability);
    return move.attack ? t("attack {1}", move.to) : t("go to {1}", move.to);
  }

  // The ability of a move, whose text names it only where a piece has several.
  abilityOf(move) {
    const abilities = this.kinds.get(this.kindOn(move.from))?.abilities ?? [];
    return abilities.find((one) => one.name === move.ability) ?? abilities[0] ?? { name: "", asks: null };
  }

  abilityWords(move) {
    return t(this.abilityOf(move).name);
  }

  kindOn(square) {
    return this.chooser.board.position.at.get(square)?.kind ?? null;
  }

  aim(square) {
    const way = this.aiming.filter((move) => move.target === square);
    this.aiming = null;
    if (way.length) this.finish(square, way);
    else this.cancel();
  }

  // The moves differ by the kind that they name, if they differ at all.
  async finish(square, moves) {
    if (moves.length === 1) {
      this.make(moves[0].text);
      return;
    }
    const { asks } = this.abilityOf(moves[0]), captured = asks === "captured";
    const side = captured ? this.side : this.side === "red" ? "blue" : "red";
    const choices = moves.map(({ text, choice }) => ({
      value: text, text: kindName(choice), icon: pieceIcon(this.kinds, { side, kind: choice }), dim: !captured && this.ruledOut?.(square, choice),
    }));
    const title = captured ? t("Which fallen piece returns on {1}?", square) : t("What stands on {1}?", square);
    const chosen = await this.chooser.choose(square, title, choices);
    if (chosen) this.make(chosen);
    else this.cancel();
  }

  make(text) {
    this.moves = [];
    this.picked = this.aiming = null;
    this.changed();
    this.send(text);
  }

  // A move that was typed: "e7e8", "a4 a5" and "a4xa5" mean the same; a kind by name or letter.
  type(text) {
    const plain = (move) => move.toLowerCase().replace(/[\s\-x]/g, "");
    const typed = text.trim().replace(/=(.)$/, (all, letter) => {
      const kind = this.variant.kinds.find((one) => one.letter === letter.toUpperCase());
      return kind ? `=${kind.name}` : all;
    });
    const move = this.moves.find((one) => plain(one.text) === plain(typed));
    if (move) this.make(move.text);
    return Boolean(move);
  }
}
