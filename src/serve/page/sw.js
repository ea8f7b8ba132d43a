// sw.js - the service worker: the page's own files without a network, and the notifications of phones.
//
// The server's files come first, so that a new version is seen at once; what was fetched is kept for
// when it cannot be reached, or takes too long. Games never pass through here: they use the WebSocket.
const KEPT = "ensign";
const OWN = /^\/([\w-]+\.(js|css|svg|json)|words\/[\w-]+\.json|rules\/[\w-]+\/[\w-]+\.txt)?$/;
const PATIENCE = 4000; // ms

// Not with a query, of which each would be kept.
const isOwn = ({ origin, pathname, search }) => origin === location.origin && !search && OWN.test(pathname);

async function fetchAndKeep(request) {
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

async function answer(request) {
  const coming = fetchAndKeep(request), kept = await caches.match(request);
  if (!kept) return coming;
  const late = new Promise((resolve) => { setTimeout(() => resolve(kept), PATIENCE); });
  return Promise.race([coming.catch(() => kept), late]);
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isOwn(new URL(event.request.url))) event.respondWith(answer(event.request));
});

// What the page had loaded before this worker was there, which the browser need not ask for again.
addEventListener("message", (event) => {
  const files = event.data.files.filter((file) => isOwn(new URL(file)));
  event.waitUntil(Promise.all(files.map((file) => fetchAndKeep(new Request(file, { cache: "force-cache" })).catch(() => {}))));
});

// A game calls its player: its window comes to the front, or opens.
addEventListener("notificationclick", (event) => {
  const { game } = event.notification.data ?? {}, hash = `#/game/${game}`;
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: "window" }).then((windows) => {
    const open = windows.find(({ url }) => new URL(url).hash === hash);
    return open ? open.focus() : clients.openWindow(`/${hash}`);
  }));
});
