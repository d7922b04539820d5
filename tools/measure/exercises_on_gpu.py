#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the judge and the exercises that for_gpu.py has packed, where there is a GPU and no compiler.

Each case has to give the diagnosis that is expected of it on a GPU with warps of this size, and compute-sanitizer,
where it works, has to find nothing in solutions, and what it is made for in some of the wrong ones. Reports are in
RESULTS/exercises. Exit code 1 if anything differs."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import Options, fail, find_program, say

COLUMNS = ["number", "name", "kind", "source", "expected", "on_gpu", "on_warps_of_64"]  # of bank.py write
SANITIZED = {"02_shipped": "racecheck", "02_volatile": "racecheck", "07_shipped": "racecheck",
             "03_round_up": "memcheck"}
CANNOT_RUN = 124


def run(command: list[str], log: Path, seconds: int) -> int:
    """The exit code of a command whose output goes to a file."""
    with open(log, "w", encoding="utf-8") as out:
        try:
            return subprocess.run(command, cwd=log.parent, stdout=out, stderr=subprocess.STDOUT, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return CANNOT_RUN


def last_line(log: Path) -> str:
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip("= ")]
    return lines[-1] if lines else ""


def check_case(work: Path, case: dict[str, str], warp: int, results: Path) -> str:
    """Runs the judge on one case; returns the report's line."""
    name, log = case["name"], work / f"{case['name']}.log"
    status = run(["./judge", f"--name={name}", f"--runner=./{name}", f"--json={name}.json", f"--exercise={name}.txt"], log, 120)
    try:
        found = json.loads((work / f"{name}.json").read_text())
        said = f"{found['code']} {found['diagnosis']}"
    except (OSError, ValueError, KeyError, TypeError):
        said = ""
    if status == 0:
        said = "solved"
    elif status != 1 or not said:
        said = f"exit code {status}, {last_line(log)}"
    expected = {0: f"{case['expected']}|{case['on_gpu']}", 32: case["on_gpu"], 64: case["on_warps_of_64"]}[warp]
    if re.match(f"(?:{expected})", said):
        return f"{'ok':<7} {name:<26} {said}"[:200]
    shutil.copy(log, results)
    return f"{'FAILED':<7} {name:<26} {said}; expected: {expected}"[:200]


def sanitize(work: Path, name: str, tools: list[str], something: bool, results: Path) -> str:
    """Runs sanitizers on one case, which should or should not find something."""
    found, ran = [], True
    for tool in tools:
        log = work / f"{name}.{tool}"
        status = run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", f"./{name}", "once"], log, 90)
        if status == 99:
            text = log.read_text(errors="replace")
            first = re.search(r"^=*\s*(.*(?:Race|Error|Invalid|Barrier|hazard).*)$", text, re.MULTILINE)
            found.append(f"{tool}: {re.sub(r'[^ ]*/', '', first[1])[:100] if first else ''};")
        elif status:
            ran = False
            found.append(f"{tool} does not run: {last_line(log)[:80]};")
        shutil.copy(log, results)
    word = "ok" if ran and bool(found) == something else "FAILED"
    return f"{word:<7} {name:<26} sanitizer: {' '.join(found) or 'nothing'}"


def main() -> None:
    options = Options(__doc__)
    options.add_argument("pack", type=Path, help="FOLDER/exercises.tar.gz")
    options.add_argument("results", type=Path)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 4,
                         help="cases at a time: most of their time is starting and ending (%(default)s)")
    options.add_argument("--no-sanitizer", action="store_true", help="only the judge; compute-sanitizer takes minutes")
    given = options.parse_args()
    if not given.pack.is_file():
        fail(f"{given.pack} not found: tools/measure/for_gpu.py exercises builds it")
    results = given.results.resolve() / "exercises"
    results.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []

    def report(line: str) -> None:
        lines.append(line)
        say(line)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        work = Path(folder)
        with tarfile.open(given.pack) as pack:
            pack.extractall(work)
        cases = [dict(zip(COLUMNS, line.split("\t"))) for line in (work / "cases").read_text().splitlines()]
        target = (work / "target").read_text().strip()
        warp = 0 if target == "cpu" else 64 if target.startswith("gfx9") else 32  # the CPU has both
        for line in pool.map(lambda case: check_case(work, case, warp, results), cases):
            report(line)
        solution = next((case["name"] for case in cases if case["kind"] == "solution"), None)
        log = work / "sanitizer.log"
        if given.no_sanitizer or not find_program("compute-sanitizer"):
            say("skipped compute-sanitizer: " + ("as asked" if given.no_sanitizer else "not found"))
        elif solution and run(["compute-sanitizer", f"./{solution}", "once"], log, 90):
            say(f"skipped compute-sanitizer: it does not work here: {last_line(log)}")
        else:
            jobs = [(case["name"], ["memcheck", "racecheck", "synccheck"], False) for case in cases if case["kind"] == "solution"]
            jobs += [(case["name"], [SANITIZED[case["name"]]], True) for case in cases if case["name"] in SANITIZED]
            for line in pool.map(lambda job: sanitize(work, *job, results), jobs):
                report(line)
    (results / "list").write_text("\n".join(lines) + "\n")
    wrong = sum(line.startswith("FAILED") for line in lines)
    say(f"{len(lines) - wrong} as expected, {wrong} not")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
