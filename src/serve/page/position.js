// position.js - squares, moves and positions as text, as the seat protocol writes them.

// "e7" as { file: 4, rank: 6 }, from 0.
export function squarePlace(square) {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

// The squares between two on a straight line; none on any other.
export function squaresBetween(from, to) {
  const one = squarePlace(from), other = squarePlace(to), list = [];
  const right = other.file - one.file, up = other.rank - one.rank, length = Math.abs(right + up);
  for (let part = 1; !(right && up) && part < length; part++)
    list.push(String.fromCharCode(97 + one.file + right * part / length) + (one.rank + 1 + up * part / length));
  return list;
}

// "e6-e7@sabotage:e8=bomb" as { text, from, to, attack, ability, target, choice }; `ability` is ""
// where the text does not name it. A piece that stays has to === from. Null if it is no move.
export function readMove(text) {
  const parts = /^([a-z]\d+)(?:([-x])([a-z]\d+))?(?:@(?:([^:@=]+):)?([a-z]\d+)(?:=([^=]+))?)?$/.exec(text);
  if (!parts || (!parts[2] && !parts[5])) return null;
  const [, from, sign, to, ability, target, choice] = parts;
  return {
    text, from, to: to || from, attack: sign === "x",
    ability: target ? ability || "" : null, target: target || null, choice: choice || null,
  };
}

// The number before a ply as records count, two plies a move: "29." and "29…".
export function moveNumber(ply) {
  return `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;
}

// "r3.b?/…" as { at: Map(square, { side, letter }), dark: Set(squares out of sight), toMove }.
export function readPosition(text) {
  const [rows, toMove] = text.split(" "), at = new Map(), dark = new Set();
  const lines = rows.split("/");
  lines.forEach((line, row) => {
    (line.match(/[rb].|[.?]/gu) || []).forEach((cell, file) => {
      const square = String.fromCharCode(97 + file) + (lines.length - row);
      if (cell.length > 1) at.set(square, { side: cell[0] === "r" ? "red" : "blue", letter: cell.slice(1) });
      else if (cell === "?") dark.add(square);
    });
  });
  return { at, dark, toMove };
}

// The reverse of readPosition() for a position of a model.
export function writePosition(variant, position) {
  const letters = new Map(variant.kinds.map((kind) => [kind.name, kind.letter]));
  const lines = [];
  for (let rank = variant.ranks; rank >= 1; rank--) {
    let line = "";
    for (let file = 0; file < variant.files; file++) {
      const square = String.fromCharCode(97 + file) + rank, piece = position.at.get(square);
      if (piece) line += piece.side[0] + (piece.kind === null ? "?" : letters.get(piece.kind));
      else line += position.dark.has(square) ? "?" : ".";
    }
    lines.push(line);
  }
  return `${lines.join("/")} ${position.toMove}`;
}
