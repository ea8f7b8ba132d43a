// battles.js - who beats whom, as a card over the board: attackers in rows, defenders in columns, and
// what is special about a piece below. Loaded when it is asked for.
import { pieceIcon } from "./board.js";
import { el, loadStyle } from "./dom.js";
import { kindWords } from "./pieces.js";
import { kindName, t } from "./words.js";

const SIGNS = { attacker: "✓", defender: "✗", both: "=", ask: "?", none: "·" };
const WORDS = () => ({ attacker: t("the attacker wins"), defender: t("the defender wins"), both: t("both fall"), ask: t("it depends"), none: t("no attack") });

function table({ kinds, battles }, icon) {
  const words = WORDS(), shown = kinds.filter(({ count }) => count > 0);
  const head = (kind, scope) => el("th", { scope, title: kindName(kind.name) }, icon(kind), el("span", { class: "unseen" }, kindName(kind.name)));
  const cell = (outcome) => el("td", { class: outcome, title: words[outcome] }, el("span", { "aria-hidden": "true" }, SIGNS[outcome]), el("span", { class: "unseen" }, words[outcome]));
  const row = (attacker) => el("tr", {}, head(attacker, "row"),
    shown.map(({ name }) => (battles[attacker.name][name] ? cell(battles[attacker.name][name]) : el("td", {}))));
  return el("table", {}, el("caption", {}, t("Attackers in rows, defenders in columns")),
    el("thead", {}, el("tr", {}, el("td", {}), shown.map((kind) => head(kind, "col")))),
    el("tbody", {}, shown.filter(({ name }) => battles[name]).map(row)));
}

// `side`: whose shape the pieces have.
export async function showBattles(variant, side) {
  await loadStyle("review.css");
  if (document.querySelector("dialog.battles")) return;
  const kinds = new Map(variant.kinds.map((kind) => [kind.name, kind])), icon = ({ name }) => pieceIcon(kinds, { side, kind: name });
  const special = variant.kinds.filter(({ count }) => count > 0).map((kind) => [kind, kindWords(kind)]).filter(([, words]) => words.length);
  const legend = Object.entries(WORDS()).filter(([outcome]) => Object.values(variant.battles).some((row) => Object.values(row).includes(outcome)));
  const dialog = el("dialog", { class: "battles", "aria-label": t("Who beats whom") },
    el("h2", {}, t("Who beats whom")),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("Who beats whom") }, table(variant, icon)),
    el("p", { class: "soft legend" }, legend.map(([outcome, words]) => el("span", { class: outcome }, el("b", {}, SIGNS[outcome]), ` ${words}`))),
    variant.battles_on ? el("p", {}, t("On some squares it is otherwise: the rules have the tables.")) : null,
    special.length ? el("ul", {}, special.map(([kind, words]) => el("li", {}, icon(kind), el("span", {}, el("b", {}, kindName(kind.name)), ` – ${words.join(" ")}`)))) : null,
    el("form", { method: "dialog" }, el("button", { class: "main" }, t("Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
