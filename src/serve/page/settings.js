// settings.js - what a reader has chosen, kept in the browser.
//
//   name      how others see this player (names.js)
//   language  a tag; "" for the browser's own
//   theme     "light", "dark"; "" for the system's
//   sound     true or false
//   start     the last choices of the start page
//   languages those that the server had last time

const KEY = "ensign.settings";
const DEFAULTS = { name: "", language: "", theme: "", sound: true, start: {}, languages: ["en"] };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const settings = { ...DEFAULTS, ...stored() };

export function setting(name) {
  return settings[name];
}

export function setSetting(name, value) {
  Object.assign(settings, stored(), { [name]: value }); // another tab may have changed the others
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser without storage: kept as long as the page.
  }
}

// Puts the chosen colours on the page.
export function applyTheme() {
  document.documentElement.dataset.theme = settings.theme || "system";
}
