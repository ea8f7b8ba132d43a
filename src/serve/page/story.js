// story.js - tells the events of a game in sentences, as the terminal does.
//
// An event that the previous one implies (the winner of a battle is revealed) gets no sentence.
import { kindName, language, sideName, t } from "./words.js";

// Sentences of t("…") that are chosen by name; the tests look for them here.
const REASONS = {
  "flag": () => t("The flag is captured."),
  "immobile": () => t("The other side has no piece left that can move."),
  "both-immobile": () => t("Neither side has a piece left that can move."),
  "no-miners": () => t("No miners are left and both flags are walled in."),
  "no-attack-limit": () => t("Too many moves without an attack."),
  "ply-limit": () => t("The game has reached its limit of moves."),
  "ability": () => t("An ability decided the game."),
  "goal": () => t("A goal of the game was reached."),
  "variant": () => t("A rule of the variant decided the game."),
  "repetition": () => t("The same position came up too often."),
  "agreed": () => t("Both sides agreed."),
  "resigned": () => t("The other side resigned."),
  "forfeit-illegal": () => t("The other side forfeits: its move was illegal."),
  "forfeit-fuel": () => t("The other side forfeits: it thought for too long."),
  "forfeit-time": () => t("The other side forfeits: it ran out of time."),
  "forfeit-memory": () => t("The other side forfeits: it ran out of memory."),
  "forfeit-error": () => t("The other side forfeits: its script failed."),
  "forfeit-crash": () => t("The other side forfeits: its process died."),
};

// The same reasons for the player who lost.
const OWN_REASONS = {
  "immobile": () => t("You have no piece left that can move."),
  "resigned": () => t("You resigned."),
  "forfeit-illegal": () => t("Your move was illegal."),
  "forfeit-time": () => t("You ran out of time."),
};

// "Red wins. The flag is captured."; for the player of a side "You won." or "You lost."; the
// variant's own words take the place of the reason.
export function endWords({ result, reason, ending, endings }, side = null) {
  const won = { red: () => t("Red wins."), blue: () => t("Blue wins."), draw: () => t("A draw.") }[result];
  if (!won) return t("The game is unfinished.");
  const mine = side && result !== "draw", lost = mine && result !== side;
  const why = endings?.[language] ?? (ending ? t(ending) : ((lost && OWN_REASONS[reason]) || REASONS[reason])?.());
  return [mine ? (lost ? t("You lost.") : t("You won.")) : won(), why].filter(Boolean).join(" ");
}

function moveWords(side, { from, to }) {
  if (from && to) return `${side} ${from}-${to}.`;
  if (from) return t("{1}: a piece goes out of sight from {2}.", side, from);
  if (to) return t("{1}: a piece comes into sight on {2}.", side, to);
  return t("{1}: a piece moves out of sight.", side);
}

function battleWords(side, { from, to, kind, other, outcome }, name) {
  const words = [side, `${from ?? "?"}x${to ?? "?"}`, name(kind), name(other)];
  if (outcome === "attacker") return t("{1} {2}: {3} attacks, {4} falls.", ...words);
  if (outcome === "defender") return t("{1} {2}: {3} attacks and falls, {4} stays.", ...words);
  return t("{1} {2}: {3} attacks {4}, both fall.", ...words);
}

// The only kind that has an ability; null if several have.
function userOf(variant, ability) {
  const users = variant.kinds.filter((kind) => kind.abilities.some((one) => one.name === ability));
  return users.length === 1 ? users[0].name : null;
}

function abilityWords(variant, side, { ability, from, to, kind }, name) {
  const words = [side, name(userOf(variant, ability)), from ?? "?", t(ability), to ?? "?"];
  if (kind) return t("{1}: {2} on {3} uses {4} on {5}, naming {6}.", ...words, name(kind));
  return t("{1}: {2} on {3} uses {4} on {5}.", ...words);
}

// The sentence of an event; null if it has none. `last`: the event before it.
function eventWords(variant, event, last) {
  const name = (kind) => (kind ? kindName(kind) : t("Piece"));
  const side = event.side ? sideName(event.side) : "", { from, to, kind, kinds } = event;
  switch (event.type) {
    case "move":
      return moveWords(side, event);
    case "battle":
      return battleWords(side, event, name);
    case "ability":
      return abilityWords(variant, side, event, name);
    case "remove":
      return from ? t("{1}: {2} on {3} is removed.", side, name(kind), from) : t("{1}: {2} is removed out of sight.", side, name(kind));
    case "reveal":
      if ((last?.type === "battle" && (from === last.from || from === last.to)) || (last?.type === "ability" && last.side === event.side && userOf(variant, last.ability) === kind)) return null;
      return t("{1}: the piece on {2} is {3}.", side, from, name(kind));
    case "hold":
      return t("{1}: the piece on {2} may not move. Turns: {3}.", side, from, event.turns);
    case "count": {
      const title = variant.counters?.find(({ name: own }) => own === event.counter)?.title ?? event.counter;
      return `${side}${side && ": "}${title} = ${event.now}.`;
    }
    case "learn":
      if (!kinds) return t("{1} learns something about the piece on {2}.", side, from);
      return t("{1} learns: the piece on {2} is {3}.", side, from, kinds.map(name).join(" / "));
    case "conceal":
      return t("{1}: the piece on {2} is face down again.", side, from);
    case "swap":
      return from && to ? t("{1} and {2} swap places.", from, to) : null;
    case "place":
      return to ? t("{1}: {2} returns on {3}.", side, name(kind), to) : t("{1}: {2} returns out of sight.", side, name(kind));
    default:
      return null;
  }
}

// The sentences of a turn.
export function turnWords(variant, events) {
  return events.map((event, index) => eventWords(variant, event, events[index - 1])).filter(Boolean);
}
