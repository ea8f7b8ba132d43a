// announcer.js - what happens in a game, in words: shown beside the board, said to a screen reader, and
// sent as a notification to a player who looks elsewhere.
import { el } from "./dom.js";
import { notify } from "./notices.js";
import { moveNumber } from "./position.js";
import { turnWords } from "./story.js";

const SAID_MAX = 12; // sentences that a screen reader can go back to

export class Announcer {
  // `game`: its id.
  constructor(game) {
    this.game = game;
    this.element = el("div", { class: "told" });
    this.log = el("div", { class: "unseen", role: "log", "aria-live": "polite" });
  }

  // Shows the turn that led to a ply of a model, and says it with those before it from ply `from` on.
  tell({ variant, history }, ply, from = ply) {
    const words = (at) => turnWords(variant, history[at].events).join(" ");
    this.element.replaceChildren(ply ? el("p", {}, el("span", { class: "ply" }, `${moveNumber(ply)} `), words(ply)) : "");
    for (let at = Math.max(from, 1); at <= ply; at++) this.say(`${moveNumber(at)} ${words(at)}`);
  }

  // A sentence of the host about the end; `known`: it is no news.
  add(text, known) {
    this.element.append(el("p", { class: "end" }, text));
    if (!known) this.say(text);
  }

  say(text) {
    this.log.append(el("p", {}, text));
    while (this.log.children.length > SAID_MAX) this.log.firstChild.remove();
  }

  call(title, body) {
    notify(title, body, this.game);
  }
}
