# SPDX-License-Identifier: MIT
"""Reads the CSV of bench, compare and the programs, for all tools; bench itself is stricter (bench/sweep/results.py)."""
from __future__ import annotations

import csv
from math import comb
from pathlib import Path
from typing import Iterator


def read_rows(path: str | Path) -> Iterator[dict[str, str]]:
    """The rows of a CSV as dictionaries; missing fields are empty."""
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file, restval="")


def number(text: str | None) -> float:
    """A field as a number; 0 if it is empty."""
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def variant(row: dict[str, str]) -> str:
    """The variant with its options, "atomic atomics=warp"; rows of a single program have only its name."""
    name = row.get("variant") or row.get("program", "")
    return name[len("reduction_"):] if name.startswith("reduction_") else name


def size_text(n: float) -> str:
    """A number of elements as 64K, 1G."""
    power = 0
    while power < 4 and n >= 1024 and n % 1024 == 0:
        n /= 1024
        power += 1
    return f"{n:.0f}{' KMGT'[power].strip()}"


def parse_size(text: str) -> int:
    """64K as 65536; raises ValueError if it is no size."""
    power = "KMGT".find(text[-1:].upper()) + 1 if text else 0
    digits = text[:-1] if power else text
    if not digits.isdecimal():
        raise ValueError(f"{text!r} is no number of elements: 1000, 64K, 128M or 2G (powers of two)")
    return int(digits) << 10 * power


def interval(times: list[float]) -> tuple[float, float]:
    """A confidence interval of 95 % for the median that assumes nothing about the distribution: the k-th sample from
    either end. Of fewer than 6 samples the extremes, which are less sure.
    David, Nagaraja: Order Statistics, 3rd edition, section 7.1."""
    below, k = 0.0, 0
    for k in range(len(times)):
        below += comb(len(times), k) / 2 ** len(times)
        if 2 * below > 0.05:
            break
    k = max(k - 1, 0)
    return sorted(times)[k], sorted(times)[-1 - k]
