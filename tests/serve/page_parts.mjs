// page_parts.mjs - the parts of the server's page that need no document: the army that is laid out,
// set-ups as text, the connection.
//
//     node page_parts.mjs FOLDER
//
// FOLDER is src/serve/page. Prints what fails and leaves with 1.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const from = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`));

// What modules find in a browser.
const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
globalThis.location = { protocol: "http:", host: "here", origin: "http://here" };

let socket = null;
globalThis.WebSocket = class {
  static OPEN = 1;

  constructor() {
    this.readyState = 0;
    this.sent = [];
    socket = this;
  }

  send(line) {
    this.sent.push(JSON.parse(line));
  }

  connect() {
    this.readyState = 1;
    this.onopen();
  }

  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  lose() {
    this.readyState = 3;
    this.onclose?.();
  }

  close() {
    this.readyState = 2; // it is lost later
  }
};

const { Army } = await from("army.js");
const { endWords } = await from("story.js");
const { loadWords } = await from("words.js");
const saved = await from("saved.js");
const { forgetKept, keep, kept } = await from("game_cache.js");
const { moveNumber, squaresBetween } = await from("position.js");
const { refusalWords } = await from("pieces.js");
const { link } = await from("link.js");
globalThis.addEventListener = () => {};
const seats = await from("seats.js");
const names = await from("names.js");
const { setSetting } = await from("settings.js");

const kind = (name, letter, count, mobile = true) => ({ name, letter, label: letter, count, mobile, flag: name === "flag" });
const variant = {
  files: 4, ranks: 8, lakes: ["b4", "c5"], zone: { ranks: 3, filled: false },
  kinds: [kind("flag", "F", 1, false), kind("bomb", "B", 2, false), kind("scout", "2", 3), kind("marshal", "M", 1)],
};

// Time that passes only when a test says so: passes(ms) runs the timers that come due meanwhile, as
// a page that is awake does; sleeps(ms) lets them all be late.
function byHand() {
  const real = { setTimeout, clearTimeout, performance: globalThis.performance };
  const timers = new Map();
  let now = 1000, number = 0;
  globalThis.setTimeout = (act, ms) => timers.set(++number, { act, due: now + ms }) && number;
  globalThis.clearTimeout = (id) => timers.delete(id);
  globalThis.performance = { now: () => now };
  const next = (until) => [...timers].filter(([, { due }]) => due <= until).sort(([, a], [, b]) => a.due - b.due)[0];
  const passes = (ms, until = now + ms) => {
    for (let one; (one = next(until)); one[1].act()) {
      timers.delete(one[0]);
      now = Math.max(now, one[1].due);
    }
    now = until;
  };
  return { passes, sleeps: (ms) => { now += ms; passes(0); }, end: () => Object.assign(globalThis, real) };
}

// A connection to a server that says heartbeats, every 1500 ms unless said otherwise.
function beating(test) {
  const time = byHand();
  const lost = [], end = link.on("lost", () => lost.push(performance.now()));
  const beats = () => socket.sent.filter(({ type }) => type === "heartbeat").map(({ ms }) => ms);
  try {
    link.close();
    link.seats.clear(), link.watched.clear(), link.logs.clear();
    link.open();
    socket.connect();
    lost.length = 0;
    socket.say({ type: "hello", heartbeat: 1500 });
    test({ ...time, lost, beats, beat: () => socket.say({ type: "heartbeat" }) });
  } finally {
    end();
    link.hello = null;
    link.hidden = false;
    link.close();
    time.end();
  }
}

// The same numbers in each run.
function chance() {
  let state = 12345;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const army = (side = "red") => new Army(variant, side, chance());

const tests = {
  async "the worker keeps the page's files, and nothing of a game or that a link could make countless"() {
    const listeners = {}, asked = [], kept = [];
    globalThis.addEventListener = (type, listener) => { listeners[type] = listener; };
    globalThis.fetch = async () => ({ ok: true, clone: () => "copy" });
    globalThis.caches = { match: async () => undefined, open: async () => ({ put: ({ url }) => kept.push(url) }) };
    await from("sw.js");
    delete globalThis.addEventListener;
    const own = ["/", "/app.js", "/words/en.json", "/rules/en/duel.txt"];
    const others = ["/?x=1", "/app.js?1", "/game/bcdfghjkmnpq", "/game/bcdfghjkmnpq.png", "/ws", "/metrics", "/healthz"];
    for (const path of [...own, ...others])
      listeners.fetch({ request: { method: "GET", url: `http://here${path}` }, respondWith: (answer) => asked.push(answer) });
    listeners.fetch({ request: { method: "GET", url: "http://there/app.js" }, respondWith: (answer) => asked.push(answer) });
    await Promise.all(asked);
    assert.deepEqual(kept, own.map((path) => `http://here${path}`));
  },

  "what lies between two squares lies on a straight line"() {
    assert.deepEqual(squaresBetween("c4", "c7"), ["c5", "c6"]);
    assert.deepEqual(squaresBetween("e10", "b10"), ["d10", "c10"]);
    for (const [from, to] of [["a1", "a2"], ["a1", "a1"], ["a1", "b3"], ["c3", "a1"]]) assert.deepEqual(squaresBetween(from, to), []);
  },

  "an ability that cannot be used says why"() {
    const ability = { limit: 2, when: ["instead"] };
    assert.match(refusalWords(ability, 2), /as often as it may/);
    assert.match(refusalWords(ability, 1), /no target/);
    assert.match(refusalWords({ limit: 0, when: ["after_attack"] }, 5), /only after an attack/);
  },

  "a set-up's text is what its owner sees"() {
    const red = army("red"), blue = army("blue");
    assert.ok(red.put("M", "a3") && red.put("F", "d1"));
    assert.equal(red.text, "M.../..../...F");
    assert.ok(blue.put("M", "d6") && blue.put("F", "a8"));
    assert.equal(blue.text, "M.../..../...F");
    assert.equal(blue.position().at.get("a8").kind, "flag");
  },

  "pieces stand on land in their own zone, and no more than there are"() {
    const red = new Army({ ...variant, lakes: ["b2"] }, "red", chance());
    for (const square of ["a4", "b2", "e1", "d8", "nonsense"]) assert.equal(red.put("2", square), false);
    for (const square of ["a1", "a2", "a3"]) assert.ok(red.put("2", square));
    assert.equal(red.put("2", "c1"), false);
    assert.equal(red.put("X", "c1"), false);
    assert.equal(red.text, "2.../2.../2...");
    assert.deepEqual(red.missing().map((one) => [one.kind.name, one.count]), [["flag", 1], ["bomb", 2], ["marshal", 1]]);
  },

  "a piece that is put on another sends it back to the tray"() {
    const red = army();
    red.put("M", "a1");
    red.put("F", "a1");
    assert.equal(red.text, "..../..../F...");
    assert.equal(red.left("M"), 1);
  },

  "a move to an occupied square exchanges the two"() {
    const red = army();
    red.read("M.../..../...F");
    assert.ok(red.move("a3", "d1"));
    assert.equal(red.text, "F.../..../...M");
    assert.equal(red.move("a3", "a4"), false);
  },

  "filling places what is missing and moves nothing"() {
    const red = army();
    red.put("M", "b2");
    red.fill();
    assert.equal(red.at("b2"), "M");
    assert.deepEqual(red.missing(), []);
    assert.ok(red.text.split("/")[2].includes("F"), red.text);
  },

  "every shuffled army is whole, with its flag in the last rank"() {
    const red = army("blue"), seen = new Set();
    for (let i = 0; i < 200; i++) {
      red.shuffle();
      seen.add(red.text);
      assert.deepEqual(red.missing(), []);
      assert.ok(red.text.split("/")[2].includes("F"), red.text);
    }
    assert.ok(seen.size > 150);
  },

  "the mirror image is another set-up, and twice the same one"() {
    const red = army();
    red.read("M..2/B.../2..F");
    red.mirror();
    assert.equal(red.text, "2..M/...B/F..2");
    red.mirror();
    assert.equal(red.text, "M..2/B.../2..F");
  },

  "each change is undone in one step, a shuffle too"() {
    const red = army();
    red.put("M", "a1");
    red.shuffle();
    red.clear();
    assert.ok(red.undo() && red.undo());
    assert.equal(red.text, "..../..../M...");
    assert.ok(red.undo());
    assert.equal(red.undo(), false);
    assert.equal(red.text, "..../..../....");
  },

  "a text that does not fit changes nothing"() {
    const red = army();
    red.read("M.../..../...F");
    for (const text of ["", "M...", "M.../..../...F/....", "MM../..../...F", "X.../..../...F", "M..../..../...F"])
      assert.equal(red.read(text), false, text);
    assert.equal(red.text, "M.../..../...F");
  },

  "a name is judged and its letters are counted as at the server"() {
    const cases = JSON.parse(readFileSync(new URL("../data/player_names.json", import.meta.url)));
    for (const [name, letters, allowed] of cases) {
      assert.equal(!names.nameFlaw(name), allowed, JSON.stringify(name));
      if (letters !== null) assert.equal(names.countLetters(name).all, letters, JSON.stringify(name));
    }
    setSetting("name", "A\u202eB"); // of an earlier version of the page
    assert.equal(names.ownName(), "");
  },

  "saved set-ups survive as text"() {
    saved.saveSetup("duel", "mine", "M../.F.");
    saved.saveSetup("duel", "other", ".M./F..");
    saved.saveSetup("duel", "mine", "M../..F");
    saved.saveSetup("quick", "third", "F../M..");
    const text = saved.setupsAsText("duel");
    assert.equal(text, "duel other .M./F..\nduel mine M../..F\n");
    assert.deepEqual(saved.readSetups(text, "duel"), [
      { variant: "duel", name: "other", setup: ".M./F.." }, { variant: "duel", name: "mine", setup: "M../..F" }]);
    assert.deepEqual(saved.readSetups("# a comment\n\nnothing here\nM../F..\n", "quick"), [{ variant: "quick", name: "imported-1", setup: "M../F.." }]);
    saved.forgetSetup("duel", "other");
    assert.deepEqual(saved.savedSetups("duel").map(({ name }) => name), ["mine"]);
  },

  "what is kept of a game is its own eyes', and goes with it"() {
    keep("one", "red", { draft: "M.." });
    keep("one", "red", { marks: { 7: "B" } });
    keep("one", "blue", { draft: "..F" });
    keep("two", "public", { marks: { 3: "S" } });
    assert.deepEqual(kept("one", "red"), { game: "one", eyes: "red", draft: "M..", marks: { 7: "B" } });
    keep("one", "red", { draft: undefined });
    assert.deepEqual(kept("one", "red"), { game: "one", eyes: "red", marks: { 7: "B" } });
    forgetKept("one");
    assert.deepEqual([kept("one", "red"), kept("one", "blue"), kept("two", "public").marks], [{}, {}, { 3: "S" }]);
  },

  "what is kept of games that never end does not pile up"() {
    for (let game = 0; game < 100; game++) keep(`game ${game}`, "red", { draft: "M.." });
    assert.equal(JSON.parse(localStorage.getItem("ensign.kept")).length, 60);
    assert.equal(kept("game 99", "red").draft, "M..");
    keep("nothing", "red", { draft: undefined });
    assert.equal(kept("game 40", "red").draft, "M..");
  },

  "plies are numbered as in records"() {
    assert.deepEqual([1, 2, 3, 57, 58].map(moveNumber), ["1.", "1…", "2.", "29.", "29…"]);
  },

  async "a reply goes to whoever asked, and an error is thrown there"() {
    link.open();
    socket.connect();
    const list = link.send({ type: "list", what: "bots" }), wrong = link.send({ type: "list", what: "?" });
    const [first, second] = socket.sent;
    socket.say({ type: "error", message: "expected something else", id: second.id });
    socket.say({ type: "list", what: "bots", list: [1], id: first.id });
    assert.deepEqual((await list).list, [1]);
    await assert.rejects(wrong, { message: "expected something else" });
  },

  "who follows a game late hears it from its beginning"() {
    const told = (type, more) => socket.say({ type, game: "g", seat: "red", ...more });
    link.hold("secret", "g", "red");
    told("game", { names: {} });
    told("start", { ply: 0 });
    told("move", { ply: 0 });
    told("events", { ply: 1 });
    socket.say({ type: "presence", game: "g", side: "blue", here: false });
    socket.say({ type: "presence", game: "g", side: "blue", here: true });
    told("move", { ply: 1 });
    const heard = [];
    const end = link.follow("g", (message) => heard.push(`${message.type} ${message.ply ?? message.here ?? ""}`));
    told("events", { ply: 2 });
    end();
    told("events", { ply: 3 });
    assert.deepEqual(heard, ["game ", "start 0", "events 1", "move 1", "presence true", "events 2"]);
  },

  async "after a lost connection the seat is taken again from the last ply, and nothing is sent twice"() {
    link.watched.set("w", "public");
    const move = link.send({ type: "move", game: "g", move: "a4-a5" });
    socket.lose();
    await assert.rejects(move);
    for (let times = 0; times < 3; times++) { // also lost again before the answers
      clearTimeout(link.timer);
      link.open();
      socket.connect();
      assert.match(socket.sent[0].client, /^[0-9a-f]{32}$/);
      assert.deepEqual(socket.sent.map(({ id, client, ...message }) => message), [
        { type: "sit", again: true, seat: "secret", from: 3 }, { type: "watch", game: "w", eyes: "public" }]);
      socket.lose();
      await null;
    }
    clearTimeout(link.timer);
    link.open();
    socket.connect();
  },

  "a seat whose game has not begun is told everything again"() {
    socket.say({ type: "game", game: "early", seat: "blue", names: {} });
    socket.say({ type: "setup", game: "early", seat: "blue" });
    link.hold("its secret", "early", "blue");
    socket.lose();
    clearTimeout(link.timer);
    link.open();
    socket.connect();
    assert.deepEqual(socket.sent.map(({ seat, from }) => [seat, from]).slice(0, 2), [["secret", 3], ["its secret", undefined]]);
    link.forget("early");
  },

  "a seat that was taken over elsewhere is not taken back"() {
    socket.say({ type: "left", game: "g", reason: "seat" });
    socket.lose();
    clearTimeout(link.timer);
    link.open();
    socket.connect();
    assert.deepEqual(socket.sent.map(({ type }) => type), ["watch"]);
  },

  async "a connection that is given up is so at once, and the next one is not taken for it"() {
    const lost = [], given = socket, end = link.on("lost", () => lost.push(true));
    const asked = link.send({ type: "list", what: "bots" });
    socket.say({ type: "presence", game: "w", side: "blue", here: false });
    link.close();
    await assert.rejects(asked);
    link.open();
    socket.connect();
    given.lose();
    end();
    assert.equal(link.state, "open");
    assert.equal(lost.length, 1);
    assert.equal(link.rooms.size, 0); // whoever is away is said again
  },

  "who leaves does not want a rematch any more"() {
    socket.say({ type: "rematch", game: "w", side: "blue" });
    socket.say({ type: "presence", game: "w", side: "blue", here: false });
    const heard = [];
    link.follow("w", ({ type }) => heard.push(type))();
    assert.deepEqual(heard, ["presence"]);
  },

  "leaving a game that is watched ends that; a seat is never left"() {
    const { length } = socket.sent;
    link.hold("another", "h", "blue");
    link.leave("h");
    link.leave("w");
    link.leave("w");
    assert.deepEqual(socket.sent.slice(length).map(({ type, game }) => `${type} ${game}`), ["leave w"]);
  },

  "a page that somebody looks at says heartbeats, and takes silence for the end within five seconds"() {
    beating(({ passes, lost, beats, beat }) => {
      for (let i = 0; i < 4; i++) { passes(1500); beat(); }
      assert.deepEqual(beats(), [1500, 1500, 1500, 1500, 1500]);
      const { now } = performance, heard = now();
      passes(5000);
      assert.equal(lost.length, 1);
      assert.ok(lost[0] - heard < 5000, `${lost[0] - heard}`);
      assert.notEqual(link.socket, null); // the next try
    });
  },

  "a network that gets two seconds slower in each direction is not lost"() {
    beating(({ passes, lost, beat }) => {
      passes(1500), beat();
      passes(1500 + 2000 + 250), beat(); // as late as the server's own timer allows
      for (let i = 0; i < 5; i++) { passes(1500); beat(); }
      assert.equal(lost.length, 0);
    });
  },

  "a page that slept reads what has come before it judges"() {
    beating(({ sleeps, passes, lost, beat }) => {
      sleeps(60000);
      assert.equal(lost.length, 0);
      beat();
      passes(3000);
      assert.equal(lost.length, 0);
      passes(3000);
      assert.equal(lost.length, 1);
    });
  },

  "nobody looks and nothing is asked: heartbeats are rare; a question or a look makes them frequent"() {
    beating(({ passes, lost, beats, beat }) => {
      link.look(true);
      assert.equal(beats().at(-1), 20000);
      const rare = beats().length;
      passes(15000);
      assert.equal(beats().length, rare);
      assert.equal(lost.length, 0);
      socket.say({ type: "game", game: "b", seat: "red", names: {} });
      socket.say({ type: "move", game: "b", seat: "red", ply: 0 });
      assert.equal(beats().at(-1), 1500);
      socket.say({ type: "events", game: "b", seat: "red", ply: 1 });
      assert.equal(beats().at(-1), 20000);
      link.look(false);
      assert.equal(beats().at(-1), 1500);
      passes(4000);
      assert.equal(lost.length, 0);
      beat();
    });
  },

  "in a tab whose timers sleep the server's heartbeats are answered"() {
    beating(({ beats, beat }) => {
      link.look(true);
      const { length } = beats(), { now } = performance;
      performance.now = () => now() + 20000; // and no timer runs
      beat();
      assert.equal(beats().length, length + 1);
      beat();
      assert.equal(beats().length, length + 1);
    });
  },

  "a connection that does not open is given up, and the network's return is not waited out"() {
    beating(({ passes, beat }) => {
      beat();
      link.drop();
      passes(250);
      const first = link.socket;
      passes(7000);
      assert.equal(link.socket, first);
      link.wake();
      assert.notEqual(link.socket, first);
      const second = link.socket;
      passes(30000);
      assert.notEqual(link.socket, second);
    });
  },

  "a device that slept asks for its games again, for its clocks stood still"() {
    beating(({ passes, beat }) => {
      const today = Date.now;
      let slept = 0;
      Date.now = () => 1e12 + performance.now() + slept;
      passes(1500), beat();
      link.hold("mine", "b", "red");
      passes(1500), beat();
      const { length } = socket.sent.filter(({ type }) => type === "sit");
      slept = 3600000;
      passes(1500), beat();
      Date.now = today;
      assert.equal(socket.sent.filter(({ type }) => type === "sit").length, length + 1);
    });
  },

  "a request that the server has put off for a moment is made again, one for long is not"() {
    beating(({ passes, beat }) => {
      const outcomes = [];
      link.send({ type: "list", what: "open" }).catch(() => outcomes.push("lost"));
      const asked = () => socket.sent.filter(({ type }) => type === "list");
      socket.say({ type: "error", message: "too many", wait: 2, id: asked()[0].id });
      passes(1900), beat();
      assert.equal(asked().length, 1);
      passes(200), beat();
      assert.equal(asked().length, 2);
      assert.equal(asked()[1].id, asked()[0].id);
      assert.equal(link.pending.size, 1);
      socket.say({ type: "error", message: "too many", wait: 60, id: asked()[0].id });
      assert.equal(link.pending.size, 0);
    });
  },

  "the secret of a game that is not over is never thrown away for newer games"() {
    seats.keepSeat("first", { secret: "s", side: "red" });
    for (let game = 0; game < 100; game++) seats.keepSeat(`over ${game}`, { secret: "s", over: "red", when: Date.now() + game });
    const list = JSON.parse(localStorage.getItem("ensign.seats"));
    assert.ok(list.some(({ game }) => game === "first"));
    assert.ok(list.length <= 60);
  },

  async "a variant's own words for an ending are shown in the reader's language"() {
    const end = { result: "red", reason: "variant", ending: "The gate falls.", endings: { es: "La puerta cae." } };
    assert.equal(endWords({ result: "draw", reason: "agreed" }), "A draw. Both sides agreed.");
    assert.equal(endWords({ result: "draw", reason: "agreed" }, "red"), "A draw. Both sides agreed.");
    assert.equal(endWords({ result: "red", reason: "resigned" }, "red"), "You won. The other side resigned.");
    assert.equal(endWords({ result: "red", reason: "resigned" }, "blue"), "You lost. You resigned.");
    assert.equal(endWords({ result: "blue", reason: "flag" }, "red"), "You lost. The flag is captured.");
    assert.equal(endWords(end), "Red wins. The gate falls.");
    globalThis.document = { documentElement: {} };
    globalThis.fetch = async () => ({ ok: true, json: async () => ({}) });
    await loadWords("es");
    assert.equal(endWords(end), "Red wins. La puerta cae.");
    await loadWords("en");
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
  } catch (error) {
    failed++;
    console.log(`${name}:\n${error.message}`);
  }
}
console.log(`${Object.keys(tests).length - failed} of ${Object.keys(tests).length}`);
process.exit(failed ? 1 : 0);
