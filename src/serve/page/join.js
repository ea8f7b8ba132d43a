// join.js - takes the free seat of a game.
//
// Whoever loses the connection, or reloads the page, before the reply has come says it again with the
// same token, and gets the same seat: the invitation is used by then.
import { drawWord, link } from "./link.js";
import { ownName } from "./names.js";
import { keepSeat } from "./seats.js";

const PREFIX = "ensign.join.";

// The token of a seat that is being taken.
function keptToken(key) {
  const token = drawWord();
  try {
    const kept = localStorage.getItem(key);
    if (!kept) localStorage.setItem(key, token);
    return kept ?? token;
  } catch {
    return token; // a browser without storage
  }
}

// Has this browser said that it takes the seat, without having heard that it has it?
export function isJoining(code) {
  try {
    return localStorage.getItem(PREFIX + code) !== null;
  } catch {
    return false;
  }
}

// `where` is { invite } or { game }. Resolves to { game, seat }.
export async function joinGame(where) {
  const key = PREFIX + (where.invite ?? where.game), name = ownName();
  const { game, seat, secret } = await link.send({ type: "join", ...where, token: keptToken(key), ...name ? { name } : {} });
  keepSeat(game, { secret, side: seat, accepted: where.invite, person: true });
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
  return { game, seat };
}
