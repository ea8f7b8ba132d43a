// notes.js - the player's own notes on enemy pieces, kept in the browser: { piece's id: label }.

export class Notes {
  constructor(game, eyes) {
    this.key = `ensign.notes.${game}.${eyes}`;
    try {
      this.labels = JSON.parse(sessionStorage.getItem(this.key)) ?? {};
    } catch {
      this.labels = {};
    }
  }

  get(piece) {
    return piece.kind === null ? this.labels[piece.id] ?? null : null;
  }

  set(piece, label) {
    if (label) this.labels[piece.id] = label;
    else delete this.labels[piece.id];
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.labels));
    } catch {
      // They last as long as the page.
    }
  }
}
