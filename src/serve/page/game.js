// game.js - a game: playing it, watching it, and stepping through it once it is over.
//
// What is shown comes from the models (model.js) of what these eyes were told. While the game runs
// the board follows it turn by turn, each shown long enough to be read; a click or a key hurries.
// What was played before the page came (up to `now`) is neither shown nor told nor sounded.
import { Actions } from "./actions.js";
import { Army } from "./army.js";
import { Board } from "./board.js";
import { Presence } from "./presence.js";
import { el, loadStyle } from "./dom.js";
import { battlePicture, heading, MoveList, PlayerBar } from "./sidebar.js";
import { Guesses } from "./guesses.js";
import { Chooser, MoveInput } from "./input.js";
import { keep, kept } from "./game_cache.js";
import { link } from "./link.js";
import { Model, otherSide } from "./model.js";
import { seatOf } from "./seats.js";
import { readMove, squaresBetween } from "./position.js";
import { setting } from "./settings.js";
import { Setup } from "./setup.js";
import { play } from "./sound.js";
import { armyText, OWN } from "./start.js";
import { Stepper, stepOf } from "./stepper.js";
import { endWords } from "./story.js";
import { Announcer } from "./announcer.js";
import { complain, toast } from "./toast.js";
import { heldWords, isNameless, playerName, sideName, t } from "./words.js";

const STEP_MS = 260, ABILITY_MS = 2200, BATTLE_MS = 2800, BACKLOG = 4, TICK_MS = 200;

class GameView {
  // `side`: the seat; null for a spectator.
  constructor(root, { game, side }) {
    this.root = root;
    this.game = game;
    this.side = side;
    this.own = side ?? "public";   // the eyes of the main model
    this.models = new Map();       // eyes → Model
    this.eyes = this.own;          // the eyes shown
    this.ply = 0;                  // the position shown
    this.live = true;              // follow the game
    this.toldPly = 0;              // the last turn that was told
    this.sent = false;             // a move is under way
    this.past = false;             // what comes has been: until `now`
    this.calledPly = null;         // whose question for a move needs no call
    this.held = null;              // why the server holds the game
    this.clock = null;             // the last one told, with the time `at` which it came
    this.ends = [];
    this.announcer = new Announcer(game);
    this.presence = new Presence({
      side, request: (message) => this.request(message), say: (text) => this.announcer.say(text), changed: () => this.showState(),
    });
    this.root.classList.add("game");
    this.root.append(el("p", { class: "status" }, t("Waiting for the game …")));
    this.ends.push(link.follow(game, (message) => this.take(message)), link.on("lost", () => this.lost()), link.on("open", () => this.showState()));
    const escape = (event) => this.keyed(event);
    document.addEventListener("keydown", escape);
    this.ends.push(() => document.removeEventListener("keydown", escape));
    const ticker = setInterval(() => this.tick(), TICK_MS), seen = () => this.tick();
    document.addEventListener("visibilitychange", seen); // timers rest in a tab that nobody sees
    this.ends.push(() => clearInterval(ticker), () => document.removeEventListener("visibilitychange", seen));
  }

  close() {
    for (const end of this.ends) end();
    clearTimeout(this.timer);
    this.closed = true;
    this.ending?.close();
  }

  get main() { return this.models.get(this.own); }

  // The model of the eyes shown; until everything was told for them, the main one.
  get shown() {
    const model = this.models.get(this.eyes);
    return model?.end ? model : this.main;
  }

  take(message) {
    const eyes = message.seat ?? message.eyes;
    if (message.type === "presence" && this.main) this.main.names[message.side] = message.name;
    if (message.type === "rematch" && message.secret) this.keepArmy(message.new);
    if (message.type === "presence" || message.type === "rematch") this.presence.take(message);
    else if (message.type === "now" && eyes === this.own) this.takeNow(message);
    else if (message.type === "held") this.takeHeld(message);
    else if (message.type === "refused" && eyes === this.own) this.takeRefusal(message);
    else if (message.type === "left" && message.reason === "eyes") this.models.delete(eyes);
    else if (eyes) this.takeTold(eyes, message);
  }

  takeTold(eyes, message) {
    let model = this.models.get(eyes);
    if (message.type === "game") {
      if (!model) this.models.set(eyes, new Model(message));
      else model.take(message);
      if (eyes === this.own) this.past = true;
      return;
    }
    if (!model || (message.type === "end" && model.end)) return; // told again
    const what = model.take(message);
    if (eyes !== this.own) {
      if (what === "end" && eyes === this.eyes) this.showPosition();
      return;
    }
    if (this.past) return;
    if (model.behind) link.tellAgain(this.game); // something was missed
    this.heard(what, message);
  }

  takeNow({ clock, at }) {
    this.clock = clock && { ...clock, at };
    this.held = null;
    if (this.past) this.showPresent();
    this.showState();
  }

  // Nothing goes on, nor do the clocks, until the next `now`.
  takeHeld({ reason, at }) {
    this.held = reason;
    const running = this.clock?.running;
    if (running) this.clock = { ...this.clock, [running]: this.clock[running] - (at - this.clock.at), running: null };
    this.showState();
  }

  // Everything so far is known: it is shown at once.
  showPresent() {
    const { main } = this;
    this.past = this.sent = false;
    if (!this.board) this.build();
    if (main.started) this.begin();
    this.calledPly = main.started ? main.ply : null;
    if (main.end) this.end(true);
    else if (main.question) this.asked();
    this.showState();
  }

  // Shows a position from which nothing leads on.
  begin() {
    const { main } = this;
    this.arranged();
    if (!main.end) this.endReview();
    this.over = this.offered = this.calledPly = null;
    this.eyes = this.own; // an end that was taken back had opened others
    this.stepper.offerEyes(null);
    for (const side of ["red", "blue"]) if (main.armies) this.bars[side].setArmy(main.armies[side]);
    this.live = true;
    this.ply = this.toldPly = main.ply;
    this.stopWaiting();
    this.input.offer([]);
    this.showPosition();
    this.announcer.tell(main, main.ply, main.ply + 1);
  }

  heard(what, message) {
    const { main } = this;
    if (what) this.presence.offers = false;
    if (what === "new") {
      this.begin();
      if (message.type === "undone") this.announcer.say(t("Taken back to ply {1}.", main.ply));
    }
    if (what === "turn") {
      if (this.main.now.side === this.side) this.sent = false;
      this.advance();
    }
    if (what === "ask") this.asked();
    if (what === "end") this.advance();
    this.showState();
  }

  asked() {
    const { question } = this.main;
    this.sent = false;
    if (question.type === "setup") this.arrange();
    else this.advance();
    if (question.type === "draw") this.call(t("{1} offers a draw.", sideName(question.side)));
  }

  lost() {
    this.presence.lost();
    this.showState();
  }

  // The host's refusal of an answer; the question follows again.
  takeRefusal(message) {
    this.sent = false;
    if (this.setup) this.setup.say(t(message.message));
    else if (message.id === undefined) toast(t(message.message), "bad");
  }

  async request(message) {
    try {
      return await link.send({ game: this.game, ...message, ...this.side ? { seat: this.side } : {} });
    } catch (error) {
      this.sent = false;
      if (this.setup) this.setup.say(t(error.message));
      else if (link.state === "open") toast(t(error.message), "bad");
      this.showState();
      return null;
    }
  }

  move(text) {
    this.sent = true;
    this.showState();
    this.request({ type: "move", move: text, ply: this.main.ply });
  }

  // Says why a move is not legal; the server knows.
  async refuse(from, to) {
    if (from === to) return;
    try {
      const { message, rule } = await link.send({ type: "why", game: this.game, move: `${from}-${to}` });
      toast(`${from}-${to}: ${this.obstacleWords(from, to, rule) ?? t(message)}`, "bad");
    } catch (error) {
      complain(error);
    }
  }

  // What is in the way of a piece that could go so far elsewhere.
  obstacleWords(from, to, rule) {
    const { at } = this.main.now, { kinds, variant } = this.main, between = squaresBetween(from, to);
    const piece = between.find((square) => at.has(square)), lake = between.find((square) => variant.lakes.includes(square));
    if (rule === "blocked" && piece) return t("the piece on {1} is in the way", piece);
    return rule === "movement" && lake && kinds.get(at.get(from)?.kind)?.runs ? t("the lake on {1} is in the way", lake) : null;
  }

  async typed(event) {
    event.preventDefault();
    const field = event.target.elements.move, text = field.value.trim();
    if (!text) return;
    this.hurry();
    if (this.input.type(text)) {
      field.value = "";
      return;
    }
    const reply = await this.request({ type: "why", move: text });
    if (!reply) return;
    // Of a text that is no move the server says where it stops being one.
    const [, found, expected] = /^move ".*": (.*)(, expected .*)$/.exec(reply.message) ?? [];
    const { from, to } = readMove(text) ?? {}, obstacle = to ? this.obstacleWords(from, to, reply.rule) : null;
    toast(expected ? t(found) + t(expected) : `${text}: ${obstacle ?? t(reply.message)}`, "bad");
  }

  build() {
    const { variant } = this.main, bottom = this.side ?? "red";
    this.bars = { red: new PlayerBar(variant, "red"), blue: new PlayerBar(variant, "blue") };
    this.frame = el("div", { class: "frame" });
    this.board = new Board(this.frame, { variant, side: bottom, interactive: true });
    this.chooser = new Chooser(this.frame, this.board);
    this.input = new MoveInput({
      chooser: this.chooser, variant, side: this.side, send: (text) => this.move(text),
      refuse: (from, to) => this.refuse(from, to), changed: () => { this.showPosition(); this.showState(); },
    });
    this.guesses = new Guesses(this);
    this.input.ruledOut = (square, kind) => this.guesses.ruledOut(square, kind);
    this.actions = new Actions(this);
    this.status = el("p", { class: "status", role: "status" });
    this.stepper = new Stepper({ step: (ply) => this.step(ply), look: (eyes) => this.lookThrough(eyes) });
    this.list = new MoveList((ply) => this.step(ply));
    this.typing = this.side ? this.typingForm() : null;
    this.table = el("div", { class: "table" }, this.bars[otherSide(bottom)].element, this.frame, this.bars[bottom].element);
    this.table.style.setProperty("--files", variant.files);
    this.table.style.setProperty("--ranks", variant.ranks);
    this.title = heading(t(variant.title), variant, bottom);
    this.root.replaceChildren(this.title, this.table,
      el("div", { class: "sidebar" }, this.status, this.presence.element, this.announcer.element, this.announcer.log, this.guesses.element,
        this.stepper.element, this.actions.element, this.typing, this.list.element));
    this.listen();
    this.showPosition();
  }

  listen() {
    const { board, input } = this;
    board.on("pick", (square) => this.pick(square));
    board.on("lift", (square) => { this.chooser.close(); input.lift(square); });
    board.on("drop", (from, to) => input.drop(from, to));
    board.on("ask", (square) => this.guesses.note(square));
    board.on("cancel", () => { this.hurry(); input.cancel(); });
    board.on("look", (square) => this.guesses.look(square));
  }

  typingForm() {
    return el("form", { class: "typing", onsubmit: (event) => this.typed(event) },
      el("label", {}, t("Type a move"), el("input", { name: "move", placeholder: "a4-a5", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "60" })),
      el("button", {}, t("Move")));
  }

  flip() {
    this.chooser.close();
    this.board.flip();
    this.table.append(this.table.firstChild, this.frame, this.table.firstChild);
  }

  // The army of a rematch is chosen as that of the game before: once, for it may be refused.
  async arrange() {
    if (this.setup || this.choosing) return;
    const { game, side } = this, { variant } = this.main, { army = OWN } = seatOf(game) ?? {};
    if (army !== OWN && !this.chosen) {
      this.choosing = this.chosen = true;
      const setup = await armyText(army, variant.name).catch(() => null);
      this.choosing = false;
      if (this.closed || this.main.question?.type !== "setup") return;
      if (setup && setup !== "random") keep(game, side, { draft: setup });
      if (setup) return this.handIn(setup);
    }
    this.setup = new Setup(this.root, {
      variant, side, draft: kept(game, side).draft,
      keep: (draft) => keep(game, side, { draft }), onDone: (setup) => this.handIn(setup),
    });
    this.title.after(this.setup.root);
    this.root.classList.add("arranging");
  }

  // One that was laid out by hand can be handed in again in the next game, on the other side.
  keepArmy(next) {
    const setup = this.main?.end?.setups[this.side];
    if (setup && (seatOf(this.game)?.army ?? OWN) === OWN) keep(next, otherSide(this.side), { draft: setup });
  }

  // The army that was handed in is shown until the other one stands.
  async handIn(setup) {
    if (!await this.request({ type: "setup", setup }) || this.main.started) return;
    this.main.question = null;
    this.leaveSetup();
    this.showPosition();
    this.showState();
  }

  leaveSetup() {
    this.setup?.close();
    this.setup = null;
    this.root.classList.remove("arranging");
  }

  arranged() {
    keep(this.game, this.own, { draft: undefined });
    this.leaveSetup();
  }

  // The army that was laid out, or nothing.
  get ownArmy() {
    const { draft } = this.side ? kept(this.game, this.side) : {}, army = draft && new Army(this.main.variant, this.side);
    return army?.read(draft) ? army.position() : { at: new Map(), dark: new Set() };
  }

  get entry() {
    const { shown } = this;
    return shown.history[Math.min(this.ply, shown.ply)] ?? null;
  }

  get caughtUp() { return this.ply >= this.main.ply; }

  // Shows the turns that have come, one after the other.
  advance() {
    const { main } = this;
    if (!this.live) return;
    if (this.caughtUp) {
      this.arrived(); // the last turn is still looked at, but nobody need wait
    } else if (!this.waiting) {
      this.ply = main.ply - this.ply > BACKLOG ? main.ply : this.ply + 1;
      this.showTurn();
    }
  }

  showTurn() {
    const { battle, events } = this.entry, ability = events.some((event) => event.type === "ability");
    this.showPosition();
    this.tellTurns();
    this.showBattle(battle);
    this.sound(battle ? "battle" : ability ? "ability" : "move");
    this.waiting = true;
    this.timer = setTimeout(() => this.goOn(), battle ? BATTLE_MS : ability ? ABILITY_MS : STEP_MS);
    if (this.caughtUp) this.arrived();
  }

  goOn() {
    this.stopWaiting();
    this.advance();
  }

  // The turn shown need not be looked at any longer.
  stopWaiting() {
    clearTimeout(this.timer);
    this.waiting = false;
    this.showBattle(null);
  }

  // Shows everything that has come at once.
  hurry() {
    if (this.caughtUp || !this.live) return;
    this.stopWaiting();
    this.ply = this.main.ply;
    this.showPosition();
    this.tellTurns();
    this.arrived();
  }

  // The board shows the latest position: now a move can be made, or the end be told.
  arrived() {
    const { question, end } = this.main;
    if (end) {
      this.end();
    } else if (question?.type === "move" && this.offered !== question) {
      this.offerMoves(question);
      if (!this.input.makePlanned()) toast(t("The planned move cannot be made."), "bad");
      if (this.calledPly !== question.ply && !this.sent) this.yourTurn();
      this.calledPly = question.ply;
    }
    this.showState();
  }

  // The moves of a question can be made; null: none can.
  offerMoves(question) {
    this.offered = question;
    this.input.offer(question?.moves ?? []);
    this.showPosition();
  }

  yourTurn() {
    this.sound("turn");
    this.call(t("Your turn"));
  }

  call(words) {
    this.announcer.call(words, `${t(this.main.variant.title)}: ${this.nameOf("red")} – ${this.nameOf("blue")}`);
  }

  nameOf(side) {
    return playerName(this.main.names[side], side === this.side);
  }

  // `known`: it was over when the page came.
  end(known = false) {
    const { end } = this.main;
    if (this.over === end) return;
    this.over = end;
    this.input.offer([]);
    if (!known) this.sound("end");
    if (end.message) this.announcer.add(end.message, known);
    if (this.side && !known) this.call(endWords(end, this.side));
    this.typing?.remove();
    this.actions.end();
    this.showEnd(end);
  }

  // Everything has its place before it can be clicked.
  async showEnd(end) {
    await this.review().catch(complain);
    if (this.over === end && !this.closed) this.lookThrough("all");
  }

  // The game is over: what cost most, and how its chances stood.
  async review() {
    const { main } = this, [{ Ending }] = await Promise.all([import("./ending.js"), loadStyle("review.css")]);
    if (this.closed || this.ending || !main.end) return;
    this.ending = new Ending({
      source: { game: this.game }, variant: main.variant, nameOf: (side) => this.nameOf(side), step: (ply) => this.step(ply),
    });
    this.status.after(this.actions.element, this.ending.chances, this.stepper.element);
    this.list.element.before(this.ending.element);
    this.root.classList.add("over");
    this.showPosition();
    if (main.ply > 0) this.ending.analyse(); // else there were no chances
  }

  // The end was taken back.
  endReview() {
    if (!this.ending) return;
    this.ending.close();
    this.ending.chances.remove();
    this.ending.element.remove();
    this.ending = null;
    this.guesses.element.after(this.stepper.element, this.actions.element);
    this.root.classList.remove("over");
  }

  // After the end: the eyes of a side, or everything. What is missing is asked for.
  async lookThrough(eyes) {
    try {
      if (!this.models.has(eyes)) await link.send({ type: "watch", game: this.game, eyes });
      this.eyes = eyes;
      this.live = false;
    } catch (error) {
      complain(error);
    }
    this.stepper.offerEyes(this.eyes);
    this.showPosition();
    this.showState();
  }

  step(ply) {
    const to = Math.max(0, Math.min(ply, this.shown.ply));
    this.ply = to;
    this.stopWaiting();
    this.live = this.eyes === this.own && to === this.main.ply;
    this.showPosition();
    this.announcer.tell(this.shown, to);
    if (this.live) this.toldPly = to;
    this.showBattle(this.entry?.battle, true);
    if (this.live) this.arrived();
    this.showState();
  }

  showPosition() {
    const { entry, shown } = this;
    if (!this.board) return;
    if (!entry) {
      this.board.show(this.ownArmy);
      this.guesses.describe();
      return;
    }
    const own = this.live && this.caughtUp && !this.main.end || this.waits ? this.input.options : {};
    this.board.show(entry, { last: entry.squares, marks: this.guesses.marks, ...own });
    this.guesses.describe();
    for (const side of ["red", "blue"]) {
      this.bars[side].setFallen(entry.fallen[side]);
      this.bars[side].setCounters(entry.counters);
    }
    this.list.set(shown.history.slice(1).map((one) => one.move ?? "…"));
    this.list.mark(this.ply);
    this.stepper.show(this.ply, shown.ply);
    this.ending?.mark(this.ply);
    if (shown.eyes === "all") this.ending?.showArmies(shown.history[0]);
    this.root.classList.toggle("reviewing", !this.live);
    this.root.dataset.eyes = shown.eyes;
  }

  // Tells the turn shown, with those that were not because the player was in a hurry.
  tellTurns() {
    this.announcer.tell(this.main, this.ply, Math.max(this.toldPly + 1, this.ply - BACKLOG));
    this.toldPly = this.ply;
  }

  showBattle(battle, stays = false) {
    this.battle?.remove();
    clearTimeout(this.battleTimer);
    if (!battle) return;
    const shown = battlePicture(this.main.variant, battle);
    this.battle = shown;
    const { y } = this.board.place(battle.to);
    shown.classList.add(y < this.main.variant.ranks / 2 ? "low" : "high");
    this.frame.append(shown);
    if (!stays) this.battleTimer = setTimeout(() => shown.remove(), BATTLE_MS);
  }

  sound(name) {
    if (setting("sound")) play(name);
  }

  pick(square) {
    this.hurry();
    this.guesses.look(square);
    if (this.live && !this.sent && this.input.pick(square)) return;
    if (this.waits && this.input.plan(square)) return this.tellPlan();
    this.guesses.note(square);
  }

  // Is it the other side's turn, and can a move be planned meanwhile?
  get waits() {
    const { main } = this;
    return Boolean(this.side && this.live && main.started && !main.end && !main.question && !this.input.asked);
  }

  tellPlan() {
    const { planned } = this.input;
    if (planned) this.announcer.say(t("Planned: {1}", `${planned.from}-${planned.to}`));
  }

  // Arrows, Home and End step through the game, unless what has the focus uses them itself.
  keyed(event) {
    if (event.defaultPrevented || !this.input || this.chooser.open) return;
    if (event.key === "Escape") {
      this.hurry();
      this.input.cancel();
      return;
    }
    const to = stepOf(event, this.ply, this.shown.ply);
    if (to === null || this.setup) return;
    event.preventDefault();
    this.step(to);
  }

  tick() {
    const { main, clock } = this;
    if (!main || !this.bars) return;
    for (const side of ["red", "blue"]) {
      const runs = clock?.running === side;
      this.bars[side].setClock(clock && clock[side] - (runs ? performance.now() - clock.at : 0), runs);
    }
    this.presence.showPresence(main, this.bars);
  }

  stateWords() {
    const { main } = this;
    if (link.state !== "open") return t("The connection is lost. It will be restored by itself.");
    if (main.end) return endWords(main.end, this.side);
    if (this.held) return heldWords(this.held);
    if (!main.started) return this.beginningWords();
    const mover = main.now.toMove;
    if (!this.live) return t("Looking back: ply {1} of {2}.", this.ply, main.ply);
    if (!this.side) return mover === "red" ? t("Red's turn.") : t("Blue's turn.");
    const { planned } = this.input;
    if (planned) return t("Planned: {1}", `${planned.from}-${planned.to}`);
    if (mover !== this.side) return t("{1} is thinking …", this.nameOf(mover));
    if (this.presence.offers) return t("Your draw offer waits for an answer. A move withdraws it.");
    if (this.sent) return t("Your move is on its way …");
    return this.input.aiming ? t("Choose the target.") : t("Your turn");
  }

  beginningWords() {
    const { names, question } = this.main;
    if (!this.side) return t("The armies are being laid out.");
    const other = names[otherSide(this.side)];
    if (question) return t("Lay out your army.");
    return isNameless(other) ? t("Waiting for the other side's army …") : t("Your army stands. {1} is still laying out.", other);
  }

  showState() {
    const { main } = this;
    if (!main || !this.board) return;
    const words = this.stateWords(), mine = main.question?.type === "move" && main.now?.toMove === this.side && !this.presence.offers;
    if (this.status.textContent !== words) this.status.textContent = words;
    this.status.classList.toggle("mine", Boolean(mine && this.live));
    for (const side of ["red", "blue"]) {
      const bar = this.bars[side];
      bar.name.textContent = this.nameOf(side);
      bar.element.classList.toggle("to-move", !main.end && main.now?.toMove === side);
    }
    const asked = main.question?.type === "draw" ? t("{1} offers a draw.", sideName(main.question.side)) : mine ? t("Your turn") : null;
    document.title = `${asked ? `● ${asked.replace(/\.$/, "")} – ` : ""}${t(main.variant.title)} – Ensign`;
    this.presence.show(main, this.bars);
    this.actions.show();
    this.tick();
  }
}

// Shows a game in an element. Returns what ends that.
export function showGame(root, options) {
  const view = new GameView(root, options);
  return () => view.close();
}
