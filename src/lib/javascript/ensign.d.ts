/** Red is side 0, blue side 1. What a side is given is turned so that its own back rank is rank 0. */
export type Side = 0 | 1;

export const RED: 0, BLUE: 1, PUBLIC: 2, ALL: 3;

/** Groups of planes by name, and their bits. */
export const PLANES: Readonly<Record<PlaneGroup, number>>;
export type PlaneGroup = "own" | "shown" | "may_be" | "think" | "states" | "moves" | "sight";

export type Status =
  | "ok" | "usage" | "busy" | "no-memory" | "not-found" | "script" | "illegal" | "setup" | "data" | "system";

/** Wrong use is "usage"; bytes that make no sense are "data". A wrong type is a TypeError. */
export class EnsignError extends Error {
  readonly status: Status;
  /** Games whose actions were illegal; all others were played. */
  readonly games: number[];
}

/** The library. `source`: the module, its bytes or its URL; none: ensign.wasm beside this file. */
export function load(source?: WebAssembly.Module | BufferSource | URL | string): Promise<Ensign>;

export interface Ensign {
  readonly version: string;
  /** From what ensign_rules_write(), `ensign show VARIANT --bytes` or Rules.bytes() gave. */
  rules(bytes: Uint8Array): Rules;
  /** A variant that comes with this package: "original", "duel", … */
  variant(name: string): Promise<Rules>;
  /** Why a game has ended: "flag", …; "illegal" after an illegal action. */
  reasonName(reason: number): string;
}

/** Sizes of arrays. */
export interface Shape {
  readonly files: number;
  readonly ranks: number;
  readonly squares: number;
  readonly kinds: number;
  /** Pieces and set-up squares of each side. */
  readonly army: readonly [number, number];
  readonly zone: readonly [number, number];
  readonly actions: number;
  readonly mask_words: number;
  /** Actions of one square that move the piece on it. */
  readonly ways: number;
  readonly planes: number;
  readonly scalars: number;
  /** Of the rules; 0: no limit. */
  readonly plies_max: number;
  readonly calls: number;
  readonly env_version: number;
  /** Equal for rules that play alike. */
  readonly rules_hash: bigint;
  readonly game_bytes: number;
}

/** Rules never change and serve any number of batches. */
export interface Rules {
  readonly shape: Shape;
  readonly title: string;
  /** Kind number 1 is the first. */
  readonly kinds: string[];
  readonly scalars: string[];
  bytes(): Uint8Array;
  /** null if the action leads off the board. */
  actionText(action: number, side?: Side): string | null;
  /** The number of an action by its text. */
  action(text: string, side?: Side): number;
  batch(options?: Options): Batch;
  /** Batches stay usable. Again: does nothing. */
  free(): void;
}

export type Output = "planes" | "mask" | "maskBits" | "cells" | "scalars";

export interface Options {
  /** 1 to 1,048,576; without it 1. */
  games?: number;
  /** 64 bits; without it the system's chance. */
  seed?: bigint | number;
  /** Arrays that are filled; without it planes and mask. */
  outputs?: readonly Output[];
  /** Groups of planes; without it all but "sight". */
  planes?: readonly PlaneGroup[];
  /** Planes of latest moves, to 64; without it 8. */
  moves?: number;
  /** A game that is over begins again in the same step. */
  autoReset?: boolean;
  /** Boards and actions are not turned for blue. */
  absolute?: boolean;
  /** Each side lays out its army by actions before the first move. */
  setupsByAgent?: boolean;
  /** Keep all moves, for text() of ALL. */
  record?: boolean;
  /** Truncate a game; 0: never. */
  pliesLimit?: number;
  noAttackLimit?: number;
  /** Decisions that undo() can take back, to 4,096. */
  undo?: number;
}

/** Many games of one variant, and arrays with a row for each. The arrays lie in the memory of the
 * module: take them from the batch again after each call, and copy what is to be kept. */
export interface Batch {
  readonly rules: Rules;
  readonly shape: Shape;
  readonly games: number;
  readonly planeNames: string[];

  /** games x planes x squares, 0 to 255; of the side to move, or the one that was observed. */
  readonly planes: Uint8Array | null;
  /** games x actions, 0 or 1: the legal actions. */
  readonly mask: Uint8Array | null;
  /** games x mask_words: the same, a bit each. */
  readonly maskBits: BigUint64Array | null;
  /** games x squares: the kind, 0 where unknown or empty; + 32 enemy, + 64 moved, + 128 own and
   * known to the enemy, or enemy and unknown; 255 lake. */
  readonly cells: Uint8Array | null;
  /** games x scalars. */
  readonly scalars: Float32Array | null;
  /** games x 2, red's and blue's: 1 won, -1 lost, 0. */
  readonly reward: Float32Array;
  readonly toMove: Uint8Array;
  /** 1: over by the rules. */
  readonly terminated: Uint8Array;
  /** 1: ended by a limit of the options. */
  readonly truncated: Uint8Array;
  /** reasonName(); 255: the action was illegal. */
  readonly reason: Uint8Array;
  /** Games begun in this row before this one. */
  readonly episode: BigUint64Array;
  readonly ply: Uint32Array;
  /** Of all that the side has been told. */
  readonly infoHash: BigUint64Array;

  /** Begins games anew: those with which[game] (none: all). `setups`: games x 2 x squares of the
   * larger zone: the kind on each square of a side's zone as its owner counts, 0 empty. */
  reset(begin?: {
    which?: ArrayLike<number | boolean>;
    seeds?: ArrayLike<bigint | number>;
    setups?: ArrayLike<number>;
  }): this;
  /** A legal action in each game; -1 leaves a game as it is. */
  step(actions: ArrayLike<number>): this;
  /** A random legal move in each game; the (first) actions. */
  stepRandom(): Int32Array;
  /** Fills the arrays with what a side may know; none: the side to move. */
  observe(side?: Side | -1): this;

  /** Game `to` becomes a copy of a game of `source`, of the same rules. */
  copy(to: number, source: Batch, game: number): this;
  /** Takes back the last decision. */
  undo(game: number): this;
  /** A game as bytes, for load() of a batch with the same rules and options. */
  save(game: number): Uint8Array;
  load(game: number, bytes: Uint8Array): this;
  /** A position for the eyes of RED, BLUE, PUBLIC or ALL; a record for ALL with `record`. */
  text(game: number, eyes?: 0 | 1 | 2 | 3): string;
  /** Why an action is legal or not: the word of the rule, ": " and a sentence. */
  why(game: number, action: number): string;
  /** The text of the move that an action begins or ends; null if it is illegal. */
  moveText(game: number, action: number): string | null;
  /** Fills games of `to` with games that `side` cannot tell from this one. `weights`: squares x
   * (kinds + 1). */
  sample(game: number, side: Side, to: Batch, options?: {
    first?: number;
    count?: number;
    weights?: ArrayLike<number>;
    seed?: bigint | number;
  }): this;
  /** Frees the games and arrays. Again: does nothing. */
  free(): void;
}
