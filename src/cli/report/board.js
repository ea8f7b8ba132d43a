// board.js - draws boards: pieces as one side sees them, heat maps, set-ups.
//
// Squares are numbered from red's corner, rank by rank. Red's pieces are squares, blue's are round.

// "a1".
function squareName(board, at) {
  return String.fromCharCode(97 + at % board.files) + (1 + Math.floor(at / board.files));
}

// The position of a square in a picture, in squares; turned: as blue sees it.
function placeOf(board, at, turned) {
  const file = at % board.files, rank = Math.floor(at / board.files);
  return turned ? [board.files - 1 - file, rank] : [file, board.ranks - 1 - rank];
}

function axis(board, turned) {
  const labels = [];
  for (let file = 0; file < board.files; file++) {
    const [x] = placeOf(board, file, turned);
    labels.push(sv("text", { class: "axis", x: x + .5, y: board.ranks + .4, "text-anchor": "middle" },
      squareName(board, file)[0]));
  }
  for (let rank = 0; rank < board.ranks; rank++) {
    const [, y] = placeOf(board, rank * board.files, turned);
    labels.push(sv("text", { class: "axis", x: -.15, y: y + .6, "text-anchor": "end" }, `${rank + 1}`));
  }
  return labels;
}

// Links as lines between squares, walls as bars between neighbours.
function boardLines(board, turned) {
  const ends = (pair) => pair.map((at) => placeOf(board, at, turned).map((place) => place + .5));
  const links = board.links.map((pair) => {
    const [[x1, y1], [x2, y2]] = ends(pair);
    return sv("line", { class: "link", x1, y1, x2, y2 });
  });
  const walls = board.walls.map((pair) => {
    const [[ax, ay], [bx, by]] = ends(pair), x = (ax + bx) / 2, y = (ay + by) / 2;
    const across = (by - ay) / 2, along = (bx - ax) / 2;
    return sv("line", { class: "wall", x1: x - across, y1: y - along, x2: x + across, y2: y + along });
  });
  return sv("g", { class: "lines" }, links, walls);
}

// The tints of squares with a ground, by its place in the list; of several the one with the fewest squares.
function boardTints(board) {
  const grounds = board.ground.map(({ squares }, index) => ({ squares, tint: `land tint-${index % 8}` }));
  grounds.sort((a, b) => b.squares.length - a.squares.length);
  return new Map(grounds.flatMap(({ squares, tint }) => squares.map((at) => [at, tint])));
}

// The signs of the grounds, each with its name as a hint.
function boardSigns(board, turned) {
  return board.ground.map(({ name, sign, squares }) => squares.map((at) => {
    const [x, y] = placeOf(board, at, turned);
    return sv("text", { class: "sign", x: x + .03, y: y + .26 }, sv("title", {}, name), sign);
  }));
}

function boardLegend(board) {
  const words = board.ground.map(({ name, sign }) => `${sign} ${name}`).join("  ·  ");
  return words ? sv("text", { class: "axis", x: 0, y: board.ranks + .85 }, words) : [];
}

// A board on which `draw(at, x, y)` draws each square's contents. `turned`: as blue sees it;
// `plain`: without coordinates.
function boardPicture(board, label, draw, { turned = false, plain = false } = {}) {
  const lakes = new Set(board.lakes), tints = boardTints(board), land = [], squares = [];
  for (let at = 0; at < board.files * board.ranks; at++) {
    const [x, y] = placeOf(board, at, turned);
    land.push(sv("rect", { class: lakes.has(at) ? "lake" : tints.get(at) ?? "land", x, y, width: 1, height: 1 }));
    if (!lakes.has(at)) squares.push(draw(at, x, y));
  }
  const below = board.ground.length ? 1.1 : .7;
  return sv("svg", {
    class: "board", role: "group", "aria-label": label,
    viewBox: plain ? `-.05 -.05 ${board.files + .1} ${board.ranks + .1}` : `-.6 -.1 ${board.files + .7} ${board.ranks + below}`,
  }, land, boardLines(board, turned), boardSigns(board, turned), squares,
  plain ? [] : [axis(board, turned), boardLegend(board)]);
}

function shape(side, x, y) {
  return sv("rect", { class: side, x: x + .1, y: y + .1, width: .8, height: .8, rx: side === "red" ? .12 : .4 });
}

// A visible piece: { side, kind (null: hidden), moved, known }.
function pieceMark(board, piece, x, y) {
  const parts = [shape(piece.side, x, y)];
  if (piece.kind !== null || piece.moved) {
    const label = piece.kind === null ? "?" : board.kinds[piece.kind].label;
    const size = label.length > 2 ? `font-size: ${(1.2 / label.length).toFixed(2)}px` : null;
    parts.push(sv("text", { class: "label", style: size, x: x + .5, y: y + .68, "text-anchor": "middle" }, label));
  }
  if (piece.kind === null) {
    const rx = piece.side === "red" ? .06 : .3;
    parts.push(sv("rect", { class: "back", x: x + .2, y: y + .2, width: .6, height: .6, rx }));
  } else if (piece.known) {
    parts.push(sv("circle", { class: "known", cx: x + .78, cy: y + .22, r: .08 }));
  }
  return parts;
}

// The contents of a square in words, for screen readers.
function pieceWords(board, piece) {
  if (!piece) return t("empty");
  const parts = [t(piece.side), piece.kind === null ? t("hidden") : board.kinds[piece.kind].name];
  if (piece.moved) parts.push(t("has moved"));
  if (piece.known) parts.push(t("known"));
  return parts.join(", ");
}

// Counts on squares: the more, the darker.
function heatMap(board, counts, label, told) {
  const most = Math.max(1, ...counts);
  return boardPicture(board, label, (at, x, y) => {
    if (!counts[at]) return null;
    const text = counts[at] < 10000 ? `${counts[at]}` : `${Math.round(counts[at] / 1000)}k`;
    return sv("g", {},
      sv("title", {}, told(squareName(board, at), whole.format(counts[at]))),
      sv("rect", { class: "heat", x, y, width: 1, height: 1, "fill-opacity": (.08 + .62 * counts[at] / most).toFixed(3) }),
      sv("text", { class: "count", x: x + .5, y: y + .6, "text-anchor": "middle" }, text));
  });
}

// A set-up's line as its owner sees it, front rank first.
function setupPicture(board, line) {
  const ranks = line.split("/");
  const zone = { ...board, ranks: ranks.length, lakes: [], ground: [], links: [], walls: [] };
  return boardPicture(zone, t("set-up {1}", line), (at, x, y) => {
    const kind = board.kinds.findIndex((one) => one.letter === ranks[y][x]);
    return kind < 0 ? null : pieceMark(board, { side: "red", kind, moved: false, known: false }, x, y);
  }, { plain: true });
}
