// notices.js - calls a player who looks at another page.

// Shows a notification about a game, if the player is not here and has allowed it.
export async function notify(title, body, game) {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const note = new Notification(title, { body, tag: game });
    note.onclick = () => { window.focus(); note.close(); };
  } catch {
    // Phones leave them to a worker, which runs without a page.
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, { body, tag: game, data: { game } }).catch(() => {}); // nor has that the right
  }
}

// Lets a worker keep the page's files, where the browser has such: the page can be installed then.
export async function keepFiles() {
  if (!("serviceWorker" in navigator)) return; // as over plain HTTP
  try {
    const { serviceWorker } = navigator;
    await serviceWorker.register("/sw.js");
    const { active } = await serviceWorker.ready;
    if (!serviceWorker.controller) await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    await import("./game.js"); // it may be on its way, past the worker; what is fetched from now on it keeps itself
    const files = performance.getEntriesByType("resource").map(({ name }) => name);
    active.postMessage({ files: [`${location.origin}/`, ...files] });
  } catch {
    // A browser that forbids it: the page needs the network.
  }
}
