// analysis.js - a board to try moves on: from any ply of a game that is over, or of a record that was
// opened. The server plays what is tried, and asks a bot what it would have done.
//
// Positions are those of models (model.js), which follow what the server tells of the game and of
// the line that is tried. A line begins at a ply of the game; another move from there, or from any
// of its own plies, begins another line.
import { Announcer } from "./announcer.js";
import { Board } from "./board.js";
import { el, loadStyle } from "./dom.js";
import { Ending } from "./ending.js";
import { Chooser, MoveInput } from "./input.js";
import { link } from "./link.js";
import { Model } from "./model.js";
import { heading, MoveList, PlayerBar } from "./sidebar.js";
import { Stepper, stepOf } from "./stepper.js";
import { complain, toast } from "./toast.js";
import { bots } from "./variants.js";
import { endWords } from "./story.js";
import { playerName, sideName, t } from "./words.js";

const RECORD = "ensign.record"; // in the storage of the tab: it is there after a reload
const RECORD_MAX = 60000;       // bytes of a request with it; the server takes few more

// The model of a game from what is told of it.
function follow(told) {
  const model = new Model(told[0]);
  for (const message of told.slice(1)) model.take(message);
  return model;
}

// "59 % to win, 67 % to win the battle, 3.0 at stake"
function reasons({ score, chance, stake }, percent, guesses) {
  const words = [percent ? t("{1} % to win", Math.round(score)) : t("score {1}", score.toFixed(2))];
  if (chance !== undefined) words.push(guesses ? t("{1} % to be right", Math.round(100 * chance)) : t("{1} % to win the battle", Math.round(100 * chance)));
  if (stake !== undefined) words.push(t("{1} at stake", stake.toFixed(1)));
  return words.join(", ");
}

// What a bot would have played, and why, as the terminal says it.
export function adviceWords({ move, candidates, percent }, name) {
  const own = candidates.find((one) => one.move === move), others = candidates.filter((one) => one !== own);
  const first = own ? t("{1} would play {2}: {3}.", name, move, reasons(own, percent, move.includes("@"))) : t("{1} would play {2}.", name, move);
  const score = (one) => (percent ? `${Math.round(one.score)} %` : one.score.toFixed(2));
  return [first, others.length ? t("Next best: {1}.", others.map((one) => `${one.move} (${score(one)})`).join(", ")) : ""].filter(Boolean).join(" ");
}

class Analysis {
  // `source`: { game } or { record }; `reopen()` shows another record.
  constructor(root, source, reopen) {
    Object.assign(this, { root, source, reopen, eyes: "all", at: 0, line: null, offered: 0 });
    this.ends = [];
    const keyed = (event) => this.keyed(event);
    document.addEventListener("keydown", keyed);
    this.ends.push(() => document.removeEventListener("keydown", keyed));
  }

  close() {
    this.closed = true;
    for (const end of this.ends) end();
    this.ending?.close();
  }

  explore(request) {
    return link.send({ type: "explore", ...this.source, eyes: this.eyes, ...request });
  }

  async begin() {
    this.told = (await this.explore({})).told;
    this.model = this.main = follow(this.told);
    this.at = this.main.ply;
    if (!this.closed) this.build();
  }

  build() {
    const { variant, names } = this.main;
    this.bars = { red: new PlayerBar(variant, "red"), blue: new PlayerBar(variant, "blue") };
    this.frame = el("div", { class: "frame" });
    this.board = new Board(this.frame, { variant, interactive: true });
    this.chooser = new Chooser(this.frame, this.board);
    this.input = new MoveInput({
      chooser: this.chooser, variant, send: (text) => this.play(text).catch(complain),
      refuse: (from, to) => this.refuse(from, to), changed: () => this.showPosition(),
    });
    this.status = el("p", { class: "status", role: "status" });
    this.back = el("button", { type: "button", "data-action": "back", hidden: true, onclick: () => this.leaveLine() }, t("Back to the game"));
    this.stepper = new Stepper({ step: (ply) => this.step(ply), look: (eyes) => this.look(eyes).catch(complain) });
    this.list = new MoveList((ply) => this.step(ply));
    this.announcer = new Announcer("analysis");
    this.ending = new Ending({ source: this.source, variant, nameOf: (side) => playerName(names[side]), step: (ply) => this.stepGame(ply) });
    this.table = el("div", { class: "table" }, this.bars.blue.element, this.frame, this.bars.red.element);
    this.table.style.setProperty("--files", variant.files);
    this.table.style.setProperty("--ranks", variant.ranks);
    for (const side of ["red", "blue"]) {
      this.bars[side].name.textContent = playerName(names[side]);
      this.bars[side].setArmy(this.main.armies[side]);
    }
    this.root.classList.add("game", "over");
    this.root.replaceChildren(
      heading(t("Analysis: {1}", t(variant.title)), variant),
      this.table,
      el("div", { class: "sidebar" }, this.status, el("div", { class: "actions" }, this.back, this.turnButton(), this.source.record ? recordButton(this.reopen) : null), this.ending.chances, this.stepper.element,
        this.announcer.element, this.announcer.log, this.adviser(), this.ending.element, this.list.element));
    document.title = `${t("Analysis: {1}", t(variant.title))} – Ensign`;
    this.stepper.offerEyes(this.eyes);
    this.listen();
    this.show();
    if (this.main.ply > 0) this.ending.analyse();
  }

  turnButton() {
    return el("button", { type: "button", "data-action": "flip", onclick: () => this.flip() }, t("Turn the board"));
  }

  // Asks a bot about the position shown; the strongest is chosen.
  adviser() {
    const select = el("select", { "aria-label": t("Bot") }), button = el("button", {}, t("What would it play?"));
    this.advice = el("p", { class: "advice", role: "status" });
    bots().then((known) => {
      select.append(...known.map(({ name, title }) => el("option", { value: name }, title)));
      select.value = known.findLast(({ level }) => level)?.name ?? known[0]?.name;
    }).catch(complain);
    return el("form", { class: "adviser", onsubmit: (event) => this.ask(event, select, button) }, el("div", { class: "copy" }, select, button), this.advice);
  }

  async ask(event, select, button) {
    event.preventDefault();
    const { from, tried } = this.place, { at } = this, name = select.selectedOptions[0].textContent;
    button.disabled = true;
    this.advice.textContent = t("{1} is thinking …", name);
    try {
      const advice = await link.send({ type: "advise", ...this.source, ply: from, moves: tried.join(" "), bot: select.value });
      this.advice.textContent = at === this.at ? adviceWords(advice, name) : "";
      this.advised = at === this.at ? advice.move : null;
      this.showPosition();
    } catch (error) {
      this.advice.textContent = t(error.message);
    }
    button.disabled = false;
  }

  listen() {
    const { board, input } = this;
    board.on("pick", (square) => input.pick(square));
    board.on("lift", (square) => { this.chooser.close(); input.lift(square); });
    board.on("drop", (from, to) => input.drop(from, to));
    board.on("cancel", () => input.cancel());
  }

  flip() {
    this.chooser.close();
    this.board.flip();
    this.table.append(this.table.firstChild, this.frame, this.table.firstChild);
  }

  // Where the position shown comes from: a ply of the game, and moves that were tried.
  get place() {
    const { at, line } = this;
    return line && at > line.from ? { from: line.from, tried: line.moves.slice(0, at - line.from) } : { from: at, tried: [] };
  }

  // Begins a line with a move, or goes on with the one shown.
  async play(text) {
    const { from, tried } = this.place, { at } = this;
    if (!this.line && this.main.history[at + 1]?.move === text) return this.step(at + 1);
    const { told } = await this.explore({ ply: from, from: at, moves: [...tried, text].join(" ") });
    const before = this.line && tried.length ? this.line.told.slice(0, tried.length) : [];
    this.line = { from, moves: [...tried, text], told: [...before, ...told] };
    this.take();
    this.step(at + 1);
  }

  // The model of the line, or of the game.
  take() {
    const { line, told } = this;
    this.main = follow(told);
    // What is told of a game: itself, its start, its turns.
    this.model = line ? follow([...told.slice(0, 2 + line.from), ...line.told]) : this.main;
  }

  async look(eyes) {
    const { line } = this;
    this.eyes = eyes;
    this.told = (await this.explore({})).told;
    if (line) line.told = (await this.explore({ ply: line.from, from: line.from, moves: line.moves.join(" ") })).told;
    this.take();
    this.show();
  }

  leaveLine() {
    const { from } = this.line;
    this.line = null;
    this.take();
    this.step(from);
  }

  // A ply of the game itself.
  stepGame(ply) {
    if (this.line && ply > this.line.from) this.leaveLine();
    this.step(ply);
  }

  step(ply) {
    this.at = Math.max(0, Math.min(ply, this.model.ply));
    this.advised = null;
    this.advice.textContent = "";
    this.show();
    this.announcer.tell(this.model, this.at);
  }

  show() {
    const { model, at, line } = this;
    this.input.offer([]);
    this.showPosition();
    for (const side of ["red", "blue"]) {
      this.bars[side].setFallen(model.history[at].fallen[side]);
      this.bars[side].setCounters(model.history[at].counters);
      this.bars[side].element.classList.toggle("to-move", model.history[at].toMove === side && !(model.end && at === model.ply));
    }
    this.list.set(model.history.slice(1).map((one) => one.move ?? "…"));
    this.list.mark(at);
    this.stepper.show(at, model.ply);
    this.status.textContent = this.stateWords();
    this.back.hidden = !line;
    if (!line || at <= line.from) this.ending.mark(at);
    if (this.eyes === "all") this.ending.showArmies(model.history[0]);
    this.root.dataset.eyes = this.eyes;
    this.offer().catch(complain);
  }

  stateWords() {
    const { model, line, at } = this;
    if (model.end && at === model.ply) return endWords(model.end);
    const turn = model.history[at].toMove === "red" ? t("Red's turn.") : t("Blue's turn.");
    return line && at > line.from ? t("Your line from ply {1}: {2}", line.from, turn) : t("Ply {1} of {2}. {3}", at, model.ply, turn);
  }

  // The moves that can be tried here; the server knows.
  async offer() {
    const number = ++this.offered, { from, tried } = this.place;
    const { moves = [] } = await this.explore({ ply: from, from: this.at, moves: tried.join(" ") });
    if (number !== this.offered || this.closed) return;
    this.input.side = this.model.history[this.at].toMove;
    this.input.offer(moves);
    this.showPosition();
  }

  showPosition() {
    const entry = this.model.history[this.at], { options } = this.input;
    const [, from, to] = /^([a-z]\d+)[-x]?([a-z]\d+)?/.exec(this.advised ?? "") ?? [];
    const advice = from && !options.picked ? { picked: from, legal: to ? [to] : [] } : {};
    this.board.show(entry, { last: entry.squares, ...options, ...advice });
  }

  // Says why a move cannot be made.
  async refuse(from, to) {
    if (from === to) return;
    const place = this.place;
    try {
      await this.explore({ ply: place.from, moves: [...place.tried, `${from}-${to}`].join(" ") });
    } catch (error) {
      toast(t(error.message), "bad");
    }
  }

  keyed(event) {
    if (event.defaultPrevented || !this.stepper || this.chooser.open) return;
    if (event.key === "Escape") return this.input.cancel();
    const to = stepOf(event, this.at, this.model.ply);
    if (to === null) return;
    event.preventDefault();
    this.step(to);
  }
}

// A file's text, to be analysed here; it must fit into a request.
export async function openRecord(file) {
  const text = await file.text();
  if (JSON.stringify(text).length > RECORD_MAX) throw new Error(t("The file is too long."));
  sessionStorage.setItem(RECORD, text);
}

// A button that opens a record; `reopen()` shows it.
function recordButton(reopen, name) {
  const opened = () => file.files[0] && openRecord(file.files[0]).then(reopen).catch(complain);
  const file = el("input", { type: "file", accept: ".rec", hidden: true, onchange: opened });
  return [el("button", { type: "button", class: name, "data-action": "open", onclick: () => file.click() }, t("Open a record …")), file];
}

// Where no game is named, nor a record was opened.
function askForRecord(root, reopen) {
  root.append(el("section", { class: "notice record" }, el("h1", {}, t("Analysis")),
    el("p", {}, t("Open a record, a file .rec, or drop one on the page. Then step through the game, try other moves, and ask a bot.")),
    el("p", {}, recordButton(reopen, "main"))));
}

// `game`: its id; "": the record that was opened last. `reopen()` shows this view again.
export async function showAnalysis(root, game, reopen) {
  await loadStyle("review.css");
  const record = game ? null : sessionStorage.getItem(RECORD);
  if (!game && !record) {
    askForRecord(root, reopen);
    return null;
  }
  const view = new Analysis(root.appendChild(el("div")), game ? { game } : { record }, reopen);
  try {
    await view.begin();
  } catch (error) {
    view.close();
    if (record) sessionStorage.removeItem(RECORD);
    throw error;
  }
  return () => view.close();
}
