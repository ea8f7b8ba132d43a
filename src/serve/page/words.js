// words.js - the page's texts in the language that its reader has chosen.
//
// English texts are the keys, with placeholders {1} to {9}. The server gives the translations of a
// language file as /words/TAG.json: { tag, name, kinds, texts }. What has none stays English.

let words = { kinds: {}, texts: {} };

export let language = "en";

// Loads a language. One that cannot be loaded leaves the page in English.
export async function loadWords(tag) {
  let loaded = { kinds: {}, texts: {} };
  language = "en";
  if (tag !== "en") {
    try {
      const answer = await fetch(`/words/${encodeURIComponent(tag)}.json`);
      if (answer.ok) {
        loaded = { ...loaded, ...await answer.json() };
        language = tag;
      }
    } catch {
      // No connection: English.
    }
  }
  words = loaded;
  document.documentElement.lang = language;
}

// The translation of an English text, its placeholders filled with the arguments.
export function t(english, ...values) {
  const pattern = words.texts[english] ?? english;
  return pattern.replace(/\{([1-9])\}/g, (_, number) => values[number - 1] ?? "");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}

// The name of a kind: "Marshal" of "marshal". Kinds without a translation have their own names.
export function kindName(kind) {
  return words.kinds[kind] ?? capital(kind);
}

// "Red", "Blue".
export function sideName(side) {
  return side === "red" ? t("Red") : t("Blue");
}

// A player by name. The server's words for somebody without one are those of records; `own`: the
// reader's.
export function playerName(name, own = false) {
  if (!isNameless(name)) return name;
  return own ? t("You") : t("Guest");
}

export function isNameless(name) {
  return name === "human" || name === "guest";
}

// A language's name for itself.
export function languageName(tag) {
  try {
    return capital(new Intl.DisplayNames([tag], { type: "language" }).of(tag));
  } catch {
    return tag;
  }
}

// The one among `tags` that the browser's settings prefer.
export function preferredLanguage(tags) {
  for (const wish of navigator.languages ?? []) {
    const tag = wish.split("-")[0];
    if (tags.includes(tag)) return tag;
  }
  return "en";
}

// Why the server holds a game.
export function heldWords(reason) {
  const words = {
    full: t("The game waits until the server's disk has room again."),
    locked: t("The game waits until another program releases the server's games."),
    failed: t("The game waits until the server can write its games again."),
  };
  return words[reason] ?? words.failed;
}
