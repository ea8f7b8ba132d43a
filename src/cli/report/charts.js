// charts.js - the charts of the page. Positions are per cent of the width, so that texts keep their
// size on any screen.

function chart(label, height, ...children) {
  return sv("svg", { class: "chart", role: "img", width: "100%", height, "aria-label": label }, children);
}

const at = (share) => `${(100 * share).toFixed(2)}%`;

// A point with its interval (shares of the width) at height y. An end that is null is outside the
// chart and gets no cap.
function pointMark(point, low, high, y) {
  return sv("g", {},
    sv("line", { class: "range", x1: at(low ?? 0), x2: at(high ?? 1), y1: y, y2: y }),
    [low, high].filter((end) => end !== null)
      .map((end) => sv("line", { class: "range", x1: at(end), x2: at(end), y1: y - 5, y2: y + 5 })),
    sv("circle", { class: "point", cx: at(point), cy: y, r: 5 }));
}

// Ratings with their intervals, the best first.
function ratingChart(players) {
  const rated = players.filter((player) => player.rating && player.rating[0] !== null)
    .sort((a, b) => b.rating[0] - a.rating[0]);
  const ends = rated.flatMap((player) => player.rating).filter((end) => end !== null);
  const low = Math.min(0, ...ends), span = Math.max(Math.max(0, ...ends) - low, 1);
  const share = (elo) => (elo === null ? null : .04 + .92 * (elo - low) / span);
  return el("div", { class: "rows" }, rated.map((player) => {
    const [elo, from, to] = player.rating.map(share);
    return el("div", {},
      el("strong", {}, player.name), el("span", { class: "number" }, interval(player.rating)),
      chart(`${player.name}: ${interval(player.rating)}`, 20,
        sv("line", { class: "axis", x1: 0, x2: "100%", y1: 10, y2: 10 }),
        sv("line", { class: "zero", x1: at(share(0)), x2: at(share(0)), y1: 0, y2: 20 }),
        pointMark(elo, from, to, 10)));
  }));
}

// Columns over equal bins.
function histogram({ counts, bin }) {
  const height = 200, base = height - 36, most = Math.max(...counts);
  const every = Math.ceil(counts.length / 6);
  return chart(t("How many games lasted how many plies"), height,
    counts.map((count, i) => {
      const tall = (base - 20) * count / most;
      return sv("g", {},
        sv("title", {}, t("{1} to {2} plies: {3}", i * bin, (i + 1) * bin - 1, whole.format(count))),
        sv("rect", { class: "bar", x: at((i + .06) / counts.length), y: base - tall, width: at(.88 / counts.length), height: tall }),
        i % every ? null : sv("text", { class: "soft", x: at(i / counts.length), y: base + 16 }, whole.format(i * bin)));
    }),
    sv("line", { class: "axis", x1: 0, x2: "100%", y1: base, y2: base }),
    sv("text", { class: "soft", x: 0, y: 12 }, t("Games: {1}", whole.format(most))),
    sv("text", { class: "soft", x: "100%", y: height - 4, "text-anchor": "end" }, t("plies")));
}

// A horizontal bar for each row: [name, count, class].
function barChart(rows) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return el("div", { class: "rows" }, rows.map(([name, count, kind]) => el("div", {},
    el("span", {}, name), el("span", { class: "number" }, `${whole.format(count)} (${percent(count / total)})`),
    chart(`${name}: ${count}`, 14,
      sv("rect", { class: `bar ${kind || ""}`, x: 0, y: 1, width: at(count / most), height: 11, rx: 3 })))));
}

// A score's place between 0 and 1 with its interval.
function scoreBar({ score, low, high }) {
  const label = low === null ? percent(score) : t("{1}, {2} to {3}", percent(score), percent(low), percent(high));
  const share = (value) => .04 + .92 * value;
  return chart(label, 20,
    sv("line", { class: "axis", x1: at(share(0)), x2: at(share(1)), y1: 10, y2: 10 }),
    sv("line", { class: "zero", x1: at(.5), x2: at(.5), y1: 0, y2: 20 }),
    low === null ? sv("circle", { class: "point", cx: at(share(score)), cy: 10, r: 5 })
      : pointMark(share(score), share(low), share(high), 10));
}

// The log-likelihood ratio on its way between the bounds of a sequential test.
function ratioBar({ llr, lower, upper }) {
  const share = (value) => .02 + .96 * Math.min(1, Math.max(0, (value - lower) / (upper - lower)));
  return chart(t("LLR {1} between {2} and {3}", llr.toFixed(2), lower.toFixed(2), upper.toFixed(2)), 58,
    sv("line", { class: "axis", x1: at(share(lower)), x2: at(share(upper)), y1: 28, y2: 28 }),
    sv("line", { class: "zero", x1: at(share(0)), x2: at(share(0)), y1: 18, y2: 38 }),
    sv("circle", { class: "point", cx: at(share(llr)), cy: 28, r: 6 }),
    sv("text", { x: at(share(llr)), y: 14, "text-anchor": share(llr) < .5 ? "start" : "end" }, `LLR ${llr.toFixed(2)}`),
    sv("text", { class: "soft", x: 0, y: 54 }, t("H0 at {1}", lower.toFixed(2))),
    sv("text", { class: "soft", x: "100%", y: 54, "text-anchor": "end" }, t("H1 at {1}", upper.toFixed(2))));
}
