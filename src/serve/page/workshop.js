// workshop.js - the workshop: variants and bots of one's own, edited in the page.
//
//   #/workshop           the first file            #/workshop/variants%2FNAME.lua   that one
//
// The server opens it to browsers on its own machine only (`ensign serve --workshop`). On the left
// the text, a plain field; on the right what `check` says of it, asked again after each pause in
// typing. What is not saved outlives a look at another page of this program, not the tab.
import { el, loadStyle } from "./dom.js";
import { link } from "./link.js";
import { keepSeat } from "./seats.js";
import { ownName } from "./names.js";
import { complain, toast } from "./toast.js";
import { forgetStock } from "./variants.js";
import { showReport } from "./report.js";
import { askNewFile } from "./newfile.js";
import { t } from "./words.js";

const PAUSE_MS = 400;
const BOARD = "duel", OPPONENT = "rookie"; // of bots, and of variants
const LINE_MAX = 65000; // bytes of a message to the server

const drafts = new Map(); // file → { text, version, saved }: what was typed and not saved

const isVariant = (file) => file.startsWith("variants/");
const fileName = (file) => file.slice(file.indexOf("/") + 1);
const bareName = (file) => fileName(file).replace(/\.lua$/, "");

function fits(message) {
  return new TextEncoder().encode(JSON.stringify(message)).length <= LINE_MAX;
}

// A text field with the numbers of its lines.
class Editor {
  constructor() {
    this.numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
    this.field = el("textarea", {
      class: "text", wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off",
      "aria-label": t("Text of the file"), "aria-describedby": "editor-keys",
    });
    this.element = el("div", { class: "editor" }, this.numbers, this.field);
    this.field.addEventListener("scroll", () => { this.numbers.scrollTop = this.field.scrollTop; });
    this.field.addEventListener("input", () => this.number());
    this.field.addEventListener("keydown", (event) => this.press(event));
  }

  get text() { return this.field.value; }

  set text(text) {
    this.field.value = text;
    this.field.setSelectionRange(0, 0);
    this.field.scrollTo(0, 0);
    this.number();
  }

  number() {
    const count = this.text.split("\n").length;
    if (count === this.count) return;
    this.count = count;
    this.numbers.textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
    this.numbers.scrollTop = this.field.scrollTop;
  }

  // Tab writes two spaces; after Escape it goes on to the next field, as everywhere. The command is
  // the only way to write that the browser's undo knows of.
  press(event) {
    if (event.key === "Escape") this.leaves = true;
    else if (event.key !== "Tab") this.leaves = false;
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey || this.leaves) return;
    event.preventDefault();
    document.execCommand("insertText", false, "  ");
  }

  // Selects a line and scrolls to it.
  jump(line) {
    const lines = this.text.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.focus();
    this.field.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    this.field.scrollTo(0, Math.max(0, (line - 4) * height));
    this.field.scrollIntoView({ block: "nearest" });
  }
}

class Workshop {
  constructor(root, wanted) {
    this.wanted = wanted;
    this.file = null; // "variants/NAME.lua"
    this.editor = new Editor();
    this.choice = el("select", { "aria-label": t("File"), onchange: () => this.open(this.choice.value).catch(complain) });
    this.state = el("span", { class: "soft state", role: "status" });
    this.saving = el("button", { type: "button", title: "Ctrl+S", onclick: () => this.save().catch(complain) }, t("Save"));
    this.playing = el("button", { class: "main", type: "button", onclick: () => this.play().catch(complain) }, t("Play"));
    this.conflict = el("div", { class: "conflict", role: "alert" });
    this.verdict = el("section", { class: "verdict", "aria-label": t("Check") });
    root.append(el("h1", { class: "unseen" }, t("Workshop")),
      el("div", { class: "workshop" },
        el("div", { class: "bar" }, this.choice,
          el("button", { type: "button", onclick: () => this.create() }, t("New …")),
          el("span", { class: "space" }), this.state, this.saving, this.playing),
        this.conflict,
        el("div", { class: "panes" },
          el("div", { class: "left" }, this.editor.element,
            el("p", { class: "soft keys", id: "editor-keys" }, t("Ctrl+S saves. Tab writes two spaces; Escape, then Tab, leaves the text."))),
          this.verdict)));
    this.editor.field.addEventListener("input", () => this.typed());
    this.press = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      this.save().catch(complain);
    };
    this.warn = (event) => { if ([...drafts.values()].some((draft) => draft.text !== draft.saved)) event.preventDefault(); };
    addEventListener("keydown", this.press);
    addEventListener("beforeunload", this.warn);
    this.endOpen = link.on("open", () => this.check());
  }

  close() {
    clearTimeout(this.timer);
    removeEventListener("keydown", this.press);
    removeEventListener("beforeunload", this.warn);
    this.endOpen();
    this.file = null;
  }

  get draft() { return drafts.get(this.file); }

  async begin() {
    await this.list();
    const [first] = this.files;
    const wanted = this.files.includes(this.wanted) ? this.wanted : first;
    if (wanted) await this.open(wanted);
    else this.showNothing();
  }

  async list() {
    const { files, originals } = await link.send({ type: "files" });
    this.files = files;
    this.originals = originals;
    const group = (label, list) => (list.length
      ? el("optgroup", { label }, list.map((file) => el("option", { value: file }, bareName(file)))) : "");
    this.choice.replaceChildren(group(t("Variants"), files.filter(isVariant)), group(t("Bots"), files.filter((file) => !isVariant(file))));
    this.choice.disabled = !files.length;
  }

  showNothing() {
    this.editor.field.disabled = this.saving.disabled = this.playing.disabled = true;
    this.verdict.replaceChildren(
      el("p", {}, t("There is no variant and no bot of your own here yet.")),
      el("button", { class: "main", type: "button", onclick: () => this.create() }, t("New …")));
  }

  // Opens a file: as it is on the disk, unless it was changed here and not saved.
  async open(file, anew = false) {
    if (anew) drafts.delete(file);
    if (!drafts.has(file)) {
      const { text, version } = await link.send({ type: "read", file });
      drafts.set(file, { text, version, saved: text });
    }
    this.file = this.choice.value = file;
    history.replaceState(null, "", `#/workshop/${encodeURIComponent(file)}`);
    this.editor.field.disabled = this.saving.disabled = this.playing.disabled = false;
    this.editor.text = this.draft.text;
    this.conflict.replaceChildren();
    this.verdict.replaceChildren(el("p", { class: "soft" }, t("Checking …")));
    this.showState();
    this.check();
  }

  typed() {
    this.draft.text = this.editor.text;
    this.showState();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE_MS);
  }

  showState() {
    const changed = this.draft.text !== this.draft.saved;
    this.state.textContent = changed ? t("not saved") : t("saved");
    this.state.classList.toggle("changed", changed);
  }

  // Asks what `check` says. An answer that comes after another text was typed is not shown.
  async check() {
    const { file } = this;
    if (!file) return;
    const { text } = this.draft, message = { type: "check", file: fileName(file), text };
    if (!isVariant(file)) message.variant = BOARD;
    this.verdict.classList.add("stale");
    try {
      if (!fits(message)) throw new Error(t("The text is too long: the workshop takes 60,000 bytes."));
      const { report } = await link.send(message);
      if (file !== this.file || text !== this.draft.text) return;
      showReport(this.verdict, report.files[0], (line) => this.editor.jump(line));
    } catch (error) {
      if (file !== this.file || text !== this.draft.text || link.state !== "open") return;
      this.verdict.replaceChildren(el("p", { class: "refusal" }, error.message));
    }
    this.verdict.classList.remove("stale");
  }

  // True if the text is on the disk.
  async save(over = false) {
    const { file, draft } = this;
    if (!file) return false;
    const message = { type: "write", file, text: draft.text, version: draft.version };
    if (!fits(message)) throw new Error(t("The text is too long: the workshop takes 60,000 bytes."));
    try {
      if (over) message.version = (await link.send({ type: "read", file })).version;
      const { version } = await link.send(message);
      draft.version = version;
      draft.saved = message.text;
      this.conflict.replaceChildren();
      forgetStock();
      if (file === this.file) this.showState();
      return true;
    } catch (error) {
      if (file === this.file) this.showConflict(error);
      return false;
    }
  }

  showConflict(error) {
    this.conflict.replaceChildren(el("p", {}, t("Not saved: {1}", error.message)),
      el("button", { type: "button", onclick: () => this.open(this.file, true).catch(complain) }, t("Read it again")),
      el("button", { type: "button", onclick: () => this.save(true).catch(complain) }, t("Write over it")));
  }

  create() {
    askNewFile(this.originals, async (message) => {
      const { file } = await link.send(message);
      forgetStock();
      await this.list();
      await this.open(file);
      this.editor.field.focus();
      toast(t("Written: {1}", file));
    });
  }

  // A game with it: a variant against the weakest bot, a bot as the opponent in duel.
  async play() {
    if (!await this.save()) return;
    const name = bareName(this.file), variant = isVariant(this.file) ? name : BOARD, blue = isVariant(this.file) ? OPPONENT : name;
    this.playing.disabled = true;
    try {
      const name = ownName(), names = name ? { names: { red: name } } : {};
      const { game, seats } = await link.send({ type: "new", variant, red: "me", blue, setups: { red: "random" }, ...names });
      link.hold(seats.red, game, "red");
      keepSeat(game, { secret: seats.red, side: "red", variant, title: variant, opponent: blue });
      location.hash = `#/game/${game}`;
    } finally {
      this.playing.disabled = false;
    }
  }
}

export async function showWorkshop(root, wanted) {
  await loadStyle("workshop.css");
  const workshop = new Workshop(root, wanted);
  try {
    await workshop.begin();
  } catch (error) {
    workshop.close();
    throw error;
  }
  return () => workshop.close();
}
