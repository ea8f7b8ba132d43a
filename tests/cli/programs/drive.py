"""What bots/programs/ensign/game.py promises, as assertions; run by tests/cli/test_drive.c.

The argument is a file for the lines that the host of most games has written.
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bots" / "programs"))
import ensign  # noqa: E402
from ensign import EnsignError, Game, Host, program, shared_host  # noqa: E402

ENDGAME = "b9...bF.../......../....rM.../......../......../......../......../....rF... red"


def refused(action):
    """The message of the EnsignError that the action must raise."""
    try:
        action()
    except EnsignError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def both_sides_are_mine():
    with Game("quick", position=ENDGAME) as game:
        assert game.turn == "red" and game.moves() == ["e6-e5", "e6-d6", "e6-f6", "e6-e7"]
        game.play("e6-e7")
        assert game.turn == "blue" and game.ply == 1
        game.play("a8-a7").play("e7xe8")
        assert (game.result, game.reason, game.turn) == ("red", "flag", None)
        assert game.history == ["e6-e7", "a8-a7", "e7xe8"]
        assert game.moves() == []
        assert "game is over: red" in refused(lambda: game.play("a7-a6"))


def what_is_refused_changes_nothing():
    with Game("quick", position=ENDGAME) as game:
        before = game.moves()
        for wrong in ("e6-e4", "a8-a7", "nonsense", "", "e6-e6@e7=bomb"):
            assert refused(lambda: game.play(wrong))
            assert game.turn == "red" and game.moves() == before and game.ply == 0
        assert "take back" in refused(game.undo)
        game.play("e6-e7")
        assert game.history == ["e6-e7"]
        assert refused(lambda: game.view("everything"))
        assert game.play("a8-a7").ply == 2
    assert "no variant" in refused(lambda: Game("no-such-variant"))
    assert refused(lambda: Game("duel", blue="no-such-bot"))
    assert refused(lambda: Game("duel", setups={"red": "M"}))


def reasons_are_told():
    with Game("quick", position=ENDGAME) as game:
        assert game.why("e6-e7") and game.why("e6-e7").rule == "legal"
        why = game.why("e6-e4")
        assert not why and why.rule == "movement" and "move" in repr(why)
        assert game.why("e6-d6").legal is True


def moves_are_taken_back():
    with Game("quick", position=ENDGAME, blue="rookie", seed=7) as game:
        game.play("e6-d6")
        answer = game.history[1]
        assert game.ply == 2
        game.undo()
        assert game.ply == 0 and game.history == [] and "e6-d6" in game.moves()
        game.play("e6-d6")
        assert game.history == ["e6-d6", answer]       # the same seed, the same answer
        game.play("d6-d7")
        game.undo(ply=2)
        assert game.ply == 2 and game.turn == "red"
    with Game("quick", position=ENDGAME) as game:
        game.play("e6-e7").play("a8-a7").play("e7xe8")
        game.undo()                                     # also behind the end
        assert game.result is None and game.turn == "red" and game.ply == 2


def views_print_as_boards():
    with Game("quick", position=ENDGAME, blue="rookie", seed=7) as game:
        assert game.view().eyes == "red"
        assert "b? " in repr(game.view()) and "rM" in repr(game.view())
        assert "b9" in repr(game.view("blue")) and "rM" not in repr(game.view("blue"))
        assert "b9" in repr(game.view("all")) and "rM" in repr(game.view("all"))
        assert "~~" in repr(game.view("public")) and "rM" not in repr(game.view("public"))
        assert game.view().cells()[0][:2] == ["b?", "."]
    with Game("variants/examples/fog.lua", seed=1) as fog:
        assert "?" in [cell for row in fog.view("red").cells() for cell in row]


def set_ups_are_given_or_drawn():
    text = "......M...\n..9.......\n.2...S..2.\n3...3..BFB"
    with Game("duel", setups={"red": text, "blue": "duel-hunt"}, seed=3) as game:
        assert "rM" in game.view("red").cells()[6][6]
        with Game("duel", setups={"red": text, "blue": "duel-hunt"}, seed=3) as other:
            assert game.view("all").position == other.view("all").position


def games_share_a_process():
    games = [Game("duel", blue="rookie", seed=seed) for seed in range(5)]
    for _ in range(3):
        for game in games:
            game.play(game.moves()[-1])
    assert len({game.id for game in games}) == 5
    assert all(game.result or game.ply == 6 for game in games)
    for game in games:
        game.leave()
        game.leave()
    assert shared_host().games == {}


def bots_play_each_other():
    with Game("quick", red="raider", blue="rookie", seed=5) as game:
        assert game.wait() in ("red", "blue", "draw") and game.reason
        assert len(game.history) == game.ply
        record = game.record()
    done = subprocess.run([program(), "replay", "--verify", "-"], input=record, text=True,
                          stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stdout


def a_game_can_be_given_up():
    with Game("duel", blue="rookie", seed=1) as game:
        game.resign()
        assert (game.result, game.reason) == ("blue", "resigned")


def the_host_lists_and_checks():
    with Host() as host:
        assert {"name": "duel"}.items() <= next(
            entry for entry in host.list("variants") if entry["name"] == "duel").items()
        assert host.check('return { api = 1, extends = "duel", title = "Mine" }')
        game = Game("duel", host=host)
    assert "ended" in refused(lambda: game.view("all"))
    game.leave()


ensign._shared = Host(["sh", "-c", '"$0" serve --stdio | tee "$1"', program(), sys.argv[1]])
for test in (both_sides_are_mine, what_is_refused_changes_nothing, reasons_are_told,
             moves_are_taken_back, views_print_as_boards, set_ups_are_given_or_drawn,
             games_share_a_process, bots_play_each_other, a_game_can_be_given_up,
             the_host_lists_and_checks):
    try:
        test()
    except Exception:
        print(f"{test.__name__} failed:", file=sys.stderr)
        raise
shared_host().close()
