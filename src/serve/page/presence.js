// presence.js - the other people of a game: whether they are here, and what they ask: for a draw, for
// a rematch. What waits for an answer lies over the page, so that nothing moves.
import { el } from "./dom.js";
import { sideName, t } from "./words.js";

// How somebody has gone; `seconds`: until the game can be claimed, if it can.
function goneWords({ lost }, seconds) {
  if (seconds > 0) return lost ? t("connection lost; in {1} s you can claim the game", seconds) : t("has left; in {1} s you can claim the game", seconds);
  return lost ? t("connection lost") : t("has left");
}

export class Presence {
  // `side`: the seat; null for a spectator. `request(message)` asks the server and resolves to null
  // if that failed, `say(text)` tells a screen reader, `changed()` asks for the page to be shown.
  constructor({ side, request, say, changed }) {
    Object.assign(this, { side, request, say, changed });
    this.presence = new Map(); // side → the last message
    this.offers = false;       // this side has offered a draw, which waits for an answer
    this.wanted = false;       // the other side would like a rematch
    this.asking = false;       // this side has asked for one
    this.question = el("div", { class: "actions" });
    this.claim = el("button", { type: "button", class: "main", "data-action": "claim", hidden: true, onclick: () => request({ type: "claim" }) }, t("Claim the game"));
    this.element = el("div", { class: "prompt" }, this.question, this.claim);
  }

  take(message) {
    if (message.type === "presence") this.takePresence(message);
    else if (message.new) this.takeNext(message);
    else if (this.side && message.side && message.side !== this.side) this.wanted = true;
    this.changed();
  }

  // There is another game: who has asked for it goes there. Who comes back to this one asks again.
  takeNext(message) {
    this.wanted = false;
    if (this.asking) location.hash = `#/game/${message.new}`;
  }

  takePresence(message) {
    const { side, here } = message, was = this.presence.get(side)?.here ?? true;
    if (side === this.side) return;
    this.presence.set(side, message);
    if (!here) this.wanted = false; // the server has forgotten it
    if (here !== was) this.say(`${sideName(side)}: ${here ? t("is back") : goneWords(message)}`);
  }

  // The connection is lost: what still holds is said again with the next one.
  lost() {
    this.presence.clear();
    this.asking = this.wanted = false;
  }

  // Offers a draw, which stands until the answer, the next question or the end, or until a move
  // withdraws it.
  async offer() {
    this.offers = true;
    this.changed();
    if (!await this.request({ type: "draw" })) this.offers = false;
    this.changed();
  }

  async answer(model, accept) {
    const { question } = model;
    model.question = null;
    this.changed();
    if (!await this.request({ type: "draw", accept, ply: model.ply }) && !model.question && !model.end) model.question = question;
    this.changed();
  }

  async rematch() {
    this.asking = true;
    this.changed();
    if (!await this.request({ type: "rematch" })) this.asking = false;
    this.changed();
  }

  // `bars`: of the players, by side.
  show(model, bars) {
    this.showQuestion(model);
    this.showPresence(model, bars);
  }

  // It is built again only if it changes, so that no button loses the focus.
  showQuestion(model) {
    const { question, end } = model;
    const kind = question?.type === "draw" ? "draw" : this.wanted && end ? "rematch" : "";
    if (this.kind === kind) return;
    this.kind = kind;
    const button = (text, name, onclick, main) => el("button", { type: "button", class: main ? "main" : null, "data-action": name, onclick }, text);
    const parts = {
      draw: () => [
        el("p", { role: "alert" }, t("{1} offers a draw.", sideName(question.side))),
        button(t("Accept"), "accept", () => this.answer(model, true), true),
        button(t("Decline"), "decline", () => this.answer(model, false)),
      ],
      rematch: () => [
        el("p", { role: "alert" }, t("The other side would like a rematch.")),
        button(t("Accept a rematch"), "accept", () => this.rematch(), true),
      ],
    };
    this.question.replaceChildren(...parts[kind]?.() ?? []);
  }

  showPresence(model, bars) {
    let can = false;
    for (const side of ["red", "blue"]) {
      const { here = true, claim = null, at } = this.presence.get(side) ?? {};
      const gone = !here && !model.end;
      const seconds = gone && this.side && claim !== null ? Math.ceil(claim - (performance.now() - at) / 1000) : null;
      const words = gone ? goneWords(this.presence.get(side), seconds) : "";
      can ||= seconds !== null && seconds <= 0;
      if (bars[side].note.textContent !== words) bars[side].note.textContent = words;
    }
    if (can && this.claim.hidden) this.say(t("Claim the game"));
    this.claim.hidden = !can;
  }
}
