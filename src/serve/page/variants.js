// variants.js - the variants to choose from: a sentence and a picture of each.
import { Army, countOf } from "./army.js";
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
  lattaque: () => t("The game of 1910: a step and an attack in one turn, and scouts that go back."),
  luzhanqi: () => t("China's land battle chess: railways, camps, bombs; of a battle you learn only whose piece fell."),
  jungle: () => t("China's animal chess, where all is seen: leap the river, mind the traps, enter the den."),
  salpakan: () => t("The Game of the Generals: one step at a time, spies fear privates, and a flag that gets across wins."),
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

// A set-up of a side's whole army, for pictures of variants without a library: kind by kind from the
// back rank, what may not start everywhere first.
export function plainSetup(variant, side = "red") {
  const army = new Army(variant, side), { files } = variant;
  const room = (kind) => kind.start?.[side].length ?? Infinity;
  const kinds = [...variant.kinds].sort((a, b) => Math.sign(room(a) - room(b)));
  for (const kind of kinds) {
    for (let count = countOf(kind, side), row = army.ranks - 1; row >= 0; row--)
      for (let place = row * files; place < (row + 1) * files; place++)
        if (count && army.land[place] && !army.places[place] && army.allows(kind.letter, place)) {
          army.places[place] = kind.letter;
          count--;
        }
  }
  return army.text;
}

// A position in which red's army stands as `setup` says and blue's, face down, as its mirror image,
// or on its own zone where that is another.
export function samplePosition(variant, setup) {
  const board = Array.from({ length: variant.ranks }, () => Array(variant.files).fill("."));
  const place = (text, side, name) => {
    const army = new Army(variant, side);
    [...text.replaceAll("/", "")].forEach((letter, at) => {
      if (letter === ".") return;
      const square = army.squareOf(at);
      board[variant.ranks - Number(square.slice(1))][square.charCodeAt(0) - 97] = name(letter);
    });
  };
  const own = variant.zone.blue || variant.kinds.some(({ counts }) => counts);
  place(own ? plainSetup(variant, "blue") : setup, "blue", () => "b?");
  place(setup, "red", (letter) => `r${letter}`);
  return `${board.map((row) => row.join("")).join("/")} red`;
}

// Puts a small board of a variant into an element.
export async function drawVariant(element, variant) {
  const [sample] = await librarySetups(variant.name);
  const board = new Board(element, { variant, side: "red", plain: true });
  board.show(samplePosition(variant, sample?.setup ?? plainSetup(variant)));
}
