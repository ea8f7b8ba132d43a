#!/usr/bin/env python3
"""A program that plays any variant through the seat protocol (README.md in this folder).

    ensign match json:bots/programs/player.py raider -v duel -n 100

It needs Python 3.9 and its standard library only. The file has two parts. `Player` speaks the
protocol and remembers the game; copy it, or import it from a file beside this one, and write a
`choose` of your own:

    from player import Player

    class Mine(Player):
        def choose(self, moves):
            return self.random.choice(moves)

    Mine().run()

`Fencer`, below it, is a bot on top: it attacks where it expects to gain, keeps out of danger and
closes in on what it can beat.
"""
import json
import random
import re
import sys
from collections import Counter, deque
from dataclasses import dataclass
from typing import Optional

# "a4-a5", "a4xa5", "e7@e9=bomb", "e6-e7@e8=marshal", "e7@sabotage:e9=bomb"
MOVE = re.compile(r"([a-z]\d+)(?:([-x])([a-z]\d+))?(?:@(?:(\w+):)?([a-z]\d+)(?:=(\w+))?)?$")


@dataclass
class Move:
    """A move taken apart. `end` is `start` if the piece stays on its square."""
    text: str
    start: str
    end: str
    attack: bool                    # an enemy stands on `end`
    target: Optional[str] = None    # the square that an ability aims at
    choice: Optional[str] = None    # the kind that an ability names


def read_move(text):
    start, dash, end, _, target, choice = MOVE.match(text).groups()
    return Move(text, start, end or start, dash == "x", target, choice)


@dataclass(eq=False)                # a piece equals only itself, also when two look the same
class Piece:
    side: str                       # "red" or "blue"
    kind: Optional[str]             # None: hidden from us
    moved: bool = False             # it is known to have moved
    shown: bool = False             # for our own pieces: the enemy knows its kind


class Player:
    """Speaks the protocol and keeps what this side knows.

    self.side, self.enemy   "red" and "blue", or the other way round
    self.variant            the "variant" of the message `game`
    self.kinds              its kinds by name: self.kinds["scout"]["rank"]
    self.board              the pieces by square: self.board["a4"].kind
    self.hidden_from_us     the squares out of sight (none, except in variants with fog)
    self.armies             how many of each kind the sides began with: self.armies["red"]["scout"]
    self.fallen             the same for the pieces that have fallen
    self.ply, self.quiet    plies played, and plies since the last attack
    self.random             this seat's own chance: the same seed of a match gives the same game
    """

    # To override. Each question has a default answer, so that `choose` is all that a bot needs.

    def setup(self):
        """The text of a set-up, the name of one in the library, or None for one by chance."""
        return None

    def choose(self, moves):
        """One of `moves`, the texts of all legal moves; or "resign" or "draw" (offers one)."""
        return self.random.choice(moves)

    def accepts_draw(self):
        return False

    def started(self):
        """Both armies stand: the time to prepare what depends on the variant."""

    # The protocol: one JSON object a line in both directions.

    def run(self):
        for line in sys.stdin:
            try:
                message = json.loads(line)
            except ValueError:
                continue                # not of this protocol
            answer = self.hear(message) if isinstance(message, dict) else None
            if answer:
                print(json.dumps(answer), flush=True)

    def hear(self, message):
        """Takes one message of the host. Returns the answer if the message is a question."""
        kind = message.get("type")
        if kind == "game":
            self.begin(message)
        elif kind == "setup":
            return {"type": "setup", "setup": self.setup()}
        elif kind == "start":
            self.armies = {side: Counter(army) for side, army in message["armies"].items()}
            self.look(message["position"])
            self.started()
        elif kind == "events":
            self.ply = message["ply"]
            self.quiet += 1
            for event in message["events"]:
                getattr(self, "see_" + event["type"], self.see_nothing)(event)
        elif kind == "move":
            self.look(message["position"])
            move = self.choose(message["moves"])
            if move in ("resign", "draw"):
                return {"type": move}
            # The number of the turn: an answer that comes too late then does no harm.
            return {"type": "move", "move": move, "ply": message["ply"]}
        elif kind == "draw":
            return {"type": "draw", "accept": self.accepts_draw()}
        elif kind in ("refused", "error"):
            print(message["message"], file=sys.stderr)
        return None     # `end` too: the host closes our standard input

    def begin(self, message):
        self.side = message["side"]
        self.enemy = "blue" if self.side == "red" else "red"
        self.variant = message["variant"]
        self.kinds = {kind["name"]: kind for kind in self.variant["kinds"]}
        self.letters = {kind["letter"]: kind["name"] for kind in self.variant["kinds"]}
        self.lakes = set(self.variant["lakes"])
        self.random = random.Random(message["seed"])
        self.board, self.hidden_from_us = {}, set()
        self.armies = {"red": Counter(), "blue": Counter()}
        self.fallen = {"red": Counter(), "blue": Counter()}
        self.ply = self.quiet = 0

    # What happened. An enemy that moves out of sight leaves "from" or "to" out of the event.

    def take(self, square, side):
        """Lifts a piece. One that comes from out of sight is new to us."""
        return self.board.pop(square, None) or Piece(side, None)

    def see_move(self, event):
        piece = self.take(event.get("from"), event["side"])
        piece.moved = True
        if "to" in event:
            self.board[event["to"]] = piece

    def see_battle(self, event):
        self.quiet = 0
        other = "blue" if event["side"] == "red" else "red"
        attacker = self.take(event.get("from"), event["side"])
        defender = self.take(event.get("to"), other)
        attacker.moved = True
        if event["outcome"] == "attacker" and "to" in event:
            self.board[event["to"]] = attacker
        elif event["outcome"] == "defender" and "to" in event:
            self.board[event["to"]] = defender
        if event["outcome"] != "attacker" and "kind" in event:
            self.fallen[event["side"]][event["kind"]] += 1
        if event["outcome"] != "defender" and "other" in event:
            self.fallen[other][event["other"]] += 1

    def see_remove(self, event):
        self.board.pop(event.get("from"), None)
        if "kind" in event:
            self.fallen[event["side"]][event["kind"]] += 1

    def see_place(self, event):
        """A fallen piece has returned, face down."""
        if "kind" in event:
            self.fallen[event["side"]][event["kind"]] -= 1
        if "to" in event:
            own = event["side"] == self.side
            self.board[event["to"]] = Piece(event["side"], event.get("kind") if own else None)

    def see_reveal(self, event):
        piece = self.board.get(event.get("from"))
        if piece:
            piece.kind, piece.shown = event["kind"], True

    def see_conceal(self, event):
        piece = self.board.get(event.get("from"))
        if piece:
            piece.shown = False
            if piece.side == self.enemy:
                piece.kind = None

    def see_swap(self, event):
        first, second = (self.board.pop(event.get(end), None) for end in ("from", "to"))
        if first and "to" in event:
            self.board[event["to"]] = first
        if second and "from" in event:
            self.board[event["from"]] = second

    def see_nothing(self, event):
        """`ability` (its effects are events of their own) and `end`."""

    def look(self, position):
        """Corrects the board by a position: the host's word on what this side knows for certain.

        The pieces stay the same objects, so that what is remembered of them stays too.
        """
        rows = position.split()[0].split("/")
        before, self.board, self.hidden_from_us = self.board, {}, set()
        for rank, row in zip(range(len(rows), 0, -1), rows):
            # A piece is two characters, its side and its letter; any other square is one.
            for file, cell in enumerate(re.findall(r"[rb].|[.?]", row)):
                square = f"{chr(ord('a') + file)}{rank}"
                if cell == "?":
                    self.hidden_from_us.add(square)
                elif cell != ".":
                    self.board[square] = self.recognize(cell, before.get(square))

    def recognize(self, cell, known):
        side = "red" if cell[0] == "r" else "blue"
        piece = known if known and known.side == side else Piece(side, None)
        piece.kind = self.letters.get(cell[1])      # "?" is no letter: None
        return piece

    # What follows from it.

    def pieces(self, side):
        """(square, piece) for each piece of a side that we see."""
        return [(at, piece) for at, piece in self.board.items() if piece.side == side]

    def mobile(self, kind):
        return self.kinds[kind]["mobile"]

    def hidden_kinds(self):
        """How many of each kind of the enemy are still hidden from us."""
        hidden = self.armies[self.enemy] - self.fallen[self.enemy]
        return hidden - Counter(p.kind for _, p in self.pieces(self.enemy) if p.kind)

    def chances(self, piece):
        """The chance of each kind that a piece may be, from the counts alone.

        Hidden pieces that have moved are mobile; those that have not share the immobile kinds.
        """
        if piece.kind:
            return {piece.kind: 1.0}
        hidden = self.hidden_kinds()
        mobile = sum(n for kind, n in hidden.items() if self.mobile(kind))
        immobile = sum(hidden.values()) - mobile
        moved = sum(p.moved and not p.kind for _, p in self.pieces(self.enemy))
        still = max(mobile + immobile - moved, immobile, 1)
        stays = 0.0 if piece.moved else immobile / still    # the chance that it is immobile
        return {kind: (1 - stays) * n / mobile if self.mobile(kind) else stays * n / immobile
                for kind, n in hidden.items() if n > 0 and (stays or self.mobile(kind))}

    def outcome(self, attacker, defender):
        """"attacker", "defender" or "both"; "ask": it depends on the position; "none": no attack."""
        return self.variant["battles"][attacker][defender]

    def neighbours(self, square):
        """The squares next to it, except lakes."""
        file, rank = ord(square[0]) - ord("a"), int(square[1:])
        near = []
        for x, y in ((file, rank + 1), (file + 1, rank), (file, rank - 1), (file - 1, rank)):
            if 0 <= x < self.variant["files"] and 1 <= y <= self.variant["ranks"]:
                name = f"{chr(ord('a') + x)}{y}"
                if name not in self.lakes:
                    near.append(name)
        return near

    def distances(self, square):
        """Steps to every square that can be reached, around lakes but through pieces."""
        steps, queue = {square: 0}, deque([square])
        while queue:
            at = queue.popleft()
            for near in self.neighbours(at):
                if near not in steps:
                    steps[near] = steps[at] + 1
                    queue.append(near)
        return steps


class Fencer(Player):
    """Scores each move by what it expects to gain and to risk, and plays the best one.

    The unit is the worth of a piece: about 1 for a weak one, 10 for the strongest.
    """
    SHOWN = 0.1         # the cost of showing the enemy a piece, as a part of its worth
    LEARNED = 0.15      # the gain from learning an enemy's kind, as a part of its worth
    FADING = 0.85       # a target's pull falls to this part with each step of distance
    PATIENCE = 60       # plies without an attack that make any attack worth 1 more
    ATTACKS = {"known": 0.9, "moved": 0.5, "still": 0.25}   # how likely an enemy attacks

    def started(self):
        self.worth = {kind: self.price(kind) for kind in self.kinds}
        self.guessed = set()        # (piece, kind) for each guess, so as not to repeat one
        self.last = None            # our last move, so as not to walk to and fro
        land = {f"{chr(ord('a') + file)}{rank}" for file in range(self.variant["files"])
                for rank in range(1, self.variant["ranks"] + 1)} - self.lakes
        self.near = {square: self.neighbours(square) for square in land}
        self.steps = {square: self.distances(square) for square in land}

    def price(self, kind):
        """What losing a piece costs: more for a kind that beats more of an army."""
        about = self.kinds[kind]
        if about["flag"]:
            return 30.0
        if not about["mobile"]:
            return 1.5
        others = [other for other in self.kinds.values() if other["mobile"]]
        points = {"attacker": 1, "both": 0.5, "defender": 0, "ask": 0.5, "none": 0}
        beaten = sum(other["count"] * points[self.outcome(kind, other["name"])]
                     for other in others)
        part = beaten / max(1, sum(other["count"] for other in others))
        opens = any(not other["mobile"] and not other["flag"] and other["count"] and
                    self.outcome(kind, other["name"]) == "attacker"
                    for other in self.kinds.values())       # such as a miner
        return 1 + 9 * part * part + 1.5 * opens + 3 * bool(about["abilities"])

    def setup(self):
        """The flag on the back rank, immobile pieces around it, the others anywhere; the host's
        choice where the sides have zones of their own or pieces may not start everywhere."""
        if self.side in self.variant["zone"] or any("start" in kind or "counts" in kind
                                                    for kind in self.kinds.values()):
            return None
        rows, columns = self.variant["zone"]["ranks"], self.variant["files"]
        free = [(row, column) for row in range(rows) for column in range(columns)
                if self.square(row, column) not in self.lakes]
        self.random.shuffle(free)
        army = [kind for kind in self.kinds.values() for _ in range(kind["count"])]
        self.random.shuffle(army)
        army.sort(key=lambda kind: (not kind["flag"], kind["mobile"]))
        placed, flag = {}, None
        for kind in army:
            if kind["flag"]:
                at = flag = max(free, key=lambda place: place[0])
            elif not kind["mobile"] and flag:
                at = min(free, key=lambda place: abs(place[0] - flag[0]) + abs(place[1] - flag[1])
                         + 1.5 * self.random.random())
            else:
                at = free[-1]
            free.remove(at)
            placed[at] = kind["letter"]
        return "/".join("".join(placed.get((row, column), ".") for column in range(columns))
                        for row in range(rows))

    def square(self, row, column):
        """A square of our zone as a set-up counts them: row 0 is the front, column 0 our left."""
        rank, file = self.variant["zone"]["ranks"] - row, column
        if self.side == "blue":
            rank, file = self.variant["ranks"] + 1 - rank, self.variant["files"] - 1 - column
        return f"{chr(ord('a') + file)}{rank}"

    def choose(self, moves):
        self.remembered = {}        # gains of this turn: enemies that look the same share one
        self.enemies = self.pieces(self.enemy)
        choice = max((read_move(text) for text in moves), key=self.score)
        if choice.choice and choice.target in self.board:
            self.guessed.add((self.board[choice.target], choice.choice))
        self.last = choice
        return choice.text

    def score(self, move):
        kind = self.board[move.start].kind
        score = 0.1 * self.random.random()
        if move.target:
            score += self.score_ability(move, kind)
        if move.end == move.start:
            return score
        survives = 1.0
        enemy = self.board.get(move.end)
        if enemy:
            win, _, _ = self.odds(kind, enemy)
            survives = win
            score += self.gain(kind, enemy) + self.quiet / self.PATIENCE
            if not self.board[move.start].shown:
                score -= self.SHOWN * self.worth[kind]
        else:
            score += self.pull(kind, move.end) - self.pull(kind, move.start)
            score += 0.02 * self.forward(move)      # where no enemy is in sight
            if self.last and (move.start, move.end) == (self.last.end, self.last.start):
                score -= 0.3
        return (score + self.danger(kind, move.start, None)
                - survives * self.danger(kind, move.end, enemy))

    def score_ability(self, move, kind):
        target = self.board.get(move.target)
        if target is None:                          # a fallen piece returns
            return self.worth.get(move.choice, 0.3) - 0.3
        if target.side == self.side or not move.choice:
            return -0.1
        # A guess: the target falls if it is right. A wrong one is not repeated.
        right = self.chances(target).get(move.choice, 0)
        if (target, move.choice) in self.guessed:
            right = 0
        cost = 0 if self.board[move.start].shown else self.SHOWN * self.worth[kind]
        return right * self.worth[move.choice] - (1 - right) * cost - 0.3

    def forward(self, move):
        climbed = int(move.end[1:]) - int(move.start[1:])
        return climbed if self.side == "red" else -climbed

    @staticmethod
    def standing(piece):
        return piece.kind or ("moved" if piece.moved else "still")

    def once(self, key, compute):
        if key not in self.remembered:
            self.remembered[key] = compute()
        return self.remembered[key]

    def likely(self, piece):
        return self.once(("likely", self.standing(piece)), lambda: self.chances(piece))

    def odds(self, kind, enemy):
        """The chances of a win, a tie and a loss if we attack."""
        sums = Counter()
        for other, chance in self.likely(enemy).items():
            sums[self.outcome(kind, other)] += chance
        asked = sums["ask"] / 3
        return sums["attacker"] + asked, sums["both"] + asked, sums["defender"] + asked

    def gain(self, kind, enemy):
        """The worth that an attack can expect to gain."""
        return self.once((kind, self.standing(enemy)), lambda: self.expected(kind, enemy))

    def expected(self, kind, enemy):
        total = 0.0
        for other, chance in self.likely(enemy).items():
            won, mine = self.worth[other], self.worth[kind]
            total += chance * {"attacker": won, "both": won - mine, "ask": (won - mine) / 2,
                               "defender": self.LEARNED * won - mine,
                               "none": 0.0}[self.outcome(kind, other)]
        return total

    def pull(self, kind, square):
        """How strongly the best target draws a piece of this kind on this square."""
        return self.once((kind, square), lambda: max(
            (self.gain(kind, enemy) * self.FADING ** self.steps[at].get(square, 255)
             for at, enemy in self.enemies), default=0.0))

    def danger(self, kind, square, fallen):
        """The worst that an enemy next to this square threatens, without the one just attacked."""
        worst = 0.0
        for near in self.near[square]:
            enemy = self.board.get(near)
            if enemy and enemy.side == self.enemy and enemy is not fallen:
                worst = max(worst, self.threat(kind, enemy))
        return worst

    def threat(self, kind, enemy):
        """The worth that an enemy can expect to gain by attacking a piece of this kind."""
        total = 0.0
        for other, chance in self.likely(enemy).items():
            if self.mobile(other):
                lost, theirs = self.worth[kind], self.worth[other]
                total += chance * {"attacker": lost, "both": lost - theirs, "defender": -theirs,
                                   "ask": (lost - theirs) / 2,
                                   "none": 0.0}[self.outcome(other, kind)]
        return max(0.0, total * self.ATTACKS.get(self.standing(enemy), self.ATTACKS["known"]))


if __name__ == "__main__":
    Fencer().run()
