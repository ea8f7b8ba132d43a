// sections.js - the sections of the page with numbers. Each function returns its section, or null if
// it would be empty.

function section(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

function note(text) {
  return el("p", { class: "soft" }, text);
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
  if (meeting.los > .975) return `${names[0]} is stronger: Elo ${interval(meeting.elo)}.`;
  if (meeting.los < .025) return `${names[1]} is stronger: Elo ${interval(opposite(meeting.elo))}.`;
  return `Neither is shown to be stronger: ${names[0]} has Elo ${interval(meeting.elo)}.`;
}

function status({ match, ended, planned, played }) {
  if (!match) return null;
  const games = `${whole.format(played)} of ${whole.format(planned)} games`;
  if (ended === "decided") return note(`The match was stopped once it was decided, after ${games}.`);
  if (ended === "complete" && played === planned) return null;
  return el("p", { class: "warning" }, `This match is not finished: ${games} have been played.`);
}

function header(numbers) {
  const facts = [
    ["Games", whole.format(numbers.played)],
    ["Forfeits", whole.format(numbers.forfeited)],
    ["Variant", numbers.variant],
    numbers.match && numbers.seed ? ["Seed", numbers.seed] : null,
    numbers.hash ? ["Hash of all games", numbers.hash, "wide"] : null,
  ].filter(Boolean);
  const names = numbers.players.map((player) => player.name);
  const who = names.length > 4 ? `${names.length} players` : names.join(" · ");
  return el("header", {},
    el("p", { class: "eyebrow" }, numbers.match ? "Match report" : "Game report"),
    el("h1", {}, `${numbers.title}: ${who}`),
    numbers.bot ? el("p", {}, `Two families of set-ups, both played by ${numbers.bot}.`) : null,
    verdict(numbers) && el("p", { class: "verdict" }, verdict(numbers)),
    status(numbers),
    numbers.unread ? el("p", { class: "warning" },
      `${whole.format(numbers.unread)} of the records cannot be replayed; their results still count. The first: ${numbers.unread_why}`) : null,
    el("dl", { class: "facts" }, facts.map(([name, value, kind]) =>
      el("div", { class: kind }, el("dt", {}, name), el("dd", {}, value)))),
    numbers.match ? el("p", { class: "soft" }, `Played by Ensign ${numbers.ensign}`,
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
    const forfeits = Object.entries(player.forfeits).map(([reason, count]) => `${count} ${reason.replace("forfeit-", "")}`);
    return [player.name, percent(player.score), interval(player.elo),
      whole.format(player.wins), whole.format(player.draws), whole.format(player.losses), forfeits.join(", ") || "0"];
  });
  const explained = {
    likely: "Ratings are those that make all results most likely (Bradley-Terry, on the Elo scale); their mean is 0. The bars are 95 % intervals.",
    prior: "A player or group has won every point against the others, or none, so there are no most likely ratings: each player was given one drawn pair against an imaginary opponent. Read the differences as “at least this much”.",
    none: "",
  }[ratings];
  return section("ratings", "Players",
    ratings === "none" ? null : el("figure", {}, el("figcaption", {}, explained), ratingChart(players)),
    table("Elo is against the opponents met, with its 95 % interval. Losses include forfeits.",
      ["player", "score", "Elo", "wins", "draws", "losses", "forfeits"], rows));
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
      title: `${players[i].name} against ${players[j].name}: +${one.wins} =${one.draws} −${one.losses}`,
    }, percent(one.score));
  };
  return section("cross", "Cross table",
    table("Score of the row’s player against the column’s: green above one half, brown below.",
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
  return section("pairs", "Pairs of games",
    note("Two games on the same set-ups with sides exchanged are one observation: luck in the set-ups cancels out. LOS is the likelihood that the first of the two is stronger. Normalized Elo measures the difference relative to the spread of the results."),
    table("Number of pairs in which the first player scored 0, ½, 1, 1½ or 2 points.",
      ["first – second", "0", "½", "1", "1½", "2", "Elo", "normalized Elo", "LOS", "draws"], rows),
    sprt ? sequential(sprt, players) : null);
}

function sequential(test, players) {
  const { elo0, elo1, alpha, beta, decision } = test;
  const said = {
    H0: `Decided for H0: ${players[0].name} is not better by ${elo1} Elo.`,
    H1: `Decided for H1: ${players[0].name} is better by more than ${elo0} Elo.`,
    undecided: "Undecided.",
  }[decision];
  return el("figure", {},
    el("h3", {}, "Sequential test"),
    el("figcaption", {}, `${said} H0: ${elo0} Elo, H1: ${elo1} Elo; error rates about ${percent(alpha)} and ${percent(beta)}.`),
    ratioBar(test));
}

function courses({ lengths, reasons, played }) {
  if (!lengths || played < 2) return null;
  const rows = Object.entries(reasons).sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => [reason, count, reason.startsWith("forfeit") ? "forfeit" : ""]);
  return section("courses", "How games went",
    el("div", { class: "columns" },
      el("figure", {},
        el("h3", {}, "Length"),
        el("figcaption", {}, `From ${whole.format(lengths.shortest)} to ${whole.format(lengths.longest)} plies, median ${whole.format(lengths.median)}, mean ${lengths.mean.toFixed(1)}.`),
        histogram(lengths)),
      el("figure", {},
        el("h3", {}, "How they ended"),
        el("figcaption", {}, "Reasons, as in the records."),
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
    numbers.players[player].name, reason.replace("forfeit-", ""), whole.format(games.length),
    el("td", { class: "text" }, text || ""),
    el("td", { class: "text" }, games.slice(0, shown).flatMap((game, i) => [i ? ", " : "", gameLink(game)]),
      games.length > shown ? ` and ${whole.format(games.length - shown)} more` : "")]);
  const left = numbers.forfeited - numbers.forfeits.length;
  return section("forfeits", "Forfeits",
    table("Forfeits by player, reason and message.", ["player", "reason", "count", "message", "games"], rows, { class: "told-in-words" }),
    left ? note(`${whole.format(left)} more are not listed.`) : null);
}

function sides({ match, played, red, first }) {
  if (!match || !played) return null;
  const row = (name, one) => [name, percent(one.score), one.low === null ? "?" : `${percent(one.low)} … ${percent(one.high)}`,
    el("td", { class: "wide" }, scoreBar(one)), whole.format(one.wins), whole.format(one.draws), whole.format(one.losses)];
  const rows = [row("red", red)];
  const known = first.wins + first.draws + first.losses;
  if (known) rows.push(row("who moves first", first));
  return section("sides", "Sides",
    table("Score of red against blue, and of the first mover against the second, with 95 % intervals from the pairs.",
      ["side", "score", "95 % interval", "", "wins", "draws", "losses"], rows));
}

function setups({ match, board, setups: { different, judged, judged_from: from, list } }) {
  if (!match || !different) return null;
  const groups = [
    ["most", "Most played", ""],
    ["best", "Best", `The best of the ${whole.format(judged)} set-ups that were played in at least ${from} pairs; with so many, some look good by chance alone.`],
    ["worst", "Worst", "The worst of the same set-ups."],
  ];
  const card = (one) => el("figure", {},
    setupPicture(board, one.setup), scoreBar(one),
    el("figcaption", {}, `${percent(one.score)}${one.low === null ? "" : ` (${tenths(one.low)} … ${tenths(one.high)})`}, ${whole.format(one.wins + one.draws + one.losses)} games`));
  const shown = groups.map(([as, title, text]) => {
    const cards = list.filter((one) => one.as === as).map(card);
    return cards.length ? [el("h3", {}, title), text ? note(text) : null, el("div", { class: "cards" }, cards)] : [];
  });
  return section("setups", "Set-ups",
    note(list.length
      ? `${whole.format(different)} different set-ups were played. Pictures show the front rank on top, as the owner sees it.`
      : `${whole.format(different)} different set-ups were played, none in enough pairs to be judged.`),
    shown);
}

function places({ played, board, flags, battles }) {
  const sum = (counts) => counts.reduce((total, count) => total + count, 0);
  if (played < 2 || !sum(flags)) return null;
  return section("places", "Places",
    el("div", { class: "columns" },
      el("figure", {}, el("h3", {}, "Where flags stood"),
        el("figcaption", {}, "Red's at the bottom, blue's at the top, at the start."),
        heatMap(board, flags, "Where flags stood", "flags")),
      el("figure", {}, el("h3", {}, "Where battles happened"),
        el("figcaption", {}, `${whole.format(sum(battles))} attacks, by the square attacked.`),
        heatMap(board, battles, "Where battles happened", "attacks"))));
}
