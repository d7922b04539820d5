#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reduction_multi_gpu on a machine with several GPUs: is it right, and how does it scale? The step `multi` of on_gpu.py.
The important measurements come first.

    RESULTS/multi-*.csv     what was measured; RESULTS/multi.txt the summary: times, ratios and limits
    RESULTS/multi-bits.txt  values of tree and binned with every way to combine, and of reduction_reproducible
    RESULTS/multi.log       every check, compute-sanitizer's too, if it is installed

Ranks are threads, and processes of MPI if there is an mpirun with the libmpi of the build. NCCL may be missing, too.
reduction_reproducible should be next to PROGRAM."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "bench/scaling")]
from lib.script import Options, fail, find_program, say
from scaling_table import table

STEPS = ["measure", "right", "bits", "memcheck"]
TABLES = ["threads-double", "direct-double", "mpi-double", "threads-float", "direct-float", "mpi-float"]


class Gpus:
    """The program, the ways to start it, the log, and whether anything failed."""

    def __init__(self, given) -> None:
        self.program, self.results, self.given = str(given.program), given.results, given
        self.failed = False
        self.results.mkdir(parents=True, exist_ok=True)
        self.log = open(self.results / "multi.log", "w", encoding="utf-8", buffering=1)
        devices = self.run([self.program, "--list-devices"])
        self.gpus = len(re.findall(r"^ *\d", devices.stdout, re.MULTILINE))
        self.log.write(devices.stdout)
        for command in ("nvidia-smi topo -m", "rocm-smi --showtopo", "uname -a", "lscpu"):
            if shutil.which(command.split()[0]):
                self.log.write(self.run(command.split()).stdout)
        self.mpi = self.find_mpi() if self.gpus else []
        self.peer = ["--peer"] if self.gpus else []
        if self.gpus and self.run([self.program, *"-n 1000 -i 1 -w 0 -q --peer".split()]).returncode:
            self.say(f"  no comparison with the vendor's library: {self.last}")
            self.peer = []

    def say(self, text: str) -> None:
        line = f"{time.strftime('%T')} {text}"
        say(line)
        self.log.write(line + "\n")

    def wrong(self, text: str) -> None:
        self.failed = True
        self.say(f"  FAILED: {text}")

    def run(self, command: list[str]) -> subprocess.CompletedProcess:
        """Runs a command within the time limit; its messages go to the log."""
        try:
            ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                 timeout=self.given.seconds)
        except subprocess.TimeoutExpired as ended:
            text = ended.stdout or ""
            ran = subprocess.CompletedProcess(command, 124, text if isinstance(text, str) else text.decode(), "")
        self.log.write(ran.stderr)
        self.last = ([line for line in (ran.stdout + ran.stderr).splitlines() if line.strip()] or [""])[-1]
        return ran

    def find_mpi(self) -> list[str]:
        """mpirun with the library that the module needs, whose folder may not be in the linker's path."""
        module = Path(self.program).with_name("multi_gpu_mpi.so")
        mpirun = self.given.mpirun or find_program("mpirun", "/usr/local/mpi/bin", "/opt/hpcx/ompi/bin",
                                                   "/opt/amazon/openmpi/bin")
        if not mpirun or not module.exists():
            self.say(f"  no mpirun here, or no {module}: threads alone")
            return []
        words = shlex.split(mpirun)
        prefixes = [Path(shutil.which(words[0]) or words[0]).resolve().parents[1], Path(words[0]).parents[1]] \
            if "/" in words[0] or shutil.which(words[0]) else []
        folders = [str(prefix / name) for prefix in prefixes for name in ("lib", "lib64") if (prefix / name).is_dir()]
        os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(folders + list(filter(None, [os.environ.get("LD_LIBRARY_PATH")])))
        version = self.run([*words, "--version"]).stdout
        self.log.write(version + self.run(["ldd", str(module)]).stdout)
        mpi = [*words, "-n", str(self.gpus)]
        if re.search("Open.*MPI", version):
            mpi += "--allow-run-as-root --oversubscribe --bind-to none".split()
        if self.run([*mpi, self.program, *"-n 1000 -i 1 -w 0 -q".split()]).returncode:
            self.say(f"  MPI does not work here, its measurements are skipped: {self.last}")
            return []
        return mpi

    def csv(self, name: str) -> Path:
        return self.results / f"multi-{name}.csv"

    def measure_one(self, name: str, command: list[str]) -> None:
        start = time.monotonic()
        ran = self.run([*command, "-f", "csv"])
        self.csv(name).write_text(ran.stdout)
        self.say(f"  {name}: exit code {ran.returncode}, {max(ran.stdout.count(chr(10)) - 1, 0)} sizes, "
                 f"{time.monotonic() - start:.0f} s")
        if ran.returncode:
            self.wrong(" ".join(command))

    def right_one(self, *options: str) -> None:
        """A quick run of several sizes, which must be right."""
        ran = self.run([self.program, *options, *"-i 2 -w 1 -q".split()])
        self.log.write(ran.stdout)
        if ran.returncode:
            self.wrong(f"exit code {ran.returncode} of {self.program} {' '.join(options)}")

    def values(self, command: list[str]) -> str:
        return " ".join(re.findall(r'"value": ([^,]*),', self.run(command).stdout))


def measure(g: Gpus) -> None:
    timing = ["-i", str(g.given.iterations)]
    every, few = ["-n", g.given.sizes, *timing], ["-n", g.given.few, *timing]
    for kind in "double", "float":
        of = [] if kind == "double" else ["-t", kind]
        g.measure_one(f"threads-{kind}", [g.program, *of, *every, *g.peer])
        for combine in ("direct", "mpi") if g.mpi else ():
            g.measure_one(f"{combine}-{kind}", [*g.mpi, g.program, "--combine", combine, *of, *every, *g.peer])
    for method in "tree", "binned":
        g.measure_one(f"{method}-double", [g.program, "--method", method, *few])
    for method in ("plain", "tree", "binned") if g.peer else ():
        g.measure_one(f"rccl-{method}-double", [g.program, "--combine", "rccl", "--method", method, *few])


def summarize(g: Gpus) -> None:
    """The tables of these measurements and earlier ones."""
    text = "".join(table(g.csv(name), name) for name in TABLES if g.csv(name).exists() and g.csv(name).stat().st_size)
    (g.results / "multi.txt").write_text(text)
    g.log.write(text)
    say(text, end="")


def right(g: Gpus) -> None:
    g.say("right results: types, operations, methods")
    large = str(g.given.large)
    sizes = ["-p", "mixed", "-n", f"0,1,2,4097,1000003,{large}"]
    for kind in "float", "double", "int", "long":
        for op in "sum", "min", "max":
            g.right_one("-t", kind, "-o", op, *sizes)
        g.right_one("-t", kind, *sizes, "--method", "tree")
    g.right_one("-t", "float", *sizes, "--method", "binned")
    g.right_one("-t", "double", "-n", f"1,4097,1000003,{large}", "--method", "binned", "--folds", "2", "--offset", "1")
    for op in ("min", "max") if g.peer else ():
        g.right_one("-t", "float", "-o", op, "--combine", "rccl", "-p", "mixed", "-n", "0,1,1000003")


def bits(g: Gpus) -> None:
    alone = Path(g.program).parents[1] / "reduction_reproducible/reduction_reproducible"
    if not os.access(alone, os.X_OK):
        g.say(f"  {alone} not found: its bits are not compared")
        return
    g.say("the same bits: every way to combine, 1 rank and all")
    with open(g.results / "multi-bits.txt", "w", encoding="utf-8") as out:
        for kind, method in (("double", "tree"), ("double", "binned"), ("float", "tree"), ("float", "binned")):
            options = ["-t", kind, "--method", method, "-p", "mixed", "-n", f"1,4097,1000003,{g.given.large}",
                       *"-i 2 -w 1 -f json".split()]
            expected = g.values([str(alone), *options])
            print(f"{f'{kind} {method}, reproducible':<40} {expected}", file=out)
            if not expected:
                g.wrong(f"no value: {alone} {' '.join(options)}")
            ways = [(f"{g.gpus} threads, direct", [g.program])]
            if g.peer:
                ways.append((f"{g.gpus} threads, rccl", [g.program, "--combine", "rccl"]))
            for combine in ["mpi", "direct"] + (["rccl"] if g.peer else []) if g.mpi else []:
                ways.append((f"{g.gpus} processes, {combine}", [*g.mpi, g.program, "--combine", combine]))
            if kind == "double":
                ways.append(("1 thread, direct", [g.program, "--gpus", "1"]))
                if g.peer:
                    ways.append(("1 thread, rccl", [g.program, "--gpus", "1", "--combine", "rccl"]))
            for way, command in ways:
                got = g.values([*command, *options])
                print(f"{f'{kind} {method}, {way}':<40} {got}", file=out)
                if got != expected:
                    g.wrong(f"other bits: {' '.join([*command, *options])}")


def memcheck(g: Gpus) -> None:
    """Runs everything once under compute-sanitizer. NCCL asks the driver for features that it may lack: such calls are not
    our errors."""
    sanitizer = find_program("compute-sanitizer", "/usr/local/cuda/bin")
    if not sanitizer:
        return
    g.say("compute-sanitizer memcheck")
    check = [sanitizer, *"--tool memcheck --report-api-errors no --error-exitcode 9".split(), g.program]

    def clean(*command: str) -> None:
        ran = g.run([*command, *"-n 1,70001 -i 1 -w 0 -q".split()])
        if ran.returncode:
            g.log.write(ran.stdout)
            g.wrong(f"exit code {ran.returncode} of {' '.join(command)}")
        else:
            g.log.write("".join(f"{line}\n" for line in ran.stdout.splitlines() if "ERROR SUMMARY" in line))
            g.say(f"  clean: {' '.join(command).split(g.program)[-1]}")

    for method in "plain", "tree", "binned":
        clean(*check, "--method", method)
        if g.peer:
            clean(*check, "--method", method, "--combine", "rccl")
        if g.mpi:
            clean(*g.mpi, *check, "--method", method, "--combine", "mpi")
    if g.peer:
        clean(*check, "--combine", "rccl", "-o", "max")


def main() -> None:
    options = Options(__doc__)
    options.add_argument("program", type=Path, help="reduction_multi_gpu/reduction_multi_gpu")
    options.add_argument("results", type=Path)
    options.add_argument("--steps", default=",".join(STEPS), help="some of them (%(default)s)")
    options.add_argument("--sizes", default="4K..2G", help="(%(default)s)")
    options.add_argument("--few", default="4K,64K,1M,16M,256M,1G,2G",
                         help="sizes of the measurements that matter less (%(default)s)")
    options.add_argument("--large", type=int, default=100000007, help="elements in the checks (%(default)s)")
    options.add_argument("--iterations", type=int, default=100, help="(%(default)s)")
    options.add_argument("--seconds", type=float, default=60, help="limit of each run (%(default)s)")
    options.add_argument("--mpirun", help="default: the one in PATH")
    given = options.parse_args()
    steps = given.steps.split(",")
    for step in steps:
        if step not in STEPS:
            fail(f"no step {step}: {','.join(STEPS)}")
    if not os.access(given.program, os.X_OK):
        fail(f"{given.program} not found: make reduction_multi_gpu")
    g = Gpus(given)
    if not g.gpus:
        g.wrong("no devices")
        sys.exit(1)
    g.say(f"{g.gpus} devices, sizes {given.sizes}")
    if "measure" in steps:
        measure(g)
    summarize(g)
    for name, step in (("right", right), ("bits", bits), ("memcheck", memcheck)):
        if name in steps:
            step(g)
    g.say("multi: all right" if not g.failed else "multi: FAILED")
    sys.exit(g.failed)


if __name__ == "__main__":
    main()
