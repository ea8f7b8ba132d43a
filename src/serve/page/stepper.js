// stepper.js - buttons and a slider that lead to any ply of a game, and whose eyes look at it.
import { el, sv } from "./dom.js";
import { t } from "./words.js";

const ICONS = {
  first: "M5 4h3v16H5zM20 4v16L9 12z", previous: "M17 4v16L6 12z", next: "M7 4v16l11-8z", last: "M16 4h3v16h-3zM4 4v16l11-8z",
};

// The ply that a key leads to: the arrows, Home and End, unless what has the focus uses them itself;
// null: none.
export function stepOf(event, ply, last) {
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  return event.target.closest("input, select, textarea, dialog, [data-square]") ? null : to;
}

export class Stepper {
  // `step(ply)` shows a ply, of any number; `look(eyes)` looks through other eyes.
  constructor({ step, look }) {
    const icon = (name) => sv("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, sv("path", { d: ICONS[name] }));
    const button = (name, label, to) => el("button", { type: "button", "aria-label": label, title: label, onclick: () => step(to()) }, icon(name));
    const eyes = ([value, text]) => el("label", {}, el("input", { type: "radio", name: "eyes", value, onchange: () => look(value) }), text);
    this.slider = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": t("Ply"), oninput: () => step(this.ply) });
    this.eyes = el("fieldset", { class: "eyes", hidden: true }, el("legend", {}, t("Seen through")),
      [["red", t("red's view")], ["blue", t("blue's view")], ["all", t("uncovered")]].map(eyes));
    this.element = el("div", { class: "stepper" },
      button("first", t("To the start"), () => 0), button("previous", t("One ply back"), () => this.ply - 1),
      this.slider,
      button("next", t("One ply forward"), () => this.ply + 1), button("last", t("To the end"), () => Number(this.slider.max)),
      this.eyes);
  }

  get ply() { return Number(this.slider.value); }

  show(ply, last) {
    this.slider.max = `${last}`;
    this.slider.value = `${ply}`;
  }

  // After the end any eyes may look; null: the game goes on.
  offerEyes(chosen) {
    this.eyes.hidden = chosen === null;
    for (const radio of this.eyes.querySelectorAll("input")) radio.checked = radio.value === chosen;
  }
}
