// main.js - reads the embedded data and builds the page.

function data(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

// One report a variant; the elements of the second are "numbers-2" and "films-2".
const ends = [...document.querySelectorAll("script[id^=numbers]")].map(({ id }) => id.slice("numbers".length));
const reports = ends.map((end) => data(`numbers${end}`));
let shown = null, replay = null;

function variantLinks() {
  if (reports.length < 2) return "";
  return el("nav", { "aria-label": "variants" }, reports.map((one) =>
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
    sections.length > 1 ? el("nav", { "aria-label": "sections" }, sections.map((one) =>
      el("a", { href: `#${one.id}` }, one.querySelector("h2").textContent))) : "",
    ...sections,
    el("footer", { class: "soft" }, `Written by Ensign ${document.querySelector("meta[name=generator]").content.split(" ")[1]}. This page is self-contained and makes no network requests.`));
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
