// replay.js - steps through the games on the page, as either side saw them.

const RESULTS = { red: t("red wins"), blue: t("blue wins"), draw: t("a draw"), "*": t("no result") };

class Replay {
  constructor(numbers, films) {
    this.numbers = numbers;
    this.board = numbers.board;
    this.films = films;
    this.chosen = films;
    this.eyes = "open";
    this.ply = 0;
    this.root = section("replay", t("Games"), this.intro(), this.picker(), this.stage());
    document.addEventListener("keydown", (event) => this.key(event));
    this.filter();
  }

  intro() {
    const { played } = this.numbers, shown = this.films.length;
    if (shown === played) return note(t("Every game, as either side saw it while it was played."));
    return note(t("{1} of {2} games are on this page: an even selection, and forfeits. “ensign report --games all” includes all.", whole.format(shown), whole.format(played)));
  }

  // --- which game ---

  picker() {
    const choice = (label, options, change, attributes = {}) => {
      const select = el("select", { onchange: change }, options.map(([value, text]) => el("option", { value }, text)));
      return [select, el("label", attributes, label, select)];
    };
    const players = this.numbers.players.map((player, index) => [`${index}`, player.name]);
    const reasons = [...new Set(this.films.map((film) => film[4]))].sort().map((reason) => [reason, t(reason)]);
    const refilter = () => this.filter();
    const [player, playerLabel] = choice(t("player"), [["", t("any")], ...players], refilter);
    const [result, resultLabel] = choice(t("result"), [["", t("any")], ...Object.entries(RESULTS), ["won", t("the player won")], ["lost", t("the player lost")]], refilter);
    const [reason, reasonLabel] = choice(t("reason"), [["", t("any")], ...reasons], refilter);
    const [game, gameLabel] = choice(t("game"), [], () => this.open(Number(game.value)), { class: "game" });
    game.id = "game";
    this.controls = { player, result, reason, game };
    return el("div", { class: "picker" }, this.films.length > 1 ? [playerLabel, resultLabel, reasonLabel] : [], gameLabel);
  }

  matches([, red, blue, result, reason]) {
    const want = this.controls;
    const player = want.player.value === "" ? null : Number(want.player.value);
    if (player !== null && player !== red && player !== blue) return false;
    if (want.reason.value && want.reason.value !== reason) return false;
    if (want.result.value === "won" || want.result.value === "lost") {
      const own = player === red ? "red" : player === blue ? "blue" : null;
      return own !== null && (result === "red" || result === "blue") && (result === own) === (want.result.value === "won");
    }
    return !want.result.value || want.result.value === result;
  }

  filter() {
    this.chosen = this.films.filter((film) => this.matches(film));
    const names = this.numbers.players.map((player) => player.name);
    this.controls.game.replaceChildren(...this.chosen.map(([number, red, blue, result, reason]) =>
      el("option", { value: number }, `${number}: ${names[red]} – ${names[blue]}, ${RESULTS[result]} (${t(reason)})`)));
    if (this.chosen.length) this.open(this.chosen[0][0]);
    else this.controls.game.append(el("option", { value: "" }, t("no game matches")));
  }

  // Opens a game by its number; false if the page does not hold it.
  open(number, ply = 0) {
    const film = this.films.find(([one]) => one === number);
    if (!film) return false;
    if (!this.chosen.includes(film)) {
      for (const control of ["player", "result", "reason"]) this.controls[control].value = "";
      this.filter();
    }
    this.controls.game.value = `${number}`;
    this.number = number;
    [, this.red, this.blue, this.result, this.reason] = film;
    this.film = new Film(this.board, film);
    this.slider.max = `${this.film.length}`;
    this.listMoves();
    this.curve.draw(this.film, this.eyes);
    this.show(Math.min(ply, this.film.length));
    return true;
  }

  // Rewritten only if the texts change: often all eyes learn the same.
  listMoves() {
    const texts = this.film.moves(this.eyes).map((text, index) => {
      const turn = Math.floor(index / 2) + 1;
      return index % 2 ? `${turn}… ${text}` : `${turn}. ${text}`;
    });
    if (this.texts && this.texts.join() === texts.join()) return;
    this.texts = texts;
    this.moves.replaceChildren(...texts.map((text, index) =>
      el("li", {}, el("button", { type: "button", onclick: () => this.show(index + 1) }, text))));
  }

  // --- one position ---

  stage() {
    const button = (name, title, path, to) =>
      el("button", { type: "button", "aria-label": title, title, id: `step-${name}`, onclick: () => this.show(to()) },
        sv("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, sv("path", { d: path })));
    const eyes = [["red", t("red's view")], ["blue", t("blue's view")], ["open", t("uncovered")]].map(([value, text]) =>
      el("label", {}, el("input", { type: "radio", name: "eyes", value, checked: value === this.eyes, onchange: () => {
        this.eyes = value;
        this.listMoves();
        this.curve.draw(this.film, this.eyes);
        this.show(this.ply);
      } }), text));
    this.view = el("div", { id: "position" });
    this.curve = new Curve((ply) => this.show(ply));
    this.told = el("p", { class: "told", "aria-live": "polite" });
    this.lost = el("div", { class: "lost" });
    this.moves = el("ol", { class: "moves", "aria-label": t("moves") });
    this.slider = el("input", {
      class: "slider", type: "range", min: 0, value: 0, "aria-label": t("ply"),
      oninput: () => this.show(Number(this.slider.value)),
    });
    return el("div", { class: "stage" },
      el("div", {},
        el("fieldset", { class: "eyes" }, el("legend", { class: "soft" }, t("Seen through")), eyes),
        this.view, this.curve.root, this.slider,
        el("div", { class: "steps" },
          button("first", t("first"), "M5 4h3v16H5zM20 4v16L9 12z", () => 0),
          button("previous", t("previous"), "M17 4v16L6 12z", () => this.ply - 1),
          button("next", t("next"), "M7 4v16l11-8z", () => this.ply + 1),
          button("last", t("last"), "M16 4h3v16h-3zM4 4v16l11-8z", () => this.film.length))),
      el("div", {}, this.told, this.lost, this.moves,
        note(t("Arrow keys step, Home and End jump. A dot marks a piece that the other side knows; a ? one that is hidden and has moved. Yellow: the last move."))));
  }

  // Arrow keys also work without focus while the board is on the screen.
  key(event) {
    if (!this.root.isConnected) return; // another variant is shown
    const inside = this.root.contains(event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, input")) return;
    if (!inside && event.target !== document.body) return;
    const place = this.view.getBoundingClientRect();
    if (!inside && (place.bottom < 0 || place.top > innerHeight || event.key === "Home" || event.key === "End")) return;
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.film.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.show(to);
  }

  show(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.film.length);
    this.view.replaceChildren(this.picture());
    this.slider.value = `${this.ply}`;
    this.curve.mark(this.ply);
    this.told.replaceChildren(...this.story());
    this.lost.replaceChildren(...["red", "blue"].map((side) => this.fallen(side)));
    this.root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.moves.children[this.ply - 1]?.firstChild;
    current?.setAttribute("aria-current", "step");
    this.follow(current);
  }

  // Scrolls the list, never the page.
  follow(button) {
    if (!button) {
      this.moves.scrollTop = 0;
      return;
    }
    const list = this.moves.getBoundingClientRect(), own = button.getBoundingClientRect();
    if (own.top < list.top) this.moves.scrollTop -= list.top - own.top;
    if (own.bottom > list.bottom) this.moves.scrollTop += own.bottom - list.bottom;
  }

  picture() {
    const { film, eyes, ply } = this, marks = film.marks(ply, eyes), held = film.squares(ply);
    const seen = { red: t("red's view"), blue: t("blue's view"), open: t("uncovered") }[eyes];
    const label = t("position after {1} plies, {2}", ply, seen);
    return boardPicture(this.board, label, (at, x, y) => {
      const piece = film.see(held[at], eyes), dark = film.dark(held[at], eyes);
      const name = squareName(this.board, at);
      return sv("g", {
        role: "img", "data-square": name, class: dark ? "dark" : null,
        "aria-label": `${name}: ${dark && !piece ? t("out of sight") : pieceWords(this.board, piece)}`,
      },
      dark ? sv("rect", { class: "fog", x, y, width: 1, height: 1 }) : null,
      piece ? pieceMark(this.board, piece, x, y) : null,
      marks.includes(at) ? sv("rect", { class: "last", x: x + .05, y: y + .05, width: .9, height: .9, rx: .08 }) : null);
    }, { turned: eyes === "blue" });
  }

  // The last ply as these eyes learn of it.
  story() {
    const names = this.numbers.players.map((player) => player.name);
    const parts = [];
    if (this.ply === 0) {
      parts.push(t("Game {1}: {2} is red, {3} is blue.", this.number, names[this.red], names[this.blue]),
        " ", this.film.first === "red" ? t("Red begins.") : t("Blue begins."));
    } else {
      const side = this.film.side(this.ply) === "red" ? t("Red") : t("Blue");
      const battle = this.film.battle(this.ply, this.eyes);
      const kind = (index) => (index === null ? t("a hidden piece") : this.board.kinds[index].name);
      const what = battle ? `: ${t("{1} attacks {2}", kind(battle.attacker), kind(battle.defender))}` : "";
      const falls = ["red", "blue"].flatMap((one) => this.felled(one));
      parts.push(el("strong", {}, `${t("Ply {1}.", this.ply)} `),
        `${side} ${this.film.move(this.ply, this.eyes)}${what}.${falls.length ? ` ${t("Fallen: {1}.", falls.join(", "))}` : ""}`);
    }
    if (this.film.chances) parts.push(` ${this.curve.words(this.ply)}`);
    if (this.ply === this.film.length) {
      parts.push(el("br"), t("Game over: {1} ({2}).", RESULTS[this.result], this.film.ending || t(this.reason)));
      const forfeit = this.numbers.forfeits.find((one) => one.game === this.number);
      if (forfeit && forfeit.text) parts.push(` ${forfeit.text}`);
    }
    return parts;
  }

  // "red’s scout" for each piece that the last ply took.
  felled(side) {
    const before = new Map(this.film.lost(this.ply - 1, side).map(({ kind, count }) => [kind, count]));
    return this.film.lost(this.ply, side)
      .filter(({ kind, count }) => count > (before.get(kind) || 0))
      .map(({ kind }) => (side === "red" ? t("red’s {1}", this.board.kinds[kind].name) : t("blue’s {1}", this.board.kinds[kind].name)));
  }

  fallen(side) {
    const lost = this.film.lost(this.ply, side);
    return el("div", {}, el("span", { class: "soft" }, side === "red" ? t("Red has lost") : t("Blue has lost")),
      lost.length ? lost.map(({ kind, count }) => el("span", {
        class: `chip ${side}`, title: this.board.kinds[kind].name,
      }, this.board.kinds[kind].label, count > 1 ? ` × ${count}` : "")) : el("span", { class: "soft" }, t("nothing")));
  }
}
