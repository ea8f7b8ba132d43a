// saved.js - the reader's own set-ups, kept in the browser: { name, variant, setup }.
//
// As text: one a line, "variant name setup", which can be sent to somebody and read in again.

import { storedList } from "./storage.js";

const KEY = "ensign.setups";
const NAME_MAX = 40;

const read = () => storedList(KEY, "setup");

function write(list) {
  localStorage.setItem(KEY, JSON.stringify(list));
}

export function savedSetups(variant) {
  return read().filter((one) => one.variant === variant);
}

// A name as it is kept: no blanks, at most 40 characters.
export function setupName(text) {
  return [...text.trim().replace(/\s+/g, "-")].slice(0, NAME_MAX).join("");
}

// Saves a set-up in the place of one of the same name. Throws if the browser has no room.
export function saveSetup(variant, name, setup) {
  write([...read().filter((one) => one.variant !== variant || one.name !== name), { name, variant, setup }]);
}

export function forgetSetup(variant, name) {
  write(read().filter((one) => one.variant !== variant || one.name !== name));
}

export function setupsAsText(variant) {
  return savedSetups(variant).map(({ name, setup }) => `${variant} ${name} ${setup}\n`).join("");
}

// The set-ups in a text: [{ variant, name, setup }, …]. Lines that are none are left out; a line
// with a set-up alone gets a name.
export function readSetups(text, variant) {
  const found = [];
  for (const line of text.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "" || words[0].startsWith("#")) continue;
    const setup = words.at(-1);
    if (!setup.includes("/")) continue;
    found.push(words.length >= 3 ? { variant: words[0], name: words[1], setup } : { variant, name: words.length === 2 ? words[0] : `imported-${found.length + 1}`, setup });
  }
  return found;
}
