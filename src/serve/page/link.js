// link.js - the WebSocket to the server, over which everything goes.
//
//   await link.send({ type: "new", … })   the reply with the same id; rejects with the error's text
//   link.on("list", (message) => …)       a type of message, "open" or "lost" of the connection
//   link.close(); link.open()              gives the connection up; opens it
//   link.look(hidden)                      whether nobody looks at the page, or somebody does again
//   link.follow(game, (message) => …)     what is told of a game: all since its `game`, then the rest;
//                                         `at`: performance.now() when it came
//   await link.sit(secret, name)          takes a seat: { game, seat }
//   link.tellAgain(game)                  has its seats told everything once more
//   await link.watch(game, eyes)          watches; link.leave(game) ends it
//
// `on` and `follow` return a function that ends them. A lost connection is opened again, after ever
// longer pauses. Then the seats are taken again, from the last ply known, and what was watched is
// watched again. Requests under way are rejected: whether a move was made is seen from the events
// that follow, so nothing is sent twice. A seat taken elsewhere, before or after the connection was
// lost ("left"), is not taken back: sit() does that, when the player asks for it.
//
// A connection that goes dead says nothing. So the page says heartbeats, the server says them too,
// and each takes a silence for the end of the connection. They come seldom while nobody looks at the
// page and it is not asked anything: a phone's radio sleeps in between.
import { t } from "./words.js";

const PAUSES = [250, 500, 1000, 2000, 4000, 8000, 15000];
const PATIENCE = 5; // s after which a request is made again that the server has put off
const TRIALS = [5000, 9000, 15000, 30000]; // ms that a connection has to open
const RESTING = 20000; // ms between heartbeats
const GRACE = 2700;    // ms that one may be late
const WAKE = 2000;     // ms after which an attempt is not waited for
const NAP = 1000;      // ms by which a timer is late if the page itself has slept

// A word that nobody guesses.
export function drawWord() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// By which the server knows this page over all of its connections: it may take a dead one for alive.
const CLIENT = drawWord();
const SEATS = new Set(["new", "sit", "join"]);

const ASKS = new Set(["setup", "move", "draw"]);

// What makes up a game, and what is told to all in its room.
const TOLD = new Set(["game", "setup", "start", "move", "events", "undone", "draw", "end"]);
const ROOM = new Set(["presence", "rematch", "joined", "now"]);

// The messages of a game for one seat or one pair of eyes, from `game` on.
class Log {
  constructor() {
    this.messages = [];
    this.ply = 0;
  }

  get started() {
    return this.messages.some(({ type }) => type === "start" || type === "undone");
  }

  // The last message asks.
  get asked() {
    return ASKS.has(this.messages.at(-1)?.type);
  }

  // The army was taken: it is not asked for again.
  forgetSetup() {
    this.messages = this.messages.filter(({ type }) => type !== "setup");
  }

  add(message) {
    if (message.type === "game") this.messages = [];
    if (message.type === "game") this.ply = 0;
    else if (message.ply !== undefined) this.ply = message.ply;
    // Only the last question for a move stands.
    if (message.type === "move") this.messages = this.messages.filter((one) => one.type !== "move");
    this.messages.push(message);
  }
}

class Link {
  constructor() {
    this.state = "lost";
    this.hello = null; // the server's first message
    this.listeners = new Map(); // type → functions
    this.followers = new Map(); // game → functions
    this.logs = new Map(); // game → Map of seat or eyes → Log
    this.rooms = new Map(); // game → last message for each type and side or eyes
    this.seats = new Map(); // secret → { game, seat }
    this.watched = new Map(); // game → eyes
    this.pending = new Map(); // id → { message, line, resolve, reject }
    this.waiting = []; // lines for the next connection
    this.number = 0;
    this.tries = 0;
    this.hidden = false; // nobody looks at the page
    this.pace = 0;       // ms between heartbeats; 0: there are none
    this.heardAt = 0;    // performance.now() of the last message
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    this.openedAt = performance.now();
    this.trial = setTimeout(() => this.drop(), TRIALS[Math.min(this.tries, TRIALS.length - 1)]);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket.onopen = () => this.opened();
    this.socket.onmessage = (event) => this.heard(event.data);
    this.socket.onclose = () => this.closed();
  }

  // Gives the connection up now, until open().
  close() {
    this.drop();
    clearTimeout(this.timer);
  }

  // Gives it up for the next one.
  drop() {
    const { socket } = this;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.socket = null;
    this.closed();
  }

  // Perhaps there is a network again: does not wait for what was begun without one.
  wake() {
    if (this.state === "open") this.beat();
    else if (this.socket && performance.now() - this.openedAt > WAKE) this.drop();
    if (this.state !== "open") this.open();
  }

  opened() {
    clearTimeout(this.trial);
    this.state = "open";
    this.epoch = NaN;
    this.takePlaces();
    for (const line of this.waiting.splice(0)) this.socket.send(line);
    this.tell("open", {});
  }

  // Takes the seats and watches as before.
  takePlaces() {
    for (const [secret, { game, seat }] of this.seats) {
      const log = this.logs.get(game)?.get(seat);
      this.sitAgain(secret, log?.started ? { from: log.ply } : {});
    }
    for (const [game, eyes] of this.watched)
      this.again({ type: "watch", game, eyes }, () => this.watched.delete(game));
  }

  look(hidden) {
    this.hidden = hidden;
    if (hidden) this.beatAtPace();
    else this.wake();
  }

  // How often heartbeats are needed now.
  get wantedPace() {
    const { heartbeat = 0 } = this.hello ?? {};
    const asked = () => [...this.logs.values()].some((logs) => [...logs.values()].some((log) => log.asked));
    return heartbeat && this.hidden && !asked() ? Math.max(RESTING, heartbeat) : heartbeat;
  }

  beatAtPace() {
    if (this.pace !== this.wantedPace) this.beat();
  }

  // Says that the page lives and when it will say so again, and asks the server for the same.
  beat() {
    clearTimeout(this.beating);
    const pace = this.wantedPace, now = performance.now();
    if (this.state !== "open" || !pace) return;
    // While a device sleeps performance.now() may stand still: what was told of clocks is wrong then.
    const slept = Date.now() - now - this.epoch;
    this.epoch = Date.now() - now;
    if (Math.abs(slept) > NAP) this.takePlaces();
    if (pace !== this.pace) this.heardAt = now; // the server has promised no more than that so far
    this.pace = pace;
    this.beatAt = now;
    this.socket.send(JSON.stringify({ type: "heartbeat", ms: pace }));
    this.beating = setTimeout(() => this.beat(), pace);
    this.awaitSilence();
  }

  awaitSilence() {
    clearTimeout(this.silence);
    const due = this.heardAt + this.pace + GRACE;
    this.silence = setTimeout(() => this.feelSilence(due), due - performance.now());
  }

  feelSilence(due) {
    const now = performance.now();
    if (now - due > NAP) this.heardAt = now; // the page has slept, and reads only now what came
    if (now - this.heardAt >= this.pace + GRACE) this.drop();
    else this.awaitSilence();
  }

  // Asks for what was lost with the connection. What the server refuses is given up, what is lost
  // with this connection too is asked for again on the next.
  again(message, giveUp) {
    this.send(message).catch((error) => error.lost || giveUp());
  }

  // Unless another window holds the seat now: then `left` comes.
  sitAgain(secret, known = {}) {
    this.again({ type: "sit", again: true, seat: secret, ...known }, () => this.seats.delete(secret));
  }

  closed() {
    const was = this.state;
    this.state = "lost";
    this.pace = 0;
    for (const timer of [this.trial, this.beating, this.silence, this.timer]) clearTimeout(timer);
    this.waiting = [];
    this.rooms.clear(); // who is here, and wants what, is said again
    for (const { reject } of this.pending.values()) reject(Object.assign(new Error(t("The connection was lost.")), { lost: true }));
    this.pending.clear();
    if (was === "open") this.tell("lost", {});
    this.timer = setTimeout(() => this.open(), PAUSES[Math.min(this.tries++, PAUSES.length - 1)]);
  }

  // Sends a request; resolves to its reply.
  send(message) {
    const id = ++this.number;
    const line = JSON.stringify({ ...message, ...SEATS.has(message.type) ? { client: CLIENT } : {}, id });
    return new Promise((resolve, reject) => {
      this.pending.set(id, { message, line, resolve, reject });
      if (this.state === "open") this.socket.send(line);
      else this.waiting.push(line);
    });
  }

  // The server is asked for much from here: it said after how many seconds to ask again.
  askLater({ id, wait }) {
    const { socket } = this, { line } = this.pending.get(id);
    setTimeout(() => this.pending.has(id) && socket === this.socket && socket.send(line), 1000 * wait);
  }

  heard(line) {
    const message = { ...JSON.parse(line), at: performance.now() };
    this.heardAt = message.at;
    if (message.type === "hello") this.hello = message;
    if (message.type === "hello") this.beat();
    if (message.type === "heartbeat") this.hearHeartbeat();
    if (message.type === "left" && message.reason === "seat") this.forget(message.game);
    if (message.type === "left" && message.reason === "eyes") this.logs.get(message.game)?.delete(message.eyes);
    if (message.secret && !message.new) this.seats.set(message.secret, { game: message.game, seat: message.seat });
    this.keep(message);
    const asked = this.pending.get(message.id);
    if (asked && message.wait <= PATIENCE) return this.askLater(message);
    this.pending.delete(message.id);
    if (asked && (message.type === "error" || message.type === "refused")) asked.reject(Object.assign(new Error(message.message), { game: message.game }));
    else if (asked) this.resolve(asked, message);
    this.tell(message.type, message);
    for (const follower of [...this.followers.get(message.game) ?? []]) follower(message);
  }

  resolve({ message: { type, game, seat }, resolve }, reply) {
    if (type === "setup") this.logs.get(game)?.get(seat)?.forgetSetup();
    resolve(reply);
  }

  // A connection that bears heartbeats is a good one. Where a browser lets the timers of a tab sleep
  // that nobody sees, the server's are what moves the page to say its own.
  hearHeartbeat() {
    this.tries = 0;
    if (performance.now() - this.beatAt > this.pace / 2) this.beat();
  }

  keep(message) {
    const { type, game } = message;
    const eyes = message.seat ?? message.eyes;
    if (TOLD.has(type) && eyes) {
      const logs = entry(this.logs, game, () => new Map());
      entry(logs, eyes, () => new Log()).add(message);
      if (type === "game") this.rooms.get(game)?.delete(`now ${eyes}`); // its past is told again
      if (this.hidden) this.beatAtPace();
    } else if (ROOM.has(type)) {
      const room = entry(this.rooms, game, () => new Map()).set(`${type} ${message.side ?? eyes}`, message);
      if (type === "presence" && !message.here) room.delete(`rematch ${message.side}`); // as the server forgets it
    }
  }

  on(type, listener) {
    const listeners = entry(this.listeners, type, () => new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  tell(type, message) {
    for (const listener of [...this.listeners.get(type) ?? []]) listener(message);
  }

  follow(game, follower) {
    const followers = entry(this.followers, game, () => new Set());
    followers.add(follower);
    const logs = [...this.logs.get(game)?.values() ?? []].map((log) => log.messages);
    for (const message of [...logs.flat(), ...this.rooms.get(game)?.values() ?? []]) follower(message);
    return () => followers.delete(follower);
  }

  // Remembers a seat that this connection holds already, as after `new`.
  hold(secret, game, seat) {
    this.seats.set(secret, { game, seat });
  }

  // `name`: for a seat in which nobody has sat so far.
  async sit(secret, name = "") {
    const held = this.seats.get(secret);
    if (held) return held;
    const { game, seat } = await this.send({ type: "sit", seat: secret, ...name ? { name } : {} });
    this.hold(secret, game, seat);
    return { game, seat };
  }

  tellAgain(game) {
    for (const [secret, seat] of this.seats) if (seat.game === game) this.sitAgain(secret);
  }

  async watch(game, eyes = "public") {
    if (this.watched.get(game) === eyes) return;
    await this.send({ type: "watch", game, eyes });
    this.watched.set(game, eyes);
  }

  // Stops watching. A seat is never left so: its game would end.
  leave(game) {
    if (!this.watched.delete(game)) return;
    this.forget(game);
    this.send({ type: "leave", game }).catch(() => {});
  }

  forget(game) {
    for (const [secret, seat] of this.seats) if (seat.game === game) this.seats.delete(secret);
    this.logs.delete(game);
    this.rooms.delete(game);
  }
}

// The value of a key, made if there is none.
function entry(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

export const link = new Link();
