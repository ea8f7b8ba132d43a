"""A game as an environment of PettingZoo, which has to be installed: pip install pettingzoo.

    from ensign.aec import AEC

    env = AEC("duel")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else policy(observation)
        env.step(action)

An illegal action is an IllegalAction; PettingZoo's TerminateIllegalWrapper makes it a loss.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .batch import Batch, Rules

AGENTS = ["red_0", "blue_1"]


class AEC(AECEnv):
    """Agents are red_0 and blue_1. An observation is {"observation": planes, "action_mask"}; the
    mask is empty for the side that is not to move. Rewards are 1, -1 or 0, at the end."""

    def __init__(self, variant: "Rules | str" = "original", render_mode: Optional[str] = None,
                 **options: Any) -> None:
        """`options` are those of a Batch."""
        super().__init__()
        rules = variant if isinstance(variant, Rules) else Rules(variant)
        self.batch = Batch(rules, 1, auto_reset=False, **options)
        name = "ensign" if isinstance(variant, Rules) else f"ensign_{variant.replace('-', '_')}"
        self.metadata = {"name": f"{name}_v{self.batch.shape.env_version}",
                         "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: spaces.Dict({
            "observation": spaces.Box(0, 255, self.batch.planes.shape[1:], np.uint8),
            "action_mask": spaces.Box(0, 1, self.batch.mask.shape[1:], np.int8),
        }) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.batch.shape.actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        self.batch.reset(seeds=None if seed is None else [seed])
        self.agents = list(AGENTS)
        self.rewards = {agent: 0.0 for agent in AGENTS}
        self._cumulative_rewards = {agent: 0.0 for agent in AGENTS}
        self.terminations = {agent: False for agent in AGENTS}
        self.truncations = {agent: False for agent in AGENTS}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.batch.to_move[0]]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        self.batch.observe(AGENTS.index(agent))
        return {"observation": self.batch.planes[0].copy(),
                "action_mask": self.batch.mask[0].astype(np.int8)}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.batch.step([action])
        self._cumulative_rewards[agent] = 0.0
        terminated, truncated = bool(self.batch.terminated[0]), bool(self.batch.truncated[0])
        for side, name in enumerate(AGENTS):
            self.rewards[name] = float(self.batch.reward[0, side])
            self.terminations[name], self.truncations[name] = terminated, truncated
            if terminated or truncated:
                self.infos[name] = {"reason": Batch.reason_name(int(self.batch.reason[0]))}
        self._accumulate_rewards()
        self.agent_selection = AGENTS[self.batch.to_move[0]]
        if terminated or truncated:
            self._deads_step_first()

    def render(self) -> Optional[str]:
        """The position that everybody may see, as text."""
        return self.batch.text(0) if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.batch.close()
