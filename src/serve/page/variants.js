// variants.js - the variants to choose from: a sentence and a picture of each.
import { Board } from "./board.js";
import { link } from "./link.js";
import { t } from "./words.js";

// In the order of the start page. A variant that is not here comes after them, and is told by its numbers.
const SENTENCES = {
  duel: () => t("Ten pieces a side, placed freely. A good first game: ten minutes."),
  quick: () => t("The duel's ten pieces on a small board: shorter still."),
  barrage: () => t("Eight pieces a side on the full board: open and fast."),
  lightning: () => t("Twenty pieces a side. The attacker wins ties, and a piece that gets through brings back a fallen one."),
  original: () => t("The full army of forty, with rules against endless chases."),
  infiltrator: () => t("The full army with a saboteur, which removes a piece whose kind you guess."),
  galaxy: () => t("Thirty pieces on a smaller board, two of them spotters, which guess the pieces beside them."),
  "galaxy-duel": () => t("Ten pieces on the galaxy board, one of them a spotter."),
  classic: () => t("The full army with looser rules against repetition."),
  russian: () => t("The full army. A chase ends after two moves; without miners a game can be drawn."),
  "milton-bradley": () => t("The full army with the old numbers: 1 is the marshal, 9 the scout."),
};

const ORDER = Object.keys(SENTENCES);

// The levels that bots give themselves, weakest first. A bot without one has its name only.
const LEVELS = {
  beginner: () => t("beginner"),
  easy: () => t("easy"),
  medium: () => t("medium"),
  hard: () => t("hard"),
  expert: () => t("expert"),
  master: () => t("master"),
  grandmaster: () => t("grandmaster"),
};

function place(order, name) {
  const at = order.indexOf(name);
  return at < 0 ? order.length : at;
}

function sorted(list, order, key) {
  return list.filter((one) => !one.fault)
    .sort((a, b) => place(order, a[key]) - place(order, b[key]) || a.name.localeCompare(b.name));
}

const kept = new Map();

// A list of the server, asked for once.
function stock(what) {
  if (!kept.has(what)) {
    const asked = link.send({ type: "list", what }).then((reply) => reply.list);
    asked.catch(() => kept.delete(what));
    kept.set(what, asked);
  }
  return kept.get(what);
}

// Files have changed: the lists are asked for again.
export function forgetStock() {
  kept.clear();
}

// The variants that can be played, in their order.
export async function variants() {
  return sorted(await stock("variants"), ORDER, "name");
}

// The bots, weakest first, then those without a level.
export async function bots() {
  return sorted(await stock("bots"), Object.keys(LEVELS), "level");
}

// A set-up in the letters of another variant: the kinds stay the same.
function respelled(setup, from, to) {
  const names = new Map(from.kinds.map(({ letter, name }) => [letter, name]));
  const letters = new Map(to.kinds.map(({ letter, name }) => [name, letter]));
  return [...setup].map((letter) => letters.get(names.get(letter)) ?? letter).join("");
}

// The library's set-ups of a variant: [{ name, setup, idea }, …]. The list spells each as its first
// variant does.
export async function librarySetups(name) {
  const [all, setups] = await Promise.all([variants(), stock("setups")]);
  const find = (wanted) => all.find((variant) => variant.name === wanted);
  return setups.filter((one) => !one.fault && one.variants.includes(name))
    .map((one) => ({ ...one, setup: respelled(one.setup, find(one.variants[0]), find(name)) }));
}

export function variantSentence(variant) {
  const sentence = SENTENCES[variant.name];
  return sentence ? sentence() : t("A board of {1}, with {2} pieces a side.", `${variant.files} × ${variant.ranks}`, variant.pieces);
}

// "beginner", or "".
export function botLevel(bot) {
  return LEVELS[bot.level]?.() ?? "";
}

// A set-up of the whole army, kind by kind from the back rank, for pictures of variants without a
// library.
export function plainSetup({ files, zone, lakes, kinds }) {
  const letters = kinds.flatMap(({ letter, count }) => Array(count).fill(letter)), rows = [];
  for (let rank = 1; rank <= zone.ranks; rank++) {
    const squares = Array.from({ length: files }, (_, file) => String.fromCharCode(97 + file) + rank);
    rows.unshift(squares.map((square) => (lakes.includes(square) ? "." : letters.shift() ?? ".")).join(""));
  }
  return rows.join("/");
}

// A position in which red's army stands as `setup` says and blue's, face down, as its mirror image.
export function samplePosition(variant, setup) {
  const rows = setup.split("/");
  const red = rows.map((row) => [...row].map((letter) => (letter === "." ? "." : `r${letter}`)).join(""));
  const blue = rows.map((row) => [...row].map((letter) => (letter === "." ? "." : "b?")).reverse().join("")).reverse();
  const middle = Array(variant.ranks - 2 * rows.length).fill(".".repeat(variant.files));
  return `${[...blue, ...middle, ...red].join("/")} red`;
}

// Puts a small board of a variant into an element.
export async function drawVariant(element, variant) {
  const [sample] = await librarySetups(variant.name);
  const board = new Board(element, { variant, side: "red", plain: true });
  board.show(samplePosition(variant, sample?.setup ?? plainSetup(variant)));
}
