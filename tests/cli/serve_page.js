// serve_page.js - what test_serve_page.c does in the page: it looks, and waits; clicks, taps and keys
// come from the test.
window.page = {
  // Waits until look() gives something true, and returns it.
  until(look) {
    return new Promise((resolve) => {
      const again = () => {
        const found = look();
        if (found) resolve(found);
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
    const slider = document.querySelector(".stepper input[type=range]");
    slider.value = ply;
    slider.dispatchEvent(new Event("input"));
    return page.position();
  },

  get plies() {
    return Number(document.querySelector(".stepper input[type=range]").max);
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

  mend() {
    window.WebSocket = page.Socket;
    dispatchEvent(new Event("online"));
  },

  async record() {
    const { link } = await import("/link.js");
    return (await link.send({ type: "record", game: page.game })).record;
  },
};
true;
