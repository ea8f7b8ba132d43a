// actions.js - the buttons beside a board: what its player can do besides moving a piece.
import { ask } from "./ask.js";
import { el } from "./dom.js";
import { seatOf } from "./seats.js";
import { shareLink } from "./share.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

export class Actions {
  // `view`: the game's.
  constructor(view) {
    this.view = view;
    this.element = el("div", { class: "actions" });
  }

  // The buttons that make sense now. They are replaced only if they change, so that none loses the
  // focus.
  show() {
    const { main, presence, side, game } = this.view, over = Boolean(main.end), asked = main.question?.type === "move" && !presence.offers;
    const list = [];
    if (side && !over) {
      list.push(["draw", t("Offer a draw"), () => this.offerDraw(), !asked], ["resign", t("Resign"), () => this.resign(), !main.started]);
    }
    if (side && !over && !seatOf(game)?.person) list.push(["undo", t("Take back"), () => this.view.request({ type: "undo" }), !asked || main.ply < 1]);
    if (side && over) list.push(["rematch", presence.wanted ? t("Accept a rematch") : t("Rematch"), () => presence.rematch(), presence.asking]);
    if (over) {
      list.push(["new", t("New game"), () => { location.hash = `#/new/${encodeURIComponent(main.variant.name)}`; }, false],
        ["analysis", t("Try moves"), () => { location.hash = `#/analysis/${game}`; }, false],
        ["share", t("Share …"), () => shareLink(`${location.origin}/game/${game}`), false],
        ["record", t("Download the record"), () => this.download(), false]);
    }
    list.push(["flip", t("Turn the board"), () => this.view.flip(), false]);
    if (side && !over && "Notification" in window && Notification.permission === "default") list.push(["notify", t("Notify me"), () => this.notify(), false]);
    const key = JSON.stringify(list.map(([name, text]) => [name, text]));
    if (key !== this.key) {
      this.key = key;
      this.element.replaceChildren(...list.map(([name, text, act]) => el("button", { type: "button", "data-action": name, onclick: act }, text)));
    }
    for (const [name, , , off] of list) this.element.querySelector(`[data-action=${name}]`).disabled = Boolean(off);
  }

  confirm(question, yes) {
    this.question = ask(question, yes, t("go on playing"));
    return this.question.answer;
  }

  async resign() {
    if (await this.confirm(t("Resign this game?"), t("resign"))) this.view.request({ type: "resign" });
  }

  async offerDraw() {
    if (!await this.confirm(t("Offer a draw?"), t("offer a draw"))) return;
    this.view.presence.offer();
  }

  async download() {
    const reply = await this.view.request({ type: "record" });
    if (!reply) return;
    const url = URL.createObjectURL(new Blob([reply.record], { type: "text/plain" }));
    el("a", { href: url, download: `${this.view.main.variant.name}-${this.view.game}.rec` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  async notify() {
    if (!("Notification" in window)) toast(t("This browser has no notifications."), "bad");
    else if (await Notification.requestPermission() !== "granted") toast(t("The browser does not allow notifications."), "bad");
    this.view.showState();
  }

  // The game is over, and with it what was being asked.
  end() {
    this.question?.close();
  }
}
