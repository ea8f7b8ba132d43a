"""Ensign from Python.

    from ensign import Game                 # drives games of the program (game.py)
    from ensign import Batch, Env, Rules    # plays many games at once in this process (batch.py)
    from ensign.aec import AEC              # the same for PettingZoo
    from ensign.seat import Seat            # a trained network plays in matches

Game and its kin need the standard library only, the others numpy and libensign.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .game import EnsignError, Game, Host, View, Why, program, shared_host

if TYPE_CHECKING:
    from .batch import Batch, Env, IllegalAction, Rules, library

__all__ = ["Batch", "EnsignError", "Env", "Game", "Host", "IllegalAction", "Rules", "View", "Why",
           "library", "program", "shared_host"]


def __getattr__(name: str) -> Any:
    """Loads what needs numpy when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'ensign' has no attribute {name!r}")
    from . import batch
    return getattr(batch, name)
