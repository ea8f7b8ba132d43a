// main.js - reads the embedded data and builds the page.

// A report with the variant's title and its kinds' names in the language.
function inWords(numbers, index) {
  numbers.title = words.titles[index] ?? numbers.title;
  words.kinds[index]?.forEach((name, kind) => { numbers.board.kinds[kind].name = name; });
  return numbers;
}

// One report a variant; the elements of the second are "numbers-2" and "films-2".
const ends = [...document.querySelectorAll("script[id^=numbers]")].map(({ id }) => id.slice("numbers".length));
const reports = ends.map((end, index) => inWords(data(`numbers${end}`), index));
let shown = null, replay = null;

function variantLinks() {
  if (reports.length < 2) return "";
  return el("nav", { "aria-label": t("variants") }, reports.map((one) =>
    el("a", { href: `#variant=${encodeURIComponent(one.variant)}`, "aria-current": one === shown ? "page" : null }, one.title)));
}

function show(numbers) {
  const films = data(`films${ends[reports.indexOf(numbers)]}`);
  shown = numbers;
  replay = films.length ? new Replay(numbers, films) : null;
  const sections = [standings, crossTable, pairs, courses, sides, setups, places, forfeits]
    .map((make) => make(numbers)).filter(Boolean);
  if (replay) sections.push(replay.root);
  document.getElementById("page").replaceChildren(
    variantLinks(),
    header(numbers),
    sectionLinks(sections),
    ...sections,
    footer());
}

// "#variant=duel" shows the games of that variant, "#game=12&ply=40" opens a game at that ply.
function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const variant = reports.find((one) => one.variant === wanted.get("variant"));
  if (variant && variant !== shown) show(variant);
  if (!replay || !wanted.has("game")) return;
  if (replay.open(Number(wanted.get("game")), Number(wanted.get("ply") || 0))) {
    replay.root.scrollIntoView();
  }
}

show(reports[0]);
addEventListener("hashchange", followAddress);
followAddress();
