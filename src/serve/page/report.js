// report.js - what `check` says of a variant or a bot: errors, a picture, figures of trial games.
import { Board, pieceIcon } from "./board.js";
import { el } from "./dom.js";
import { endWords } from "./story.js";
import { plainSetup, samplePosition } from "./variants.js";
import { kindName, t } from "./words.js";

function remark(fault, jump) {
  const where = fault.line ? t("line {1}", fault.line) : null;
  const text = [where ? el("span", { class: "where" }, where) : null, el("span", {}, fault.message),
    fault.expected ? el("span", { class: "soft" }, fault.expected) : null];
  return el("li", { class: fault.severity },
    fault.line ? el("button", { type: "button", onclick: () => jump(fault.line) }, text) : el("div", {}, text));
}

function remarks(file, jump) {
  const line = file.errors || file.warnings
    ? t("Errors: {1}, warnings: {2}", file.errors, file.warnings) : t("No errors, no warnings.");
  return el("section", { class: "remarks" },
    el("p", { class: `summary ${file.errors ? "bad" : "good"}`, role: "status" }, line),
    file.faults.length ? el("ul", {}, file.faults.map((fault) => remark(fault, jump))) : null,
    file.more ? el("p", { class: "soft" }, t("and {1} more", file.more)) : null);
}

function picture(file) {
  const variant = { ...file.board, lakes: file.lakes, zone: file.zone, kinds: file.kinds };
  const place = el("div", { class: "picture", "aria-hidden": "true" });
  new Board(place, { variant, side: "red", plain: true }).show(samplePosition(variant, plainSetup(variant)));
  const kinds = new Map(variant.kinds.map((kind) => [kind.name, kind]));
  const army = variant.kinds.map(({ name, count }) => el("li", {},
    pieceIcon(kinds, { side: "red", kind: name }), t("{1} × {2}", count, kindName(name))));
  return el("section", {}, el("h2", {}, t(file.title)),
    el("p", { class: "soft" }, t("A board of {1}, with {2} pieces a side.", `${variant.files} × ${variant.ranks}`, file.pieces)),
    el("div", { class: "board-and-army" }, place, el("ul", { class: "army" }, army)));
}

function row(...cells) {
  return el("tr", {}, cells.map((cell, at) => el(at ? "td" : "th", at ? {} : { scope: "row" }, cell)));
}

function table(head, rows) {
  return el("table", {},
    el("thead", {}, el("tr", {}, head.map((cell) => el("th", { scope: "col" }, cell)))), el("tbody", {}, rows));
}

function figures({ trial, tests }) {
  return el("section", {}, el("h2", {}, t("Games of random moves: {1}", trial.games)),
    el("p", {}, t("Red wins {1}, blue wins {2}, draws {3}.", trial.red, trial.blue, trial.draws), " ",
      t("Plies: {1} to {2}, {3} on average.", trial.shortest, trial.longest, trial.average.toFixed(0))),
    tests.count ? el("p", {}, t("Tests of the variant: {1} of {2} hold.", tests.held, tests.count)) : null,
    trial.abilities.length ? table([t("Ability"), t("Used")],
      trial.abilities.map(({ piece, name, uses }) => row(`${kindName(piece)}: ${name}`, uses))) : null,
    table([t("Piece"), t("Moves"), t("Attacks"), t("Falls")],
      trial.pieces.map(({ name, moves, attacks, falls }) => row(kindName(name), moves, attacks, falls))));
}

function trialOfBot(file) {
  return el("section", {}, el("h2", {}, t("Games against itself: {1}", file.variant)),
    el("ul", { class: "trials" }, file.games.map((game) => el("li", {}, t("{1} Plies: {2}.", endWords(game), game.plies)))));
}

// Shows the report of one file; what it can no longer say, as while a bracket is open, stays as it was.
export function showReport(element, file, jump) {
  const facts = file.lakes ? [picture(file), file.trial ? figures(file) : null] : file.games ? [trialOfBot(file)] : null;
  const before = element.querySelector(".facts");
  const shown = facts ? el("div", { class: "facts" }, facts) : before;
  before?.classList.toggle("past", !facts);
  element.replaceChildren(remarks(file, jump), ...shown ? [shown] : []);
}
