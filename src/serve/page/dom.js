// dom.js - making elements.
//
// Texts become text nodes and attributes only, so that no player's name is ever markup. Nothing
// sets a style attribute: the page's policy forbids inline style.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// An HTML element: el("p", { class: "soft", onclick: … }, "text", other, …).
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for SVG.
export function sv(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// The style of a view that is loaded with it, not with the start page. Resolves when it is there.
export function loadStyle(name) {
  if (document.querySelector(`link[href="${name}"]`)) return null;
  return new Promise((resolve) => {
    document.head.append(el("link", { rel: "stylesheet", href: name, onload: resolve, onerror: resolve }));
  });
}
