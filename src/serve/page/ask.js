// ask.js - a question over the page, before something that cannot be taken back.
import { el } from "./dom.js";

// Opens it. `answer` resolves to true for `yes` alone; Escape closes it with no. A key that is still
// held down from before answers nothing. `careful`: the button for no is the main one, and has the
// focus. `about`: a line before the question.
export function ask(question, yes, no, { careful = false, about = null } = {}) {
  const dialog = el("dialog", { class: "question", "aria-label": question, onkeydown: (event) => event.repeat && event.preventDefault() },
    el("form", { method: "dialog" },
      about && el("b", {}, about),
      el("p", {}, question),
      el("div", { class: "actions" },
        el("button", { class: careful ? null : "main", value: "yes" }, yes),
        el("button", { class: careful ? "main" : null, value: "", autofocus: careful }, no))));
  document.body.append(dialog);
  const answer = new Promise((resolve) => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes");
  }, { once: true }));
  dialog.showModal();
  return { answer, close: () => dialog.close() };
}
