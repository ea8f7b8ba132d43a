// sidebar.js - what stands around the board of a game: its name, the players with their clocks and losses, the
// list of moves, the pieces of a battle in large.
import { el } from "./dom.js";
import { pieceIcon } from "./board.js";
import { moveNumber } from "./position.js";
import { complain } from "./toast.js";
import { kindName, sideName, t } from "./words.js";

// Milliseconds as "9:05", below ten seconds as "0:07.3".
export function clockText(ms) {
  const left = Math.max(0, ms), seconds = Math.floor(left / 1000);
  const tenths = left < 10000 ? `.${Math.floor(left / 100) % 10}` : "";
  const pad = (number) => `${number}`.padStart(2, "0");
  const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  return hours ? `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}${tenths}`;
}

// A game's name with its rules, which open in another tab, since the game goes on, and who beats whom.
export function heading(title, variant, side = "red") {
  const name = t(variant.title), show = async () => (await import("./battles.js")).showBattles(variant, side);
  return el("div", { class: "heading" }, el("h1", {}, title),
    el("a", { href: `#/rules/${encodeURIComponent(variant.name)}`, target: "_blank", "aria-label": t("Rules of {1}", name) }, t("Rules")),
    el("button", { type: "button", class: "link", "data-action": "battles", onclick: () => show().catch(complain) }, t("Who beats whom")));
}

// A player's line beside the board, and under it the army with what has fallen of it. Its size never
// changes during a game.
export class PlayerBar {
  constructor(variant, side) {
    this.side = side;
    this.variant = variant;
    this.kinds = new Map(variant.kinds.map((kind) => [kind.name, kind]));
    this.name = el("b", {});
    this.note = el("span", { class: "note" });
    this.clock = el("span", { class: "clock" });
    this.counters = el("span", { class: "note" });
    this.chips = new Map();
    this.army = el("div", { class: "army" });
    this.element = el("section", { class: `player ${side}`, "aria-label": sideName(side) },
      el("div", { class: "line" }, el("span", { class: "swatch" }), this.name, this.note, el("span", { class: "space" }), this.counters, this.clock),
      this.army);
  }

  setArmy(army) {
    this.chips.clear();
    const add = (name, kind, total) => {
      const count = el("small", {});
      const chip = el("span", { class: "chip", role: "img" }, pieceIcon(this.kinds, { side: this.side, kind }), count);
      this.chips.set(name, { chip, count, total });
    };
    for (const { name } of this.variant.kinds.filter(({ name }) => army[name] > 0)) add(name, name, army[name]);
    if (this.variant.fallen_hidden) add("?", null, Object.values(army).reduce((sum, count) => sum + count, 0));
    this.army.replaceChildren(...[...this.chips.values()].map(({ chip }) => chip));
  }

  setFallen(fallen) {
    for (const [name, { chip, count, total }] of this.chips) {
      const lost = fallen[name] ?? 0;
      const unknown = name === "?"; // what fell without being shown
      const words = t("{1}: lost {2} of {3}", unknown ? t("Piece") : kindName(name), lost, total);
      count.textContent = unknown ? (lost ? `−${lost}` : "") : lost ? `${total - lost}/${total}` : total > 1 ? `×${total}` : "";
      chip.classList.toggle("fallen", lost > 0);
      chip.classList.toggle("gone", lost >= total);
      chip.setAttribute("aria-label", words);
      chip.title = words;
    }
  }

  // A side's counters, and those that both share.
  setCounters(values) {
    const shown = (this.variant.counters ?? []).map(({ name, title, each }) =>
      `${title}: ${(each ? values[name]?.[this.side] : values[name]) ?? "–"}`);
    this.counters.textContent = shown.join(" · ");
  }

  setClock(ms, running) {
    this.clock.textContent = ms === null ? "" : clockText(ms);
    this.clock.classList.toggle("running", running);
    this.clock.classList.toggle("short", ms !== null && ms < 20000);
  }
}

// The moves so far; a click on one shows the position after it.
export class MoveList {
  constructor(show) {
    this.show = show;
    this.texts = [];
    this.element = el("ol", { class: "moves", "aria-label": t("The moves") });
  }

  // `texts` by ply, from the first.
  set(texts) {
    const same = texts.length >= this.texts.length && this.texts.every((text, index) => text === texts[index]);
    if (!same) {
      this.texts = [];
      this.element.replaceChildren();
    }
    for (let ply = this.texts.length; ply < texts.length; ply++) {
      this.element.append(el("li", {}, el("button", { type: "button", onclick: () => this.show(ply + 1) }, `${moveNumber(ply + 1)} ${texts[ply]}`)));
    }
    this.texts = [...texts];
  }

  // Marks the move that led to the position shown, and scrolls the list, never the page.
  mark(ply) {
    const { element } = this;
    element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = element.children[ply - 1]?.firstChild;
    button?.setAttribute("aria-current", "step");
    if (!button) {
      element.scrollTop = 0;
      return;
    }
    const list = element.getBoundingClientRect(), own = button.getBoundingClientRect();
    if (own.top < list.top) element.scrollTop -= list.top - own.top;
    if (own.bottom > list.bottom) element.scrollTop += own.bottom - list.bottom;
  }
}

// The two pieces of a battle over the board, in large. Clicks go through it.
export function battlePicture(variant, { side, attacker, defender, outcome }) {
  const kinds = new Map(variant.kinds.map((kind) => [kind.name, kind]));
  const piece = (owner, kind, falls) => el("figure", { class: falls ? "falls" : "stays" },
    pieceIcon(kinds, { side: owner, kind, moved: true }),
    el("figcaption", {}, kind ? kindName(kind) : t("hidden")));
  const other = side === "red" ? "blue" : "red";
  return el("div", { class: "battle", "aria-hidden": "true" },
    piece(side, attacker, outcome !== "attacker"), el("span", { class: "versus" }, "×"), piece(other, defender, outcome !== "defender"));
}
