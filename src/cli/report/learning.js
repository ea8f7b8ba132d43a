// learning.js - the page of `ensign learn`: how strong a bot has become, over the games it has
// learned from.
//
// The data: { variant, title, seed, opponents, games, compared, notes: [[games, first, past,
// plies, draws], …], rivals, ladder: [{ games, played, scores: [[score, low, high], …] }, …] };
// `first` and `past` are scores of `compared` games, all scores are shares of 1. `opponents` is
// their number; `first` is against all of them, without any against itself as it began.

const learned = data("learning");

// A text for learning without an opponent, with one, and with several.
const byOpponents = (...texts) => texts[Math.min(learned.opponents, 2)];

const FIRST = byOpponents(t("against its beginning"), t("against its opponent"), t("against its opponents"));
const LEFT = .1; // of the width, for the scale

// A percentage for a scale: "50 %".
const short = (share) => `${Number(tenths(share))} %`;

// Places of numbers of games: each doubling is equally wide.
function placesOf(counts) {
  const low = Math.log2(counts[0]), span = Math.log2(counts.at(-1)) - low;
  return counts.map((count) => (span ? (Math.log2(count) - low) / span : .5));
}

// Indices of at most five numbers of games to write below a chart, about evenly spread.
function chosen(places) {
  const taken = [places.length - 1];
  for (let i = places.length - 2; i >= 0; i--)
    if (places[taken.at(-1)] - places[i] >= .22) taken.push(i);
  return taken;
}

const MARKS = [
  (x, y, r) => sv("circle", { class: "point", cx: x, cy: y, r }),
  (x, y, r) => sv("rect", { class: "point", x, y: y - r, width: 2 * r, height: 2 * r, transform: `translate(${-r} 0)` }),
];
const KINDS_OF_LINES = ["line", "line dashed"];

// Lines over games learned. A series is { name, values }; `scale` lists the values that have a line
// across. A value is written by `write`, on the scale by `mark`.
function lineChart(label, counts, series, scale, write, mark) {
  const height = 246, top = 18, base = height - 40;
  const places = placesOf(counts), most = scale.at(-1);
  const down = (value) => base - (base - top) * value / most;
  const x = (place) => at(LEFT + (1 - LEFT - .02) * place);
  const size = counts.length > 40 ? 2 : 4;
  return chart(label, height,
    scale.map((value) => sv("g", {},
      sv("line", { class: "axis", x1: 0, x2: "100%", y1: down(value), y2: down(value) }),
      sv("text", { class: "soft", x: 0, y: down(value) - 4 }, mark(value)))),
    chosen(places).map((i) => sv("text", {
      class: "soft", x: x(places[i]), y: base + 16,
      "text-anchor": places[i] > .9 ? "end" : "middle",
    }, whole.format(counts[i]))),
    sv("text", { class: "soft", x: "100%", y: height - 4, "text-anchor": "end" }, t("games learned")),
    series.map(({ name, values }, number) => [
      sv("svg", { x: at(LEFT), y: 0, width: at(1 - LEFT - .02), height, viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", class: "lines" },
        sv("polyline", { class: KINDS_OF_LINES[number], "vector-effect": "non-scaling-stroke",
          points: values.map((value, i) => `${(1000 * places[i]).toFixed(1)},${down(value).toFixed(1)}`).join(" ") })),
      values.map((value, i) => {
        const point = MARKS[number](x(places[i]), down(value), size);
        point.append(sv("title", {}, t("{1}, {2} games: {3}", name, whole.format(counts[i]), write(value))));
        return point;
      }),
    ]));
}

// What a line says to those who do not see it.
function spoken(name, counts, values, write) {
  return t("{1}: {2} after {3} games, {4} after {5}", name, write(values[0]), whole.format(counts[0]),
    write(values.at(-1)), whole.format(counts.at(-1)));
}

// The lines' names, each with a piece of its line and its last value.
function legend(series, write) {
  return el("ul", { class: "legend" }, series.map(({ name, values }, number) => el("li", {},
    sv("svg", { width: 44, height: 12, "aria-hidden": "true", class: "chart" },
      sv("line", { class: KINDS_OF_LINES[number], x1: 0, x2: 44, y1: 6, y2: 6 }), MARKS[number](22, 6, 4)),
    el("span", {}, `${name}: ${write(values.at(-1))}`))));
}

function column(index) {
  return learned.notes.map((one) => one[index]);
}

function lines(series, scale, write, mark = write) {
  const counts = column(0);
  return lineChart(series.map(({ name, values }) => spoken(name, counts, values, write)).join("; "), counts, series, scale, write, mark);
}

function strength() {
  const series = [
    { name: FIRST, values: column(1) },
    { name: t("against its own past"), values: column(2) },
  ];
  return section("strength", t("Strength"),
    note(byOpponents(
      t("Share of the points in {1} games against itself as it began, and as it was halfway. In so few games chance alone can make a difference of 12 %. To the right, each doubling of the games learned is equally wide.", learned.compared),
      t("Share of the points in {1} games against its opponent, and against itself as it was halfway. In so few games chance alone can make a difference of 12 %. To the right, each doubling of the games learned is equally wide.", learned.compared),
      t("Share of the points in {1} games against its opponents in turn, and against itself as it was halfway. In so few games chance alone can make a difference of 12 %. To the right, each doubling of the games learned is equally wide.", learned.compared))),
    legend(series, percent), lines(series, [0, .5, 1], percent, short));
}

function ladder() {
  if (!learned.ladder.length) return null;
  return section("ladder", t("Against stock bots"),
    note(t("Share of the points that the bot scored as it was then, with its 95 % interval, and the number of games. The dashed line is an even match.")),
    el("div", { class: "columns" }, learned.rivals.map((rival, number) => table(t("against {1}", rival),
      [t("games learned"), t("points"), ""],
      learned.ladder.map(({ games, played, scores }) => {
        const [score, low, high] = scores[number];
        return [whole.format(games), `${percent(score)} (${whole.format(played)})`, el("td", { class: "wide" }, scoreBar({ score, low, high }))];
      })))));
}

// 0, a half and a round number that is not below any value, nor below `least`.
function scaleOf(values, least) {
  const most = Math.max(...values, least), unit = 10 ** Math.floor(Math.log10(most));
  const top = unit * [1, 2, 4, 6, 8, 10].find((factor) => factor * unit >= most);
  return [0, top / 2, top];
}

function courses() {
  const figures = [
    [t("Plies of a game"), 3, 2, (value) => whole.format(Math.round(value))],
    [t("Draws"), 4, .02, percent, short],
  ];
  return section("games", t("How games went"), el("div", { class: "columns" }, figures.map(([name, index, least, write, mark]) =>
    el("figure", {}, el("figcaption", {}, name), lines([{ name, values: column(index) }], scaleOf(column(index), least), write, mark)))));
}

function figures() {
  return section("figures", t("All figures"), el("details", {}, el("summary", {}, t("as a table")),
    table(t("Shares of the points, plies of a game and share of draws, by games learned."),
      [t("games learned"), FIRST, t("against its own past"), t("plies"), t("draws")],
      learned.notes.map(([games, first, past, plies, draws]) =>
        [whole.format(games), percent(first), percent(past), whole.format(Math.round(plies)), percent(draws)]))));
}

function verdict(games, first, past) {
  return byOpponents(
    t("After {1} games it scores {2} against its beginning and {3} against its own past.", games, first, past),
    t("After {1} games it scores {2} against its opponent and {3} against its own past.", games, first, past),
    t("After {1} games it scores {2} against its opponents and {3} against its own past.", games, first, past));
}

function head() {
  const last = learned.notes.at(-1);
  const facts = [[t("Games"), whole.format(learned.games)], [t("Variant"), learned.variant], [t("Seed"), learned.seed]];
  return el("header", {},
    el("p", { class: "eyebrow" }, t("Learning report")),
    el("h1", {}, learned.title),
    el("p", { class: "verdict" }, last
      ? verdict(whole.format(last[0]), percent(last[1]), percent(last[2]))
      : t("Nothing has been learned yet.")),
    el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
}

const sections = (learned.notes.length ? [strength, ladder, courses, figures] : [ladder]).map((make) => make()).filter(Boolean);
document.getElementById("page").replaceChildren(head(), sectionLinks(sections), ...sections, footer());
