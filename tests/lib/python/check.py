"""What ensign.batch, ensign.aec and their errors promise, as assertions; run by test_python.c.

An argument names one function.
"""
import contextlib
import gc
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bots" / "programs"))
import numpy as np  # noqa: E402

from ensign import Batch, EnsignError, Env, IllegalAction, Rules  # noqa: E402
from ensign.batch import ALL, BLUE, RED, Misuse  # noqa: E402


def refused(kind, action, words=""):
    """The error of this kind that the action must raise."""
    try:
        action()
    except kind as error:
        assert words in str(error), f"{words!r} is not in {error}"
        return error
    raise AssertionError(f"no {kind.__name__}: {words}")


def chosen(batch, random):
    """A legal action of each game."""
    return np.array([random.choice(np.flatnonzero(row)) for row in batch.mask], np.int32)


def arrays_hold_what_their_names_say():
    batch = Batch("infiltrator", 8, seed=5,
                  outputs=("planes", "mask", "mask_bits", "cells", "scalars")).reset()
    names, random = batch.plane_names, np.random.default_rng(3)
    army = batch.shape.army[0]
    for step in range(300):
        bits = np.unpackbits(batch.mask_bits.view(np.uint8), axis=1, bitorder="little")
        assert (bits[:, :batch.shape.actions].astype(bool) == batch.mask).all()
        own = batch.planes[:, [n for n, name in enumerate(names) if name in
                               {f"own.{kind}" for kind in batch.rules.kinds}]]
        assert (own.any(axis=1) == ((batch.cells & 31 > 0) & (batch.cells & 32 == 0)
                                    & (batch.cells != 255))).all()
        fallen = batch.scalars[:, [n for n, name in enumerate(batch.rules.scalars)
                                   if name.startswith("own.fallen.")]].sum(axis=1)
        assert (own.astype(bool).sum(axis=(1, 2, 3)) == army - fallen).all()
        batch.step(chosen(batch, random))
    assert batch.episode.sum() + batch.ply.sum() > 0


def masks_are_the_actions_that_are_legal():
    batch = Batch("lightning", 2, seed=2).reset()
    random = np.random.default_rng(3)
    for step in range(40):
        for action in range(0, batch.shape.actions, 7):
            if batch.rules.action_text(action, int(batch.to_move[0])):
                assert batch.why(0, action).startswith("legal") == batch.mask[0, action]
        batch.step(chosen(batch, random))


def the_same_seed_gives_the_same_games():
    played = [[batch.step_random().tolist() for _ in range(50)]
              for batch in (Batch("duel", 4, seed=9).reset() for _ in range(2))]
    assert played[0] == played[1]
    one = Batch("duel", 1, seed=1).reset(seeds=[7]).planes.copy()
    assert (one == Batch("duel", 1, seed=2).reset(seeds=[7]).planes).all()


def actions_and_texts_go_both_ways():
    rules = Rules("infiltrator")
    for side in (RED, BLUE):
        for action in range(rules.actions):
            text = rules.action_text(action, side)
            assert text is None or rules.action(text, side) == action
    refused(Misuse, lambda: rules.action("a4-z9"), "'a4-z9' is no action")


def rules_travel_as_bytes():
    data = Rules("galaxy").to_bytes()
    one, two = Batch(Rules(data=data), 1).reset(seeds=[3]), Batch("galaxy", 1).reset(seeds=[3])
    for step in range(50):
        assert (one.planes == two.planes).all() and (one.mask == two.mask).all()
        assert one.step_random() == two.step_random()
    refused(EnsignError, lambda: Rules(data=data[:-1]))
    refused(EnsignError, lambda: Rules(data=b""))


def single_games_are_copied_saved_and_taken_back():
    batch = Batch("duel", 3, seed=4, undo=8, record=True, outputs=("planes", "mask")).reset()
    other = Batch(batch.rules, 2, seed=4, undo=8, record=True).reset()
    batch.step_random()
    before, planes = batch.save(0), batch.planes[0].copy()
    batch.step([int(np.flatnonzero(batch.mask[0])[0]), -1, -1])
    assert batch.save(0) != before and batch.ply.tolist() == [2, 1, 1]
    batch.undo(0)
    assert batch.save(0) == before
    other.copy(1, batch, 0)
    assert (other.observe().planes[1] == planes).all()
    other.load(0, before)
    assert (other.observe().planes[0] == planes).all()
    assert batch.text(0, ALL).count("?") == 0 and "?" in batch.text(0)
    refused(EnsignError, lambda: other.load(0, before[:-3]))


def samples_cannot_be_told_apart():
    batch, to = Batch("duel", 1, seed=4).reset(), Batch("duel", 64, seed=4).reset()
    for _ in range(20):
        batch.step_random()
    batch.sample(0, RED, to, seed=3)
    planes = batch.observe(RED).planes[0]
    assert all((planes == row).all() for row in to.observe(RED).planes)
    assert len({to.text(game, ALL) for game in range(64)}) > 32
    weights = np.zeros((batch.shape.squares, batch.shape.kinds + 1), np.float32)
    refused(Misuse, lambda: batch.sample(0, RED, to, weights=weights[1:]), "weights has the shape")


def set_ups_are_the_callers():
    batch = Batch("duel", 1, seed=4)
    zone = max(batch.shape.zone)
    setups = np.zeros((1, 2, zone), np.uint8)
    refused(Misuse, lambda: batch.reset(setups=setups))
    kinds = batch.rules.kinds
    army = [kinds.index(name) + 1 for name in kinds
            for _ in range({"flag": 1, "bomb": 2, "spy": 1, "scout": 2, "miner": 2, "general": 1,
                            "marshal": 1}[name])]
    setups[0, :, :len(army)] = army
    batch.reset(setups=setups)
    assert [name for name, plane in zip(batch.plane_names, batch.planes[0]) if plane[0, 0]][0] \
        == f"own.{kinds[army[0] - 1]}"


def wrong_use_is_an_exception():
    batch = Batch("duel", 4, seed=1).reset()
    refused(Misuse, lambda: batch.step([1, 2, 3]), "actions has the shape (3,), expected (4,)")
    refused(TypeError, lambda: batch.step(np.zeros(4)), "actions has the type float64")
    refused(TypeError, lambda: batch.step(["a4-a5"] * 4), "actions has the type")
    refused(Misuse, lambda: batch.step(np.full(4, 2**40)), "int32 does not")
    refused(Misuse, lambda: batch.reset(seeds=[1]), "seeds has the shape")
    refused(Misuse, lambda: batch.observe(2), "side is 2, expected -1 to 1")
    refused(Misuse, lambda: batch.text(4), "game is 4, expected 0 to 3")
    refused(TypeError, lambda: batch.text("0"))
    refused(TypeError, lambda: batch.why(0, 1.5))
    refused(Misuse, lambda: batch.undo(0))
    refused(Misuse, lambda: Batch("duel", 0), "games is 0, expected 1 to 1048576")
    refused(Misuse, lambda: Batch("duel", outputs=("plane",)), "'plane' is not one of")
    refused(Misuse, lambda: Batch("duel", planes=("mine",)), "'mine' is not one of")
    refused(Misuse, lambda: Batch("duel", seed=-1))
    refused(Misuse, lambda: batch.copy(0, Batch("quick").reset(), 0))
    refused(EnsignError, lambda: Rules("duell"), "duell")


def an_illegal_action_names_its_games_and_the_others_are_played():
    batch = Batch("duel", 3, seed=1).reset()
    actions = chosen(batch, np.random.default_rng(1))
    actions[1] = int(np.flatnonzero(~batch.mask[1])[0])
    error = refused(IllegalAction, lambda: batch.step(actions), "in 1 games, the first in game 1")
    assert error.games.tolist() == [1] and batch.ply.tolist() == [1, 0, 1]
    actions[1] = 10**6
    refused(IllegalAction, lambda: batch.step([-1, 10**6, -1]))


def a_closed_batch_is_not_used():
    batch, other = Batch("duel", 2).reset(), Batch("duel", 2).reset()
    planes = batch.planes
    batch.close()
    batch.close()
    for call in (batch.reset, batch.step_random, batch.observe, lambda: batch.step([0, 0]),
                 lambda: batch.save(0), lambda: batch.text(0), lambda: batch.why(0, 0),
                 lambda: batch.undo(0), lambda: other.copy(0, batch, 0),
                 lambda: batch.copy(0, other, 0), lambda: other.sample(0, RED, batch)):
        refused(ValueError, call, "closed")
    assert planes.sum() > 0
    rules = Rules("duel")
    later = Batch(rules, 2)
    del rules, batch
    gc.collect()
    later.reset().step_random()


def arrays_that_are_replaced_are_not_written_to():
    batch = Batch("duel", 256, seed=1).reset()
    batch.planes, batch.reward = batch.planes / 255, None
    gc.collect()
    others = [np.zeros((256, batch.shape.planes, 10, 10), np.uint8) for _ in range(8)]
    batch.step_random()
    assert not any(other.any() for other in others)
    with contextlib.suppress(AttributeError):
        batch.games = 4096
    refused(Misuse, lambda: batch.step([-1] * 4096), "expected (256,)")


def only_what_was_installed_with_it_is_used():
    """Not what lies beside the prefix, which may be in /tmp."""
    code = ("from ensign.batch import library; from ensign import program; print(library())\n"
            "try: print(program())\nexcept FileNotFoundError: print('none')")
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder, "venv")
        site = prefix / "lib/python3/site-packages"
        shutil.copytree(Path(__file__).parents[3] / "bots/programs/ensign", site / "ensign")

        def used():
            return subprocess.run([sys.executable, "-c", code], cwd=site, env={"PATH": ""},
                                  capture_output=True, text=True, check=True).stdout.split()

        def place(root):
            files = root / "lib/libensign.so.0", root / "bin/ensign"
            for file in files:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch(0o755)
            return [str(file.resolve()) for file in files]

        place(Path(folder))
        place(prefix / "lib/build/release")
        assert used() == ["libensign.so.0", "none"], used()
        assert place(prefix) == used()


def another_thread_in_a_batch_is_refused():
    batch, met = Batch("duel", 4096, seed=1).reset(), []

    def work():
        for _ in range(60):
            try:
                batch.step_random()
            except EnsignError as error:
                met.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(met) <= {"another thread is in the batch"}
    batch.step_random()


def one_environment_has_the_form_of_gymnasium():
    env, random = Env("duel", seed=3), np.random.default_rng(1)
    refused(Misuse, lambda: env.step(0), "reset() begins another one")
    planes, info = env.reset(seed=5)
    again, _ = Env("duel").reset(seed=5)
    assert (planes == again).all() and info["side"] == RED
    over = False
    while not over:
        actor = info["side"]
        planes, reward, terminated, truncated, info = env.step(
            int(random.choice(np.flatnonzero(info["mask"]))))
        over = terminated or truncated
        assert over or (reward == 0 and info["side"] != actor)
    assert reward in (-1, 0, 1) and info["reason"]
    refused(Misuse, lambda: env.step(0))
    refused(Misuse, lambda: Env("duel", outputs=("mask",)).reset())


def an_opponent_plays_the_other_side():
    random = np.random.default_rng(1)
    for side in (RED, BLUE):
        env = Env("quick", seed=3, side=side,
                  opponent=lambda planes, mask: int(random.choice(np.flatnonzero(mask))))
        won = 0
        for game in range(4):
            planes, info = env.reset()
            over = False
            while not over:
                assert info["side"] == side
                planes, reward, terminated, truncated, info = env.step(
                    int(random.choice(np.flatnonzero(info["mask"]))))
                over = terminated or truncated
            won += reward
        assert -4 <= won <= 4


def assert_contract(env, cycles):
    """What PettingZoo's api_test asserts, in our words: spaces are kept and contain what is seen,
    rewards add up until their agent reads them, agents end once and are then removed."""
    env.reset(seed=0, options={"options": 1})
    assert not any(env.terminations.values()) and not any(env.truncations.values())
    assert env.num_agents == len(env.agents) == len(env.possible_agents) == 2
    for agent in env.agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    owed, ended, seen = defaultdict(float), set(), set()
    for agent in env.agent_iter(cycles):
        seen.add(agent)
        assert agent not in ended and isinstance(env.infos[agent], dict)
        observation, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        assert isinstance(terminated, bool) and isinstance(truncated, bool)
        assert reward == owed.pop(agent, 0.0)
        action = None
        if terminated or truncated:
            ended.add(agent)
            refused(ValueError, lambda: env.step(0))
        else:
            assert observation["action_mask"].any()
            action = env.action_space(agent).sample(observation["action_mask"])
        assert env.step(action) is None
        for name, reward in env.rewards.items():
            owed[name] += reward
        for kept in (env.rewards, env.terminations, env.truncations, env.infos):
            assert kept.keys() == set(env.agents)
        if env.agents:
            waits = ({*env.agents} - {env.agent_selection} or {env.agent_selection}).pop()
            if not env.terminations[waits]:
                assert not env.observe(waits)["action_mask"].any()
    assert env.agents or ended == seen


def pettingzoo_finds_what_it_expects():
    try:
        from pettingzoo.test.api_test import api_test
    except ImportError:
        api_test = None
        import stand_ins
        stand_ins.install()
    from ensign.aec import AEC
    for variant in ("duel", "infiltrator", "quick", "lightning"):
        assert_contract(AEC(variant), 4000)
        assert_contract(AEC(variant, plies_limit=9), 40)
        if api_test:
            api_test(AEC(variant), num_cycles=400)
    env = AEC("duel", render_mode="ansi")
    env.reset(seed=1)
    assert "?" in env.render()
    refused(IllegalAction, lambda: env.step(env.action_space("red_0").n - 1))
    print("pettingzoo's own test" if api_test else "our copy of pettingzoo's test")


def main():
    promises = [value for name, value in globals().items() if callable(value) and
                getattr(value, "__module__", "") == "__main__" and
                name not in ("main", "refused", "chosen", "assert_contract")]
    for promise in promises:
        if len(sys.argv) < 2 or promise.__name__ == sys.argv[1]:
            promise()
            print(promise.__name__)


main()
