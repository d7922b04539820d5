#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of a benchmark as SVG and PNG: for each type and operation in the CSV the bandwidth, the time and
the speed-up over the library against the size, and the bandwidths at one size as bars. `make plot` runs it."""
from __future__ import annotations

import filecmp
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "tools"))
from lib.bench_csv import parse_size, read_rows
from lib.script import DEVICE_ERROR, Options, fail, find_program, say
from figures import Benchmark


def draw(data: Path, figure: str, title: str, output: Path) -> None:
    """Draws one figure and checks that it is complete: gnuplot does not notice a full disk."""
    form = output.suffix[1:]
    script = HERE / ("bars.gp" if figure == "bars" else "lines.gp")
    run = subprocess.run(["gnuplot", "-e", f"scripts='{HERE}'; dir='.'; figure='{figure}'; format='{form}'; "
                          f"output='{output}'", script], cwd=data, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        fail(run.stderr.strip() or f"gnuplot failed at {output.name}", DEVICE_ERROR)
    drawn = output.read_bytes() if output.exists() else b""
    if not drawn.rstrip().endswith(b"</svg>" if form == "svg" else b"IEND\xaeB`\x82"):
        fail(f"{output} is incomplete: free some space there, or set TMPDIR to another folder", DEVICE_ERROR)
    if form == "svg":
        text = drawn.decode().replace("<title>Gnuplot</title>", f"<title>{escape(title)}</title>")
        output.write_text(text, encoding="utf-8")


def put(figure: Path, to: Path) -> None:
    """Moves a figure to its place, or leaves nothing there."""
    try:
        shutil.copyfile(figure, to)
        whole = filecmp.cmp(figure, to, shallow=False)
    except OSError:
        whole = False
    if not whole:
        try:
            to.unlink()
        except OSError:
            pass
        fail(f"{to} cannot be written: free some space there, or name another folder with PLOTS=figures", DEVICE_ERROR)
    say(str(to))


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv", nargs="?", default="", help="what bench has written")
    options.add_argument("--to", metavar="DIR", help="where the figures go; default: beside the CSV")
    options.add_argument("--clock", choices=["total", "kernel"], default="total", help="of the host, or of the device")
    options.add_argument("--size", type=parse_size, default=0, help="elements for the bars; default: the largest")
    options.add_argument("--only", metavar="NAMES", help="these variants alone, in figures named CSV-few-...: no_striding,prim")
    options.add_argument("--data", metavar="DIR", help="write gnuplot's input there, and draw nothing")
    given = options.parse_args()
    csv = Path(given.csv)
    if not given.csv:
        fail("no CSV: run make bench first, or name one, make plot CSV=results/h200/sweep/sweep.csv")
    if not given.data and not find_program("gnuplot"):
        fail("gnuplot not found: ./install-deps.sh plot (package gnuplot-nox)")
    try:
        rows = list(read_rows(csv))
    except OSError as error:
        fail(f"{csv} cannot be read: {error.strerror}")
    if given.only:
        names = given.only.replace(",", " ").split()
        missing = set(names) - {row.get("variant", "") for row in rows}
        if missing:
            fail(f"{csv} has no {' '.join(sorted(missing))}")
        rows = [row for row in rows if row.get("variant") in names]
    kinds = list(dict.fromkeys((row.get("type", ""), row.get("op", "")) for row in rows))
    if not kinds or not all(re.fullmatch("[a-z]+", word) for kind in kinds for word in kind):
        fail(f"{csv} has no columns type and op, or no rows: is it a CSV that make bench wrote?")
    to = Path(given.to or csv.parent)
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"cannot write to {to}: {error.strerror}")

    with tempfile.TemporaryDirectory() as work:
        for type_name, op in kinds:
            data = Path(given.data or work, f"{type_name}-{op}")
            figures = Benchmark(rows, (type_name, op), given.clock).write(data, given.size)
            if not figures:
                print(f"plot: no right results for {op} of {type_name}", file=sys.stderr)
            if given.data:
                continue
            for figure, title in figures.items():
                for form in "svg", "png":
                    output = Path(work, f"figure.{form}")
                    draw(data, figure, title, output)
                    put(output, to / f"{csv.stem}{'-few' if given.only else ''}-{type_name}-{op}-{figure}.{form}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        fail(f"{error.filename or 'temporary files'}: {error.strerror}: free some space, or set TMPDIR to another folder",
             DEVICE_ERROR)
