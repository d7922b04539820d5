#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cases that the checker of the exercises is tested with: each exercise as shipped, with its solution, and with the
wrong and the right fixes in cases/.

    cases.py FOLDER [NUMBER...]     writes the sources to FOLDER, and prints a line for each case:

    NUMBER  NAME  shipped|solution|wrong|right  SOURCE  EXPECTED  EXPECTED ON A GPU  WITH WARPS OF 64   with tabs between

What is expected is a regular expression for the checker's code and diagnosis, or "solved". "On a GPU" is for the checker
alone, which cannot choose the order of threads and sees no access there.

A case in cases/NUMBER.cases begins with "= wrong NAME: what it does". Lines "expect:", "on a gpu:" and "with warps of 64:"
follow (without the second or third it is the same as before), and a unified diff: of the solution where there is a line
"on: solution", else of the exercise as shipped."""
from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = {
    1: ["one_thread .*of each block reaches", "one_thread|race"],
    2: ["race .*depends on the order in which threads run", "race"],
    3: ["tail .*the last, partial tile", "tail"],
    4: ["double .*count", "double"],
    5: ["no_reset .*twice as much the second", "no_reset"],
    6: ["warp64 .*right with warps of 32, wrong with warps of 64", "solved", "lanes"],
    7: ["race .*depends on the order in which threads run", "solved"],
    8: ["barrier .*a barrier that not all", "race|hang|not_a_sum|identity"],
    9: ["index .*(missing|another one counts)", "index"],
    10: ["identity .*of only (negative|positive) numbers is 0", "identity"],
    11: ["input_changed .*the input is overwritten", "input_changed"],
    12: ["late .*the host does not wait for the device", "late"],
    13: ["weak_memory .*as late as HIP allows", "solved"],
    14: ["conflicts .*passes", "solved"],
    15: ["sectors .*sectors", "solved"],
    16: ["race .*order in which threads run", "race|stride|lost"],
    17: ["lost|one_thread .", "lost|one_thread"],
    18: ["nothing .*no element reaches", "nothing"],
    19: ["tail|lost .", "tail|lost"],
    20: ["nothing|lost .", "nothing|lost"],
    21: ["output .", "solved", "output"],
    22: ["output|race .", "solved|output"],
    23: ["conflicts .*passes", "solved"],
}


def patched(source: Path, diff: str, to: Path) -> Path:
    """Applies a unified diff, each hunk where its old lines are: at the given line, or at the only place."""
    lines = source.read_text().splitlines()
    shift = 0
    for hunk in re.split(r"^@@ ", diff, flags=re.MULTILINE)[1:]:
        head, *body = hunk.splitlines()
        old = [line[1:] for line in body if not line.startswith("+")]
        new = [line[1:] for line in body if not line.startswith("-")]
        at = int(re.match(r"-(\d+)", head)[1]) - 1 + shift
        if lines[at:at + len(old)] != old:
            places = [i for i in range(len(lines)) if lines[i:i + len(old)] == old]
            if len(places) != 1:
                sys.exit(f"{to.stem} does not fit {source}: @@ {head}")
            at = places[0]
        lines[at:at + len(old)] = new
        shift += len(new) - len(old)
    to.write_text("\n".join(lines) + "\n")
    return to


def read_cases(number: int) -> list[tuple[str, str, dict[str, str], str]]:
    """Yields kind, name, expectations, and the diff."""
    path = Path(__file__).parent / "cases" / f"{number:02}.cases"
    found = []
    for text in re.split(r"^= ", path.read_text(), flags=re.MULTILINE)[1:]:
        kind, name = re.match(r"(wrong|right) (\w+): ", text).groups()
        head, at, diff = text.partition("\n@@")
        words = dict(line.split(": ", 1) for line in head.splitlines()[1:])
        found.append((kind, name, words, at[1:] + diff))
    return found


def main() -> None:
    folder, chosen = Path(sys.argv[1]), {int(word) for word in sys.argv[2:]}
    for row in (ROOT / "reduction_to_fix/exercises.txt").read_text().splitlines():
        if row.startswith("#") or (chosen and int(row.split("|")[0]) not in chosen):
            continue
        number, place, file = int(row.split("|")[0]), *row.split("|")[1:3]
        shipped = ROOT / "reduction_to_fix" / place / file
        patch = next((ROOT / "docs/instructor/solutions").glob(f"{number:02}_*.patch")).read_text()
        solution = patched(shipped, patch[patch.index("@@"):], folder / f"{number:02}_solution.hip")
        lines = [("shipped", "shipped", shipped, SHIPPED[number]), ("solution", "solution", solution, ["solved"])]
        for kind, name, words, diff in read_cases(number):
            base = solution if words.get("on") == "solution" else shipped
            expected = [words.get("expect", "solved")]
            for key in ("on a gpu", "with warps of 64"):
                expected.append(words.get(key, expected[-1]))
            lines.append((kind, name, patched(base, diff, folder / f"{number:02}_{name}.hip"), expected))
        for kind, name, source, expected in lines:
            expected = (expected + expected[-1:] * 2)[:3]
            shown = source.relative_to(ROOT) if kind == "shipped" else source
            print(number, f"{number:02}_{name}", kind, shown, *expected, sep="\t")


if __name__ == "__main__":
    main()
