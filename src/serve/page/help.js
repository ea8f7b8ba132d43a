// help.js - the keys of the page, in a dialog: "?" opens it.
import { el } from "./dom.js";
import { t } from "./words.js";

const KEYS = () => [
  [["←", "↑", "↓", "→"], t("on the board: to the next square")],
  [["Enter", "␣"], t("picks a piece up, or puts it down; before your turn, plans a move")],
  [["N", "P"], t("to the next or previous square that can be chosen")],
  [["M"], t("marks an enemy piece")],
  [["Esc"], t("puts a piece back, hurries, takes a planned move back")],
  [["←", "→", "Home", "End"], t("beside the board: through the game")],
  [["A–Z", "0–9", "Del"], t("while you lay out: puts a piece on the square, takes it off")],
  [["?"], t("this list")],
];

export function showKeys() {
  if (document.querySelector("dialog.keys")) return;
  const row = ([keys, words]) => [el("dt", {}, keys.map((key) => el("kbd", {}, key))), el("dd", {}, words)];
  const dialog = el("dialog", { class: "keys", "aria-label": t("Keys") },
    el("h2", {}, t("Keys")), el("dl", {}, KEYS().map(row)),
    el("form", { method: "dialog" }, el("button", { class: "main" }, t("Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
