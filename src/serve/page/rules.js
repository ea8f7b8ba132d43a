// rules.js - the rule sheet of a variant, as `ensign show` prints it.
//
// The server has those of the variants that were there at its start, in each language: parts with
// a heading, an empty line between them, each sentence on a line of its own. Lines with columns,
// as of the board, are known by their gaps and keep their form.
import { el } from "./dom.js";
import { language, t } from "./words.js";

const hasColumns = (line) => /\S {2,}\S/.test(line);

// The lines of a part, those with columns together.
function body(lines) {
  const parts = [];
  for (const line of lines) {
    if (!hasColumns(line)) parts.push(el("p", {}, line.trim()));
    else if (parts.at(-1)?.matches("pre")) parts.at(-1).append(`\n${line}`);
    else parts.push(el("pre", { tabindex: "0" }, line));
  }
  return parts;
}

export async function showRules(root, variant) {
  const answer = await fetch(`/rules/${language}/${encodeURIComponent(variant)}.txt`);
  if (!answer.ok) throw new Error(t("There is no variant \"{1}\".", variant));
  document.title = `${t("Rules")} – Ensign`;
  const [[title, ...about], ...parts] = (await answer.text()).trim().split("\n\n").map((part) => part.split("\n"));
  root.append(el("section", { class: "sheet" },
    el("h1", {}, title), body(about),
    el("p", { class: "actions" },
      el("a", { class: "button main", href: `#/new/${encodeURIComponent(variant)}` }, t("Play this variant")),
      el("a", { class: "button", href: "#/" }, t("All variants"))),
    parts.map(([first, ...rest]) => (rest.length ? [el("h2", {}, first), body(rest)] : body([first])))));
  return null;
}
