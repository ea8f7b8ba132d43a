// sound.js - short sounds, made by the browser itself: nothing is loaded.

let context = null;

// Each note: [hertz, from (s), length (s), loudness].
const NOTES = {
  move: [[330, 0, .05, .08]],
  battle: [[140, 0, .16, .22], [95, .07, .2, .2]],
  ability: [[520, 0, .08, .1], [780, .08, .12, .1]],
  turn: [[660, 0, .07, .08], [880, .09, .1, .08]],
  end: [[523, 0, .15, .12], [659, .14, .15, .12], [784, .28, .3, .12]],
};

// Plays one of them. Before the first click or key a browser allows no sound.
export function play(name) {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume().catch(() => {});
    for (const [hertz, from, length, loudness] of NOTES[name]) tone(hertz, context.currentTime + from, length, loudness);
  } catch {
    // No sound on this machine.
  }
}

function tone(hertz, from, length, loudness) {
  const source = context.createOscillator(), gain = context.createGain();
  source.type = "triangle";
  source.frequency.value = hertz;
  gain.gain.setValueAtTime(loudness, from);
  gain.gain.exponentialRampToValueAtTime(.0001, from + length);
  source.connect(gain).connect(context.destination);
  source.start(from);
  source.stop(from + length);
}
