#!/usr/bin/env python3
"""The policy of train.py in matches: ensign match json:bots/programs/network.py raider -v duel"""
from pathlib import Path

import numpy as np
from ensign.seat import Seat
from train import Features


class Network(Seat):
    weights = np.load(Path(__file__).with_name("duel.npz"))["weights"]

    def act(self, planes, mask):
        features, _, actions = Features(self.batch).of(planes[None], mask[None])
        return int(actions[(features @ self.weights).argmax()])


Network().run()
