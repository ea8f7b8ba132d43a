// board.js - a board: squares, pieces, and what a mouse, a finger or keys do to it.
//
//   const board = new Board(element, { variant, side: "red", interactive: true });
//   board.show({ at, dark }, { movable, picked, legal, targets, last, marks });
//   board.on("pick", (square) => …);      a click, a tap, Enter or Space on a square
//   board.on("lift", (square) => …);      a movable piece begins to be dragged
//   board.on("drop", (from, to) => …);    and is let go; `to` is null off the board
//   board.on("ask", (square) => …);       the right button, a long press or "m" on a square
//   board.on("cancel", () => …);          Escape
//   board.on("look", (square) => …);      the square that the mouse or the keys point at; null: none
//
// Arrow keys walk over the squares; n and p go to the next and the previous one that can be chosen.
//
// `variant` needs files, ranks, lakes and kinds of the seat protocol's variant; `plain` leaves the
// names of files and ranks out. A position is the
// text of one, or { at: Map(square → { side, kind (null: hidden), moved, known, id }), dark: Set }
// as in model.js; pieces with an id are seen to move. Lists of squares may be any iterable:
// `movable` (may be dragged), `legal` (destinations), `targets` (of an ability), `last` (the last
// move), `planned` (the next one), `marks` (Map: square → the player's own short note). The board of blue is turned round;
// `flip()` turns it. It knows nothing of rules.
import { el, sv } from "./dom.js";
import { readPosition, squarePlace } from "./position.js";
import { kindName, sideName, t } from "./words.js";

const STEP_MS = 180, HOLD_MS = 500, DRAG_PIXELS = 7;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const still = matchMedia("(prefers-reduced-motion: reduce)");

// The shape of a side: red's pieces are squares, blue's are round.
function shape(side, name, inset) {
  const size = 1 - 2 * inset;
  return sv("rect", { class: name, x: inset - .5, y: inset - .5, width: size, height: size, rx: side === "red" ? .14 : size / 2 });
}

// The picture of a piece, with its middle at 0, 0.
export function pieceMark(kinds, piece) {
  const parts = [shape(piece.side, piece.side, .09)];
  if (piece.kind !== null) {
    const label = kinds.get(piece.kind)?.label ?? "?";
    parts.push(sv("text", { class: "label", y: .18, "font-size": label.length > 2 ? (1.2 / label.length).toFixed(2) : .52 }, label));
    if (piece.known) parts.push(sv("circle", { class: "known", cx: .27, cy: -.27, r: .08 }));
  } else {
    parts.push(shape(piece.side, "back", .21));
    if (piece.moved) parts.push(sv("text", { class: "label", y: .18, "font-size": .5 }, "?"));
  }
  return parts;
}

// The same by itself, for texts and lists.
export function pieceIcon(kinds, piece) {
  return sv("svg", { class: "piece", viewBox: "-.5 -.5 1 1", "aria-hidden": "true" }, pieceMark(kinds, piece));
}

export class Board {
  constructor(element, { variant, side = "red", interactive = false, plain = false, label = null }) {
    this.element = element;
    this.variant = variant;
    this.kinds = new Map((variant.kinds ?? []).map((kind) => [kind.name, kind]));
    this.names = new Map((variant.kinds ?? []).map((kind) => [kind.letter, kind.name]));
    this.lakes = new Set(variant.lakes ?? []);
    this.turned = side === "blue";
    this.interactive = interactive;
    this.plain = plain;
    this.label = label;
    this.listeners = new Map();
    this.position = { at: new Map(), dark: new Set() };
    this.options = {};
    this.cells = new Map();  // square → { cell, fog, mark }
    this.shown = new Map();  // id → { node, key, x, y }
    this.focused = null;
    this.build();
    if (interactive) this.listen();
  }

  on(type, listener) {
    const list = this.listeners.get(type) ?? [];
    this.listeners.set(type, [...list, listener]);
  }

  tell(type, ...values) {
    for (const listener of this.listeners.get(type) ?? []) listener(...values);
  }

  // Where a square is drawn, in squares from the top left.
  place(square) {
    const { file, rank } = squarePlace(square), { files, ranks } = this.variant;
    return this.turned ? { x: files - 1 - file, y: rank } : { x: file, y: ranks - 1 - rank };
  }

  squareOn(x, y) {
    const { files, ranks } = this.variant;
    if (x < 0 || y < 0 || x >= files || y >= ranks) return null;
    const file = this.turned ? files - 1 - x : x, rank = this.turned ? y : ranks - 1 - y;
    return String.fromCharCode(97 + file) + (rank + 1);
  }

  // The square under a point of the window; null off the board.
  squareAt(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return this.squareOn(Math.floor(point.x), Math.floor(point.y));
  }

  // A square's middle in pixels, from the top left of the board's element.
  middle(square) {
    const { x, y } = this.place(square);
    const point = new DOMPoint(x + .5, y + .5).matrixTransform(this.svg.getScreenCTM());
    const frame = this.element.getBoundingClientRect();
    return { x: point.x - frame.left, y: point.y - frame.top };
  }

  flip() {
    this.turned = !this.turned;
    const focused = this.focused, position = this.position, options = this.options;
    this.build();
    this.focused = focused;
    this.show(position, options);
  }

  build() {
    const { files, ranks } = this.variant, rows = [];
    this.cells.clear();
    this.shown.clear();
    for (let y = 0; y < ranks; y++) {
      const row = [];
      for (let x = 0; x < files; x++) row.push(this.buildCell(this.squareOn(x, y), x, y));
      rows.push(sv("g", { role: "row" }, row));
    }
    this.pieces = sv("g", { class: "pieces", "aria-hidden": "true" });
    this.over = sv("g", { class: "over", "aria-hidden": "true" });
    const margin = this.plain ? `-.04 -.04 ${files + .08} ${ranks + .08}` : `-.5 -.06 ${files + .56} ${ranks + .5}`;
    const svg = sv("svg", {
      class: this.interactive ? "board live" : "board", viewBox: margin,
      role: this.interactive ? "grid" : "table", "aria-label": this.label ?? t("Board"),
    }, rows, this.lines(), this.plain ? [] : this.axes(), this.pieces, this.groundSigns(), this.over);
    if (this.svg) this.svg.replaceWith(svg);
    else this.element.append(svg);
    this.svg = svg;
    if (!this.plain && !this.signs) {
      this.signs = this.legend();
      if (this.signs) this.element.append(this.signs);
    }
    this.focused = this.focused ?? this.squareOn(Math.floor(files / 2), ranks - 1);
    if (this.interactive) this.svgListen();
  }

  // The grounds of a square, those with the fewest squares first.
  groundsOf(square) {
    return Object.entries(this.variant.ground ?? {}).filter(([, { squares }]) => squares.includes(square))
      .sort(([, a], [, b]) => a.squares.length - b.squares.length);
  }

  // The colour of a ground, by its place in the list.
  tint(name) {
    return `tint-${Object.keys(this.variant.ground).indexOf(name) % 8}`;
  }

  // The signs of the grounds, over the pieces: whoever stands there stays on a camp.
  groundSigns() {
    const signs = [...this.cells.keys()].filter((square) => this.groundsOf(square).length).map((square) => {
      const { x, y } = this.place(square);
      return sv("text", { class: "sign", x: x + .03, y: y + .24 }, this.groundsOf(square)[0][1].sign);
    });
    return sv("g", { class: "signs", "aria-hidden": "true" }, ...signs);
  }

  // Links as lines between squares, walls as bars.
  lines() {
    const middle = (square) => {
      const x = square.charCodeAt(0) - 97, y = this.variant.ranks - Number(square.slice(1));
      return this.turned ? [this.variant.files - x - .5, this.variant.ranks - y - .5] : [x + .5, y + .5];
    };
    const line = (kind, [x1, y1], [x2, y2]) => sv("line", { class: kind, x1, y1, x2, y2 });
    const links = (this.variant.links ?? []).map((link) => line("link", ...link.split("-").map(middle)));
    const walls = (this.variant.walls ?? []).map((wall) => {
      const [[ax, ay], [bx, by]] = wall.split("-").map(middle);
      const x = (ax + bx) / 2, y = (ay + by) / 2, across = (by - ay) / 2, along = (bx - ax) / 2;
      return line("wall", [x - across, y - along], [x + across, y + along]);
    });
    return sv("g", { class: "lines", "aria-hidden": "true" }, ...links, ...walls);
  }

  // The signs and their names, under the board.
  legend() {
    const grounds = Object.entries(this.variant.ground ?? {});
    return grounds.length ? el("p", { class: "legend soft" }, ...grounds.map(([name, { sign }]) =>
      el("span", {}, el("b", { class: `swatch ${this.tint(name)}`, "aria-hidden": "true" }, sign), ` ${name}`))) : null;
  }

  buildCell(square, x, y) {
    const lake = this.lakes.has(square), grounds = this.groundsOf(square).map(([name]) => name);
    const fog = sv("rect", { class: "fog", x, y, width: 1, height: 1 });
    const mark = sv("rect", { class: "mark", x: x + .04, y: y + .04, width: .92, height: .92, rx: .1 });
    const cell = sv("g", { role: this.interactive ? "gridcell" : "cell", "data-square": square },
      sv("rect", { class: lake ? "lake" : grounds.length ? `land ${this.tint(grounds[0])}` : "land", x, y, width: 1, height: 1 }),
      grounds.length ? sv("title", {}, grounds.join(", ")) : [], fog, mark);
    this.cells.set(square, { cell, fog, mark, words: "" });
    return cell;
  }

  axes() {
    const { files, ranks } = this.variant, labels = [];
    const text = (x, y, anchor, words) => labels.push(sv("text", { class: "axis", x, y, "text-anchor": anchor, "aria-hidden": "true" }, words));
    for (let x = 0; x < files; x++) text(x + .5, ranks + .34, "middle", this.squareOn(x, 0)[0]);
    for (let y = 0; y < ranks; y++) text(-.1, y + .6, "end", this.squareOn(0, y).slice(1));
    return labels;
  }

  // Shows a position; what is not given is not marked.
  show(position, options = {}) {
    this.position = typeof position === "string" ? this.read(position) : position;
    this.options = options;
    const set = (squares) => new Set(squares ?? []);
    const state = {
      movable: set(options.movable), legal: set(options.legal), targets: set(options.targets),
      last: set(options.last), planned: set(options.planned), marks: options.marks ?? new Map(), picked: options.picked ?? null,
    };
    this.state = state;
    for (const square of this.cells.keys()) this.showCell(square, state);
    this.showPieces();
    this.showMarks(state);
  }

  read(text) {
    const { at, dark } = readPosition(text), pieces = new Map();
    for (const [square, { side, letter }] of at) pieces.set(square, { side, kind: this.names.get(letter) ?? null, moved: false, known: false });
    return { at: pieces, dark };
  }

  showCell(square, state) {
    const { cell, fog } = this.cells.get(square), dark = this.position.dark?.has(square) && !this.lakes.has(square);
    const piece = this.position.at.get(square);
    const names = ["movable", "legal", "targets", "last", "planned"].filter((name) => state[name].has(square));
    if (state.picked === square) names.push("picked");
    if (piece && state.legal.has(square)) names.push("attacked");
    const classes = names.join(" ");
    if (cell.getAttribute("class") !== classes) cell.setAttribute("class", classes);
    fog.classList.toggle("shown", Boolean(dark));
    const words = this.words(square, piece, dark, state);
    if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
    if (!this.interactive) return;
    cell.setAttribute("tabindex", square === this.focused ? "0" : "-1");
    cell.setAttribute("aria-selected", state.picked === square ? "true" : "false");
  }

  // A square and what is on it in words, for screen readers.
  words(square, piece, dark, state) {
    const words = [];
    if (piece) {
      words.push(sideName(piece.side), piece.kind === null ? t("hidden") : kindName(piece.kind));
      if (piece.kind === null || piece.moved) words.push(piece.moved ? t("has moved") : t("has never moved"));
      if (piece.known) words.push(t("known"));
    } else if (this.lakes.has(square)) {
      words.push(t("a lake"));
    } else {
      words.push(dark ? t("out of sight") : t("empty"));
    }
    words.push(...this.groundsOf(square).map(([name]) => name));
    if (state.marks.has(square)) words.push(t("your mark: {1}", state.marks.get(square)));
    if (state.legal.has(square)) words.push(piece ? t("can be attacked") : t("can be entered"));
    if (state.targets.has(square)) words.push(t("a target"));
    if (state.planned.has(square)) words.push(t("planned"));
    if (state.picked === square) words.push(t("picked up"));
    return `${square}: ${words.join(", ")}`;
  }

  showPieces() {
    const seen = new Set();
    for (const [square, piece] of this.position.at) {
      const id = piece.id ?? square;
      seen.add(id);
      this.showPiece(id, square, piece);
    }
    for (const [id, { node }] of this.shown) {
      if (seen.has(id)) continue;
      node.remove();
      this.shown.delete(id);
    }
  }

  showPiece(id, square, piece) {
    const { x, y } = this.place(square), key = [piece.side, piece.kind, piece.moved, piece.known].join(), { picked, movable } = this.state;
    let old = this.shown.get(id);
    if (old && old.key !== key) old.node.replaceChildren(...pieceMark(this.kinds, piece));
    if (!old) {
      old = { node: sv("g", {}, pieceMark(this.kinds, piece)), x, y };
      this.pieces.append(old.node);
    }
    const drawn = old.dropped ?? old, here = old.x === x && old.y === y;
    // On a legal square it stays until the move has been made, or another is asked for.
    const held = this.press?.dragging && this.press.shown === old;
    const stays = held || (here && drawn.legal && (picked === square || !movable.size));
    if (!stays) {
      old.node.setAttribute("transform", `translate(${x + .5} ${y + .5})`);
      if ((drawn.x !== x || drawn.y !== y) && !still.matches) this.slide(old.node, drawn, x, y);
      old.dropped = null;
    }
    Object.assign(old, { key, x, y });
    this.shown.set(id, old);
  }

  // From where it is drawn to x, y.
  slide(node, { x: fromX, y: fromY }, x, y) {
    const at = (left, top) => `translate(${left + .5}px, ${top + .5}px)`;
    this.pieces.append(node); // above the others
    node.animate([{ transform: at(fromX, fromY) }, { transform: at(x, y) }], { duration: STEP_MS, easing: "ease-out" });
  }

  showMarks(state) {
    const parts = [];
    const add = (square, make) => {
      const { x, y } = this.place(square);
      parts.push(make(x + .5, y + .5));
    };
    for (const square of state.legal) {
      add(square, (cx, cy) => (this.position.at.has(square) ? sv("rect", { class: "hit", x: cx - .45, y: cy - .45, width: .9, height: .9, rx: .16 })
        : sv("circle", { class: "dot", cx, cy, r: .15 })));
    }
    for (const square of state.targets) {
      add(square, (x, y) => sv("path", { class: "aim", d: `M${x - .42} ${y}h.24M${x + .18} ${y}h.24M${x} ${y - .42}v.24M${x} ${y + .18}v.24` }));
      add(square, (cx, cy) => sv("circle", { class: "aim", cx, cy, r: .3 }));
    }
    for (const [square, mark] of state.marks) {
      add(square, (x, y) => sv("g", { class: "note" },
        sv("rect", { x: x + .02, y: y + .06, width: .44, height: .4, rx: .1 }),
        sv("text", { x: x + .24, y: y + .38, "font-size": mark.length > 2 ? (.75 / mark.length).toFixed(2) : .32 }, mark)));
    }
    this.over.replaceChildren(...parts);
  }

  listen() {
    this.element.addEventListener("keydown", (event) => this.keyed(event));
  }

  svgListen() {
    const { svg } = this;
    svg.addEventListener("pointerdown", (event) => this.pressed(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.released(event));
    svg.addEventListener("pointercancel", () => { this.letGo(); this.showPieces(); });
    // A finger on a movable piece drags it and does not scroll the page; touch-action alone is not
    // heeded inside of SVG everywhere.
    svg.addEventListener("touchstart", (event) => {
      const { clientX, clientY } = event.touches[0];
      if (event.touches.length === 1 && this.state?.movable.has(this.squareAt(clientX, clientY))) event.preventDefault();
    }, { passive: false });
    // No click follows a tap: it would hit what the tap has opened under the finger.
    svg.addEventListener("touchend", (event) => event.cancelable && event.preventDefault());
    svg.addEventListener("pointerleave", () => this.tell("look", null));
    svg.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const square = this.squareAt(event.clientX, event.clientY);
      if (square && event.pointerType !== "touch") this.tell("ask", square);
    });
  }

  pressed(event) {
    if (!event.isPrimary || event.button !== 0) return;
    const square = this.squareAt(event.clientX, event.clientY);
    if (!square) return;
    this.press = { square, x: event.clientX, y: event.clientY, dragging: false, held: false };
    this.press.timer = setTimeout(() => this.held(), HOLD_MS);
    if (this.state?.movable.has(square)) this.svg.setPointerCapture(event.pointerId);
  }

  held() {
    if (!this.press || this.press.dragging) return;
    this.press.held = true;
    if (this.listeners.has("ask")) this.tell("ask", this.press.square);
  }

  moved(event) {
    const { press } = this, square = this.squareAt(event.clientX, event.clientY);
    if (!press) {
      this.tell("look", square);
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_PIXELS;
    if (far) clearTimeout(press.timer);
    if (far && !press.dragging && this.state?.movable.has(press.square)) this.lift(press);
    if (press.dragging) this.drag(event, square);
  }

  lift(press) {
    press.dragging = true;
    this.focus(press.square, false);
    this.tell("lift", press.square);
    const piece = this.position.at.get(press.square);
    press.shown = this.shown.get(piece?.id ?? press.square) ?? null;
    if (press.shown) this.pieces.append(press.shown.node);
  }

  drag(event, square) {
    const { shown } = this.press;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    shown?.node.setAttribute("transform", `translate(${point.x} ${point.y}) scale(1.15)`);
    if (shown) shown.dropped = { x: point.x - .5, y: point.y - .5, legal: false };
    for (const [name, { cell }] of this.cells) cell.classList.toggle("over", name === square);
  }

  released(event) {
    const { press } = this;
    if (!press) return;
    const square = this.squareAt(event.clientX, event.clientY);
    this.letGo();
    if (press.dragging) {
      if (press.shown && this.state.legal.has(square)) this.putDown(press.shown, square);
      this.tell("drop", press.square, square === press.square ? null : square);
      this.showPieces();
    } else if (!press.held && square === press.square) {
      this.focus(square, false);
      this.tell("pick", square);
    }
  }

  letGo() {
    const { press } = this;
    this.press = null;
    if (!press) return;
    clearTimeout(press.timer);
    for (const { cell } of this.cells.values()) cell.classList.remove("over");
  }

  // Draws a dragged piece on a square on which it may go.
  putDown(shown, square) {
    const { x, y } = this.place(square);
    shown.node.setAttribute("transform", `translate(${x + .5} ${y + .5})`);
    shown.dropped = { x, y, legal: true };
  }

  // The square that keys act on; with `move` it gets the focus.
  focus(square, move = true) {
    this.cells.get(this.focused)?.cell.setAttribute("tabindex", "-1");
    this.focused = square;
    const { cell } = this.cells.get(square);
    cell.setAttribute("tabindex", "0");
    if (move) cell.focus({ preventScroll: false });
  }

  keyed(event) {
    if (!event.target.closest?.("[data-square]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (step) this.walk(event, step);
    else if (event.key === "Enter" || event.key === " ") this.tell("pick", this.focused);
    else if (event.key === "m") this.tell("ask", this.focused);
    else if (event.key === "Escape") this.tell("cancel");
    else if (event.key === "n" || event.key === "p") this.hop(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  // To the next square that a piece can leave or, with one picked up, go to or aim at.
  hop(step) {
    const { picked, legal, targets, movable } = this.state;
    const choices = this.order.filter((square) => (picked ? legal.has(square) || targets.has(square) : movable.has(square)));
    if (!choices.length) return;
    const here = this.order.indexOf(this.focused);
    const ahead = step > 0 ? choices.find((square) => this.order.indexOf(square) > here)
      : choices.findLast((square) => this.order.indexOf(square) < here);
    this.focus(ahead ?? choices.at(step > 0 ? 0 : -1));
    this.tell("look", this.focused);
  }

  // All squares as they are drawn, row by row from the top.
  get order() { return [...this.cells.keys()]; }

  walk(event, [dx, dy]) {
    const { x, y } = this.place(this.focused), square = this.squareOn(x + dx, y + dy);
    if (!square) return;
    this.focus(square);
    this.tell("look", square);
  }
}
