// link.js - the WebSocket to the server, over which everything goes.
//
//   await link.send({ type: "new", … })   the reply with the same id; rejects with the error's text
//   link.on("list", (message) => …)       a type of message, "open" or "lost" of the connection
//   link.close(); link.open()              gives the connection up; opens it
//   link.follow(game, (message) => …)     what is told of a game: all since its `game`, then the rest;
//                                         `at`: performance.now() when it came
//   await link.sit(secret, name)          takes a seat: { game, seat }
//   await link.watch(game, eyes)          watches; link.leave(game) ends it
//
// `on` and `follow` return a function that ends them. A lost connection is opened again, after ever
// longer pauses. Then the seats are taken again, from the last ply known, and what was watched is
// watched again. Requests under way are rejected: whether a move was made is seen from the events
// that follow, so nothing is sent twice. A seat taken elsewhere ("left") is not taken back.
import { t } from "./words.js";

const PAUSES = [250, 500, 1000, 2000, 4000, 8000, 15000];

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
    this.pending = new Map(); // id → { resolve, reject }
    this.waiting = []; // lines for the next connection
    this.number = 0;
    this.tries = 0;
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket.onopen = () => this.opened();
    this.socket.onmessage = (event) => this.heard(event.data);
    this.socket.onclose = () => this.closed();
  }

  // Gives the connection up now, until open().
  close() {
    const { socket } = this;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.closed();
    clearTimeout(this.timer);
  }

  opened() {
    this.tries = 0;
    this.state = "open";
    for (const [secret, { game, seat }] of this.seats) {
      const log = this.logs.get(game)?.get(seat);
      const from = log?.started ? { from: log.ply } : {};
      this.again({ type: "sit", seat: secret, ...from }, () => this.seats.delete(secret));
    }
    for (const [game, eyes] of this.watched)
      this.again({ type: "watch", game, eyes }, () => this.watched.delete(game));
    for (const line of this.waiting.splice(0)) this.socket.send(line);
    this.tell("open", {});
  }

  // Asks for what was lost with the connection. What the server refuses is given up, what is lost
  // with this connection too is asked for again on the next.
  again(message, giveUp) {
    this.send(message).catch((error) => error.lost || giveUp());
  }

  closed() {
    const was = this.state;
    this.state = "lost";
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
    const line = JSON.stringify({ ...message, id });
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      if (this.state === "open") this.socket.send(line);
      else this.waiting.push(line);
    });
  }

  heard(line) {
    const message = { ...JSON.parse(line), at: performance.now() };
    if (message.type === "hello") this.hello = message;
    if (message.type === "left" && message.reason === "seat") this.forget(message.game);
    if (message.type === "left" && message.reason === "eyes") this.logs.get(message.game)?.delete(message.eyes);
    if (message.secret && !message.new) this.seats.set(message.secret, { game: message.game, seat: message.seat });
    this.keep(message);
    const asked = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (asked && (message.type === "error" || message.type === "refused")) asked.reject(Object.assign(new Error(message.message), { game: message.game }));
    else if (asked) asked.resolve(message);
    this.tell(message.type, message);
    for (const follower of [...this.followers.get(message.game) ?? []]) follower(message);
  }

  keep(message) {
    const { type, game } = message;
    const eyes = message.seat ?? message.eyes;
    if (TOLD.has(type) && eyes) {
      const logs = entry(this.logs, game, () => new Map());
      entry(logs, eyes, () => new Log()).add(message);
      if (type === "game") this.rooms.get(game)?.delete(`now ${eyes}`); // its past is told again
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
