// page_model.mjs - holds the model of the page (src/serve/page/model.js) against the program.
//
//     node page_model.mjs FOLDER LINES
//
// FOLDER is src/serve/page. Each line of the file LINES: { take: a message, position: what these eyes know after it (if that
// is to be compared), truth: the position uncovered }. Prints what differs and leaves with 1.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, lines] = process.argv;
const { Model } = await import(pathToFileURL(`${folder}/model.js`));
const { readMove, readPosition, writePosition } = await import(pathToFileURL(`${folder}/position.js`));
const figures = { games: 0, positions: 0, moves: 0, hidden: 0, narrowed: 0 };
let model = null, past = [];

function differ(what, got, expected, message) {
  console.log(`${what}: ${got}\nexpected: ${expected}\nafter: ${JSON.stringify(message).slice(0, 600)}`);
  process.exit(1);
}

// A hidden piece must be one of the kinds that the model thinks it may be.
function checkKinds(truth, message) {
  const letters = new Map(model.variant.kinds.map((kind) => [kind.letter, kind.name]));
  const uncovered = readPosition(truth).at;
  for (const [square, piece] of model.now.at) {
    if (piece.kind !== null) continue;
    const kinds = model.mayBe(piece).map(({ kind }) => kind), kind = letters.get(uncovered.get(square).letter);
    if (!kinds.includes(kind)) differ(`${square} may be`, kinds, kind, message);
    figures.hidden++;
    figures.narrowed += kinds.length < model.variant.kinds.length;
  }
}

for (const line of readFileSync(lines, "utf8").trimEnd().split("\n")) {
  const { take, position, truth } = JSON.parse(line);
  if (take.type === "game") {
    for (const [ply, text] of past.entries()) {
      const kept = writePosition(model.variant, model.history[ply]);
      if (kept !== text) differ(`ply ${ply}, looked back at`, kept, text, take);
    }
    model = new Model(take);
    past = [];
    figures.games++;
    continue;
  }
  model.take(take);
  if (position) {
    const shown = writePosition(model.variant, model.now);
    if (shown !== position) differ("the board", shown, position, take);
    checkKinds(truth, take);
    past[model.ply] = position;
    figures.positions++;
  }
  for (const text of take.moves ?? []) {
    const move = readMove(text);
    if (!move || !model.now.at.has(move.from)) differ("a move", JSON.stringify(move), text, take);
    figures.moves++;
  }
  if (take.type === "move" && model.behind) differ("the model's ply", model.ply, take.ply, take);
}
console.log(Object.entries(figures).map(([name, count]) => `${name}: ${count}`).join(", "));
