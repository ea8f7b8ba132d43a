// game_cache.js - what this browser keeps of a game while it lasts: the army that is being laid out
// (`draft`, a set-up's text) and the player's marks on hidden pieces (`marks`: piece's id → label).
//
// Each pair of eyes has its own, so that two seats in one browser do not read each other's. The
// storage is read anew each time: other tabs write there too.
import { storedList } from "./storage.js";

const KEY = "ensign.kept";
const KEPT = 60; // for games whose end this browser never hears of

const read = () => storedList(KEY, "game");

function write(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(0, KEPT)));
  } catch {
    // A browser without storage keeps nothing.
  }
}

const isOf = (game, eyes) => (one) => one.game === game && one.eyes === eyes;

export function kept(game, eyes) {
  return read().find(isOf(game, eyes)) ?? {};
}

// Changes what is kept; the latest is kept longest. An undefined value removes.
export function keep(game, eyes, changes) {
  const { draft, marks } = { ...kept(game, eyes), ...changes };
  const others = read().filter((one) => !isOf(game, eyes)(one));
  write(draft || marks ? [{ game, eyes, draft, marks }, ...others] : others);
}

// The game is over, or gone.
export function forgetKept(game) {
  const list = read(), others = list.filter((one) => one.game !== game);
  if (others.length < list.length) write(others);
}
