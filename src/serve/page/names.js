// names.js - what people may call themselves: the server's rule (src/base/player_name.h), which says
// what a letter is, and the field in which they do.
import { el } from "./dom.js";
import { setSetting, setting } from "./settings.js";
import { t } from "./words.js";

const LETTERS = 40, BYTES = 400;
const SELECTOR = "\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";

// Sequences that are safe though some of their characters alone are not, and what is left of them.
const SAFE = [
  [/\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}/gu, "\u{1f3f4}"],
  [new RegExp(`([#*0-9\\u00a9-\\u{10ffff}])[${SELECTOR}]`, "gu"), "$1"],
  [/([\u0600-\u{10ffff}])[\u200c\u200d](?=[\u0600-\u{10ffff}])/gu, "$1"],
];
const UNSAFE = /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const BELONGS = /[\p{M}\u200c\u200d\u180b-\u180f\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{10ffff}]/u;
const BLANK = /[ \u00a0\u034f\u1680\u17b4\u17b5\u2000-\u200a\u202f\u205f\u2800\u3000]/u;
const REGION = /[\u{1f1e6}-\u{1f1ff}]/u;

// The letters of a text: { all, seen }.
export function countLetters(text) {
  let all = 0, seen = 0, last = "", half = false;
  for (const character of text) {
    const joined = last === "\u200d" && character >= "\u2190", second = half && REGION.test(character);
    half = REGION.test(character) && !second;
    last = character;
    if (BELONGS.test(character) || joined || second) continue;
    all += 1;
    if (!BLANK.test(character)) seen += 1;
  }
  return { all, seen };
}

// Why a text cannot be a name, as a sentence; "" if it can.
export function nameFlaw(text) {
  const plain = SAFE.reduce((rest, [sequence, left]) => rest.replace(sequence, left), text);
  const { all, seen } = countLetters(text);
  if (UNSAFE.test(plain)) return t("A name holds no invisible characters.");
  if (all > LETTERS || new TextEncoder().encode(text).length > BYTES) return t("A name has at most {1} letters.", LETTERS);
  return seen ? "" : t("A name has a letter that can be seen.");
}

// The reader's own name; "" if there is none that others may see.
export function ownName() {
  const name = setting("name");
  return nameFlaw(name) ? "" : name;
}

// A field for it. What cannot be a name is not kept, and its form cannot be sent.
export function nameField(attributes = {}) {
  const field = el("input", { type: "text", autocomplete: "nickname", value: ownName(), ...attributes });
  field.addEventListener("input", () => {
    const name = field.value.trim(), flaw = name && nameFlaw(name);
    field.setCustomValidity(flaw);
    if (!flaw) setSetting("name", name);
  });
  return field;
}
