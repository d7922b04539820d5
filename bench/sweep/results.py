# SPDX-License-Identifier: MIT
"""Measurements of a benchmark: the rows of its CSV, combined over the rounds, and tables of them."""
from __future__ import annotations

import csv
from math import exp, inf, log
from statistics import median
from typing import Iterable

from lib.bench_csv import interval, size_text, variant

LIBRARY = "prim"
SURE = 6  # samples needed for a 95 % interval
WIDTH = 17  # of a table column


class Cell:
    """One variant at one size. The samples are its medians of each round and clock; wrong results have none."""

    def __init__(self, key: tuple) -> None:
        self.variant, self.type, self.op, self.n, _ = self.key = key
        self.samples: list[tuple[int, dict[str, float]]] = []
        self.wrong = self.unproven = 0

    def times(self, clock: str) -> list[float]:
        return [times[clock] for _, times in self.samples]

    def spread(self, clock: str) -> float:
        """Half of the interval's width over the median; infinity with too few samples."""
        times = self.times(clock)
        if len(times) < SURE or median(times) <= 0:
            return inf
        low, high = interval(times)
        return (high - low) / 2 / median(times)

    def speed_up(self, base: Cell | None, clock: str) -> float:
        """Time of base over our time, computed within each round, so that drift between rounds cancels; 0 if they share
        no round."""
        theirs = {number: times[clock] for number, times in base.samples} if base else {}
        ratios = [theirs[number] / times[clock] for number, times in self.samples if number in theirs and times[clock] > 0]
        return median(ratios) if ratios else 0.0


class Results:
    def __init__(self) -> None:
        self.cells: dict[tuple, Cell] = {}  # in the order of their first row
        self.named: dict[tuple, Cell] = {}  # the first by variant, type, operation and size
        self.rows = self.round = 0
        self.first: dict[str, str] = {}  # the first row
        self.ceiling = ""  # GB/s, from the first row

    def add(self, row: dict[str, str]) -> None:
        """Raises ValueError if a field is not a number."""
        def number(name: str) -> float:
            try:
                return float(row.get(name, ""))
            except ValueError:
                raise ValueError(f"column {name} holds '{row.get(name, '')}', not a number") from None

        n, times = int(number("n")), {clock: number(f"{clock}_median_us") for clock in ("total", "kernel")}
        at = int(number("round")) if row.get("round") else 1
        rest = tuple(row.get(name, "") for name in ("cache", "offset", "pattern", "input", "options"))
        key = (variant(row), row.get("type", ""), row.get("op", ""), n, rest)
        cell = self.cells.setdefault(key, Cell(key))
        self.named.setdefault(key[:4], cell)
        if not self.rows:
            self.first, self.ceiling = row, row.get("ceiling_gbps", "")
        self.rows += 1
        self.round = max(self.round, at)
        if row.get("check") == "OK":
            cell.samples.append((at, times))
        elif row.get("check") == "UNPROVEN":
            cell.unproven += 1
        else:
            cell.wrong += 1

    def read(self, path: str) -> None:
        """Adds all rows of a file. Ignores a last line without a newline: the writer was interrupted. Raises ValueError,
        with one line, if it is no such CSV."""
        try:
            with open(path, newline="", encoding="utf-8", errors="replace") as file:
                lines = [line for line in file if line.endswith("\n")]
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror}") from None
        names = next(csv.reader(lines[:1]), [])
        for number, fields in enumerate(csv.reader(lines[1:]), 2):
            try:
                if len(fields) != len(names):
                    raise ValueError("a row with more or fewer columns than the header")
                self.add(dict(zip(names, fields)))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}; is it a CSV that make bench wrote?") from None
        if not self.rows:
            raise ValueError(f"{path} holds no measurements: give a CSV that make bench wrote")

    @property
    def wrong(self) -> int:
        return sum(cell.wrong for cell in self.cells.values())

    @property
    def unproven(self) -> int:
        return sum(cell.unproven for cell in self.cells.values())


def time_text(time: float) -> str:
    return f"{time:.{2 if time < 10 else 1 if time < 1000 else 0}f}"


def cell_text(cell: Cell | None, library: Cell | None, best: float, clock: str, spread: float) -> str:
    if cell is None or not cell.samples:
        return f"{'-  ' if cell is None else 'wrong  ' if cell.wrong else 'unproven  ':>{WIDTH}}"
    time, ratio = median(cell.times(clock)), cell.speed_up(library, clock)
    return (f"{time_text(time):>8}{' ' if cell.spread(clock) <= spread else '~'}"
            f"{f'{ratio:.2f}' if ratio > 0 else '-':>6}{'*' if time == best else ' '} ")


def table(results: Results, clock: str, spread: float, width: int) -> Iterable[str]:
    """Yields lines with times and the speed-up over the library, for each type and operation; marks spreads above `spread`."""
    cells = list(results.cells.values())
    names = max([10] + [len(cell.variant) + 2 for cell in cells])
    columns = max((width - names) // WIDTH, 1)
    yield (f"# {results.first.get('device', '')}\n# us: median over the rounds of the {clock} time; prim: speed-up over "
           f"the library\n# *: the best at this size; ~: the median is not known to {100 * spread:.2g} %\n")
    for kind, op in dict.fromkeys((cell.type, cell.op) for cell in cells):
        group = {(cell.variant, cell.n): cell for cell in reversed(cells) if (cell.type, cell.op) == (kind, op)}
        variants = list(dict.fromkeys(cell.variant for cell in cells if (cell.type, cell.op) == (kind, op)))
        sizes = sorted({n for _, n in group})
        best = {n: min((median(group[name, n].times(clock)) for name in variants if (name, n) in group
                        and group[name, n].samples), default=0.0) for n in sizes}
        yield f"{op} of {kind}"
        for first in range(0, len(sizes), columns):
            shown = sizes[first:first + columns]
            yield f"{'elements':<{names}}" + "".join(f"{size_text(n):>{WIDTH - 2}}  " for n in shown)
            yield " " * names + f"{'us':>8} {'prim':>6}  " * len(shown)
            for name in variants:
                yield f"{name:<{names}}" + "".join(
                    cell_text(group.get((name, n)), group.get((LIBRARY, n)), best[n], clock, spread) for n in shown)
            yield ""
        means = []
        for name in variants:
            ratios = [group[name, n].speed_up(group.get((LIBRARY, n)), clock) for n in sizes if (name, n) in group]
            logs = [log(ratio) for ratio in ratios if ratio > 0]
            if logs:
                means.append(f"{name:<{names}}{exp(sum(logs) / len(logs)):8.3f}")
        if means:
            yield "\n".join(["Speed-up over prim, geometric mean of all sizes", *means, ""])
