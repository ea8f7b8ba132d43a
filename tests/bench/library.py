"""Steps a second of the library from Python, in the rows of bench_library: run both and compare.

    python3 tests/bench/library.py [SECONDS [VARIANT [RUNS]]]

$ENSIGN_LIBRARY names the library, else it is that of build/release.
"""
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bots" / "programs"))
import numpy as np  # noqa: E402

from ensign import Batch, Rules  # noqa: E402

FIGURES = {"no observation": (), "mask as bits": ("mask_bits",),
           "mask as bits, cells": ("mask_bits", "cells"), "mask as bytes": ("mask",),
           "default planes, mask as bytes": ("planes", "mask")}


def measured(batch, seconds):
    start, steps, spent = time.process_time(), 0, 0.0
    while spent < seconds:
        batch.step_random()
        steps += len(batch)
        spent = time.process_time() - start
    return steps / spent


def main(seconds="0.5", variant="original", runs="5"):
    rules, readings = Rules(variant), {}
    for size in (64, 1024):
        for figure, outputs in FIGURES.items():
            batch = Batch(rules, size, seed=1, outputs=outputs, plies_limit=1000).reset()
            for _ in range(500):
                batch.step_random()
            readings[figure, size] = batch, []
    for _ in range(int(runs)):
        for batch, reading in readings.values():
            reading.append(measured(batch, float(seconds)))
    print(f"{variant}, numpy {np.__version__}\nMsteps/s, median{'':22} 64 games    greatest"
          f"       1,024    greatest")
    for figure in FIGURES:
        print(f"  {figure:36}" + "".join(
            f"{statistics.median(readings[figure, size][1]) / 1e6:9.2f}"
            f"{max(readings[figure, size][1]) / 1e6:12.2f}  " for size in (64, 1024)))


main(*sys.argv[1:])
