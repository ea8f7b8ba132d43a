// start.js - the start page: a new game, and lists of games to join, to watch and to go on with.
import { el } from "./dom.js";
import { keep } from "./game_cache.js";
import { showLists } from "./lists.js";
import { link } from "./link.js";
import { nameField, ownName } from "./names.js";
import { keepSeat } from "./seats.js";
import { setSetting, setting } from "./settings.js";
import { savedSetups } from "./saved.js";
import { complain } from "./toast.js";
import { botLevel, bots, drawVariant, librarySetups, variants, variantSentence } from "./variants.js";
import { t } from "./words.js";

// Seconds at the start and added for each move.
const CLOCKS = [[180, 2], [300, 5], [600, 5], [1800, 10]];
const MINUTES_MAX = 10080, INCREMENT_MAX = 86400; // a week; a day for each move

const OTHER_CLOCK = "other";

export const OWN = "own"; // an army that is laid out by hand

const FRIEND = ":friend", ANYBODY = ":anybody"; // no bot has such a name

// The choices of a form: radio buttons in one group.
function options(name, legend, values, chosen, attributes = {}) {
  return el("fieldset", attributes, el("legend", {}, legend),
    el("div", { class: "options" }, values.map(([value, text, detail]) => {
      const input = el("input", { type: "radio", name, value });
      input.checked = value === chosen;
      return el("label", { class: "option" }, input, el("span", { class: "word" }, text), detail ? el("span", { class: "detail" }, detail) : null);
    })));
}

function variantCard(variant, chosen) {
  const input = el("input", { type: "radio", name: "variant", value: variant.name });
  input.checked = variant.name === chosen;
  const picture = el("div", { class: "picture", "aria-hidden": "true" });
  drawVariant(picture, variant).catch(complain);
  return el("div", { class: "card" },
    el("label", {}, input, picture,
      el("span", { class: "title" }, t(variant.title)),
      el("span", { class: "sentence" }, variantSentence(variant))),
    el("a", { class: "rules", href: `#/rules/${encodeURIComponent(variant.name)}`, "aria-label": t("Rules of {1}", t(variant.title)) }, t("Rules")));
}

// A clock's seconds, at the start and for each move.
export function clockText(seconds, increment) {
  return t("{1} min + {2} s", seconds / 60, increment);
}

// What to lay out, for a variant: filled again when another variant is chosen. A game can be begun
// before the library is here; its set-ups join the list when it is.
export async function fillArmies(select, variant, chosen) {
  const saved = savedSetups(variant);
  const group = (label, list, prefix) => (list.length
    ? [el("optgroup", { label }, list.map(({ name }) => el("option", { value: prefix + name }, name)))] : []);
  const fill = (library, value) => {
    select.replaceChildren(
      ...library?.length === 0 ? [] : [el("option", { value: "library" }, t("a good one, drawn from the library"))],
      el("option", { value: OWN }, t("I lay it out myself")),
      el("option", { value: "chance" }, t("by chance")),
      ...group(t("My set-ups"), saved, "saved "), ...group(t("Library"), library ?? [], "library "));
    select.value = value;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  };
  select.dataset.variant = variant;
  fill(null, chosen);
  const first = select.value, library = await librarySetups(variant);
  if (select.dataset.variant === variant) fill(library, select.value === first ? chosen : select.value);
}

// The set-up that was chosen: a text or "random"; null: it is laid out when the server asks for it.
export async function armyText(choice, variant) {
  const [where, ...rest] = choice.split(" "), name = rest.join(" ");
  if (where === "chance") return "random";
  if (where === "saved") return savedSetups(variant).find((one) => one.name === name)?.setup ?? null;
  if (where !== "library") return null;
  const library = (await librarySetups(variant)).filter((one) => !name || one.name === name);
  return library.length ? library[Math.floor(Math.random() * library.length)].setup : "random";
}

function newGame(choices, side, setup) {
  const other = side === "red" ? "blue" : "red";
  const { variant, opponent, clock } = choices;
  const open = opponent === FRIEND || opponent === ANYBODY;
  const message = { type: "new", variant, [side]: "me", [other]: open ? "open" : opponent };
  if (opponent === FRIEND) message.public = false;
  if (setup) message.setups = { [side]: setup };
  const name = ownName();
  if (name) message.names = { [side]: name };
  if (clock) {
    const [seconds, increment] = clock.split("+").map(Number);
    message.clock = { seconds, increment };
  }
  return message;
}

async function play(choices, { title, setup: placed }) {
  const side = choices.side || (Math.random() < .5 ? "red" : "blue");
  const setup = placed ? null : await armyText(choices.army, choices.variant), message = newGame(choices, side, setup);
  const { game, seats, invites } = await link.send(message);
  const other = side === "red" ? "blue" : "red";
  const { opponent } = choices;
  link.hold(seats[side], game, side);
  if (setup && setup !== "random") keep(game, side, { draft: setup });
  keepSeat(game, {
    secret: seats[side], side, variant: choices.variant, title, army: choices.army, person: opponent === FRIEND || opponent === ANYBODY,
    invite: opponent === FRIEND ? invites[other] : null, waiting: opponent === ANYBODY,
  });
  location.hash = `#/game/${game}`;
}

function readChoices(form) {
  const value = (name) => form.elements[name].value;
  const choices = Object.fromEntries(["variant", "opponent", "side", "clock", "army"].map((name) => [name, value(name)]));
  if (choices.clock === OTHER_CLOCK) choices.clock = `${Math.round(60 * value("minutes"))}+${value("increment")}`;
  return choices;
}

// The clocks to choose from, and fields for another one.
function clockField(last) {
  const texts = CLOCKS.map((clock) => clock.join("+"));
  const known = !last || texts.includes(last), [seconds, increment] = (known ? "900+15" : last).split("+");
  const number = (name, label, value, attributes) => el("label", {}, label, el("input", { type: "number", name, value, required: true, ...attributes }));
  const fields = el("fieldset", { class: "clock-fields" },
    number("minutes", t("Minutes"), seconds / 60, { min: ".5", max: MINUTES_MAX, step: ".5" }),
    number("increment", t("Seconds for each move"), increment, { min: "0", max: INCREMENT_MAX }));
  const select = el("select", { name: "clock" }, el("option", { value: "" }, t("no clock")),
    CLOCKS.map((clock, at) => el("option", { value: texts[at] }, clockText(...clock))), el("option", { value: OTHER_CLOCK }, t("another …")));
  const show = () => { fields.hidden = fields.disabled = select.value !== OTHER_CLOCK; };
  select.value = known ? last ?? "" : OTHER_CLOCK;
  select.addEventListener("change", show);
  show();
  return [el("label", {}, t("Clock"), select), fields];
}

function opponents(known) {
  return [
    ...known.map((bot) => [bot.name, bot.title, botLevel(bot)]),
    [FRIEND, t("A friend"), t("you send a link")],
    [ANYBODY, t("Anybody"), t("who joins your open game")],
  ];
}

function startForm(all, known, last) {
  const army = el("select", { name: "army" }), armyField = el("label", {}, t("Your army"), army);
  const about = el("p", { class: "soft about", role: "status" });
  const button = el("button", { class: "main play", type: "submit" });
  const form = el("form", { class: "start" },
    el("fieldset", { class: "variants" }, el("legend", {}, t("Choose a game")),
      el("div", { class: "cards" }, all.map((variant) => variantCard(variant, last.variant)))),
    el("section", { class: "terms" },
      el("div", {}, options("opponent", t("Against"), opponents(known), last.opponent, { class: "opponents" }), about),
      options("side", t("Your side"), [["red", t("Red")], ["blue", t("Blue")], ["", t("by chance")]], last.side, { class: "sides" }),
      el("div", { class: "fields" },
        armyField,
        clockField(last.clock),
        el("label", {}, t("Your name"), nameField({ placeholder: t("optional") }))),
      el("div", { class: "go" }, button)));
  const update = (event) => {
    const choices = readChoices(form);
    if (!event || event.target.name === "variant") fillArmies(army, choices.variant, choices.army || (last.army ?? "library")).catch(complain);
    const bot = known.find(({ name }) => name === choices.opponent);
    about.replaceChildren(...bot?.about ? [el("b", {}, bot.title), ` ${t(bot.about)}`] : []);
    const variant = all.find(({ name }) => name === choices.variant), title = t(variant.title);
    armyField.hidden = Boolean(variant.setup); // nobody places an army
    button.textContent = choices.opponent === FRIEND ? t("Make a link: {1}", title)
      : choices.opponent === ANYBODY ? t("Offer a game: {1}", title) : t("Play {1}", title);
  };
  form.addEventListener("change", update);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const choices = readChoices(form);
    setSetting("start", choices);
    button.disabled = true;
    try {
      await play(choices, all.find(({ name }) => name === choices.variant));
    } catch (error) {
      complain(error);
    }
    button.disabled = false;
  });
  update();
  return form;
}

// The choices of the last time that can still be made.
function lastChoices(all, known, wanted) {
  const last = { side: "red", opponent: "cadet", variant: "duel", ...setting("start") };
  if (wanted) last.variant = wanted;
  if (!all.some(({ name }) => name === last.variant)) last.variant = all[0].name;
  if (!opponents(known).some(([name]) => name === last.opponent)) last.opponent = opponents(known)[0][0];
  return last;
}

export async function showStart(root, wanted) {
  root.classList.add("first");
  const wait = el("p", { class: "soft" }, t("One moment …"));
  root.append(wait);
  const [all, known] = await Promise.all([variants(), bots()]);
  wait.remove();
  const form = startForm(all, known, lastChoices(all, known, wanted));
  root.append(el("h1", { class: "unseen" }, "Ensign"), form);
  form.querySelector("input[name=variant]:checked").closest(".card").scrollIntoView({ block: "nearest", inline: "center" });
  scrollTo(0, 0);
  const end = showLists(root);
  root.append(el("p", {}, el("a", { class: "button quiet", href: "#/analysis" }, t("Look at a record"))));
  return end;
}
