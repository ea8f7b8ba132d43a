// app.js - the start of the page: its header, its settings and its routes.
//
//   #/            the start page              #/new/VARIANT   the same, with a variant chosen
//   #/game/ID     a game of this browser      #/join/CODE     a friend's invitation
//   #/watch/ID    watches a game              #/rules/VARIANT the rule sheet of a variant
//   #/analysis/ID tries moves in a game that is over, or (without an id) in a record
//   #/workshop    edits variants and bots, where the server allows it
//   /game/ID      the same as #/game/ID, for other sites: with a title and a picture
//
// A view is a function (root, …) that fills the root and returns one that ends it. What the start
// page does not need is loaded after it.
import { el } from "./dom.js";
import { forgetKept } from "./game_cache.js";
import { isJoining, joinGame } from "./join.js";
import { link } from "./link.js";
import { nameField } from "./names.js";
import { keepFiles, notify } from "./notices.js";
import { allSeats, isGone, keepSeat, seatOf } from "./seats.js";
import { applyTheme, setSetting, setting } from "./settings.js";
import { showStart } from "./start.js";
import { complain, toast } from "./toast.js";
import { heldWords, languageName, loadWords, playerName, preferredLanguage, t } from "./words.js";

const AFTER_START = 300; // ms until the rest is loaded
const USED = /^this invitation was used already/; // the server's words

let languages = setting("languages"); // of the server, as far as known
let spoken = null; // the language asked for last
let endView = null;
let visit = 0;
let retry = false; // the view failed for want of a connection

const main = el("main", { id: "main", tabindex: "-1" });

// The header.

function connection() {
  const state = el("span", { class: "connection", role: "status" });
  const show = () => {
    const open = link.state === "open";
    state.classList.toggle("lost", !open);
    const words = open ? t("connected") : link.hello ? t("connection lost, trying again") : t("connecting …");
    state.replaceChildren(el("span", { class: "dot", "aria-hidden": "true" }), words);
  };
  link.on("open", show);
  link.on("lost", show);
  show();
  return state;
}

function choice(label, name, values, apply) {
  const select = el("select", {}, values.map(([value, text]) => el("option", { value }, text)));
  select.value = setting(name);
  select.addEventListener("change", () => {
    setSetting(name, select.value);
    apply();
  });
  return el("label", {}, label, select);
}

function settingsDialog() {
  const sound = el("input", { type: "checkbox" });
  sound.checked = setting("sound");
  sound.addEventListener("change", () => setSetting("sound", sound.checked));
  const tags = languages.map((tag) => [tag, languageName(tag)]);
  const dialog = el("dialog", { class: "settings", "aria-label": t("Settings") },
    el("h2", {}, t("Settings")),
    el("form", { method: "dialog" },
      el("label", {}, t("Your name"), nameField()),
      choice(t("Language"), "language", [["", t("as the browser")], ...tags], restart),
      choice(t("Colours"), "theme", [["", t("as the system")], ["light", t("light")], ["dark", t("dark")]], applyTheme),
      el("label", { class: "check" }, sound, t("Sound")),
      el("p", { class: "soft" }, t("All of this is kept in your browser only.")),
      el("button", { class: "main" }, t("Close")),
      el("button", { type: "button", onclick: () => { dialog.close(); showKeys(); } }, t("Keys"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function showKeys() {
  (await import("./help.js")).showKeys();
}

// A way into the workshop, once the server has said that it has one.
function workshopLink() {
  const anchor = el("a", { class: "to-workshop", href: "#/workshop" }, t("Workshop"));
  const show = () => { anchor.hidden = !link.hello?.workshop; };
  link.on("hello", show);
  show();
  return anchor;
}

function header() {
  return el("header", { class: "top" },
    el("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } }, t("To the content")),
    el("a", { class: "brand", href: "#/" }, el("img", { src: "/icon.svg", alt: "", width: "28", height: "28" }), "Ensign"),
    el("span", { class: "space" }),
    workshopLink(),
    connection(),
    el("button", { class: "quiet", type: "button", onclick: settingsDialog }, t("Settings")));
}

// The routes.

function readRoute() {
  const [, view = "", argument = ""] = location.hash.slice(1).split("/");
  try {
    return { view, argument: decodeURIComponent(argument) };
  } catch {
    return { view: "", argument: "" };
  }
}

// The game of an invitation that this browser has sent or accepted.
function invitedTo(code) {
  return allSeats().find(({ invite, accepted }) => code === invite || code === accepted)?.game;
}

function showInstead(game) {
  history.replaceState(null, "", `#/game/${game}`);
}

// An invitation opens its seat once. Opened again in this browser, by the friend or by who sent it,
// its link leads to the game.
async function openInvitation(root, code) {
  const game = invitedTo(code) ?? (isJoining(code) ? (await joinGame({ invite: code })).game : null);
  if (game) {
    showInstead(game);
    return openGame(root, game);
  }
  const [offer, { showArrival }] = await Promise.all([link.send({ type: "invitation", invite: code }), import("./arrival.js")]);
  const joined = (taken) => {
    showInstead(taken);
    route();
  };
  return showArrival(root, code, offer, { joined, failed: (error) => failed(root, error) });
}

// Servers once gave friends secrets that their senders knew too; now those are invitations.
async function sit({ secret }) {
  try {
    return await link.sit(secret);
  } catch (error) {
    if (!isGone(error)) throw error;
    const { seat } = await joinGame({ invite: secret }).catch(() => { throw error; });
    return { seat };
  }
}

async function openGame(root, game) {
  const seat = seatOf(game);
  if (!seat) return openWatch(root, game);
  const [{ seat: side }, { showGame }, { showInvitation }] = await Promise.all([
    sit(seat), import("./game.js"), import("./invitation.js")]);
  if (side !== seat.side) keepSeat(game, { side });
  const endInvitation = showInvitation(root, game);
  const endGame = showGame(root.appendChild(el("div")), { game, side });
  return () => {
    endInvitation();
    endGame?.();
  };
}

async function openWatch(root, game) {
  const [, { showGame }] = await Promise.all([link.watch(game), import("./game.js")]);
  const endGame = showGame(root.appendChild(el("div")), { game, side: null });
  return () => {
    endGame?.();
    if (readRoute().argument !== game) link.leave(game); // else another view of it is shown
  };
}

async function openView(root, { view, argument }) {
  if (view === "join" || view === "seat") return openInvitation(root, argument); // "seat" in older links
  if (view === "game") return openGame(root, argument);
  if (view === "watch") return openWatch(root, argument);
  if (view === "workshop") return (await import("./workshop.js")).showWorkshop(root, argument);
  if (view === "analysis") return (await import("./analysis.js")).showAnalysis(root, argument, route);
  if (view === "rules") return (await import("./rules.js")).showRules(root, argument);
  const end = await showStart(root, view === "new" ? argument : null);
  setTimeout(() => import("./game.js"), AFTER_START);
  return end;
}

function failed(root, error) {
  const used = USED.test(error.message) && error.game;
  root.replaceChildren(el("section", { class: "notice" },
    el("h1", {}, t("This does not work")),
    el("p", {}, t(error.message)),
    el("p", {}, used ? el("a", { class: "button main", href: `#/watch/${error.game}` }, t("Watch")) : null,
      el("a", { class: "button", href: "#/" }, t("To the start page")))));
}

async function route() {
  const mine = ++visit;
  endView?.();
  endView = null;
  retry = false;
  document.title = "Ensign";
  const root = el("div", { class: "view" });
  main.replaceChildren(root);
  scrollTo(0, 0);
  const way = readRoute();
  let end = null;
  try {
    end = await openView(root, way);
  } catch (error) {
    if (isGone(error)) forgetKept(way.argument);
    if (mine === visit) failed(root, error);
    if (mine === visit && error.lost) retry = true;
  }
  if (mine === visit) endView = end;
  else end?.();
}

function chosenLanguage() {
  const tag = setting("language") || preferredLanguage(languages);
  return languages.includes(tag) ? tag : "en";
}

// Draws everything again, in the language chosen.
async function restart() {
  spoken = chosenLanguage();
  await loadWords(spoken);
  document.querySelector("header.top")?.remove();
  document.querySelector("dialog.settings")?.remove();
  document.body.prepend(header());
  await route();
}

// Both seats want another game: spectators go there, and players who asked (presence.js).
function followRematch(message) {
  if (!message.new) return;
  const { view, argument } = readRoute();
  const { person, army } = seatOf(message.game) ?? {};
  if (message.secret) keepSeat(message.new, { secret: message.secret, person, army });
  if (argument === message.game && view === "watch") location.hash = `#/watch/${message.new}`;
}

// What the list of this browser's games says of one.
function noteGame({ game, seat, names, variant }) {
  if (!seat || !seatOf(game)) return;
  keepSeat(game, { variant: variant.name, title: variant.title, opponent: names[seat === "red" ? "blue" : "red"] });
}

function noteOpponent({ game, side, name }) {
  const seat = seatOf(game);
  if (seat?.side && side !== seat.side) keepSeat(game, { opponent: name });
}

// The end was taken back.
function noteUndone({ game, seat }) {
  if (seat && seatOf(game)?.over) keepSeat(game, { over: null });
}

// Another window plays now, until this one is asked to: the older never takes the seat by itself.
function showTaken({ reason, game }) {
  const words = t("This seat was taken over in another window."), { view, argument } = readRoute();
  if (reason !== "seat") return;
  if (view !== "game" || argument !== game) return toast(words, "bad");
  visit++;
  endView?.();
  endView = null;
  main.replaceChildren(el("section", { class: "notice taken" }, el("h1", {}, words),
    el("p", {}, el("button", { class: "main", type: "button", onclick: route }, t("Play here again")))));
}

// The turn in a game that is not shown; each is called once.
const called = new Map(); // game → ply

function callElsewhere({ game, seat, ply }) {
  const own = seatOf(game);
  if (!seat || !own || readRoute().argument === game || called.get(game) === ply) return;
  called.set(game, ply);
  notify(t("Your turn"), own.opponent ? `${t(own.title ?? "")}: ${playerName(own.opponent)}` : t(own.title ?? ""), game);
}

function noteEnd(message) {
  forgetKept(message.game);
  if (message.seat && seatOf(message.game)) keepSeat(message.game, { over: message.result });
}

link.on("hello", (message) => {
  languages = message.languages ?? ["en"];
  setSetting("languages", languages);
  if (chosenLanguage() !== spoken) restart();
});
link.on("open", () => {
  if (retry) route();
});
link.on("rematch", followRematch);
link.on("game", noteGame);
link.on("end", noteEnd);
link.on("move", callElsewhere);
link.on("presence", noteOpponent);
link.on("undone", noteUndone);
link.on("left", showTaken);
link.on("held", (message) => toast(heldWords(message.reason), "bad"));
addEventListener("hashchange", async () => {
  await route();
  if (document.activeElement === document.body) main.focus({ preventScroll: true }); // what had it is gone
});
// A record that is dropped anywhere is analysed.
addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  const { openRecord } = await import("./analysis.js");
  await openRecord(file);
  if (location.hash === "#/analysis") route();
  else location.hash = "#/analysis";
});
addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest("input, select, textarea, dialog")) showKeys();
});
addEventListener("visibilitychange", () => link.look(document.hidden));
addEventListener("online", () => link.wake());
// A browser may keep a page that was left, with its connection: then nobody would see that the player
// has gone.
addEventListener("pagehide", () => link.close());
addEventListener("pageshow", () => link.open());
addEventListener("unhandledrejection", (event) => complain(event.reason));

// The link of a shared game is that of a page with its title; here it is a route like the others.
const [, shared] = /^\/game\/(\w+)$/.exec(location.pathname) ?? [];
if (shared) history.replaceState(null, "", `/${location.hash || `#/game/${shared}`}`);

document.body.append(main);
link.hidden = document.hidden;
link.open();
restart();
addEventListener("load", () => setTimeout(keepFiles, AFTER_START)); // when there is nothing better to fetch
