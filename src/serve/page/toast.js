// toast.js - short messages over the page, said to a screen reader too.
import { el } from "./dom.js";
import { t } from "./words.js";

const SHOWN = 6000; // ms

const shelf = el("div", { class: "toasts", role: "status", "aria-live": "polite" });
document.body.append(shelf); // before its first words, which would not be said otherwise

// Shows a sentence for a while.
export function toast(text, kind = "plain") {
  const note = el("p", { class: `toast ${kind}` }, text);
  shelf.append(note);
  while (shelf.children.length > 3) shelf.firstChild.remove();
  setTimeout(() => note.remove(), SHOWN);
}

// Shows why a request was refused.
export function complain(error) {
  toast(t(error.message), "bad");
}
