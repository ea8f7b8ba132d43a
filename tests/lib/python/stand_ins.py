"""What ensign.aec uses of gymnasium and pettingzoo, for machines without them. Debian has neither.

Written from their documentation: spaces that know what they contain and draw from a mask, and the
bookkeeping of AECEnv. Where the real ones can be imported, check.py uses those and their own test.
"""
import sys
import types

import numpy as np


class Space:
    def __init__(self, shape=None, dtype=None):
        self.shape, self.dtype = shape, None if dtype is None else np.dtype(dtype)


class Box(Space):
    def __init__(self, low, high, shape, dtype):
        super().__init__(tuple(shape), dtype)
        self.low, self.high = low, high

    def contains(self, x):
        return (isinstance(x, np.ndarray) and x.shape == self.shape and x.dtype == self.dtype
                and bool((x >= self.low).all() and (x <= self.high).all()))


class Discrete(Space):
    def __init__(self, n):
        super().__init__((), np.int64)
        self.n, self.random = int(n), np.random.default_rng(1)

    def sample(self, mask):
        assert mask.dtype == np.int8 and mask.shape == (self.n,) and mask.any()
        return np.int64(self.random.choice(np.flatnonzero(mask)))


class Dict(Space):
    def __init__(self, parts):
        super().__init__()
        self.parts = parts

    def contains(self, x):
        return x.keys() == self.parts.keys() and all(
            space.contains(x[key]) for key, space in self.parts.items())


class AECEnv:
    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def unwrapped(self):
        return self

    def agent_iter(self, most):
        while self.agents and most > 0:
            most -= 1
            yield self.agent_selection

    def last(self):
        agent = self.agent_selection
        return (self.observe(agent), self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def _accumulate_rewards(self):
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _ended(self):
        return [a for a in self.agents if self.terminations[a] or self.truncations[a]]

    def _deads_step_first(self):
        self.agent_selection = self._ended()[0]

    def _was_dead_step(self, action):
        if action is not None:
            raise ValueError("an agent that has ended takes no action")
        agent = self.agent_selection
        for kept in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards,
                     self.infos):
            del kept[agent]
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.rewards, 0)


def install():
    """Makes `import gymnasium` and `import pettingzoo` find these."""
    gymnasium, pettingzoo = types.ModuleType("gymnasium"), types.ModuleType("pettingzoo")
    gymnasium.spaces = types.SimpleNamespace(Space=Space, Box=Box, Discrete=Discrete, Dict=Dict)
    pettingzoo.AECEnv = AECEnv
    sys.modules.update(gymnasium=gymnasium, pettingzoo=pettingzoo)
