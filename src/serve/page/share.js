// share.js - links to a game, for other people.
import { el } from "./dom.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

// Puts a link into the clipboard.
export async function copyLink(url) {
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    // Without the right to the clipboard (as over plain HTTP), what is selected can be copied.
    const field = el("input", { type: "text", readonly: true, value: url, class: "unseen" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toast(t("The link is copied."));
}

// Gives it to the device's own list of ways to share; where there is none it is copied.
export async function shareLink(url) {
  if (!navigator.share) return copyLink(url);
  await navigator.share({ url, title: "Ensign" }).catch(() => {}); // the reader may think better of it
}
