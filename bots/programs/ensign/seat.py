"""A trained network takes part in matches: a player `json:` on top of a policy.

    from ensign.seat import Seat

    class Mine(Seat):
        def act(self, planes, mask):            # as in a Batch, of one game
            return int((network(planes) * mask).argmax())

    Mine().run()

The network gets the planes that it was trained on. They say what a side knows and nothing else, so
any enemy army that fits the game so far gives the same ones: Seat lays one out in the library, plays
the moves that were told, and changes it when something is told that does not fit. Variants in which
moves are out of sight, or in which fallen pieces return, cannot be followed: an EnsignError.

`player.py` of the program's folder bots/programs must be importable.
"""
from __future__ import annotations

import os
import sys
from typing import Any, Iterator, Optional

import numpy as np

from .batch import Batch, BLUE, EnsignError, IllegalAction, RED, Rules
from .game import places

_data, _prefix = places()
sys.path += [str(folder) for folder in (_data and _data / "bots/programs",
                                        _prefix and _prefix / "share/ensign/bots/programs")
             if folder and os.access(folder / "player.py", os.R_OK)]
from player import Piece, Player, read_move  # noqa: E402


class _Misfit(Exception):
    """The army that was laid out contradicts what was told."""


class Seat(Player):
    """Override act(). `options` of the constructor are those of the Batch that trained."""

    def __init__(self, variant: "Rules | str | None" = None, **options: Any) -> None:
        """`variant` is needed if it is a path: the protocol gives its name."""
        self.rules, self.options = variant, options
        self.batch: Optional[Batch] = None

    def act(self, planes: np.ndarray, mask: np.ndarray) -> int:
        """The number of a legal action. More of the game is in self.batch."""
        return int(np.flatnonzero(mask)[0])

    # What was told.

    def started(self) -> None:
        asks = {ability["asks"] for kind in self.kinds.values() for ability in kind["abilities"]}
        if self.variant.get("sight") or "captured" in asks:
            raise EnsignError(f"{self.variant['name']} cannot be followed: not all moves are told")
        options = {"outputs": ("planes", "mask"), **self.options}
        options["outputs"] = {*options["outputs"], "cells", "mask"}
        self.batch = Batch(self.rules or self.variant["name"], 1, seed=0, auto_reset=False,
                           **options)
        self.number = {kind: n for n, kind in enumerate(self.batch.rules.kinds, 1)}
        self.begin_side = RED if self.to_move == "red" else BLUE
        self.home = {at: piece.kind for at, piece in self.pieces(self.side)}
        self.origin: dict[Piece, str] = {piece: at for at, piece in self.pieces(self.enemy)}
        self.known: dict[str, str] = {}
        self.never: dict[str, set[str]] = {at: set() for at in self.origin.values()}
        self.army: Optional[dict[str, str]] = None      # enemy kinds by origin, as laid out
        self.turns: list[tuple[str, str, list[str], np.ndarray]] = []
        self.played = 0

    def look(self, position: str) -> None:
        self.to_move = position.split()[1]
        super().look(position)

    def hear(self, message: dict[str, Any]) -> Any:
        if message["type"] != "events" or message["events"][0]["type"] == "end":
            return super().hear(message)
        move = read_move(message["move"])
        squares = (move.start, move.end, move.target)
        about = [self.origin[piece] for piece in map(self.board.get, squares)
                 if piece in self.origin]
        if message["side"] == self.enemy and move.end != move.start:
            self.never[about[0]] |= {kind for kind in self.kinds if not self.mobile(kind)}
        answer = super().hear(message)
        self.turns.append((message["side"], message["move"], about, self._occupied()))
        return answer

    def _note(self, square: Optional[str], kind: Optional[str]) -> None:
        piece = self.board.get(square)
        if kind and piece in self.origin:
            self.known[self.origin[piece]] = kind

    def see_battle(self, event: dict[str, Any]) -> None:
        self._note(event.get("from"), event.get("kind"))
        self._note(event.get("to"), event.get("other"))
        super().see_battle(event)

    def see_reveal(self, event: dict[str, Any]) -> None:
        self._note(event.get("from"), event.get("kind"))
        super().see_reveal(event)

    def see_remove(self, event: dict[str, Any]) -> None:
        self._note(event.get("from"), event.get("kind"))
        super().see_remove(event)

    def see_learn(self, event: dict[str, Any]) -> None:
        piece = self.board.get(event.get("from"))
        if "kinds" in event and piece in self.origin:
            self.never[self.origin[piece]] |= set(self.kinds) - set(event["kinds"])

    # The same game in the library.

    def _index(self, square: str, side: str = "red") -> int:
        files, ranks = self.variant["files"], self.variant["ranks"]
        index = (int(square[1:]) - 1) * files + ord(square[0]) - ord("a")
        return index if side == "red" else files * ranks - 1 - index

    def _occupied(self) -> np.ndarray:
        squares = np.zeros(self.variant["files"] * self.variant["ranks"], bool)
        squares[[self._index(at) for at in self.board]] = True
        return squares

    def _fits(self, origin: str, kind: str) -> bool:
        start = self.kinds[kind].get("start")
        return (self.known.get(origin, kind) == kind and kind not in self.never[origin]
                and (start is None or origin in start[self.enemy]))

    def _army(self) -> dict[str, str]:
        """A kind for each piece of the enemy, by augmenting paths."""
        pieces = [kind for kind, count in self.armies[self.enemy].items() for _ in range(count)]
        taken: dict[int, str] = {}

        def place(origin: str, seen: set[int]) -> bool:
            for number, kind in enumerate(pieces):
                if number not in seen and self._fits(origin, kind):
                    seen.add(number)
                    if number not in taken or place(taken[number], seen):
                        taken[number] = origin
                        return True
            return False

        for origin in sorted(self.never):
            if not place(origin, set()):
                raise EnsignError("no army of the enemy fits what was told")
        return {origin: pieces[number] for number, origin in taken.items()}

    def _zone(self, side: str) -> list[int]:
        zone = self.variant["zone"]
        if side in zone:
            return sorted(self._index(at, side) for at in zone[side]["squares"])
        lakes = {self._index(at, side) for at in self.lakes}
        return [at for at in range(zone["ranks"] * self.variant["files"]) if at not in lakes]

    def _lay_out(self) -> None:
        self.army = self._army()
        setups = np.zeros((1, 2, max(self.batch.shape.zone)), np.uint8)
        for number, side in enumerate(("red", "blue")):
            army = {self._index(at, side): self.number[kind] for at, kind in
                    (self.army if side == self.enemy else self.home).items()}
            for place, at in enumerate(self._zone(side)):
                setups[0, number, place] = army.get(at, 0)
        for seed in range(64):      # the first side may be a matter of chance
            self.batch.reset(seeds=[seed], setups=setups)
            if self.batch.to_move[0] == self.begin_side:
                break
        else:
            raise EnsignError(f"{self.to_move} does not begin in the library's game")
        self.played = 0

    def _decisions(self, side: str, text: str) -> Iterator[int]:
        head = text.split("@")[0].replace("x", "-")
        ply = int(self.batch.ply[0])
        yield self.batch.rules.action(head if "-" in head else head + "@",
                                      RED if side == "red" else BLUE)
        if self.batch.ply[0] == ply:
            yield next((int(action) for action in np.flatnonzero(self.batch.mask[0])
                        if self.batch.move_text(0, int(action)) == text), -1)

    def _play(self, side: str, text: str, occupied: np.ndarray) -> None:
        before = int(self.batch.ply[0])
        try:
            for action in self._decisions(side, text):
                self.batch.step([action])
        except IllegalAction:
            raise _Misfit from None
        cells = self.batch.cells[0].ravel()
        there = (cells != 0) & (cells != 255)
        there = there if self.batch.to_move[0] == RED else there[::-1]
        if self.batch.ply[0] == before or (there != occupied).any():
            raise _Misfit

    def follow(self) -> Batch:
        """The batch of one game, in which everything told so far has happened."""
        if self.army and any(self.army[at] != kind for at, kind in self.known.items()):
            self.army = None
        while self.army is None or self.played < len(self.turns):
            if self.army is None:
                self._lay_out()
            while self.army is not None and self.played < len(self.turns):
                side, text, about, occupied = self.turns[self.played]
                try:
                    self._play(side, text, occupied)
                    self.played += 1
                except _Misfit:
                    hidden = [at for at in about if at not in self.known]
                    if not hidden:
                        raise EnsignError(f"cannot follow {text}") from None
                    for at in hidden:
                        self.never[at].add(self.army[at])
                    self.army = None
        return self.batch

    def choose(self, moves: list[str]) -> str:
        batch = self.follow().observe()
        action = self.act(batch.planes[0], batch.mask[0])
        text = batch.move_text(0, action)
        ply, game = int(batch.ply[0]), batch.save(0)
        batch.step([action])
        if batch.ply[0] == ply:
            text = batch.move_text(0, self.act(batch.planes[0], batch.mask[0]))
        batch.load(0, game)
        batch.observe()
        return text
