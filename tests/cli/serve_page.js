// serve_page.js - what test_serve_page.c does in the page: it looks, and waits; clicks, taps and keys
// come from the test.
window.page = {
  // Waits until look() gives something true, and returns it; after most of a minute it says what the
  // page shows instead.
  until(look) {
    const end = performance.now() + 50000;
    return new Promise((resolve, reject) => {
      const again = () => {
        const found = look();
        if (found) resolve(found);
        else if (performance.now() > end) reject(new Error(`${look} did not come: ${document.title}\n${document.body.innerText}`));
        else setTimeout(again, 15);
      };
      again();
    });
  },

  // The middle of what a selector finds first, which is brought into the window.
  async place(selector) {
    const element = await page.until(() => document.querySelector(selector));
    element.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  },

  square(name) {
    return page.place(`.table .board [data-square="${name}"] rect`);
  },

  // The squares that are marked as `name`: "movable", "legal", "targets", "last"; on the table, for
  // the board on which an army is laid out stands until the other side's is there.
  squares(name) {
    return [...document.querySelectorAll(`.table .board [data-square].${name}`)].map((cell) => cell.dataset.square);
  },

  get form() {
    return document.querySelector("form.start").elements;
  },

  // The button with this text, among those below a selector.
  button(selector, text) {
    return [...document.querySelectorAll(`${selector} button`)].find((button) => button.textContent === text);
  },

  // Reads a set-up's text into the editor.
  setUp(text) {
    document.querySelector(".setup textarea").value = `${text}\n`;
    page.button(".setup .row", "Read in this text").click();
  },

  get status() {
    return document.querySelector(".sidebar .status")?.textContent;
  },

  // What the page asks over the board, with its buttons.
  get prompt() {
    return [...document.querySelectorAll(".prompt p, .prompt button")].filter((one) => one.checkVisibility()).map((one) => one.textContent).join(" | ");
  },

  // What stands beside the players' names.
  get notes() {
    return [...document.querySelectorAll(".player .note")].map((note) => note.textContent).join("");
  },

  // All that will stand there.
  notesSeen: [],

  watchNotes() {
    new MutationObserver(() => page.notes && page.notesSeen.push(page.notes))
      .observe(document.querySelector(".table"), { childList: true, characterData: true, subtree: true });
  },

  // Sentences that a screen reader was told, and those of turns by their plies; short messages over
  // the page.
  said: [],
  toasts: [],

  get turnsSaid() {
    return page.said.map(page.plyOf).filter(Boolean).join(" ");
  },

  // The ply that a text begins with: 1 of "1. a4-a5", 2 of "1… a7-a6"; 0 if there is none.
  plyOf(words) {
    const [, move, sign] = /^(\d+)(\.|…) ./.exec(words) ?? [];
    return move ? 2 * move - (sign === ".") : 0;
  },

  // What this browser keeps of the game.
  get kept() {
    return JSON.parse(localStorage.getItem("ensign.kept") ?? "[]").find((one) => one.game === page.game);
  },

  // The army that is being laid out, as text.
  get army() {
    document.querySelector(".setup details").dispatchEvent(new Event("toggle"));
    return document.querySelector(".setup textarea").value.trim().split(" ").at(-1);
  },

  get over() {
    const eyes = document.querySelector(".eyes");
    return Boolean(eyes && !eyes.hidden);
  },

  // Can this side move now? Turns that are still to be shown are hurried by Escape.
  get asked() {
    return page.squares("movable").length > 0;
  },

  ready() {
    return page.until(() => {
      if (page.asked || page.over) return true;
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
      return false;
    });
  },

  // One of the moves that can be made, [from, to]: the farthest forward, an attack if there is none.
  async choice() {
    const { link } = await import("/link.js");
    const log = [...link.logs.get(page.game).values()].find((one) => one.messages.some(({ type }) => type === "move"));
    const { moves } = log.messages.findLast(({ type }) => type === "move");
    const plain = moves.filter((move) => !move.includes("@"));
    const climb = (move) => Number(move.match(/(\d+)$/)[1]) - Number(move.match(/^[a-z](\d+)/)[1]);
    const steps = plain.filter((move) => move.includes("-")).toSorted((a, b) => climb(b) - climb(a));
    const best = climb(steps[0] ?? "a1-a1") > 0 ? steps[0] : plain.find((move) => move.includes("x")) ?? steps[0];
    return best.split(/[-x]/);
  },

  get game() {
    return location.hash.split("/")[2];
  },

  // The board as the page shows it, as a position without the side to move, read from what a screen
  // reader is told.
  async position() {
    const { link } = await import("/link.js");
    const [log] = link.logs.get(page.game).values();
    const { variant } = log.messages.find(({ type }) => type === "game");
    const letters = new Map(variant.kinds.map(({ name, letter }) => [name, letter]));
    const rows = [];
    for (let rank = variant.ranks; rank >= 1; rank--) {
      let row = "";
      for (let file = 0; file < variant.files; file++) {
        const words = document.querySelector(`[data-square="${String.fromCharCode(97 + file)}${rank}"]`).getAttribute("aria-label");
        const [, side, kind] = /: (Red|Blue), ([^,]+)/.exec(words) ?? [];
        if (side) row += side[0].toLowerCase() + (kind === "hidden" ? "?" : letters.get(kind.toLowerCase()));
        else row += words.includes("out of sight") ? "?" : ".";
      }
      rows.push(row);
    }
    return rows.join("/");
  },

  // The same for the position after a ply, by the slider.
  async at(ply) {
    page.slider.value = ply;
    page.slider.dispatchEvent(new Event("input"));
    return page.position();
  },

  get slider() {
    return document.querySelector(".stepper input[type=range]");
  },

  get plies() {
    return Number(page.slider?.max);
  },

  // The network goes away, and comes back.
  async cut() {
    const { link } = await import("/link.js");
    page.Socket = WebSocket;
    window.WebSocket = class Unreachable {
      constructor() {
        setTimeout(() => window.WebSocket === Unreachable && this.onclose());
      }
    };
    link.socket.close();
  },

  // Notifications are written down, once they are allowed.
  notices: [],

  takeNotices() {
    window.Notification = class {
      static permission = "default";

      static requestPermission() {
        return Promise.resolve(Notification.permission = "granted");
      }

      constructor(title, { body }) {
        if (page.forbidding) throw new TypeError("Illegal constructor"); // as on phones
        page.notices.push(`${title} | ${body}`);
      }
    };
  },

  // The player looks at another page, or comes back.
  look(away) {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => away });
  },

  // Counts the tones that the page makes from now on.
  countTones() {
    const make = BaseAudioContext.prototype.createOscillator;
    page.tones = 0;
    BaseAudioContext.prototype.createOscillator = function () {
      page.tones++;
      return make.call(this);
    };
  },

  // Has the server said this to all in the room?
  async knows(news) {
    const { link } = await import("/link.js");
    await page.until(() => link.rooms.get(page.game)?.has(news));
  },

  get actions() {
    return [...document.querySelectorAll(".sidebar > .actions button")].map((button) => button.textContent).join(" | ");
  },

  // Changes one of the settings, as a reader does.
  set(label, value) {
    document.querySelector(".top button").click();
    const field = [...document.querySelectorAll("dialog.settings label")].find((one) => one.firstChild.textContent === label || one.textContent === label).control;
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    document.querySelector("dialog.settings button").click();
  },

  mend() {
    window.WebSocket = page.Socket;
    dispatchEvent(new Event("online"));
  },

  // The network goes away and comes back while this side is asked, and it is asked again.
  async blink() {
    const { link } = await import("/link.js");
    await page.cut();
    await page.until(() => link.state === "lost");
    const asked = new Promise((resolve) => { link.on("move", resolve); });
    page.mend();
    await asked;
  },

  async record() {
    const { link } = await import("/link.js");
    return (await link.send({ type: "record", game: page.game })).record;
  },
};
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const texts = [...addedNodes].map((node) => node.textContent);
    if (target.matches("[role=log][aria-live=polite]")) page.said.push(...texts);
    if (target.matches(".toasts[role=status]")) page.toasts.push(...texts);
  }
}).observe(document.body, { childList: true, subtree: true });
true;
