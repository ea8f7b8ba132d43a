// rules.js - the rule sheet of a variant, as `ensign show` prints it.
//
// The server has those of the variants that were there at its start, in each language.
import { el } from "./dom.js";
import { language, t } from "./words.js";

export async function showRules(root, variant) {
  const answer = await fetch(`/rules/${language}/${encodeURIComponent(variant)}.txt`);
  if (!answer.ok) throw new Error(t("There is no variant \"{1}\".", variant));
  document.title = `${t("Rules")} – Ensign`;
  root.append(el("section", { class: "sheet" },
    el("h1", { class: "unseen" }, t("Rules")),
    el("p", { class: "actions" },
      el("a", { class: "button main", href: `#/new/${encodeURIComponent(variant)}` }, t("Play this variant")),
      el("a", { class: "button", href: "#/" }, t("All variants"))),
    el("pre", { tabindex: "0", "aria-label": t("Rules") }, await answer.text())));
  return null;
}
