#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Segmented reduction against the library at constant total size: the time of the launches in microseconds, and how
many times as fast as the library each method is."""
from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.bench_csv import number
from lib.script import Options, say


def measure(program: str, total: str, length: str, method: str, extra: list[str]) -> tuple[str, bool]:
    """The median of the kernel times, "-" if there is none; and whether the result is right."""
    choice = ["--method", method]
    if method == "flags":  # another program, beside this one
        program, choice = str(Path(program).parent / "../reduction_head_flags/reduction_head_flags"), []
    run = subprocess.run([program, "-n", total, "--segment", length, "--ceiling", "1", "-f", "csv", *choice, *extra],
                         stdout=subprocess.PIPE, text=True)
    row = next(csv.DictReader(run.stdout.splitlines()), {})
    return row.get("kernel_median_us") or "-", row.get("check") == "OK"


def main() -> None:
    options = Options(__doc__)
    options.add_argument("program", help="reduction_segmented/reduction_segmented")
    options.add_argument("total", nargs="?", default="128M", help="elements (%(default)s)")
    options.add_argument("methods", nargs="?", default="auto",
                         help='"auto thread warp block flags": flags is reduction_head_flags (%(default)s); the library '
                              "always runs")
    options.add_argument("lengths", nargs="?", default="", help="of segments (2^4 ... 2^24)")
    options.add_argument("options", nargs=argparse.REMAINDER, help="for the program (--type=float)")
    given = options.parse_args()
    methods = given.methods.split()
    extra = given.options or ["--type=float"]
    bad = False
    say(f"{'length':>10} {'library us':>12}" + "".join(f" {f'{method} us':>12} {'ratio':>7}" for method in methods))
    for length in given.lengths.split() or [str(1 << power) for power in range(4, 25)]:
        library, right = measure(given.program, given.total, length, "library", extra)
        bad |= not right
        line = f"{length:>10} {library:>12}"
        for method in methods:
            ours, right = measure(given.program, given.total, length, method, extra)
            bad |= not right
            known = number(library) > 0 and number(ours) > 0
            line += f" {ours:>12} {f'{number(library) / number(ours):.2f}' if known else '-':>7}"
        say(line)
    sys.exit(bad)


if __name__ == "__main__":
    main()
