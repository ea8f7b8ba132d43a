#!/usr/bin/env node
// A program that plays any variant through the seat protocol (README.md in this folder), for Node,
// without packages.
//
//     ensign match json:bots/programs/player.js rookie -v duel -n 100
//
// It attacks a known weaker enemy, and else advances at random.
"use strict";

const readline = require("node:readline");

let side;               // "red" or "blue"
let kindOf = {};        // the kind of each letter: kindOf["M"] is "marshal"
let battles = {};       // battles.marshal.spy is "attacker", "defender", "both", "ask" or "none"
let random = Math.random;

// Chance of our own from the seed that we are given: the same seed gives the same game.
function newRandom(seed) {
  let state = seed % 2 ** 32;
  return function () {                                  // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function readGame(message) {
  side = message.side;
  battles = message.variant.battles;
  kindOf = {};
  for (const kind of message.variant.kinds) kindOf[kind.letter] = kind.name;
  random = newRandom(message.seed);
}

// The letters of a position by square: "b3.bF/…" gives { a10: "3", c10: "F" }. Ranks come from the
// top; a piece is its side and its letter ("?": hidden), any other square is one character.
function readPosition(position) {
  const board = {};
  const rows = position.split(" ")[0].split("/");
  rows.forEach((row, index) => {
    const cells = row.match(/[rb].|[.?]/g);
    cells.forEach((cell, file) => {
      const square = "abcdefghijklmnopqrstuvwxyz"[file] + (rows.length - index);
      if (cell.length === 2) board[square] = cell[1];
    });
  });
  return board;
}

// 2: beats an enemy that we know; 1: goes forward; 0: anything else, such as an ability.
function merit(move, board) {
  const parts = move.match(/^([a-z])(\d+)([-x])([a-z])(\d+)/);
  if (!parts) return 0;
  const [, fromFile, fromRank, sign, toFile, toRank] = parts;
  const mine = kindOf[board[fromFile + fromRank]];
  const theirs = kindOf[board[toFile + toRank]];        // undefined for "?"
  if (sign === "x" && theirs && battles[mine][theirs] === "attacker") return 2;
  const climbed = Number(toRank) - Number(fromRank);
  return (side === "red" ? climbed : -climbed) > 0 ? 1 : 0;
}

function choose(message) {
  const board = readPosition(message.position);
  const merits = message.moves.map((move) => merit(move, board));
  const most = merits.reduce((a, b) => Math.max(a, b));
  const best = message.moves.filter((_, index) => merits[index] === most);
  return best[Math.floor(random() * best.length)];
}

function answerTo(message) {
  switch (message.type) {
    case "game":
      readGame(message);
      return null;
    case "setup":
      return { type: "setup", setup: null };            // one by chance
    case "move":
      return { type: "move", move: choose(message), ply: message.ply };
    case "draw":
      return { type: "draw", accept: false };
    default:
      return null;                                      // start, events, end
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  let message = null;
  try { message = JSON.parse(line); } catch { /* not of this protocol */ }
  const answer = message ? answerTo(message) : null;
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
