// theme.js - puts the chosen colours on the page before it is painted, as applyTheme() of settings.js
// does later. No module: those run after the first picture.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("ensign.settings"))?.theme || "system";
} catch {
  // A browser without storage: the system's colours.
}
