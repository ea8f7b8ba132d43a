// setup.js - the editor in which a player lays out an army.
//
//   const setup = new Setup(element, { variant, side, draft, keep: (text) => …, onDone: (text) => … });
//   setup.say("why it was refused");   the editor stays
//   setup.close();
//
// It begins with `draft`, a set-up's text that need not be whole, and keeps each change.
//
// By mouse or finger: drag pieces from the tray and on the board, or tap one and then a square. By
// keys: arrows walk over the board, a piece's letter or number puts it there, Delete takes it off.
import { Army, countOf } from "./army.js";
import { Board, pieceIcon } from "./board.js";
import { el, sv } from "./dom.js";
import { forgetSetup, readSetups, savedSetups, saveSetup, setupName, setupsAsText } from "./saved.js";
import { complain, toast } from "./toast.js";
import { librarySetups } from "./variants.js";
import { kindName, sideName, t } from "./words.js";

const DRAG_PIXELS = 6;
const SHOWN_BEYOND = 2; // ranks in front of the zone

export class Setup {
  constructor(element, { variant, side, draft, keep, onDone }) {
    this.army = new Army(variant, side);
    if (draft && this.army.read(draft)) this.army.past = [];
    this.text = this.army.text; // as it is kept
    this.variant = variant;
    this.side = side;
    this.keep = keep;
    this.onDone = onDone;
    this.kinds = new Map(variant.kinds.map((kind) => [kind.name, kind]));
    this.hand = null; // { letter } from the tray or { square } from the board
    this.named = null; // the letter of the piece taken last, in hand or none left
    this.root = el("section", { class: "setup" });
    element.append(this.root);
    this.build();
    this.draw();
  }

  close() {
    this.ghost?.remove();
    this.root.remove();
    scrollTo(0, 0);
  }

  // Shows why an army was refused.
  say(text) {
    this.refusal.textContent = text;
    this.done.disabled = this.army.missing().length > 0;
  }

  build() {
    const { side, variant } = this;
    const frame = el("div", { class: "zone" });
    this.board = new Board(frame, { variant, side, interactive: true, label: t("Your zone") });
    this.crop();
    this.tray = el("div", { class: "tray", role: "group", "aria-label": t("Pieces to place") });
    this.buildTray();
    this.refusal = el("p", { class: "refusal", role: "alert" });
    this.told = el("p", { class: "told", role: "status" });
    this.done = el("button", { class: "main", type: "button", onclick: () => this.finish() }, t("Ready"));
    this.undo = this.button(t("Undo"), (army) => army.undo());
    this.shelf = el("select", { "aria-label": t("Library") });
    this.shelf.addEventListener("change", () => this.load(this.shelf.value));
    this.root.append(
      el("h2", {}, t("Lay out your army: {1}", sideName(side))),
      el("div", { class: "bench" }, frame,
        el("div", { class: "side" }, this.told, this.tray, this.refusal,
          el("div", { class: "tools" },
            this.button(t("Fill"), (army) => army.fill()), this.button(t("Shuffle"), (army) => army.shuffle()),
            this.button(t("Mirror"), (army) => army.mirror()), this.button(t("Clear"), (army) => army.clear()), this.undo),
          el("div", { class: "library" }, this.shelf, this.done),
          this.keeping(),
          el("p", { class: "soft keys" }, t("Keys: arrows walk over the board, a piece's letter places it, Delete takes it off.")))));
    this.listen(frame);
    this.fillShelf().catch(complain);
  }

  // The board shows the zone and a little of what is in front of it.
  crop() {
    const { files, ranks } = this.variant;
    this.rows = Math.min(ranks, this.army.ranks + SHOWN_BEYOND);
    this.board.svg.setAttribute("viewBox", `-.55 ${ranks - this.rows - .04} ${files + .6} ${this.rows + .5}`);
    this.board.svg.append(sv("rect", { class: "beyond", x: -.05, y: 0, width: files + .1, height: ranks - this.army.ranks }));
  }

  button(text, change) {
    return el("button", { type: "button", onclick: () => this.change(change) }, text);
  }

  buildTray() {
    this.slots = this.variant.kinds.filter((kind) => countOf(kind, this.side) > 0).reverse().map((kind) => {
      const count = el("span", { class: "count" });
      const slot = el("button", { type: "button", class: "slot", title: `${kindName(kind.name)} (${kind.letter})` },
        pieceIcon(this.kinds, { side: this.side, kind: kind.name, known: false, moved: false }), count);
      slot.addEventListener("click", () => this.dragged || this.choose({ letter: kind.letter }));
      slot.addEventListener("pointerdown", (event) => this.dragFromTray(event, kind, slot));
      return { kind, slot, count };
    });
    this.tray.append(...this.slots.map(({ slot }) => slot));
  }

  // Saving, and set-ups as text.
  keeping() {
    const name = el("input", { type: "text", "aria-label": t("A name for this set-up"), placeholder: t("A name for this set-up") });
    const text = el("textarea", { rows: "4", spellcheck: "false", "aria-label": t("Set-ups as text") });
    const box = el("details", { class: "keeping" }, el("summary", {}, t("Save, import and export")),
      el("div", { class: "row" }, name,
        el("button", { type: "button", onclick: () => this.save(name) }, t("Save")),
        el("button", { type: "button", onclick: () => this.forget() }, t("Delete saved"))),
      text,
      el("div", { class: "row" }, el("button", { type: "button", onclick: () => this.takeText(text) }, t("Read in this text")),
        el("span", { class: "soft" }, t("Copy the text to keep it elsewhere, or paste one here."))));
    box.addEventListener("toggle", () => this.showText(text));
    this.showText = () => { text.value = `${setupsAsText(this.variant.name)}${this.variant.name} this ${this.army.text}\n`; };
    return box;
  }

  async fillShelf() {
    const library = await librarySetups(this.variant.name), saved = savedSetups(this.variant.name);
    const group = (label, list, prefix) => (list.length
      ? el("optgroup", { label }, list.map(({ name, setup, idea }) => el("option", { value: `${prefix} ${setup}`, title: idea }, name))) : "");
    this.shelf.replaceChildren(el("option", { value: "" }, t("Take one from the library …")),
      group(t("My set-ups"), saved, "saved"), group(t("Library"), library, "library"));
  }

  load(value) {
    if (!value) return;
    const setup = value.split(" ")[1];
    this.hand = this.named = null;
    if (!this.army.read(setup)) toast(t("This set-up does not fit the variant."), "bad");
    this.draw();
  }

  save(field) {
    const name = setupName(field.value);
    if (!name) {
      field.focus();
      return;
    }
    try {
      saveSetup(this.variant.name, name, this.army.text);
      toast(t("Saved in this browser: {1}", name));
    } catch (error) {
      complain(error);
    }
    field.value = "";
    this.fillShelf().catch(complain);
    this.showText();
  }

  forget() {
    const [where] = this.shelf.value.split(" ");
    const name = this.shelf.selectedOptions[0]?.textContent;
    if (where !== "saved") {
      toast(t("Choose one of your saved set-ups in the list first."), "bad");
      return;
    }
    forgetSetup(this.variant.name, name);
    this.fillShelf().catch(complain);
    this.showText();
  }

  takeText(field) {
    const found = readSetups(field.value, this.variant.name);
    const mine = found.filter(({ variant }) => variant === this.variant.name);
    const fitting = mine.filter(({ setup }) => this.army.read(setup));
    try {
      for (const { variant, name, setup } of fitting) if (name !== "this") saveSetup(variant, name, setup);
    } catch (error) {
      complain(error);
    }
    toast(t("Set-ups read: {1}, of which {2} fit this variant.", found.length, fitting.length), fitting.length ? "plain" : "bad");
    this.fillShelf().catch(complain);
    this.draw();
  }

  listen(frame) {
    this.board.on("pick", (square) => this.pick(square));
    this.board.on("drop", (from, to) => this.change((army) => (to ? army.move(from, to) : army.take(from))));
    this.board.on("lift", () => { this.hand = null; });
    this.board.on("cancel", () => this.choose(null));
    // Before the board, which has uses of its own for some letters.
    frame.addEventListener("keydown", (event) => this.keyed(event), true);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
      event.preventDefault();
      this.change((army) => army.undo());
    });
  }

  keyed(event) {
    const square = event.target.closest?.("[data-square]")?.dataset.square;
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    const top = this.variant.ranks - this.rows; // the keys stay on what is shown
    const letter = event.key.length === 1 ? event.key.toUpperCase() : "";
    if (event.key === "Delete" || event.key === "Backspace") this.change((army) => army.take(square));
    else if (this.army.kinds.has(letter)) this.type(letter, square);
    else if (event.key !== "ArrowUp" || this.board.place(square).y > top) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // A letter at a square: the piece is put there, and the next square is next.
  type(letter, square) {
    if (this.army.placeOf(square) < 0) return;
    if (this.army.at(square) !== letter && this.army.left(letter) <= 0) {
      this.say(t("No {1} is left to place.", kindName(this.army.kinds.get(letter).name)));
      return;
    }
    this.change((army) => army.put(letter, square));
    const place = this.army.placeOf(square) + 1;
    if (this.army.land[place]) this.board.focus(this.army.squareOf(place));
  }

  // Takes a piece in hand, from the tray or the board; the same one again: puts it back.
  choose(hand) {
    const same = hand && this.hand && this.hand.letter === hand.letter && this.hand.square === hand.square;
    this.hand = same || (hand?.letter && this.army.left(hand.letter) <= 0) ? null : hand;
    this.named = same || !hand ? null : hand.letter ?? this.army.at(hand.square);
    this.refusal.textContent = "";
    this.draw();
  }

  pick(square) {
    const { hand } = this;
    if (hand?.letter) {
      this.change((army) => army.put(hand.letter, square));
      if (this.army.left(hand.letter) > 0) this.choose({ letter: hand.letter });
    } else if (hand?.square && hand.square !== square) {
      this.change((army) => army.move(hand.square, square));
    } else if (this.army.at(square)) {
      this.choose({ square });
    } else {
      this.choose(null);
    }
  }

  change(make) {
    this.hand = this.named = null;
    this.refusal.textContent = "";
    make(this.army);
    this.draw();
  }

  draw() {
    const position = this.army.position(), { hand } = this;
    const letter = hand?.letter ?? (hand?.square && this.army.at(hand.square));
    const zone = this.army.places.map((_, place) => this.army.squareOf(place)).filter((_, place) => this.army.land[place]);
    this.board.show(position, {
      movable: position.at.keys(), picked: hand?.square ?? null,
      legal: hand ? zone.filter((square) => !position.at.has(square) && this.army.allows(letter, this.army.placeOf(square))) : [],
    });
    for (const { kind, slot, count } of this.slots) {
      const left = this.army.left(kind.letter);
      count.textContent = `× ${left}`;
      slot.classList.toggle("empty", left === 0);
      slot.setAttribute("aria-pressed", hand?.letter === kind.letter ? "true" : "false");
      slot.setAttribute("aria-label", this.toPlace(kind.letter));
    }
    const missing = this.army.missing();
    const words = missing.length > 4 ? t("Pieces to place: {1}", missing.reduce((sum, { count }) => sum + count, 0))
      : t("Still missing: {1}", missing.map(({ kind, count }) => `${count} × ${kindName(kind.name)}`).join(", "));
    this.told.replaceChildren(this.named ? el("b", {}, `${this.toPlace(this.named)}. `) : "", missing.length ? words : t("All pieces are placed."));
    this.done.disabled = missing.length > 0;
    this.undo.disabled = !this.army.past.length;
    if (this.text !== this.army.text) this.keep(this.text = this.army.text);
  }

  // "Marshal (M): 1 to place"
  toPlace(letter) {
    return t("{1} ({2}): {3} to place", kindName(this.army.kinds.get(letter).name), letter, this.army.left(letter));
  }

  // A piece of the tray follows the pointer once it has moved a little.
  dragFromTray(event, kind, slot) {
    if (!event.isPrimary || event.button !== 0 || this.army.left(kind.letter) <= 0) return;
    const begin = { x: event.clientX, y: event.clientY };
    slot.setPointerCapture(event.pointerId);
    const moved = (now) => {
      if (!this.ghost && Math.hypot(now.clientX - begin.x, now.clientY - begin.y) < DRAG_PIXELS) return;
      this.ghost ??= this.raise(kind);
      this.ghost.style.left = `${now.clientX}px`;
      this.ghost.style.top = `${now.clientY}px`;
    };
    const ended = (now) => {
      slot.removeEventListener("pointermove", moved);
      slot.removeEventListener("pointerup", ended);
      slot.removeEventListener("pointercancel", ended);
      if (!this.ghost) return;
      this.ghost.remove();
      this.ghost = null;
      this.dragged = true; // the click that ends it chooses nothing
      setTimeout(() => { this.dragged = false; });
      const square = now.type === "pointerup" ? this.board.squareAt(now.clientX, now.clientY) : null;
      this.change((army) => square && army.put(kind.letter, square));
    };
    slot.addEventListener("pointermove", moved);
    slot.addEventListener("pointerup", ended);
    slot.addEventListener("pointercancel", ended);
  }

  // The picture that follows the pointer, as large as a square.
  raise(kind) {
    const ghost = el("div", { class: "ghost" }, pieceIcon(this.kinds, { side: this.side, kind: kind.name, known: false, moved: false }));
    const size = this.board.svg.getBoundingClientRect().width / (this.variant.files + .6);
    ghost.style.width = `${size}px`;
    document.body.append(ghost);
    this.hand = { letter: kind.letter };
    this.named = kind.letter;
    this.draw();
    return ghost;
  }

  finish() {
    if (this.army.missing().length) return;
    this.refusal.textContent = "";
    this.done.disabled = true; // until the host has answered
    this.onDone(this.army.text);
  }
}
