#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two variants of a benchmark against each other, as Markdown: a table of all sizes for each of --full, and the
geometric means of time by time over ranges of sizes for every type and operation.

Over the rounds of a measurement: the smallest minimum, the median of the 95th percentiles, and the median of the
medians; with the device's clock the median of the means, because the resolution of its events is several per cent of a
short kernel."""
from __future__ import annotations

import sys
from math import exp, log
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from lib.bench_csv import number, read_rows, size_text, variant
from lib.script import Options, say

RANGES = [0, 12, 21, 26, 30]  # powers of two at which ranges of sizes begin


def measurements(path: str, ours: str, theirs: str) -> dict:
    """kind ("float-sum") -> n -> {variant: its rows}; only right results of the two variants."""
    kinds: dict = {}
    named = "offset=" in ours + theirs  # then the variants' names say so
    for row in read_rows(path):
        name = variant(row)
        if row["check"] != "OK" or name not in (ours, theirs):
            continue
        kind = f"{row['type']}-{row['op']}"
        if number(row.get("offset")) > 0 and not named:
            kind += f"-offset-{row['offset']}"
        kinds.setdefault(kind, {}).setdefault(int(row["n"]), {}).setdefault(name, []).append(row)
    return {kind: {n: both for n, both in sizes.items() if len(both) == 2} for kind, sizes in kinds.items()}


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv", help="what bench has written")
    options.add_argument("--ours", default="single_pass", help="a variant with its options (%(default)s)")
    options.add_argument("--theirs", default="prim", help="the variant to compare it with (%(default)s)")
    options.add_argument("--clock", choices=["kernel", "total"], default="kernel", help="of the device, or of the host")
    options.add_argument("--full", default="float-sum double-sum", help="tables of all sizes (%(default)s)")
    given = options.parse_args()
    typical = "mean" if given.clock == "kernel" else "median"
    kinds = measurements(given.csv, given.ours, given.theirs)

    def column(rows: list, what: str) -> list[float]:
        return [number(row[f"{given.clock}_{what}_us"]) for row in rows]

    def time(rows: list) -> float:
        return median(column(rows, typical))

    def cell(rows: list) -> str:
        return f"{time(rows):.2f} ({min(column(rows, 'min')):.2f}, {median(column(rows, 'p95')):.2f})"

    for kind in given.full.split():
        if kind not in kinds:
            continue
        say(f"**{kind.replace('-', ' ')}**, us: {typical} (minimum, 95th percentile)\n")
        say(f"| n | {given.theirs} | {given.ours} | {given.theirs} / {given.ours} | GB/s | grid x block |")
        say("|---|---|---|---|---|---|")
        for n, both in kinds[kind].items():
            ours, theirs = both[given.ours], both[given.theirs]
            speed = number(ours[-1]["bytes"]) / time(ours) / 1e3
            say(f"| {size_text(n)} | {cell(theirs)} | {cell(ours)} | {time(theirs) / time(ours):.3f} | {speed:.0f} "
                f"| {ours[-1]['grid']} x {ours[-1]['block']} |")
        say()

    say(f"Time of {given.theirs} / time of {given.ours}, geometric mean over the measured sizes, and the lowest of all:\n")
    ends = [f"2^{first}..2^{end - 1}" for first, end in zip(RANGES, RANGES[1:])] + [f"2^{RANGES[-1]} and more"]
    say(f"| | {' | '.join(ends)} | lowest |")
    say("|---|" + "---|" * len(ends) + "---|")
    for kind, sizes in kinds.items():
        if not sizes:
            continue
        ratios = {n: time(both[given.theirs]) / time(both[given.ours]) for n, both in sizes.items()}
        means = []
        for first, end in zip(RANGES, RANGES[1:] + [64]):
            logs = [log(ratio) for n, ratio in ratios.items() if max(n, 1) >> first and not n >> end]
            means.append(f"{exp(sum(logs) / len(logs)):.3f}" if logs else "-")
        lowest = min(ratios, key=lambda n: ratios[n])
        say(f"| {kind.replace('-', ' ')} | {' | '.join(means)} | {ratios[lowest]:.3f} at {size_text(lowest)} |")


if __name__ == "__main__":
    main()
