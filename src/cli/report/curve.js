// curve.js - how the chances stood in a game, under its board: a line for each side, as a bot saw
// them by what that side knew, and the ply that the board shows.

const CURVE = { height: 140, top: 20, base: 114 };

class Curve {
  // `go` is called with the ply that was pointed at.
  constructor(go) {
    this.go = go;
    this.root = el("figure", { class: "curve", hidden: true });
  }

  // Draws the chances of a film for these eyes; nothing if no bot was asked.
  draw(film, eyes) {
    this.film = film;
    this.sides = eyes === "open" ? ["red", "blue"] : [eyes];
    this.root.hidden = !film.chances;
    if (!film.chances) return;
    this.cursor = sv("g");
    this.picture = sv("svg", {
      class: "chart", width: "100%", height: CURVE.height, role: "img",
      onpointerdown: (event) => this.point(event), onpointermove: (event) => event.buttons && this.point(event),
    }, this.grid(), this.sides.map((side) => this.line(side)), this.cursor);
    this.now = el("span", { class: "now" });
    this.root.replaceChildren(
      el("figcaption", {}, t("Chances to win as {1} sees them, each side’s by what it knew", film.bot), " ", this.now),
      this.picture);
  }

  x(ply) { return this.film.length ? 100 * ply / this.film.length : 0; }

  y(share) { return CURVE.base - (CURVE.base - CURVE.top) * share; }

  grid() {
    return [0, .5, 1].map((share) => sv("line", {
      class: share === .5 ? "zero" : "axis", x1: 0, x2: "100%", y1: this.y(share), y2: this.y(share),
    })).concat(
      sv("text", { class: "soft", x: 0, y: CURVE.top - 5 }, "100 %"),
      [0, 1].map((end) => sv("text", {
        class: "soft", x: `${100 * end}%`, y: CURVE.height - 8, "text-anchor": end ? "end" : "start",
      }, t("ply {1}", whole.format(end * this.film.length)))));
  }

  line(side) {
    const points = this.film.chances.map((chance, ply) => `${this.x(ply).toFixed(2)},${this.y(chance[side]).toFixed(1)}`);
    return sv("svg", { viewBox: `0 0 100 ${CURVE.height}`, preserveAspectRatio: "none", width: "100%", height: CURVE.height },
      sv("polyline", { class: `line ${side}`, points: points.join(" ") }));
  }

  // Marks a ply.
  mark(ply) {
    if (!this.film.chances) return;
    const chance = this.film.chances[ply], x = `${this.x(ply)}%`;
    this.cursor.replaceChildren(
      sv("line", { class: "cursor", x1: x, x2: x, y1: CURVE.top, y2: CURVE.base }),
      ...this.sides.map((side) => (side === "red"
        ? sv("circle", { class: "red", cx: x, cy: this.y(chance.red), r: 5 })
        : sv("svg", { x, y: this.y(chance.blue), width: 1, height: 1, overflow: "visible" },
          sv("rect", { class: "blue", x: -5, y: -5, width: 10, height: 10, rx: 2 })))));
    this.now.replaceChildren(...this.sides.map((side) => el("span", { class: `chip ${side}` }, this.percent(ply, side))));
    this.picture.setAttribute("aria-label", this.words(ply));
  }

  percent(ply, side) { return `${Math.round(Math.round(1000 * this.film.chances[ply][side]) / 10)} %`; }

  // "Chances to win: red 61 %, blue 45 %."
  words(ply) {
    if (!this.film.chances) return "";
    const red = this.percent(ply, "red"), blue = this.percent(ply, "blue");
    if (this.sides.length === 2) return t("Chances to win: red {1}, blue {2}.", red, blue);
    return t("Chance to win: {1}.", this.sides[0] === "red" ? red : blue);
  }

  point(event) {
    const place = this.picture.getBoundingClientRect();
    this.go(Math.round(this.film.length * Math.min(1, Math.max(0, (event.clientX - place.left) / place.width))));
  }
}
