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

function data(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

// The language of the page: { tag, texts }. Texts are found by the English ones. A report adds titles
// and kinds, the names of those of each variant.
const words = data("words");

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

function section(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

function note(text) {
  return el("p", { class: "soft" }, text);
}

function sectionLinks(sections) {
  return sections.length > 1 ? el("nav", { "aria-label": t("sections") }, sections.map((one) =>
    el("a", { href: `#${one.id}` }, one.querySelector("h2").textContent))) : "";
}

function footer() {
  return el("footer", { class: "soft" }, t("Written by Ensign {1}. This page is self-contained and makes no network requests.",
    document.querySelector("meta[name=generator]").content.split(" ")[1]));
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
