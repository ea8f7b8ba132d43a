// arrival.js - what a friend sees who opens an invitation: who invites, to which game, on which terms.
// The seat is taken when the friend says so.
import { keep } from "./game_cache.js";
import { el } from "./dom.js";
import { joinGame } from "./join.js";
import { link } from "./link.js";
import { nameField } from "./names.js";
import { keepSeat } from "./seats.js";
import { setSetting, setting } from "./settings.js";
import { armyText, clockText, fillArmies } from "./start.js";
import { complain } from "./toast.js";
import { drawVariant, variants, variantSentence } from "./variants.js";
import { isNameless, sideName, t } from "./words.js";

// The army is handed in with the seat; one that is refused can be changed in the editor.
async function accept(code, { variant }, choice) {
  const setup = await armyText(choice, variant), { game, seat } = await joinGame({ invite: code });
  keepSeat(game, { army: choice });
  if (!setup) return game;
  if (setup !== "random") keep(game, seat, { draft: setup });
  await link.send({ type: "setup", game, seat, setup }).catch(complain);
  return game;
}

function terms({ seat, clock }, title) {
  return [title, clock ? clockText(clock.seconds, clock.increment) : t("no clock"), t("you play {1}", sideName(seat))].join(" · ");
}

function pictureOf(variant) {
  const picture = el("div", { class: "picture", "aria-hidden": "true" });
  if (variant) drawVariant(picture, variant).catch(complain);
  return picture;
}

// `offer`: the server's reply to `invitation`. `joined(game)` is told of the game that was joined,
// `failed(error)` why none was.
export async function showArrival(root, code, offer, { joined, failed }) {
  const variant = (await variants()).find(({ name }) => name === offer.variant), title = t(offer.title);
  const host = offer.names[offer.seat === "red" ? "blue" : "red"];
  const army = el("select", { name: "army" }), button = el("button", { class: "main play", type: "submit" }, t("Play {1}", title));
  const form = el("form", { class: "fields" },
    el("label", {}, t("Your name"), nameField({ placeholder: t("optional") })),
    el("label", {}, t("Your army"), army), button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    setSetting("start", { ...setting("start"), army: army.value });
    try {
      joined(await accept(code, offer, army.value));
    } catch (error) {
      failed(error);
    }
  });
  fillArmies(army, offer.variant, setting("start")?.army ?? "library").catch(complain);
  root.append(el("section", { class: "arrival" }, pictureOf(variant),
    el("div", {},
      el("h1", {}, isNameless(host) ? t("You are invited to a game") : t("{1} invites you", host)),
      el("p", { class: "offer" }, el("b", {}, terms(offer, title))),
      variant ? el("p", { class: "soft" }, variantSentence(variant)) : null,
      el("p", {}, el("a", { href: `#/rules/${encodeURIComponent(offer.variant)}`, target: "_blank", "aria-label": t("Rules of {1}", title) }, t("Rules"))),
      form)));
  document.title = `${title} – Ensign`;
}
