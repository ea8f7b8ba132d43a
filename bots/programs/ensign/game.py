"""Drives games from Python, a line at a time as in a notebook, over `ensign serve --stdio`.

    from ensign import Game

    game = Game("duel", seed=7, blue="hunter")      # you are red
    game.moves()                                    # ['a4-a5', …]
    game.play("a4-a5")                              # also lets hunter answer
    game.view()                                     # the board as red sees it
    game.why("a5-a8")                               # not legal, and by which rule
    game.undo()                                     # takes back your move and the answer
    game.record()                                   # the game as the text of a .rec

`Game("duel")` leaves both sides to you, `Game("duel", red="raider", blue="hunter").wait()` lets two
bots play. What the host refuses is an EnsignError with the host's message, and the game stays as it
was. All games share one process, which ends with yours; other processes: `Game(…, host=Host(…))`.
One thread at a time may use a host and its games. Python 3.9 and its standard library suffice.
"""
import atexit
import json
import os
import shutil
import subprocess
from pathlib import Path


class EnsignError(Exception):
    """The host or the library refused a request, or the host has ended."""


def places():
    """The folder with bots/programs/ensign that this file lies in, and the prefix that it was
    installed below; None where there is none. Folders beyond them may be anybody's, as those in
    /tmp are."""
    here = Path(__file__).resolve().parent
    if here.parts[-3:] == ("bots", "programs", "ensign"):
        data = here.parents[2]
        return data, data.parents[1] if data.parts[-2:] == ("share", "ensign") else None
    installed = here.parent.name in ("site-packages", "dist-packages") and len(here.parents) > 3
    return None, here.parents[3] if installed else None


def program():
    """The command that starts ensign: $ENSIGN, `ensign` on the PATH, `run` of these sources, or the
    program that was installed with this file."""
    found = os.environ.get("ENSIGN") or shutil.which("ensign")
    data, prefix = places()
    beside = [data and data / "run", prefix and prefix / "bin" / "ensign"]
    found = found or next((str(path) for path in beside if path and os.access(path, os.X_OK)), None)
    if not found:
        raise FileNotFoundError("ensign is not found: put it on the PATH or set $ENSIGN")
    return found


class Host:
    """A process of `ensign serve --stdio`, and the games in it."""

    def __init__(self, command=None):
        self.process = subprocess.Popen(command or [program(), "serve", "--stdio"], text=True,
                                        encoding="utf-8", stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.games = {}
        self.requests = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process and its games."""
        if self.process.stdin.closed:
            return
        try:
            self.process.stdin.close()      # the host ends with its input
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        self.process.wait()

    def send(self, **message):
        """Sends a request and returns the number that its reply will carry as "id"."""
        self.requests += 1
        message["id"] = self.requests
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except (ValueError, BrokenPipeError):       # closed by us; ended by itself
            raise EnsignError("the host has ended") from None
        return self.requests

    def read(self, number=None):
        """Reads one message and hands it to its game. An error about request `number` is raised."""
        line = self.process.stdout.readline()
        if not line:
            raise EnsignError("the host has ended")
        message = json.loads(line)
        if message["type"] == "error" and message.get("id") in (number, None):
            raise EnsignError(message["message"])
        game = self.games.get(message.get("game"))
        if game:
            game.hear(message)
        return message

    def ask(self, reply, **request):
        """Sends a request and reads on until its reply, a message of the type `reply`."""
        number = self.send(**request)
        while True:
            message = self.read(number)
            if message["type"] == reply and message.get("id") == number:
                return message

    def list(self, what):
        """The "variants", "bots", "setups" or "games" there are."""
        return self.ask("list", type="list", what=what)["list"]

    def check(self, text, file="variant.lua"):
        """Checks the text of a variant as `ensign check --json` does. Returns the report."""
        return self.ask("checked", type="check", file=file, text=text)["report"]


_shared = None


def shared_host():
    """The host of the games that name none; started when it is first needed."""
    global _shared
    if _shared is None or _shared.process.poll() is not None:
        _shared = Host()
        atexit.register(_shared.close)
    return _shared


class Why(tuple):
    """Whether a move is legal: true or false in a condition, a sentence when printed."""

    def __new__(cls, message):
        self = super().__new__(cls, (message["legal"], message["rule"], message["message"]))
        self.legal, self.rule, self.message = self
        return self

    def __bool__(self):
        return self.legal

    def __repr__(self):
        return self.message if self.message else self.rule


class View:
    """What somebody knows of a game: a position that prints as a board."""

    def __init__(self, message, variant):
        self.position, self.ply = message["position"], message["ply"]
        self.to_move, self.eyes = message["to_move"], message["eyes"]
        self.variant = variant

    def cells(self):
        """The ranks from the top, each a list of "rM", "b?", "." (empty), "?" (out of sight)."""
        rows = []
        for text in self.position.split()[0].split("/"):
            row, at = [], 0
            while at < len(text):
                step = 2 if text[at] in "rb" else 1
                row.append(text[at:at + step])
                at += step
            rows.append(row)
        return rows

    def __repr__(self):
        rows, lines = self.cells(), []
        for rank, row in zip(range(len(rows), 0, -1), rows):
            shown = []
            for file, cell in enumerate(row):
                lake = f"{chr(ord('a') + file)}{rank}" in self.variant["lakes"]
                shown.append("~~" if lake else f"{cell:>2}")
            lines.append(f"{rank:>2} " + " ".join(shown))
        lines.append("   " + " ".join(f"{chr(ord('a') + file):>2}" for file in range(len(rows[0]))))
        return "\n".join(lines + [f"{self.to_move} to move, ply {self.ply}, {self.eyes} eyes"])


class Game:
    """One game. A side is "me" or a player as on the command line: a bot's name or path, ….

    game.id, game.variant   its number, and the variant as the protocol describes it
    game.turn               the side that you are asked to move for; None: the game is over
    game.ply, game.history  plies played, and their moves (None where a move was out of sight)
    game.result             None while it runs, then "red", "blue" or "draw"; game.reason
    """

    def __init__(self, variant="original", red="me", blue="me", seed=None, setups=None,
                 position=None, host=None, **more):
        """`setups`: {"red": text or name, "blue": …}; without one a set-up of yours is by chance.
        `more` are further keys of the request `new`, such as limits or first."""
        self.host = host or shared_host()
        self.turn = self.result = self.reason = self.refusal = None
        self.ply, self.history, self.variant = 0, [], None
        self.legal = []
        request = {"variant": variant, "red": red, "blue": blue, "seed": seed, "setups": setups,
                   "position": position, **more}
        if "me" not in (red, blue):
            request.setdefault("watch", "all")
        created = self.host.ask("created", type="new", **{
            key: value for key, value in request.items() if value is not None})
        self.id = created["game"]
        self.host.games[self.id] = self
        self.mine = [side for side, player in (("red", red), ("blue", blue)) if player == "me"]
        if self.mine:
            self.settle()
        else:
            while self.variant is None:
                self.host.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()

    def __repr__(self):
        state = f"{self.result} ({self.reason})" if self.result else f"{self.turn} to move"
        return f"<game {self.id} of {self.variant['name']}, ply {self.ply}: {state}>"

    # Messages of the host.

    def hear(self, message):
        kind = message["type"]
        if kind == "game":
            self.variant = message["variant"]
        elif kind == "setup":
            self.answer("setup", message["seat"], setup=None)
        elif kind == "draw":
            self.answer("draw", message.get("seat", self.mine[0]), accept=False)
        elif kind == "events":
            self.remember(message)
        elif kind == "move":
            self.turn, self.legal, self.ply = message["seat"], message["moves"], message["ply"]
        elif kind == "refused":
            self.refusal = message["message"]
        elif kind == "undone":
            self.ply, self.turn, self.result, self.reason = message["ply"], None, None, None
            del self.history[self.ply:]
        elif kind == "end":
            self.turn, self.result, self.reason = None, message["result"], message["reason"]

    def remember(self, turn):
        self.ply = turn["ply"]
        if turn["events"][0]["type"] == "end":      # without a move, such as a resignation
            return
        if len(self.history) < self.ply:
            self.history.append(turn["move"])
        elif not self.history[-1]:                  # the other seat, told second, has seen more
            self.history[-1] = turn["move"]

    def answer(self, kind, seat, **keys):
        return self.host.send(type=kind, game=self.id, seat=seat, **keys)

    def settle(self, number=None):
        """Reads on until it is your turn or the game is over."""
        while self.turn is None and self.result is None:
            self.host.read(number)

    # What you can do.

    def moves(self):
        """The legal moves of the side to move, as texts; none when the game is over."""
        return list(self.legal) if self.turn else []

    def play(self, move):
        """Plays a move for the side to move, and waits for the opponent's. Returns the game."""
        return self.say("move", move=move, ply=self.ply)

    def resign(self):
        """Gives the game up for the side to move."""
        return self.say("resign")

    def say(self, kind, **keys):
        if self.turn is None:
            raise EnsignError(f"the game is over: {self.result} ({self.reason})")
        seat, self.turn, self.refusal = self.turn, None, None
        try:
            self.settle(self.answer(kind, seat, **keys))
        except EnsignError:
            self.turn = seat
            raise
        if self.refusal:        # and asked again
            raise EnsignError(self.refusal)
        return self

    def undo(self, ply=None):
        """Takes back to your previous turn, or until `ply` plies have been played."""
        number = self.host.send(type="undo", game=self.id, **({} if ply is None else {"ply": ply}))
        while self.host.read(number)["type"] != "undone":
            pass
        self.settle()
        return self

    def wait(self):
        """Waits until a game that you do not play in is over. Returns the result."""
        self.settle()
        return self.result

    def view(self, eyes=None):
        """What "red", "blue", "public" or "all" (everything) see. By default you; with both seats
        the side to move."""
        eyes = eyes or self.turn or (self.mine[0] if len(self.mine) == 1 else "all")
        return View(self.host.ask("view", type="view", game=self.id, eyes=eyes), self.variant)

    def why(self, move):
        """Whether the side to move may play `move`, and which rule forbids it."""
        return Why(self.host.ask("why", type="why", game=self.id, move=move))

    def record(self):
        """The game as the text of a record: save it as NAME.rec, and `ensign replay` reads it."""
        return self.host.ask("record", type="record", game=self.id)["record"]

    def leave(self):
        """Gives up the game and all that the host keeps of it. Again, or later: does nothing."""
        if self.host.games.pop(self.id, None) and not self.host.process.stdin.closed:
            self.host.ask("left", type="leave", game=self.id)


if __name__ == "__main__":
    with Game("duel", blue="rookie", seed=7) as demo:
        while demo.turn:
            attacks = [text for text in demo.moves() if "x" in text]
            demo.play((attacks or demo.moves())[0])
        print(demo.view("all"))
        print(demo)
