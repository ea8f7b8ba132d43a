// ending.js - what the page says of a game that is over: how its chances stood, the moves that cost
// most, and both armies as they began. Loaded when a game ends.
//
// The server asks a bot, in each side's place with that side's knowledge; here it is only drawn.
import { Board } from "./board.js";
import { el, sv } from "./dom.js";
import { link } from "./link.js";
import { moveNumber } from "./position.js";
import { kindName, sideName, t } from "./words.js";

const HEIGHT = 100, TOP = 6, BASE = 94; // of the curve's picture

const percent = (chance) => `${Math.round(100 * chance)} %`;

// A line for each side's chances, and the ply that the board shows.
class Curve {
  // `go(ply)` is called with the ply that was pointed at.
  constructor({ chances, bot }, go) {
    this.chances = chances;
    this.last = chances.red.length - 1;
    this.cursor = sv("g");
    const grid = [0, .5, 1].map((share) => sv("line", { class: "grid", x1: 0, x2: "100%", y1: this.y(share), y2: this.y(share) }));
    this.picture = sv("svg", {
      class: "chart", width: "100%", height: HEIGHT, role: "img",
      onpointerdown: (event) => go(this.plyAt(event)), onpointermove: (event) => event.buttons && go(this.plyAt(event)),
    }, grid, this.line("red"), this.line("blue"), this.cursor);
    this.now = el("span", { class: "now" });
    this.element = el("figure", { class: "curve" }, this.picture,
      el("figcaption", {}, t("Chances to win as {1} sees them, each side’s by what it knew", bot), " ", this.now));
  }

  x(ply) { return this.last ? 100 * ply / this.last : 0; }

  y(share) { return BASE - (BASE - TOP) * share; }

  line(side) {
    const points = this.chances[side].map((chance, ply) => `${this.x(ply).toFixed(2)},${this.y(chance).toFixed(1)}`);
    return sv("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", width: "100%", height: HEIGHT },
      sv("polyline", { class: `line ${side}`, points: points.join(" ") }));
  }

  plyAt(event) {
    const { left, width } = this.picture.getBoundingClientRect();
    return Math.round(this.last * Math.min(1, Math.max(0, (event.clientX - left) / width)));
  }

  mark(ply) {
    if (ply > this.last) return;
    const red = this.chances.red[ply], blue = this.chances.blue[ply], x = `${this.x(ply)}%`;
    const words = t("Chances to win: red {1}, blue {2}.", percent(red), percent(blue));
    this.cursor.replaceChildren(sv("line", { class: "cursor", x1: x, x2: x, y1: TOP, y2: BASE }),
      sv("circle", { class: "red", cx: x, cy: this.y(red), r: 4 }), sv("circle", { class: "blue", cx: x, cy: this.y(blue), r: 4 }));
    this.picture.setAttribute("aria-label", words);
    this.now.textContent = words;
  }
}

// What a move cost by what its side could know, and what came of it.
function worstWords({ move, chance, best, best_chance: kept, luck, blind, met }) {
  const after = percent(chance + luck), words = [move, percent(chance), best, percent(kept), after];
  if (blind && met) return t("{1}: {2} to win, {3} kept {4}. The unknown piece was {6}: {5} after it.", ...words, kindName(met));
  if (blind) return t("{1}: {2} to win, {3} kept {4}. The piece stayed unknown: {5} after it.", ...words);
  return t("{1}: {2} to win, {3} kept {4}.", ...words);
}

export class Ending {
  // `source`: { game } or { record }, as the server is asked; `nameOf(side)` gives a player's name; `step(ply)` shows a ply.
  constructor({ source, variant, nameOf, step }) {
    Object.assign(this, { source, variant, nameOf, step });
    this.state = el("p", { class: "soft", role: "status" });
    this.chances = el("section", { class: "chances", "aria-label": t("Analysis") }, this.state); // above the stepper
    this.moves = el("div", { class: "worst" });
    this.armies = el("figure", { class: "armies" });
    this.element = el("section", { class: "ending", "aria-label": t("The game in review") }, this.moves, this.armies); // below it
    this.ends = [link.on("progress", (message) => this.showProgress(message)), link.on("open", () => this.analyse())];
  }

  close() {
    for (const end of this.ends) end();
  }

  showProgress({ ply, plies }) {
    if (!this.curve) this.state.textContent = t("The bot looks at the game: ply {1} of {2}", ply, plies);
  }

  // Asks the server, once.
  async analyse() {
    if (this.asked) return;
    this.asked = true;
    this.state.textContent = t("The bot looks at the game …");
    try {
      this.show((await link.send({ type: "analyse", ...this.source })).analysis);
    } catch (error) {
      this.asked = false;
      this.state.textContent = error.lost ? "" : t("No analysis: {1}", t(error.message));
    }
  }

  show(analysis) {
    this.curve = new Curve(analysis, this.step);
    this.state.textContent = "";
    this.chances.append(this.curve.element);
    this.curve.mark(this.ply ?? 0);
    this.moves.replaceChildren(...["red", "blue"].map((side) => this.worst(side, analysis.worst[side])));
  }

  worst(side, list) {
    const button = (bad) => el("li", {}, el("button", { type: "button", onclick: () => this.step(bad.ply) }, el("b", {}, moveNumber(bad.ply)), " ", worstWords(bad)));
    return el("section", { class: side }, el("h2", {}, t("{1}: what cost most ({2})", sideName(side), this.nameOf(side))),
      list.length ? el("ol", {}, list.map(button)) : el("p", { class: "soft" }, t("No move cost 1 % or more.")));
  }

  mark(ply) {
    this.ply = ply;
    this.curve?.mark(ply);
  }

  // `start`: the position before the first move, uncovered.
  showArmies(start) {
    if (this.armies.hasChildNodes()) return;
    const frame = el("div", {});
    this.armies.append(frame, el("figcaption", { class: "soft" }, t("Both armies at the start")));
    new Board(frame, { variant: this.variant, plain: true, label: t("Both armies at the start") }).show(start);
  }
}
