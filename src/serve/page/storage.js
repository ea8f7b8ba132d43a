// storage.js - lists in the browser's storage.

// The entries that have a text `field`; none if the storage is closed or holds something else.
export function storedList(key, field) {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list.filter((one) => typeof one?.[field] === "string") : [];
  } catch {
    return [];
  }
}
