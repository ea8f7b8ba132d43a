#!/usr/bin/env python3
"""Trains a small policy for duel with numpy alone, until it beats raider: some minutes.

    python3 bots/programs/train.py
    ensign match json:bots/programs/network.py raider -v duel -n 200

It writes duel.npz beside itself, which network.py plays, and after each minute plays such a match.
A linear softmax over the legal moves learns by REINFORCE, in a thousand games against itself at
once. The features of a move are products of the moving kind with what the planes say: what may
stand on the square it goes to (an attack), what stands beside the squares that it leaves and
reaches (risk), and how near all enemies are to both (where to go).
"""
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from ensign import Batch, program

HERE = Path(__file__).resolve().parent

GAMES, DECAY = 512, 0.75
PIECES = 0.04       # the part of a win that the rank of a piece is worth


class Features:
    """The features of moves, for the planes of one variant."""

    def __init__(self, batch):
        names, shape = batch.plane_names, batch.shape
        self.kinds, self.squares, self.ranks = shape.kinds, shape.squares, shape.ranks
        self.own, self.may_be = (
            [names.index(f"{group}.{kind}") for kind in batch.rules.kinds]
            for group in ("own", "may_be"))
        self.moved = names.index("their.moved")
        self.count = self.kinds * (5 * (self.kinds + 2) + 3)
        rank, file = np.divmod(np.arange(shape.squares), shape.files)
        steps = np.abs(rank[:, None] - rank) + np.abs(file[:, None] - file)
        self.beside = (steps == 1).astype(np.float32)
        self.pull = (DECAY ** steps * (steps > 0)).astype(np.float32)
        self.rank = rank
        texts = [batch.rules.action_text(action) for action in range(shape.actions)]
        self.to = np.array([batch_square(text, shape.files) for text in texts])

    def of(self, planes, mask):
        """(rows, features) of all legal moves of all games, with their games and actions."""
        games, actions = np.nonzero(mask)
        start, end = actions % self.squares, self.to[actions]
        flat = planes.reshape(len(planes), -1, self.squares)
        seen = flat[:, self.may_be] > 0
        enemy = seen.any(axis=1, keepdims=True)
        likely = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
        likely = np.concatenate([likely, enemy, enemy & (flat[:, [self.moved]] > 0)],
                                axis=1).astype(np.float32)
        near, pull = likely @ self.beside, likely @ self.pull
        at = likely[games, :, end]
        parts = [at, near[games, :, start], near[games, :, end] - at,
                 pull[games, :, end] - pull[games, :, start] - at, at * (1 - at),
                 np.ones((len(games), 1), np.float32),
                 (self.rank[end] - self.rank[start])[:, None].astype(np.float32),
                 ((self.rank[end] == 0) & (self.rank[start] > 0))[:, None].astype(np.float32)]
        features = np.zeros((len(games), self.kinds, self.count // self.kinds), np.float32)
        kind = flat[:, self.own][games, :, start].argmax(axis=1)
        features[np.arange(len(games)), kind] = np.concatenate(parts, axis=1)
        return features.reshape(len(games), -1), games, actions


def batch_square(text, files):
    """Where a move of red leads, as a number; 0 where it leads off the board."""
    return (int(text.split("-")[1][1:]) - 1) * files + ord(text.split("-")[1][0]) - 97 if text else 0


def chances(features, games, weights, count):
    """The chance of each move within its game."""
    score = features @ weights
    top = np.full(count, -np.inf, np.float32)
    np.maximum.at(top, games, score)
    chance = np.exp(score - top[games])
    return chance / np.bincount(games, chance, count)[games]


def draw(chance, games, count, random):
    """A row of each game, by chance. Rows of a game lie together."""
    last = np.cumsum(np.bincount(games, minlength=count))
    sums = np.cumsum(chance)
    before = np.concatenate([[0.0], sums])[last - np.bincount(games, minlength=count)]
    rows = np.searchsorted(sums, before + random.random(count) * (sums[last - 1] - before))
    return np.minimum(rows, last - 1)


def material(batch, worth):
    """The worth of the pieces that red and blue have lost, from the scalars of the side to move."""
    lost = batch.scalars @ worth
    return np.where(batch.to_move[:, None] == 0, lost, lost[:, ::-1])


class Trainer:
    """A batch that plays itself, and the weights that it learns."""

    def __init__(self, seed=1):
        self.random = np.random.default_rng(seed)
        self.batch = Batch("duel", GAMES, seed=seed, plies_limit=300,
                           outputs=("planes", "mask", "scalars")).reset()
        self.features = Features(self.batch)
        self.weights, self.speed, self.square = np.zeros((3, self.features.count), np.float32)
        ranks = {"flag": 0, "bomb": 3, "spy": 3, "scout": 2, "miner": 4, "general": 9,
                 "marshal": 10}
        self.worth = np.array([[PIECES * ranks[name.split(".")[2]] * name.startswith(f"{side}.f")
                                if ".fallen." in name else 0 for side in ("own", "their")]
                               for name in self.batch.rules.scalars], np.float32)
        # Credit of the moves that each side of each game has made; it decays with the plies since.
        self.trace = np.zeros((GAMES, 2, self.features.count), np.float32)
        self.steps = 0

    def step(self):
        """One ply in all games, and a little learned from what it brought."""
        batch, every = self.batch, np.arange(GAMES)
        before, side = material(batch, self.worth), batch.to_move.copy()
        x, games, actions = self.features.of(batch.planes, batch.mask)
        chance = chances(x, games, self.weights, GAMES).astype(np.float32)
        rows = draw(chance, games, GAMES, self.random)
        mean = np.add.reduceat(x * chance[:, None], np.searchsorted(games, every))
        self.trace *= 0.97
        self.trace[every, side] += x[rows] - mean
        batch.step(actions[rows])
        over = batch.terminated | batch.truncated
        gain = np.where(over[:, None], 0, before - material(batch, self.worth))
        reward = (batch.reward + gain - gain[:, ::-1]).astype(np.float32)
        slope = np.einsum("gs,gsf->f", reward, self.trace) / GAMES
        self.trace[over] = 0
        self.steps += 1
        self.speed = 0.9 * self.speed + 0.1 * slope
        self.square = 0.999 * self.square + 0.001 * slope ** 2
        rate = 0.01 / (1 + self.steps / 2000)
        self.weights += rate * self.speed / (
            np.sqrt(self.square / (1 - 0.999 ** self.steps)) + 1e-8)


def score(games, seed):
    """The part of the points that network.py gets against raider."""
    network = f"network=json:'{sys.executable}' '{HERE / 'network.py'}'"
    command = [program(), "match", network, "raider", "-v", "duel", "-n", str(games), "--seed",
               str(seed), "--json"]
    found = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(found.stdout)["players"][0]["score"]


def main(rounds=10, seconds=60):
    trainer = Trainer()
    for number in range(rounds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            trainer.step()
        np.savez(HERE / "duel.npz", weights=trainer.weights)
        points = score(100, number)
        print(f"{trainer.steps * GAMES:,} plies: {points:.0%} against raider", flush=True)
        if points > 0.55 and score(400, 100 + number) > 0.52:
            print("raider is beaten")
            return 0
    print(f"raider is not beaten after {rounds} rounds")
    return 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
