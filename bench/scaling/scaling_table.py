#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of reduction_multi_gpu as a table: strong and weak scaling, the vendor's library, and the combination."""
from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from lib.bench_csv import number, read_rows, size_text
from lib.script import Options, say

HEADINGS = ["ranks", "size", "one", "all", "speed-up", "limit", "alone", "slowest", "weak", "library", "ratio", "combine"]
UNITS = ["", "", "us", "us", "", "", "us", "us", "", "us", "", "us"]
WIDTHS = [5, 6, 8, 8, 8, 7, 8, 8, 6, 8, 6, 7]


def line(fields: list[str]) -> str:
    return " ".join(f"{field:>{width}}" for field, width in zip(fields, WIDTHS)) + "\n"


def table(path: str | Path, name: str = "") -> str:
    """The table of one CSV; "" if it has no rows."""
    text = ""
    for row in read_rows(path):
        def known(value: float | str, decimals: int) -> str:
            value = number(value) if isinstance(value, str) else value
            return f"{value:.{decimals}f}" if value > 0 else "-"

        if not text:
            text = (f"{name + ': ' if name else ''}{row['op']} of {row['type']}, method {row['method']}, "
                    f"combined by {row['combine']}, on {row['device']}\n") + line(HEADINGS) + line(UNITS)
        total = number(row["total_us"])
        text += line([
            row["ranks"], size_text(int(row["n"])), known(row["one_device_us"], 2), known(total, 2),
            known(row["speed_up"], 3), known(row["speed_up_limit"], 3), known(row["share_alone_us"], 2),
            known(row["share_alone_slowest_us"], 2), known(row["weak_efficiency"], 3), known(row["peer_us"], 2),
            known(number(row["peer_us"]) / total if total > 0 else 0, 2),
            known(row["combination_us"], 2) + ("" if row["check"] == "OK" else f"  {row['check']}")])
    return text and text + "\n"


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv", nargs="+", help="what make scaling has written")
    for path in options.parse_args().csv:
        say(table(path), end="")


if __name__ == "__main__":
    main()
