// pieces.js - what the pieces of a variant can do, in words: their abilities, what these need, and why
// one cannot be used now.
import { kindName, t } from "./words.js";

const AIMS = { enemy: () => t("an enemy piece"), own: () => t("a piece of one's own"), empty: () => t("an empty square") };
const TIMES = { instead: () => t("instead of a move"), after_step: () => t("after a step"), after_attack: () => t("after an attack") };
const NAMES = { kind: () => t("names a kind"), captured: () => t("names a fallen piece") };

const list = (words) => words.join(" / ");

// "Sabotage: aims at an enemy piece; instead of a move; names a kind; 2 uses a game."
export function abilityWords(ability) {
  const { name, aims, when, asks, limit, each, rest } = ability;
  const parts = [aims.length ? t("aims at {1}", list(aims.map((aim) => AIMS[aim]()))) : null, list(when.map((time) => TIMES[time]())),
    asks ? NAMES[asks]() : null, limit ? t("uses in a game: {1}", limit) : null, each ? t("uses of each piece: {1}", each) : null,
    rest ? t("turns of rest afterwards: {1}", rest) : null];
  const title = t(name);
  return `${title.charAt(0).toUpperCase()}${title.slice(1).replaceAll("_", " ")}: ${parts.filter(Boolean).join("; ")}.`;
}

// What is special about a kind besides its battles.
export function kindWords(kind) {
  return [kind.flag ? t("Its fall loses the game.") : null, kind.mobile ? null : t("It never moves."),
    kind.runs ? t("It runs any distance in a straight line.") : null,
    kind.advances === false ? t("It stays where it is when it wins.") : null,
    kind.shows ? t("Its fall shows: {1}.", kind.shows.map(kindName).join(", ")) : null, ...kind.abilities.map(abilityWords)].filter(Boolean);
}

// Why a piece cannot use an ability in this turn, in which none of its moves does: `used` counts the
// uses of its side so far.
export function refusalWords({ limit, when }, used) {
  if (limit && used >= limit) return t("Not now: it has been used as often as it may.");
  if (!when.includes("instead")) return t("Not now: only {1}, and no such move of this piece has a target.", list(when.map((time) => TIMES[time]())));
  return t("Not now: no target is in reach.");
}
