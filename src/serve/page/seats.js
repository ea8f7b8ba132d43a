// seats.js - the games of this browser: the secrets of its seats, kept in its storage.
//
// A secret is what lets its holder play, and is shown to nobody; the link for a friend holds the code
// of an invitation, from which the friend gets a secret of his own.

import { forgetKept } from "./game_cache.js";
import { storedList } from "./storage.js";

const KEY = "ensign.seats";
const KEPT = 60; // games that are over give way first
const GONE = /^(no seat has this secret|there is no game )/; // the server's words

const read = () => storedList(KEY, "game");

// Does an error say that the server has the game no more?
export const isGone = (error) => GONE.test(error.message);

function write(list) {
  const running = list.filter(({ over }) => !over).length;
  try {
    localStorage.setItem(KEY, JSON.stringify(list.filter(({ over }, at) => !over || at < KEPT - running)));
  } catch {
    // A browser without storage: the games last as long as the page.
  }
}

let seats = read();

// Another tab may have taken a seat since.
addEventListener("storage", (event) => {
  if (event.key === KEY) seats = read();
});

// All of them, the newest first: { game, secret, side, variant, title, opponent, person (the
// opponent is none of the bots), invite (the code for a friend), accepted (the code that opened this
// seat), army (how it was chosen: start.js), waiting, over, when }.
export function allSeats() {
  return seats;
}

export function seatOf(game) {
  return seats.find((one) => one.game === game) ?? null;
}

// Adds a seat, or changes what is known of it.
export function keepSeat(game, changes) {
  const known = seatOf(game) ?? { game, when: Date.now() };
  seats = [{ ...known, ...changes }, ...seats.filter((one) => one.game !== game)];
  seats.sort((a, b) => b.when - a.when);
  write(seats);
}

export function forgetSeat(game) {
  seats = seats.filter((one) => one.game !== game);
  write(seats);
  forgetKept(game);
}
