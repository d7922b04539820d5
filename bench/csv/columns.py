#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Columns of a CSV by their names, separated by blanks. Exit code 3 if a line has not as many fields as the first."""
from __future__ import annotations

import csv
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from lib.script import DEVICE_ERROR, Options, fail, say


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv")
    options.add_argument("column", nargs="*")
    given = options.parse_args()
    with open(given.csv, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        names = next(lines, [])
        missing = set(given.column) - set(names)
        if missing:
            fail(f"{given.csv} has no column {', '.join(sorted(missing))}")
        for fields in lines:
            if len(fields) != len(names):
                fail(f"{given.csv}, line {lines.line_num}: {len(fields)} fields, the first line has {len(names)}",
                     DEVICE_ERROR)
            if given.column:
                say(" ".join(fields[names.index(name)] for name in given.column))


if __name__ == "__main__":
    main()
