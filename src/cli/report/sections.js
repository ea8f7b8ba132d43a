// sections.js - the sections of the page with numbers. Each function returns its section, or null if
// it would be empty.

// A reason of forfeits: "illegal" of "forfeit-illegal".
function forfeitName(reason) {
  return t(reason).replace("forfeit-", "");
}

// A link that opens a game in the replay.
function gameLink(number) {
  return el("a", { href: `#game=${number}` }, `${number}`);
}

// The result of a match between two players in one sentence.
function verdict(numbers) {
  const [meeting] = numbers.meetings;
  if (numbers.players.length !== 2 || !meeting || meeting.los === null) return null;
  const names = [meeting.first, meeting.second].map((index) => numbers.players[index].name);
  if (meeting.los > .975) return t("{1} is stronger: Elo {2}.", names[0], interval(meeting.elo));
  if (meeting.los < .025) return t("{1} is stronger: Elo {2}.", names[1], interval(opposite(meeting.elo)));
  return t("Neither is shown to be stronger: {1} has Elo {2}.", names[0], interval(meeting.elo));
}

function status({ match, ended, planned, played }) {
  if (!match) return null;
  const counts = [whole.format(played), whole.format(planned)];
  if (ended === "decided") return note(t("The match was stopped once it was decided, after {1} of {2} games.", ...counts));
  if (ended === "complete" && played === planned) return null;
  return el("p", { class: "warning" }, t("This match is not finished: {1} of {2} games have been played.", ...counts));
}

function header(numbers) {
  const facts = [
    [t("Games"), whole.format(numbers.played)],
    [t("Forfeits"), whole.format(numbers.forfeited)],
    [t("Variant"), numbers.variant],
    numbers.match && numbers.seed ? [t("Seed"), numbers.seed] : null,
    numbers.hash ? [t("Hash of all games"), numbers.hash, "wide"] : null,
  ].filter(Boolean);
  const names = numbers.players.map((player) => player.name);
  const who = names.length > 4 ? t("{1} players", names.length) : names.join(" · ");
  return el("header", {},
    el("p", { class: "eyebrow" }, numbers.match ? t("Match report") : t("Game report")),
    el("h1", {}, `${numbers.title}: ${who}`),
    numbers.bot ? el("p", {}, t("Two families of set-ups, both played by {1}.", numbers.bot)) : null,
    verdict(numbers) && el("p", { class: "verdict" }, verdict(numbers)),
    status(numbers),
    numbers.unread ? el("p", { class: "warning" },
      t("{1} of the records cannot be replayed; their results still count. The first: {2}", whole.format(numbers.unread), numbers.unread_why)) : null,
    el("dl", { class: "facts" }, facts.map(([name, value, kind]) =>
      el("div", { class: kind }, el("dt", {}, name), el("dd", {}, value)))),
    numbers.match ? el("p", { class: "soft" }, t("Played by Ensign {1}", numbers.ensign),
      numbers.command ? [": ", el("code", {}, numbers.command)] : null) : null);
}

// The players' numbers, the best first.
function ranking(players) {
  const rank = ({ rating }) => (rating && rating[0] !== null ? rating[0] : -Infinity);
  return players.map((_, index) => index).sort((a, b) => rank(players[b]) - rank(players[a]) || a - b);
}

function standings({ match, played, players, ratings }) {
  if (!match && played < 2) return null;
  const rows = ranking(players).map((index) => {
    const player = players[index];
    const forfeits = Object.entries(player.forfeits).map(([reason, count]) => `${count} ${forfeitName(reason)}`);
    return [player.name, percent(player.score), interval(player.elo),
      whole.format(player.wins), whole.format(player.draws), whole.format(player.losses), forfeits.join(", ") || "0"];
  });
  const explained = {
    likely: t("Ratings are those that make all results most likely (Bradley-Terry, on the Elo scale); their mean is 0. The bars are 95 % intervals."),
    prior: t("A player or group has won every point against the others, or none, so there are no most likely ratings: each player was given one drawn pair against an imaginary opponent. Read the differences as “at least this much”."),
    none: "",
  }[ratings];
  return section("ratings", t("Players"),
    ratings === "none" ? null : el("figure", {}, el("figcaption", {}, explained), ratingChart(players)),
    table(t("Elo is against the opponents met, with its 95 % interval. Losses include forfeits."),
      [t("player"), t("score"), "Elo", t("wins"), t("draws"), t("losses"), t("forfeits")], rows));
}

function crossTable({ match, players, meetings }) {
  if (!match || players.length < 2 || !meetings.length) return null;
  const found = new Map(), order = ranking(players);
  for (const meeting of meetings) {
    found.set(`${meeting.first} ${meeting.second}`, meeting);
    found.set(`${meeting.second} ${meeting.first}`,
      { ...meeting, wins: meeting.losses, losses: meeting.wins, score: 1 - meeting.score });
  }
  const cell = (i, j) => {
    const one = found.get(`${i} ${j}`);
    if (!one) return el("td", { class: "none" }, i === j ? "" : "–");
    const lean = one.score - .5;
    return el("td", {
      style: `background: rgba(var(--${lean < 0 ? "bad" : "good"}), ${(Math.abs(lean) * 1.1).toFixed(3)})`,
      title: t("{1} against {2}: {3}", players[i].name, players[j].name, `+${one.wins} =${one.draws} −${one.losses}`),
    }, percent(one.score));
  };
  return section("cross", t("Cross table"),
    table(t("Score of the row’s player against the column’s: green above one half, brown below."),
      ["", ...order.map((index) => players[index].name)],
      order.map((i) => [players[i].name, ...order.map((j) => cell(i, j))]), { class: "cross" }));
}

function pairs({ players, meetings, sprt }) {
  const played = meetings.filter((meeting) => meeting.pairs.some(Boolean));
  if (!played.length) return null;
  const rows = played.map((meeting) => [
    `${players[meeting.first].name} – ${players[meeting.second].name}`,
    ...meeting.pairs.map((count) => whole.format(count)),
    interval(meeting.elo), interval(meeting.normalized), percent(meeting.los), percent(meeting.draw_ratio)]);
  return section("pairs", t("Pairs of games"),
    note(t("Two games on the same set-ups with sides exchanged are one observation: luck in the set-ups cancels out. LOS is the likelihood that the first of the two is stronger. Normalized Elo measures the difference relative to the spread of the results.")),
    table(t("Number of pairs in which the first player scored 0, ½, 1, 1½ or 2 points."),
      [t("first – second"), "0", "½", "1", "1½", "2", "Elo", t("normalized Elo"), "LOS", t("draws")], rows),
    sprt ? sequential(sprt, players) : null);
}

function sequential(test, players) {
  const { elo0, elo1, alpha, beta, decision } = test;
  const said = {
    H0: t("Decided for H0: {1} is not better by {2} Elo.", players[0].name, elo1),
    H1: t("Decided for H1: {1} is better by more than {2} Elo.", players[0].name, elo0),
    undecided: t("Undecided."),
  }[decision];
  return el("figure", {},
    el("h3", {}, t("Sequential test")),
    el("figcaption", {}, `${said} ${t("H0: {1} Elo, H1: {2} Elo; error rates about {3} and {4}.", elo0, elo1, percent(alpha), percent(beta))}`),
    ratioBar(test));
}

function courses({ lengths, reasons, played }) {
  if (!lengths || played < 2) return null;
  const rows = Object.entries(reasons).sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => [t(reason), count, reason.startsWith("forfeit") ? "forfeit" : ""]);
  return section("courses", t("How games went"),
    el("div", { class: "columns" },
      el("figure", {},
        el("h3", {}, t("Length")),
        el("figcaption", {}, t("From {1} to {2} plies, median {3}, mean {4}.", whole.format(lengths.shortest), whole.format(lengths.longest), whole.format(lengths.median), lengths.mean.toFixed(1))),
        histogram(lengths)),
      el("figure", {},
        el("h3", {}, t("How they ended")),
        el("figcaption", {}, t("Reasons of the endings.")),
        barChart(rows))));
}

// Equal forfeits share a row: a faulty bot usually fails in one place.
function forfeits(numbers) {
  if (!numbers.forfeited) return null;
  const shown = 12, groups = new Map();
  for (const { game, player, reason, text } of numbers.forfeits) {
    const key = JSON.stringify([player, reason, text]);
    if (!groups.has(key)) groups.set(key, { player, reason, text, games: [] });
    groups.get(key).games.push(game);
  }
  const rows = [...groups.values()].sort((a, b) => b.games.length - a.games.length).map(({ player, reason, text, games }) => [
    numbers.players[player].name, forfeitName(reason), whole.format(games.length),
    el("td", { class: "text" }, text || ""),
    el("td", { class: "text" }, games.slice(0, shown).flatMap((game, i) => [i ? ", " : "", gameLink(game)]),
      games.length > shown ? t(" and {1} more", whole.format(games.length - shown)) : "")]);
  const left = numbers.forfeited - numbers.forfeits.length;
  return section("forfeits", t("Forfeits"),
    table(t("Forfeits by player, reason and message."), [t("player"), t("reason"), t("count"), t("message"), t("games")], rows, { class: "told-in-words" }),
    left ? note(t("{1} more are not listed.", whole.format(left))) : null);
}

function sides({ match, played, red, first }) {
  if (!match || !played) return null;
  const row = (name, one) => [name, percent(one.score), one.low === null ? "?" : `${percent(one.low)} … ${percent(one.high)}`,
    el("td", { class: "wide" }, scoreBar(one)), whole.format(one.wins), whole.format(one.draws), whole.format(one.losses)];
  const rows = [row(t("red"), red)];
  const known = first.wins + first.draws + first.losses;
  if (known) rows.push(row(t("who moves first"), first));
  return section("sides", t("Sides"),
    table(t("Score of red against blue, and of the first mover against the second, with 95 % intervals from the pairs."),
      [t("side"), t("score"), t("95 % interval"), "", t("wins"), t("draws"), t("losses")], rows));
}

function setups({ match, board, setups: { different, judged, judged_from: from, list } }) {
  if (!match || !different) return null;
  const groups = [
    ["most", t("Most played"), ""],
    ["best", t("Best"), t("The best of the {1} set-ups that were played in at least {2} pairs; with so many, some look good by chance alone.", whole.format(judged), from)],
    ["worst", t("Worst"), t("The worst of the same set-ups.")],
  ];
  const card = (one) => el("figure", {},
    setupPicture(board, one.setup), scoreBar(one),
    el("figcaption", {}, `${percent(one.score)}${one.low === null ? "" : ` (${tenths(one.low)} … ${tenths(one.high)})`}, ${t("{1} games", whole.format(one.wins + one.draws + one.losses))}`));
  const shown = groups.map(([as, title, text]) => {
    const cards = list.filter((one) => one.as === as).map(card);
    return cards.length ? [el("h3", {}, title), text ? note(text) : null, el("div", { class: "cards" }, cards)] : [];
  });
  return section("setups", t("Set-ups"),
    note(list.length
      ? t("{1} different set-ups were played. Pictures show the front rank on top, as the owner sees it.", whole.format(different))
      : t("{1} different set-ups were played, none in enough pairs to be judged.", whole.format(different))),
    shown);
}

function places({ played, board, flags, battles }) {
  const sum = (counts) => counts.reduce((total, count) => total + count, 0);
  if (played < 2 || !sum(flags)) return null;
  return section("places", t("Places"),
    el("div", { class: "columns" },
      el("figure", {}, el("h3", {}, t("Where flags stood")),
        el("figcaption", {}, t("Red's at the bottom, blue's at the top, at the start.")),
        heatMap(board, flags, t("Where flags stood"), (at, count) => t("{1}: {2} flags", at, count))),
      el("figure", {}, el("h3", {}, t("Where battles happened")),
        el("figcaption", {}, t("{1} attacks, by the square attacked.", whole.format(sum(battles)))),
        heatMap(board, battles, t("Where battles happened"), (at, count) => t("{1}: {2} attacks", at, count)))));
}
