#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bars of exercises that begin with an empty kernel: three programs for each, and their shares of the read ceiling.

    bars.py build sm_90 FOLDER      builds them here: the solution, the fix "fast", and the fastest variant
    bars.py run FOLDER              runs them where the GPU is, and prints results/MACHINE/bars.txt

Takes a minute or two to build, and as long to run."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tools"), str(ROOT / "reduction_to_fix")]
import bank
from lib.script import fail

RUNS = 5


def table() -> list[tuple[int, str, str, str]]:
    """Number, options, the fastest variant and its options, of exercises that have bars."""
    return sorted((e.number, e.get("bar"), *(e.get("fastest") + " ").split(" ", 1)) for e in bank.exercises() if e.get("bar"))


def make(*words: object) -> None:
    if subprocess.run([os.environ.get("MAKE", "make"), "-s", *map(str, words)], cwd=ROOT, check=False).returncode:
        fail("it does not build; the message above says why")


def build(gpu: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    out = folder.resolve()
    for number, _, variant, _ in table():
        if not list(ROOT.glob("reduction_to_fix/*/solution.patch")):
            fail("the solutions are not part of this copy")
        bank.write(out, [str(number)])
        for name in ["solution", "fast"]:
            source = out / f"{number}_{name}.hip"
            work = out / "work" / f"{number}_{name}"
            make(f"GPU={gpu}", f"OUT={out}", f"EX={number}", f"SOURCE={source}", f"WORK={work}", "exercise-program")
            (out / f"{number}_{name}").write_bytes((work / "program").resolve().read_bytes())
            (out / f"{number}_{name}").chmod(0o755)
        make(f"GPU={gpu}", f"OUT={out}", f"VARIANT={variant}")


def share(program: Path, options: str) -> tuple[float, dict[str, str]]:
    """The median of RUNS, in percent, and the row of the last one."""
    shares = []
    for _ in range(RUNS):
        said = subprocess.run([program, "--format=json", *options.split()], stdout=subprocess.PIPE, check=False)
        if said.returncode:
            fail(f"{program.name} {options}: exit code {said.returncode}")
        row = json.loads(said.stdout)[0]
        shares.append(100 * row["total_gbps"] / row["ceiling_gbps"])
    return sorted(shares)[RUNS // 2], row


def run(folder: Path) -> None:
    rows = []
    for number, options, variant, more in table():
        programs = [(folder / f"{number}_solution", options), (folder / f"{number}_fast", options),
                    (folder / f"reduction_{variant}" / f"reduction_{variant}", f"{options.split()[0]} {more}")]
        found = [share(*program) for program in programs]
        row = found[0][1]
        rows.append(f"{number:>4} {row['arch']:<8}" + "".join(f" {value:8.1f}" for value, _ in found) + f"  {variant}")
    print(f"# tools/measure/bars.py run ({time.strftime('%d %B %Y')}), median of {RUNS} runs of each program")
    print(f"# on {row['device']} ({row['arch']}), type {row['type']}; share of the read ceiling in percent")
    print("# ex arch     solution     fast  variant", *rows, sep="\n")


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["build"] and len(words) == 3:
        build(words[1], Path(words[2]))
    elif words[:1] == ["run"] and len(words) == 2:
        run(Path(words[1]))
    else:
        fail(__doc__)


if __name__ == "__main__":
    main()
