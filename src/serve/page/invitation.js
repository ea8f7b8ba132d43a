// invitation.js - the link for a friend, shown over a game until the friend has come.
import { el } from "./dom.js";
import { link } from "./link.js";
import { keepSeat, seatOf } from "./seats.js";
import { copyLink, shareLink } from "./share.js";
import { t } from "./words.js";

function invitationBox(url, takeBack) {
  const field = el("input", { type: "text", readonly: true, value: url, "aria-label": t("The link for your friend") });
  field.addEventListener("focus", () => field.select());
  const share = navigator.share ? el("button", { type: "button", onclick: () => shareLink(url) }, t("Share …")) : null;
  return el("section", { class: "invitation" },
    el("h2", {}, t("Send this link to your friend")),
    el("p", {}, t("Who opens it first plays against you. The game is kept: you may close this page and come back later.")),
    el("div", { class: "copy" }, field,
      el("button", { class: "main", type: "button", onclick: () => copyLink(url) }, t("Copy")), share,
      el("button", { class: "quiet", type: "button", onclick: takeBack }, t("Hide"))));
}

function waitingBox() {
  return el("section", { class: "invitation" },
    el("h2", {}, t("Waiting for an opponent")),
    el("p", {}, t("The game is in the list of open games and begins when somebody joins.")));
}

// Shows what a game's open seat needs, if it has one. Returns what ends that.
export function showInvitation(root, game) {
  const { invite, waiting, side } = seatOf(game) ?? {};
  if (!invite && !waiting) return () => {};
  const answered = () => keepSeat(game, { invite: null, waiting: false });
  const done = () => {
    answered();
    box.remove();
  };
  const url = `${location.origin}${location.pathname}#/join/${invite}`;
  const box = invite ? invitationBox(url, done) : waitingBox();
  root.append(box);
  return link.follow(game, (message) => {
    // Its place stays until the set-up gives way to the game: what is being laid out does not move.
    if (message.type === "presence" && message.side !== side && message.here) {
      answered();
      box.classList.add("done");
    }
    if (message.type === "start" || message.type === "end") done();
  });
}
