"""Many games at once in this process, for programs that learn: libensign by ctypes and numpy.

    from ensign import Batch

    batch = Batch("duel", games=1024, seed=7)
    batch.reset()
    while training:
        actions = policy(batch.planes, batch.mask)      # one a game, numbers of legal actions
        batch.step(actions)                             # fills the same arrays again
        learn(batch.reward, batch.terminated)

What the arrays hold: src/lib/README.md and ensign.h; `ensign show VARIANT --actions`, `--planes`.
Arrays are made once and keep their place, so that torch.from_numpy(batch.planes) does too. Wrong
shapes and types are a TypeError or ValueError, illegal actions an IllegalAction after all others
were played, a closed batch a ValueError. A batch serves one thread at a time.
"""
from __future__ import annotations

import ctypes
import os
import secrets
import threading
import weakref
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_uint64
from ctypes import c_void_p
from typing import Any, Callable, Iterable, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from .game import EnsignError, places

RED, BLUE, PUBLIC, ALL = range(4)

#: Groups of planes by name; without a choice a batch has all but "sight".
PLANES = {"own": 1, "shown": 2, "may_be": 4, "think": 8, "states": 16, "moves": 32, "sight": 64}

#: Large outputs, made only if they are asked for.
OUTPUTS = ("planes", "mask", "mask_bits", "cells", "scalars")


class IllegalAction(EnsignError, ValueError):
    """Some actions were illegal: those of `games`, which stay as they were."""

    def __init__(self, message: str, games: npt.NDArray[np.intp]) -> None:
        super().__init__(message)
        self.games = games


class Misuse(EnsignError, ValueError):
    """A number out of range, or handles that do not go together."""


class _Error(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("status", c_int), ("line", c_int), ("column", c_int),
                ("file", c_char * 256), ("text", c_char * 640)]


class _Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("games", c_uint32), ("flags", c_uint32), ("seed", c_uint64),
                ("plies_limit", c_uint32), ("no_attack_limit", c_uint32), ("planes", c_uint32),
                ("moves", c_uint32), ("undo", c_uint32)]


class _Shape(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("files", c_uint32), ("ranks", c_uint32),
                ("squares", c_uint32), ("kinds", c_uint32), ("army", c_uint32 * 2),
                ("zone", c_uint32 * 2), ("actions", c_uint32), ("mask_words", c_uint32),
                ("ways", c_uint32), ("planes", c_uint32), ("scalars", c_uint32),
                ("plies_max", c_uint32), ("calls", c_uint32), ("env_version", c_uint32),
                ("rules_hash", c_uint64), ("game_bytes", c_size_t)]


class _Out(ctypes.Structure):
    _fields_ = [("size", c_size_t), *((name, c_void_p) for name in (
        "planes", "mask_bits", "mask", "cells", "scalars", "reward", "to_move", "terminated",
        "truncated", "reason", "episode", "ply", "info_hash"))]


_STATUS = ("ok", "usage", "busy", "no-memory", "not-found", "script", "illegal", "setup", "data",
           "system")

_CALLS: dict[str, tuple[Any, list[Any]]] = {
    "ensign_version": (c_uint32, []),
    "ensign_lock": (c_int, [POINTER(_Error)]),
    "ensign_rules_load": (c_void_p, [c_char_p, c_uint32, POINTER(_Error)]),
    "ensign_rules_read": (c_void_p, [c_char_p, c_size_t, POINTER(_Error)]),
    "ensign_rules_write": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "ensign_rules_free": (None, [c_void_p]),
    "ensign_shape_of": (c_int, [c_void_p, POINTER(_Options), POINTER(_Shape)]),
    "ensign_title": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "ensign_kind_name": (c_size_t, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "ensign_plane_name": (c_size_t, [c_void_p, POINTER(_Options), c_uint32, c_void_p, c_size_t]),
    "ensign_scalar_name": (c_size_t, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "ensign_action_text": (c_size_t, [c_void_p, c_uint32, c_int, c_void_p, c_size_t]),
    "ensign_action_read": (c_int32, [c_void_p, c_int, c_char_p]),
    "ensign_reason_name": (c_char_p, [c_uint32]),
    "ensign_batch_new": (c_void_p, [c_void_p, POINTER(_Options), POINTER(_Error)]),
    "ensign_batch_free": (None, [c_void_p]),
    "ensign_batch_error": (c_int, [c_void_p, POINTER(_Error)]),
    "ensign_reset": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(_Out)]),
    "ensign_step": (c_int, [c_void_p, c_void_p, POINTER(_Out)]),
    "ensign_step_random": (c_int, [c_void_p, c_void_p, POINTER(_Out)]),
    "ensign_observe": (c_int, [c_void_p, c_int, POINTER(_Out)]),
    "ensign_copy": (c_int, [c_void_p, c_uint32, c_void_p, c_uint32]),
    "ensign_undo": (c_int, [c_void_p, c_uint32]),
    "ensign_save": (c_size_t, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "ensign_load": (c_int, [c_void_p, c_uint32, c_char_p, c_size_t, POINTER(_Error)]),
    "ensign_text": (c_size_t, [c_void_p, c_uint32, c_int, c_void_p, c_size_t]),
    "ensign_why": (c_size_t, [c_void_p, c_uint32, c_int32, c_void_p, c_size_t]),
    "ensign_move_text": (c_size_t, [c_void_p, c_uint32, c_int32, c_void_p, c_size_t]),
    "ensign_sample": (c_int, [c_void_p, c_uint32, c_int, c_void_p, c_uint64, c_void_p, c_uint32,
                              c_uint32]),
}


def library() -> str:
    """The library that is used: $ENSIGN_LIBRARY, else the one that was installed with this file or
    built in these sources, else the one that the system finds."""
    name = "libensign.so.0"
    if os.environ.get("ENSIGN_LIBRARY"):
        return os.environ["ENSIGN_LIBRARY"]
    data, prefix = places()
    found = [data / "build" / "release" / name] if data else []
    if prefix:
        found += [*sorted(prefix.glob(f"lib*/{name}")), *sorted(prefix.glob(f"lib/*/{name}"))]
    return next((str(place) for place in found if place.is_file()), name)


_lib: Any = None


def _loaded() -> Any:
    global _lib
    if _lib is None:
        try:
            lib = ctypes.CDLL(library())
        except OSError as error:
            raise EnsignError(f"libensign is not found: {error}; set $ENSIGN_LIBRARY") from None
        for name, (result, arguments) in _CALLS.items():
            call = getattr(lib, name)
            call.restype, call.argtypes = result, arguments
        _lib = lib
    return _lib


def _fail(status: int, error: _Error) -> None:
    text = error.text.decode() or _STATUS[status]
    if error.file:
        place = f"{error.file.decode()}:{error.line}: " if error.line else f"{error.file.decode()}: "
        text = place + text
    raise (Misuse if _STATUS[status] in ("usage", "setup") else EnsignError)(text)


def _error() -> _Error:
    return _Error(size=ctypes.sizeof(_Error))


def _text(call: Callable[..., int], *arguments: Any) -> Optional[str]:
    length = call(*arguments, None, 0)
    if not length:
        return None
    room = ctypes.create_string_buffer(length + 1)
    call(*arguments, room, length + 1)
    return room.value.decode()


def _number(value: Any, low: int, high: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} is {value!r}, expected a whole number")
    if not low <= value <= high:
        raise Misuse(f"{what} is {value}, expected {low} to {high}")
    return int(value)


def _array(value: Any, shape: Tuple[int, ...], dtype: Any, what: str) -> npt.NDArray[Any]:
    """A contiguous array of whole numbers of the type; `value` itself if it is one."""
    array = np.asarray(value)
    if array.shape != shape:
        raise Misuse(f"{what} has the shape {array.shape}, expected {shape}")
    if array.dtype != dtype:
        if array.dtype.kind not in "iub":
            raise TypeError(f"{what} has the type {array.dtype}, expected {np.dtype(dtype)}")
        info = np.iinfo(dtype)
        if array.size and (int(array.min()) < info.min or int(array.max()) > info.max):
            raise Misuse(f"{what} holds a number that {np.dtype(dtype)} does not")
        array = array.astype(dtype)
    return np.ascontiguousarray(array)


class Rules:
    """The rules of a variant: they never change, and serve any number of batches and threads."""

    def __init__(self, variant: str = "original", *, data: Optional[bytes] = None) -> None:
        """A variant by name or path ("./mine.lua"); or `data`, what to_bytes() gave. The file runs
        in this process: load those of strangers elsewhere, and pass on the bytes."""
        lib, error = _loaded(), _error()
        if data is None:
            handle = lib.ensign_rules_load(os.fsencode(variant), 0, byref(error))
        else:
            handle = lib.ensign_rules_read(bytes(data), len(data), byref(error))
        if not handle:
            _fail(error.status, error)
        self._handle = handle
        weakref.finalize(self, lib.ensign_rules_free, handle)
        self.shape = self._shape(_Options(size=ctypes.sizeof(_Options)))

    def _shape(self, options: _Options) -> _Shape:
        shape = _Shape(size=ctypes.sizeof(_Shape))
        status = _lib.ensign_shape_of(self._handle, byref(options), byref(shape))
        if status:
            raise Misuse("an option is out of range")
        return shape

    def __repr__(self) -> str:
        return f"<rules of {self.title}: {self.actions} actions>"

    def to_bytes(self) -> bytes:
        """The rules for another process or machine; a variant with calls cannot be written."""
        length = _lib.ensign_rules_write(self._handle, None, 0)
        if not length:
            raise EnsignError("a variant whose functions run during play cannot be written")
        room = ctypes.create_string_buffer(length)
        _lib.ensign_rules_write(self._handle, room, length)
        return room.raw

    @property
    def title(self) -> str:
        return _text(_lib.ensign_title, self._handle) or ""

    @property
    def kinds(self) -> list[str]:
        """Names of the kinds; kind number 1 is the first."""
        return [_text(_lib.ensign_kind_name, self._handle, kind) or ""
                for kind in range(1, self.shape.kinds + 1)]

    @property
    def actions(self) -> int:
        return int(self.shape.actions)

    @property
    def scalars(self) -> list[str]:
        return [_text(_lib.ensign_scalar_name, self._handle, number) or ""
                for number in range(self.shape.scalars)]

    def action_text(self, action: int, side: int = RED) -> Optional[str]:
        """The text of an action of a side; None if it leads off the board."""
        action, side = _number(action, 0, 2**32 - 1, "action"), _number(side, RED, BLUE, "side")
        return _text(_lib.ensign_action_text, self._handle, action, side)

    def action(self, text: str, side: int = RED) -> int:
        """The number of an action by its text."""
        number = _lib.ensign_action_read(self._handle, _number(side, RED, BLUE, "side"),
                                         text.encode())
        if number < 0:
            raise Misuse(f"{text!r} is no action")
        return int(number)


class Batch:
    """Many games of one variant, and arrays with a row for each.

    Chosen by `outputs`, else None; of the side to move:
      planes      uint8 (games, planes, ranks, files)
      mask        bool (games, actions): the legal actions
      mask_bits   uint64 (games, words): the same, a bit each
      cells       uint8 (games, ranks, files): a board in one byte a square
      scalars     float32 (games, scalars)
    Always: reward float32 (games, 2), red's and blue's; to_move uint8, 0 red, 1 blue; terminated
    and truncated bool; reason uint8 (reason_name()); episode uint64; ply uint32; info_hash uint64.
    """

    def __init__(self, rules: "Rules | str" = "original", games: int = 1, *,
                 seed: Optional[int] = None, outputs: Iterable[str] = ("planes", "mask"),
                 planes: Iterable[str] = (), moves: int = 8, auto_reset: bool = True,
                 absolute: bool = False, setups_by_agent: bool = False, record: bool = False,
                 plies_limit: int = 0, no_attack_limit: int = 0, undo: int = 0) -> None:
        """`planes`: names of groups (PLANES). Without a seed the system's chance gives one. Games
        that have ended begin again in the same step, unless `auto_reset` is False."""
        self._batch: Optional[int] = None
        lib, error = _loaded(), _error()
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self._games = _number(games, 1, 1 << 20, "games")
        asked = self._words(outputs, OUTPUTS, "outputs")
        groups = self._words(planes, tuple(PLANES), "planes")
        options = _Options(
            size=ctypes.sizeof(_Options), games=self._games,
            flags=auto_reset | absolute << 1 | setups_by_agent << 2 | record << 3,
            seed=secrets.randbits(64) if seed is None else _number(seed, 0, 2**64 - 1, "seed"),
            plies_limit=_number(plies_limit, 0, 2**32 - 1, "plies_limit"),
            no_attack_limit=_number(no_attack_limit, 0, 2**32 - 1, "no_attack_limit"),
            planes=sum(PLANES[name] for name in groups), moves=_number(moves, 1, 64, "moves"),
            undo=_number(undo, 0, 4096, "undo"))
        self.shape = shape = self.rules._shape(options)
        handle = lib.ensign_batch_new(self.rules._handle, byref(options), byref(error))
        if not handle:
            _fail(error.status, error)
        self._batch, self._options = handle, options
        self._finish = weakref.finalize(self, lib.ensign_batch_free, handle)
        self._lock = threading.Lock()
        self._out = _Out(size=ctypes.sizeof(_Out))
        self._arrays: list[npt.NDArray[Any]] = []   # what the library writes to, whatever becomes
        board = (shape.ranks, shape.files)          # of the attributes

        def make(name: str, dtype: Any, *row: int) -> npt.NDArray[Any]:
            array = np.zeros((self._games, *row), dtype)
            setattr(self._out, name, array.ctypes.data)
            self._arrays.append(array)
            return array

        wide = {"planes": (np.uint8, shape.planes, *board), "mask": (np.bool_, shape.actions),
                "mask_bits": (np.uint64, shape.mask_words), "cells": (np.uint8, *board),
                "scalars": (np.float32, shape.scalars)}
        made = {name: make(name, *row) if name in asked else None for name, row in wide.items()}
        self.planes, self.mask, self.mask_bits = made["planes"], made["mask"], made["mask_bits"]
        self.cells, self.scalars = made["cells"], made["scalars"]
        self.reward = make("reward", np.float32, 2)
        self.to_move = make("to_move", np.uint8)
        self.terminated = make("terminated", np.bool_)
        self.truncated = make("truncated", np.bool_)
        self.reason = make("reason", np.uint8)
        self.episode = make("episode", np.uint64)
        self.ply = make("ply", np.uint32)
        self.info_hash = make("info_hash", np.uint64)
        self._room = threading.local()

    @property
    def games(self) -> int:
        return self._games

    @staticmethod
    def _words(words: Iterable[str], known: Sequence[str], what: str) -> set[str]:
        words = {words} if isinstance(words, str) else set(words)
        for word in words - set(known):
            raise Misuse(f"{what}: {word!r} is not one of {', '.join(known)}")
        return words

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __len__(self) -> int:
        return self.games

    def close(self) -> None:
        """Frees the games; the arrays stay. Again: does nothing."""
        if self._batch is not None:
            self._call(lambda handle: self._finish() or 0)
            self._batch = None

    def _call(self, call: Callable[..., int], *arguments: Any) -> int:
        """Calls the library with this batch, unless it is closed or another thread is in it."""
        if not self._lock.acquire(False):
            raise EnsignError("another thread is in the batch")
        try:
            if self._batch is None:
                raise Misuse("the batch is closed")
            return call(self._batch, *arguments)
        finally:
            self._lock.release()

    def _check(self, status: int) -> None:
        if status == 0:
            return
        if _STATUS[status] == "illegal":
            games = np.flatnonzero(self.reason == 255)
            raise IllegalAction(f"illegal actions in {len(games)} games, the first in game "
                                f"{games[0] if len(games) else '?'}", games)
        error = _error()
        self._call(_lib.ensign_batch_error, byref(error))
        _fail(status, error)

    def _game(self, game: int) -> int:
        return _number(game, 0, self.games - 1, "game")

    @property
    def plane_names(self) -> list[str]:
        return [_text(_lib.ensign_plane_name, self.rules._handle, byref(self._options), plane) or ""
                for plane in range(self.shape.planes)]

    def reset(self, which: Any = None, seeds: Any = None, setups: Any = None) -> "Batch":
        """Begins games anew: those with which[game] true (None: all). `seeds`: one a game. `setups`
        uint8 (games, 2, zone): the kind on each square of a side's zone, 0 empty, as its owner
        counts them; None: drawn."""
        games, zone = self.games, max(self.shape.zone)
        keep = [None if value is None else _array(value, shape, dtype, what) for
                value, shape, dtype, what in ((which, (games,), np.uint8, "which"),
                                              (seeds, (games,), np.uint64, "seeds"),
                                              (setups, (games, 2, zone), np.uint8, "setups"))]
        self._check(self._call(_lib.ensign_reset, *(array if array is None else array.ctypes.data
                                                    for array in keep), byref(self._out)))
        return self

    def step(self, actions: Any) -> "Batch":
        """Plays one decision in each game: legal actions; -1 leaves a game as it is."""
        actions = _array(actions, (self.games,), np.int32, "actions")
        self._check(self._call(_lib.ensign_step, actions.ctypes.data, byref(self._out)))
        return self

    def step_random(self) -> npt.NDArray[np.int32]:
        """Plays a random legal move in each game; the (first) actions."""
        played = np.empty(self.games, np.int32)
        self._check(self._call(_lib.ensign_step_random, played.ctypes.data, byref(self._out)))
        return played

    def observe(self, side: int = -1) -> "Batch":
        """Fills the arrays with what a side may know (-1: the side to move)."""
        self._check(self._call(_lib.ensign_observe, _number(side, -1, BLUE, "side"),
                               byref(self._out)))
        return self

    # Single games. The arrays show what they have become after observe().

    def copy(self, to: int, source: "Batch", game: int) -> None:
        """Game `to` becomes a copy of a game of `source`, of the same rules."""
        to, game = self._game(to), source._game(game)
        if source._batch is None:
            raise Misuse("the batch is closed")
        self._check(self._call(lambda own: _lib.ensign_copy(own, to, source._batch, game)))

    def undo(self, game: int) -> None:
        """Takes back the last decision; `undo` of the batch says how many are kept."""
        self._check(self._call(_lib.ensign_undo, self._game(game)))

    def save(self, game: int) -> bytes:
        """A game as bytes, for load() of a batch with the same rules and options."""
        length = self._call(_lib.ensign_save, self._game(game), None, 0)
        room = ctypes.create_string_buffer(length)
        self._call(_lib.ensign_save, game, room, length)
        return room.raw

    def load(self, game: int, data: bytes) -> None:
        """What save() gave. Damage is found, malice is not: load no bytes of strangers."""
        error = _error()
        status = self._call(_lib.ensign_load, self._game(game), bytes(data), len(data),
                            byref(error))
        if status:
            _fail(status, error)

    def _say(self, call: Callable[..., int], *arguments: Any) -> Optional[str]:
        return self._call(lambda handle: _text(call, handle, *arguments))  # type: ignore

    def text(self, game: int, eyes: int = PUBLIC) -> str:
        """A position for the eyes of RED, BLUE, PUBLIC or ALL; a record for ALL with `record`."""
        return self._say(_lib.ensign_text, self._game(game), _number(eyes, RED, ALL, "eyes")) or ""

    def why(self, game: int, action: int) -> str:
        """Why an action of the side to move is legal or not."""
        return self._say(_lib.ensign_why, self._game(game),
                         _number(action, -1, 2**31 - 1, "action")) or ""

    def move_text(self, game: int, action: int) -> Optional[str]:
        """The text of the move that an action begins or ends; None if it is illegal."""
        return self._say(_lib.ensign_move_text, self._game(game),
                         _number(action, -1, 2**31 - 1, "action"))

    def sample(self, game: int, side: int, to: "Batch", first: int = 0,
               count: Optional[int] = None, weights: Any = None,
               seed: Optional[int] = None) -> None:
        """Fills games of `to` with games that `side` cannot tell from this one. `weights` float32
        (squares, kinds + 1): how likely each kind is on each square, as the side counts them."""
        first = to._game(first)
        count = _number(to.games - first if count is None else count, 1, to.games - first, "count")
        if to._batch is None:
            raise Misuse("the batch is closed")
        if weights is not None:
            shape = (self.shape.squares, self.shape.kinds + 1)
            weights = np.ascontiguousarray(weights, np.float32)
            if weights.shape != shape:
                raise Misuse(f"weights has the shape {weights.shape}, expected {shape}")
        status = self._call(
            _lib.ensign_sample, self._game(game), _number(side, RED, BLUE, "side"),
            None if weights is None else weights.ctypes.data,
            secrets.randbits(64) if seed is None else _number(seed, 0, 2**64 - 1, "seed"),
            to._batch, first, count)
        self._check(status)

    @staticmethod
    def reason_name(reason: int) -> str:
        """Why a game has ended: "flag", …; "illegal" after an illegal action."""
        name = _loaded().ensign_reason_name(_number(reason, 0, 255, "reason"))
        return name.decode() if name else ""


Policy = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], int]


class Env:
    """One game in the form of Gymnasium: reset() and step(). Both sides are yours in turn, or one of
    them with an `opponent`, a function of (planes, mask) that returns an action.

    Observations are planes, uint8 (planes, ranks, files), of the side to move; info has its "mask"
    of legal actions, "side", "ply", and at the end "reason". The reward is that of the side which
    acted."""

    def __init__(self, variant: "Rules | str" = "original", *, opponent: Optional[Policy] = None,
                 side: int = RED, **options: Any) -> None:
        """`side` is yours against an opponent. `options` are those of a Batch."""
        self.batch = Batch(variant, 1, auto_reset=False, **options)
        self.opponent, self.side = opponent, _number(side, RED, BLUE, "side")
        self.begun = False

    def _observation(self) -> npt.NDArray[np.uint8]:
        if self.batch.planes is None or self.batch.mask is None:
            raise Misuse("an Env needs the outputs planes and mask")
        return self.batch.planes[0].copy()

    def _info(self) -> dict[str, Any]:
        info = {"mask": self.batch.mask[0].copy(), "side": int(self.batch.to_move[0]),
                "ply": int(self.batch.ply[0])}
        if self._over():
            info["reason"] = Batch.reason_name(int(self.batch.reason[0]))
        return info

    def _over(self) -> bool:
        return bool(self.batch.terminated[0] or self.batch.truncated[0])

    def _answer(self) -> None:
        while self.opponent and not self._over() and self.batch.to_move[0] != self.side:
            self.batch.step([self.opponent(self.batch.planes[0], self.batch.mask[0])])
        if self.opponent and self._over():
            self.batch.observe(self.side)

    def reset(self, *, seed: Optional[int] = None, options: Any = None
              ) -> Tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Begins a game, with a seed always the same one. `options` are ignored."""
        self.batch.reset(seeds=None if seed is None else [_number(seed, 0, 2**64 - 1, "seed")])
        self.begun = True
        self._answer()
        return self._observation(), self._info()

    def step(self, action: int
             ) -> Tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Plays an action. An illegal one is an IllegalAction, and nothing is played."""
        if not self.begun or self._over():
            raise Misuse("the game is over: reset() begins another one")
        side = int(self.batch.to_move[0])
        self.batch.step([_number(action, 0, 2**31 - 1, "action")])
        self._answer()
        return (self._observation(), float(self.batch.reward[0, side]),
                bool(self.batch.terminated[0]), bool(self.batch.truncated[0]), self._info())

    def close(self) -> None:
        self.batch.close()
