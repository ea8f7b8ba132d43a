// dom.js - making elements, and numbers as people read them.
//
// Texts become text nodes and attributes only, so that no player's name is ever markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// An HTML element: el("p", { class: "soft" }, "text", other, …).
function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for SVG.
function sv(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// The language of the page: { tag, texts, titles, kinds }. Texts are found by the English ones; titles
// and names of kinds are those of each report's variant.
const words = JSON.parse(document.getElementById("words").textContent);

// The translation of an English text, its placeholders {1} to {9} filled with the arguments.
function t(english, ...values) {
  const pattern = words.texts[english] ?? english;
  return pattern.replace(/\{([1-9])\}/g, (_, number) => values[number - 1] ?? "");
}

const whole = new Intl.NumberFormat(words.tag === "en" ? "en" : undefined, { useGrouping: words.tag === "en" });

// 0.527 as "52.7", and as "52.7 %".
function tenths(share) {
  return (100 * share).toFixed(1);
}

function percent(share) {
  return share === null ? "?" : `${tenths(share)} %`;
}

// An Elo difference: "+17", "−4", "?" if unknown.
function signed(elo) {
  if (elo === null) return "?";
  const rounded = Math.round(Math.abs(elo));
  return elo < 0 && rounded ? `−${rounded}` : `+${rounded}`;
}

// [difference, low, high] as "+17 (−4 … +38)".
function interval([difference, low, high]) {
  const end = (value, open) => (value === null ? open : signed(value));
  if (difference === null) return low === null ? t("at most {1}", end(high, "+∞")) : t("at least {1}", end(low, "−∞"));
  return `${signed(difference)} (${end(low, "−∞")} … ${end(high, "+∞")})`;
}

// The same from the opponent's side; null stands for an infinite end.
function opposite([difference, low, high]) {
  const turned = (value) => (value === null ? null : -value);
  return [turned(difference), turned(high), turned(low)];
}

// A table whose first column heads its rows. Cells are texts or elements.
function table(caption, heads, rows, attributes = {}) {
  return el("div", { class: "scroll" },
    el("table", attributes,
      el("caption", {}, el("span", {}, caption)),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows.map(([first, ...rest]) =>
        el("tr", {}, el("th", { scope: "row" }, first),
          rest.map((cell) => (cell instanceof HTMLTableCellElement ? cell : el("td", {}, cell))))))));
}
