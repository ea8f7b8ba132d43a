"""What a file of `ensign selfplay` holds, read by numpy alone; run by tests/cli/test_selfplay.c.

Two files: of the games that bots played, and of their records.
"""
import sys

import numpy as np

rows, again = (np.load(path, mmap_mode="r") for path in sys.argv[1:3])
assert len(rows) > 100 and rows.dtype == again.dtype
for name in rows.dtype.names:
    if name not in ("run", "player"):
        assert (rows[name] == again[name]).all(), name
assert len(np.unique(rows["run"])) == 1

# Each action is among the legal ones, of which there are no others than the mask says.
mask = np.unpackbits(rows["mask"], axis=1, bitorder="little")
assert mask[np.arange(len(rows)), rows["action"]].all()

# Sides alternate, plies count, both sides of a game have opposite results.
for game in np.unique(rows["game"]):
    one = rows[rows["game"] == game]
    assert (np.diff(one["ply"].astype(int)) == 1).all() and one["ply"][0] == 0
    assert (one["side"] == (one["ply"] + one["side"][0]) % 2).all()
    signs = np.where(one["side"] == 0, one["result"], -one["result"])
    assert len(np.unique(signs)) == 1 and len(np.unique(one["reason"])) == 1
    players = np.where(one["side"] == 0, one["player"], 1 - one["player"])
    assert (players == game % 2).all()
    # An army only loses pieces, and what moved stands on another square.
    own = ((one["cells"] & 31 > 0) & (one["cells"] & 32 == 0) & (one["cells"] < 255)).sum((1, 2))
    for side in (0, 1):
        assert (np.diff(own[one["side"] == side].astype(int)) <= 0).all()
print("rows are as promised")
