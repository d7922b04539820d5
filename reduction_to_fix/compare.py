#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make compare: your solution beside the one that comes with the exercise: the lines, and what the hardware would do. Only when
yours is right.

    compare.py NUMBER       in the folder above, with MAKE, BUILT, ONCE and COUNTED in the environment
"""
from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import bank


def fail(text: str, status: int = 2) -> NoReturn:
    print(text, file=sys.stderr)
    sys.exit(status)


def build(e: bank.Exercise, source: Path, work: Path, name: str) -> Path:
    """Its program, by this name."""
    words = [*shlex.split(os.environ.get("MAKE", "make")), "--no-print-directory", "GPU=cpu", "TRACE=1", f"EX={e.number}",
             f"SOURCE={source}", f"WORK={work}/{name}.built", "exercise-program"]
    ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode:
        fail(ran.stdout.rstrip(), 1)
    (work / name).unlink(missing_ok=True)
    (work / name).symlink_to(f"{name}.built/program")
    return work / name


def shipped(source: Path) -> str:
    kept = bank.HERE / ".shipped" / source.name
    return kept.read_text() if kept.exists() else subprocess.check_output(["git", "show", f"HEAD:./{source}"], text=True)


def main(word: str) -> None:
    e = next((e for e in bank.exercises() if word in (str(e.number), f"{e.number:02}")), None)
    if e is None:
        fail(f"EX={word}: no such exercise; make list shows them")
    built, source, ex = Path(os.environ.get("BUILT", "")), e.source.relative_to(bank.ROOT), f"EX={e.number}"
    progress = built / "reduction_to_fix/.progress"
    sum_of = subprocess.run(["cksum"], stdin=source.open(), stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if not progress.exists() or f"solved.{e.number:02} {sum_of}" not in progress.read_text().splitlines():
        fail(f"make {ex} compare: solve it first; make {ex} check says what is wrong")
    if not (e.folder / "solution.patch").exists():
        fail(f"make {ex} compare: this copy of the course has no solutions; your instructor has them")
    work = built / f"build/exercises/{e.number:02}-compare"
    work.mkdir(parents=True, exist_ok=True)
    (work / "shipped.hip").write_text(shipped(source))
    (work / "reference.hip").write_text(bank.solution_of(e, work / "shipped.hip"))
    texts = [path.read_text() for path in (source, work / "reference.hip")]
    programs = [build(e, path, work, name) for path, name in ((source, "yours"), (work / "reference.hip", "reference"))]
    counts = [sum(bool(line.strip()) for line in text.splitlines()) for text in texts]
    print(f"Exercise {e.number}: yours has {counts[0]} lines, the reference {counts[1]}\n{bank.difference(*texts, 1)}", flush=True)
    report = work / "yours.built/nogpu_report"
    os.environ["WARP"] = os.environ.get("WARP") or "32"
    os.execl(report, report, "run", "explain", *programs, "--", *os.environ["ONCE"].split(), *os.environ["COUNTED"].split())


if __name__ == "__main__":
    main(sys.argv[1])
