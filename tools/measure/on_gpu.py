#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All checks that need a GPU, in steps by name, on a machine without a compiler or make; results_on_gpu.py measures.

    make check-build GPU=sm_90 OUT=FOLDER             here
    tools/measure/on_gpu.py FOLDER RESULTS STEP...    there, with the tree, FOLDER/build/sm_90 and Python

Steps:

    suites     all test suites but the one of the variants
    variants   the variants' suite, the programs side by side, because most of its time is starting them;
               CK_RUN_CASE=known_answers takes a part of it
    large      sums of 2^31 and more elements
    sanitize   compute-sanitizer: memcheck, racecheck, synccheck of every variant
    profile    the profiler's counters of every variant
    exercises  the checkers of the exercises, as shipped, solved and with wrong fixes; FOLDER is built with
               tools/measure/for_gpu.py exercises sm_90 FOLDER
    multi      reduction_multi_gpu on all GPUs of the machine: on_gpus.py; FOLDER may have that program alone

Exit code 1 if anything failed."""
from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from built import Built
from lib.script import TOP, Options, fail, say


class Gpu(Built):
    """The programs, the folder for results, and whether anything failed."""

    def __init__(self, folder: Path, results: Path, target: str | None) -> None:
        super().__init__(folder, target)
        self.results, self.failed = results.resolve(), False
        self.platform = ("nvidia" if self.build.name.startswith("sm_") else
                         "amd" if self.build.name.startswith("gfx") else "cpu")
        self.results.mkdir(parents=True, exist_ok=True)

    def environment(self) -> dict[str, str]:
        return {**os.environ, "REDUCTION_BIN": str(self.program("single_pass").parents[1])}

    def run(self, *command: str | Path, to: str | None = None, add: bool = False, **named) -> bool:
        """Runs a command, with its output in a file of RESULTS or shown; records a failure."""
        command = [str(word) for word in command]
        if to is None:
            status = subprocess.run(command, **named).returncode
        else:
            with open(self.results / to, "a" if add else "w", encoding="utf-8") as out:
                status = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, **named).returncode
        self.failed |= status != 0
        return status == 0

    def show(self, file: str) -> None:
        say((self.results / file).read_text(encoding="utf-8"), end="")


def suites(gpu: Gpu) -> None:
    others = sorted(path.name[len("test_"):] for path in (gpu.build / "tests").glob("test_*")
                    if "." not in path.name and path.name != "test_variants")
    gpu.run(sys.executable, TOP / "tests/run_suites.py", gpu.platform, gpu.build / "tests", *others, env=gpu.environment())


def variants(gpu: Gpu) -> None:
    def one(program: Path) -> bool:
        run = subprocess.run([gpu.build / "tests/test_variants", program.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, env=gpu.environment())
        checks = re.findall(r"^\d+%: Checks.*", run.stdout, re.MULTILINE)
        lines = [line for line in run.stdout.splitlines() if not re.match(r"\d+%: Checks", line)]
        say(f"{time.strftime('%T')}   variants, {program.name}: {' '.join(checks)}, exit code {run.returncode}"
            + "".join(f"\n{line}" for line in (lines[-12:] if run.returncode else [])))
        return run.returncode == 0

    programs = gpu.programs() + [gpu.program("to_fix")]
    with ThreadPoolExecutor(len(programs)) as pool:
        gpu.failed |= not all(pool.map(one, programs))


def large(gpu: Gpu) -> None:
    for call in ("striding float 8G", "no_striding int 4G", "single_pass float 8G", "single_pass long 4G", "prim float 8G",
                 "shfl double 4G", "two_kernels_unroll float 5000000001"):
        name, kind, size = call.split()
        gpu.run(gpu.program(name), "--type", kind, "--size", size, "--iterations", "3", "--warmup", "1", "--ceiling", "1",
                to="large.log")
        lines = (gpu.results / "large.log").read_text(encoding="utf-8").splitlines()
        say(f"  {call}: {' '.join(line for line in lines if line.startswith('# value'))} {lines[-1] if lines else ''}")


def sanitize(gpu: Gpu) -> None:
    for tool in "memcheck", "racecheck", "synccheck":
        for program in gpu.programs():
            if program.name != "reduction_prim" and not gpu.run(
                    "compute-sanitizer", "--tool", tool, "--error-exitcode", "99", program, "-n", "0,1,1000,300001",
                    "-i", "1", "-w", "1", "-q", "--ceiling", "1", to="sanitizer.log"):
                lines = (gpu.results / "sanitizer.log").read_text(encoding="utf-8").splitlines()
                say("\n".join([f"  {tool} {program.name}: failed"] + [line for line in lines if line.strip("= ")][:8]))
        say(f"  {tool}: done")


def profile(gpu: Gpu) -> None:
    (gpu.results / "profile.txt").write_text("")
    for program in gpu.programs():
        gpu.run(sys.executable, HERE.parent / "profile/profiler.py", gpu.platform, program.name, program, "--size=16M",
                to="profile.txt", add=True)
    gpu.show("profile.txt")


def exercises(gpu: Gpu) -> None:
    gpu.run(sys.executable, HERE / "exercises_on_gpu.py", gpu.folder / "exercises.tar.gz", gpu.results)


def multi(gpu: Gpu) -> None:
    gpu.run(sys.executable, HERE / "on_gpus.py", gpu.program("multi_gpu"), gpu.results)


STEPS = {step.__name__: step for step in (suites, variants, large, sanitize, profile, exercises, multi)}


def main() -> None:
    options = Options(__doc__)
    options.add_argument("folder", type=Path, help="what was built: FOLDER/build/sm_90, and the programs")
    options.add_argument("results", type=Path, help="where logs and measurements go")
    options.add_argument("step", nargs="+", help="in this order")
    options.add_argument("--target", help="build/TARGET; default: the only one, or the first for a GPU")
    given = options.parse_args()
    for step in given.step:
        if step not in STEPS:
            fail(f"no step {step}: {' '.join(STEPS)}")
    gpu = Gpu(given.folder, given.results, given.target)
    if not gpu.programs() and not {"multi", "exercises"}.issuperset(given.step):
        fail(f"no programs in {gpu.folder}: make check-build GPU=sm_90 OUT={given.folder}")
    for step in given.step:
        say(f"{time.strftime('%T')} {step}")
        try:
            STEPS[step](gpu)
        except OSError as error:
            gpu.failed = True
            say(f"  {step}: {error.filename}: {error.strerror}")
    say(f"{time.strftime('%T')} done, exit code {int(gpu.failed)}")
    sys.exit(gpu.failed)


if __name__ == "__main__":
    main()
