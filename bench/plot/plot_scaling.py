#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws CSV files of reduction_multi_gpu: time against the size for each number of ranks and way to combine,
efficiencies, and what the combination costs; as SVG and PNG beside the first file."""
from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "tools"))
from lib.bench_csv import number, read_rows
from lib.script import DEVICE_ERROR, Options, fail, find_program, say

COLUMNS = ["n", "total_us", "combination_us", "strong_efficiency", "weak_efficiency", "one_device_us", "peer_us"]


def curves(paths: list[str]) -> tuple[list[str], list[str]]:
    """Titles, and for each a block of data for gnuplot; - means unknown."""
    titles: list[str] = []
    blocks: list[str] = []
    for path in paths:
        for row in read_rows(path):
            if number(row["n"]) == 0 or row["check"] == "FAIL":
                continue
            title = f"{row['ranks']} {'rank' if row['ranks'] == '1' else 'ranks'}, {row['combine']}"
            if not titles or title != titles[-1]:
                titles.append(title)
                blocks.append("")
            blocks[-1] += " ".join(row[column] or "-" for column in COLUMNS) + "\n"
    return titles, blocks


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv", nargs="+")
    options.add_argument("--base", help="names the figures: results/h200x2/all makes all-time.svg there")
    given = options.parse_args()
    if not find_program("gnuplot"):
        fail("gnuplot not found: ./install-deps.sh plot (package gnuplot-nox)")
    try:
        titles, blocks = curves(given.csv)
        first = next(read_rows(given.csv[0]), {})
    except OSError as error:
        fail(f"{error.filename} cannot be read: {error.strerror}")
    except KeyError as error:
        fail(f"{given.csv[0]} has no column {error}: is it a CSV of reduction_multi_gpu?")
    if not titles:
        fail(f"{given.csv[0]} has no right results")
    base = given.base or Path(given.csv[0]).with_suffix("")
    heading = f"{first['op']} of {first['type']}, {first['method']}, {first['device']}".replace("'", "")
    with tempfile.TemporaryDirectory() as work:
        data = Path(work, "data")
        data.write_text("\n\n".join(blocks))
        Path(work, "titles").write_text("\n".join(titles) + "\n")
        settings = (f"scripts='{HERE}'; data='{data}'; titles='{work}/titles'; blocks={len(blocks)}; "
                    f"heading='{heading}'")
        for figure in "time", "efficiency", "combination":
            for form in "svg", "png":
                output = f"{base}-{figure}.{form}"
                drawn = subprocess.run(
                    ["gnuplot", "-e", f"{settings}; figure='{figure}'; format='{form}'; output='{output}'",
                     HERE / "scaling.gp"], stderr=subprocess.PIPE, text=True)
                if drawn.returncode:  # it warns of curves without points, such as a library that was not measured
                    fail(drawn.stderr.strip(), DEVICE_ERROR)
                say(output)


if __name__ == "__main__":
    main()
