// newfile.js - asks for the name of a new variant or bot, and where its text comes from.
import { el } from "./dom.js";
import { t } from "./words.js";

const START = ""; // a commented text to start from

function fillSources(select, names) {
  select.replaceChildren(el("option", { value: START }, t("a commented text to start from")),
    el("optgroup", { label: t("a copy of") }, names.map((name) => el("option", { value: name }, name))));
}

// The request for the file: `create`, which writes what `ensign new` writes, or `copy`.
function requestFor(folder, name, source) {
  const file = `${folder}/${name}.lua`;
  return source === START ? { type: "create", file } : { type: "copy", file, from: source };
}

// `originals`: { variants: names, bots: names }. `make(request)` makes the file; the dialog stays
// open and says why if that fails.
export function askNewFile(originals, make) {
  const name = el("input", { type: "text", required: true, pattern: "[a-z][a-z0-9_\\-]*", maxlength: "31", autocapitalize: "off", autocomplete: "off" });
  const sort = el("select", {}, el("option", { value: "variants" }, t("variant")), el("option", { value: "bots" }, t("bot")));
  const source = el("select", {}), refusal = el("p", { class: "refusal", role: "alert" });
  fillSources(source, originals.variants);
  sort.addEventListener("change", () => fillSources(source, originals[sort.value]));
  const form = el("form", {}, el("h2", {}, t("New file")),
    el("label", {}, t("What"), sort),
    el("label", {}, t("Name"), name,
      el("span", { class: "soft" }, t("a small letter, then small letters, digits, - and _"))),
    el("label", {}, t("Text"), source), refusal,
    el("div", { class: "actions" },
      el("button", { class: "main", type: "submit" }, t("Make it")),
      el("button", { type: "button", onclick: () => dialog.close() }, t("Cancel"))));
  const dialog = el("dialog", { "aria-label": t("New file") }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    refusal.textContent = "";
    try {
      await make(requestFor(sort.value, name.value, source.value));
      dialog.close();
    } catch (error) {
      refusal.textContent = error.message;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  name.focus();
}
