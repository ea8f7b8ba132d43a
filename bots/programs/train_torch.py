#!/usr/bin/env python3
"""Trains a network for a variant with PyTorch, in games against itself (REINFORCE).

    python3 bots/programs/train_torch.py duel 60        # variant, seconds
"""
import sys
import time

import torch
from torch import nn

from ensign import Batch

GAMES = 256


class Network(nn.Module):
    """Scores of all actions from planes: convolutions keep squares, ways are its last channels."""

    def __init__(self, shape):
        super().__init__()
        assert shape.actions == shape.ways * shape.squares, "only moves, no abilities"
        self.body = nn.Sequential(nn.Conv2d(shape.planes, 64, 3, padding=1), nn.ReLU(),
                                  nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(),
                                  nn.Conv2d(64, shape.ways, 1))

    def forward(self, planes, mask):
        scores = self.body(planes.float() / 255).flatten(1)
        return torch.distributions.Categorical(logits=scores.masked_fill(~mask, -1e9))


def main(variant="duel", seconds="60"):
    batch = Batch(variant, GAMES, plies_limit=400).reset()
    network = Network(batch.shape)
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    planes, mask = torch.from_numpy(batch.planes), torch.from_numpy(batch.mask)
    until, games, decided = time.monotonic() + float(seconds), 0, 0
    while time.monotonic() < until:
        said, sides, rewards, over = [], [], [], []
        for _ in range(32):
            policy = network(planes, mask)
            actions = policy.sample()
            said.append(policy.log_prob(actions))
            sides.append(torch.from_numpy(batch.to_move.astype("int64")))
            batch.step(actions.numpy())
            rewards.append(torch.from_numpy(batch.reward.copy()))
            over.append(torch.from_numpy(batch.terminated | batch.truncated))
            games, decided = games + int(over[-1].sum()), decided + int(batch.terminated.sum())
        loss, value = 0, torch.zeros(GAMES, 2)
        for log, side, reward, ended in zip(*(reversed(x) for x in (said, sides, rewards, over))):
            value = reward + 0.97 * value * ~ended[:, None]
            loss = loss - (log * value[torch.arange(GAMES), side]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{games} games, {decided} of them decided")
    torch.save(network.state_dict(), f"{variant}.pt")


if __name__ == "__main__":
    main(*sys.argv[1:])
