// lists.js - the games of this browser, those that wait for an opponent, and those to watch.
import { ask } from "./ask.js";
import { el } from "./dom.js";
import { joinGame } from "./join.js";
import { link } from "./link.js";
import { allSeats, forgetSeat, isGone, keepSeat, seatOf } from "./seats.js";
import { complain } from "./toast.js";
import { variants } from "./variants.js";
import { isNameless, playerName, sideName, t } from "./words.js";

const PAUSE = 8000; // ms between two looks
const OWN = 12;     // of the latest games, those shown that are over
const ASKED = 6;    // games against people whose turn is asked for with each look

function row(title, detail, ...actions) {
  return el("li", {}, el("span", { class: "what" }, el("b", {}, title), el("span", { class: "soft" }, detail)), actions);
}

function shelf(title, rows, empty) {
  return el("section", { class: "shelf" }, el("h2", {}, title),
    rows.length ? el("ul", {}, rows) : el("p", { class: "soft" }, empty));
}

function standing({ over: result, side }, turn) {
  if (!result) return !turn ? t("running") : turn === side ? t("it is your turn") : t("it is the other side's turn");
  if (result === side) return t("won");
  return result === "red" || result === "blue" ? t("lost") : t("drawn");
}

const titleOf = ({ title }) => (title ? t(title) : "?");

function againstWords({ opponent }) {
  return opponent && !isNameless(opponent) ? t("against {1}", opponent) : t("against a person");
}

async function isOver({ game, over }) {
  if (over) return true;
  try {
    return (await link.send({ type: "view", game })).result !== null;
  } catch (error) {
    if (error.lost) throw error;
    return isGone(error); // else its armies do not stand yet
  }
}

async function giveUp({ game, secret, side }) {
  try {
    await link.sit(secret);
    await link.send({ type: "resign", game, seat: side });
  } catch (error) {
    if (!isGone(error) && !seatOf(game)?.over) throw error; // else it had ended already
  }
}

// Takes a game off the list; one that is not over is given up, after a question. The secret of a seat
// is never thrown away with a game that its player could go on with.
async function forget(seat, draw) {
  if (!await isOver(seat)) {
    const question = t("This game is not over. Only giving it up takes it off the list. If you keep it, you can come back to it later.");
    const about = `${titleOf(seat)}, ${againstWords(seat)}`;
    if (!await ask(question, t("give it up"), t("keep it"), { careful: true, about }).answer) return;
    await giveUp(seat);
  }
  forgetSeat(seat.game);
  draw();
}

function ownRow(seat, turn, draw) {
  return row(titleOf(seat), `${againstWords(seat)}, ${standing(seat, turn)}`,
    el("a", { class: "button", href: `#/game/${seat.game}` }, seat.over ? t("Look") : t("Go on")),
    el("button", {
      class: "quiet", type: "button", "aria-label": t("Forget this game"), title: t("Forget this game"),
      onclick: () => forget(seat, draw).catch(complain),
    }, "×"));
}

async function join(offer) {
  const { game } = await joinGame({ game: offer.game });
  location.hash = `#/game/${game}`;
}

function openRow(offer, titles) {
  const { seat, names, clock } = offer;
  const details = [playerName(names[seat === "red" ? "blue" : "red"]),
    clock ? t("{1} min + {2} s", clock.seconds / 60, clock.increment) : t("no clock"),
    seat ? t("you play {1}", sideName(seat)) : null];
  return row(t(titles.get(offer.variant) ?? offer.variant), details.filter(Boolean).join(", "),
    el("button", { type: "button", onclick: () => join(offer).catch(complain) }, t("Join")));
}

function runningRow(game, titles) {
  const { red, blue } = game.names;
  return row(t(titles.get(game.variant) ?? game.variant), `${playerName(red)} – ${playerName(blue)}, ${t("ply {1}", game.ply)}`,
    el("a", { class: "button", href: `#/watch/${game.game}` }, t("Watch")));
}

// Puts the lists into the root and keeps them fresh. Returns what ends that.
export function showLists(root) {
  const lists = el("div", { class: "shelves" });
  const own = () => allSeats().filter(({ over }, at) => !over || at < OWN);
  const turns = new Map(); // game → whose turn it is
  let open = [], running = [], titles = new Map(), shown = null;
  root.append(lists);

  function draw() {
    const now = JSON.stringify([open, running, own(), [...turns]]);
    if (now === shown) return; // nothing jumps, and the focus stays
    shown = now;
    const mine = new Set(allSeats().map((seat) => seat.game));
    lists.replaceChildren(
      own().length ? shelf(t("Your games"), own().map((seat) => ownRow(seat, turns.get(seat.game), draw))) : "",
      shelf(t("Open games"), open.filter(({ game }) => !mine.has(game)).map((offer) => openRow(offer, titles)), t("Nobody waits for an opponent. Offer a game to anybody, or send a friend a link.")),
      shelf(t("Games to watch"), running.filter(({ game, result }) => !mine.has(game) && !result).map((game) => runningRow(game, titles)), t("No public game is running.")));
  }

  // Nothing is known of a game whose armies do not stand yet, nor of one that the server has no more.
  async function lookAt({ game }) {
    const { to_move, result } = await link.send({ type: "view", game }).catch(() => ({}));
    if (result) keepSeat(game, { over: result });
    if (to_move) turns.set(game, to_move);
  }

  // A list that the server refuses stays as it was.
  async function look() {
    if (document.hidden || link.state !== "open") return;
    const ask = (what, old) => link.send({ type: "list", what }).then((reply) => reply.list, () => old);
    const asked = own().filter(({ over, person }) => person && !over).slice(0, ASKED);
    [open, running] = await Promise.all([ask("open", open), ask("games", running), ...asked.map(lookAt)]);
    draw();
  }

  variants().then((all) => {
    titles = new Map(all.map(({ name, title }) => [name, title]));
    shown = null;
    draw();
  }).catch(complain);
  draw();
  look();
  const timer = setInterval(look, PAUSE);
  const endOpen = link.on("open", look);
  return () => {
    clearInterval(timer);
    endOpen();
  };
}
