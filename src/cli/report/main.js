// main.js - reads the embedded data and builds the page.

function data(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

const numbers = data("numbers"), films = data("films");
const replay = films.length ? new Replay(numbers, films) : null;
const sections = [standings, crossTable, pairs, courses, sides, setups, places, forfeits]
  .map((make) => make(numbers)).filter(Boolean);
if (replay) sections.push(replay.root);

document.getElementById("page").replaceChildren(
  header(numbers),
  sections.length > 1 ? el("nav", { "aria-label": "sections" }, sections.map((one) =>
    el("a", { href: `#${one.id}` }, one.querySelector("h2").textContent))) : "",
  ...sections,
  el("footer", { class: "soft" }, `Written by Ensign ${document.querySelector("meta[name=generator]").content.split(" ")[1]}. This page is self-contained and makes no network requests.`));

// "#game=12&ply=40" opens that game at that ply.
function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (!replay || !wanted.has("game")) return;
  if (replay.open(Number(wanted.get("game")), Number(wanted.get("ply") || 0))) {
    replay.root.scrollIntoView();
  }
}

addEventListener("hashchange", followAddress);
followAddress();
