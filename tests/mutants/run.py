#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests on wrong versions of the variants and of library/ (the file `list`), on the CPU: which test rejects them?

    run.py COMMANDS OUT SAMPLE [VARIANT...]     by `make mutants`; COMMANDS compile and link, the programs are in OUT

SAMPLE: how many of them, spread over the list; 0: all. ONLY='121 194-203': these of the list. A mutant whose edit does
not fit any more, that does not compile or that no check rejects is an error: exit code 1. The checks run from the
quickest to the slowest, or as the text suggests, until the first one rejects the mutant:
  contract     test_contract with this variant alone: shapes, options, warps, schedules; first on a device as late as HIP allows
  far          test_far_cpu: elements beyond 2^32
  variants     test_variants on its program
  extras       test_extras, for those with further results
  own          the suite that is named after it
  race         the race tool on its program, with the (OPTIONS) that the text in the list begins with
A file of the library: its suites, from a copy of the tree in which that file is the wrong one."""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from lib.script import TOP, WRONG, fail, say

COMMANDS, OUT = Path(sys.argv[1]), Path(sys.argv[2])
BUILD, TESTS = COMMANDS.parent, COMMANDS.parent / "tests"


class Outcome(Exception):  # the test that rejects a mutant, or ERROR; why
    pass


class Mutant:
    def __init__(self, number: int, place: str, text: str, edit: str) -> None:
        self.number, self.text, self.edit = number, text, edit
        self.name, _, file = place.partition("/")
        self.file, self.variant = file or f"{self.name}.hip", "" if self.name == "library" else f"reduction_{self.name}"
        self.whole = {"REDUCTION_VARIANT": self.variant, "REDUCTION_CHECK": "all" if self.variant else "usual"}

    def run(self, *command: str | Path, **environment: str | Path) -> int:
        with open(self.work / "log", "w", encoding="utf-8") as log:
            return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                  env={**os.environ, **self.whole, **environment}).returncode

    def said(self, pattern: str) -> str:
        """The end of the log's first line that matches, or the log's first line."""
        log = (self.work / "log").read_text(errors="replace")
        found = re.search(f"{pattern}(.*)$", log, re.MULTILINE) or re.search("^(.+)$", log, re.MULTILINE)
        return found[1] if found else ""

    def build(self, command: str, *arguments: str | Path, commands: Path = COMMANDS) -> None:
        if self.run("sh", "-c", f'. "$0" && {command} "$@"', commands, *arguments):
            raise Outcome("ERROR", f"does not compile: {self.said('error: ')}")

    def apply(self, folder: str, to: Path) -> None:
        right = Path(folder, self.file)
        sed = subprocess.run(["sed", "-E", "-z", self.edit, right], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if sed.returncode or sed.stdout == right.read_bytes():
            raise Outcome("ERROR", sed.stderr.decode().strip() or "the edit does not fit any more")
        (to / self.file).write_bytes(sed.stdout)

    def check(self, word: str, *command: str | Path, right: Path | None = None, **environment: str | Path) -> None:
        """A failing mutant is rejected, unless `right` fails, too; a process that computes for two minutes hangs."""
        status = self.run("sh", "-c", 'ulimit -St 120; exec "$@"', "sh", *command, **{"REDUCTION_BIN": OUT, **environment})
        if status == 2:
            raise Outcome("ERROR", f"the check {word} does not run: {self.said('^(?!==)(?=.)')}")
        if status in (-24, 152):  # SIGXCPU, also of a shell's child
            raise Outcome(word, "it does not end")
        if status not in (0, 77):
            why = self.said(r"^(?:race 1|[^ \n]*:[FE]:[^:\n]*:[^:\n]*:[0-9]*): ")
            if right and self.run(right, **{"REDUCTION_BIN": OUT, **environment}):
                raise Outcome("ERROR", f"{word} rejects the right version, too: {why}")
            raise Outcome(word, why)

    def suite(self, name: str, *objects: Path) -> Path:
        self.build("link_program", "-o", self.work / name, TESTS / "lib/suite.o", TESTS / f"variants/test_{name}.o", *objects,
                   f"@{BUILD}/check")
        return self.work / name

    def instances(self) -> Path:
        if not (built := self.work / "contract.o").exists():
            self.build("compile_kernel", *self.flags, "-O1", "-Itests/variants", "-c",
                       "tests/variants/contract/instances.hip", "-o", built)
        return built

    def contract(self) -> None:
        suite = self.suite("contract", self.instances())
        for warp, schedule, late in ("64", "random:1", "1"), ("64", "forward", "0"), ("32", "reverse", "0"):
            self.check("contract", suite, right=TESTS / "test_contract",
                       HIP_CPU_WARP_SIZE=warp, HIP_CPU_SCHEDULE=schedule, HIP_CPU_LATE=late)

    def far(self) -> None:
        self.check("far", self.suite("far_cpu", self.instances()))

    def variants(self) -> None:
        kernels = self.work / "program.o"
        self.build("compile_kernel", *self.flags, "-O1", "-c", "common/instances/instantiate.hip", "-o", kernels)
        self.build("link_variant", self.variant, kernels, self.program)
        self.check("variants", TESTS / "test_variants", self.variant, HIP_CPU_LATE="1", REDUCTION_BIN=self.work / "bin")
        if self.name in ("statistics", "custom", "segmented", "head_flags", "softmax", "atomic"):
            self.check("extras", TESTS / "test_extras", REDUCTION_BIN=self.work / "bin")
        if (TESTS / f"variants/test_{self.name}.o").exists():
            self.check("own", self.suite(self.name, *(TESTS / "variants" / self.name).rglob("*.o"), kernels))

    def race(self) -> None:
        traced, kernels, options = os.environ["TRACED"], self.work / "traced.o", re.match(r"(?:\((.*?)\))?", self.text)[1] or ""
        self.build("compile_kernel", *self.flags, "-c", "common/instances/instantiate.hip", "-o", kernels, commands=traced)
        self.build("link_variant", self.variant, kernels, self.program, commands=traced)
        self.check("race", os.environ["NOGPU_BUILD"] + "/nogpu_report", "run", "race", self.program, *f"--quiet -i 1 -w 0 -n 10007 {options}".split(),
                   GRID_BARRIER="release")

    def try_variant(self) -> None:
        folder = self.work / "bin" / self.variant
        folder.mkdir(parents=True)
        self.program = folder / self.variant
        self.flags = [f"-I{folder}", "-w", f"-DVARIANT_NAME={self.variant}", f'-DVARIANT_SOURCE="{self.name}.hip"']
        for path in set(OUT.glob("reduction_*")) - {OUT / self.variant}:
            (self.work / "bin" / path.name).symlink_to(path)
        subprocess.run(["cp", *Path(self.variant).glob("*.h*"), folder], check=True)
        self.apply(self.variant, folder)
        likely = (self.race if re.search(r"^\(|fence|acquire|any others|ordinary", self.text) else
                  self.far if re.search(" 3[12] bits", self.text) else self.contract)
        for check in sorted([self.contract, self.far, self.variants, self.race], key=lambda check: check != likely):
            check()

    def try_library(self) -> None:
        build = self.work / "build" / BUILD.name
        build.parent.mkdir()
        subprocess.run(["cp", "-Rp", BUILD, build], check=True)
        copied = "Makefile config.mk bench common library nogpu platform tests tools".split()
        subprocess.run(["cp", "-Rp", *copied, *Path().glob("reduction_*"), self.work], check=True)
        self.apply("library", self.work / "library")
        for path in build.rglob("*.d"):
            path.write_text(path.read_text().replace(f"{BUILD}/", f"build/{BUILD.name}/").replace(f"{TOP}/", ""))
        for warp in "64", "32":
            for part in "_devices_cpu", "_failures_cpu", "_narrow", "_moments", "_segments", "_lines", "", "_places":
                suite = f"build/{BUILD.name}/tests/test_library{part}"
                if warp == "64":
                    self.build("$MAKE -s", "-C", self.work, "GPU=cpu", "OUT=.", suite)
                self.check("library", self.work / suite, HIP_CPU_WARP_SIZE=warp, HIP_CPU_LATE="1")

    def outcome(self) -> str:
        word, why = "SURVIVES", ""
        with tempfile.TemporaryDirectory() as folder:
            self.work = Path(folder)
            try:
                self.try_variant() if self.variant else self.try_library()
            except Outcome as ended:
                word, why = ended.args
        say(f"{word:<9} {self.number:3} {self.name:<19} {self.text}" + (f": {why[:150]}" if why else "") + "\n", end="")
        return word


def main() -> None:
    sample, variants = int(sys.argv[3]), sys.argv[4:]
    entries = re.findall(r"^([^\s#](?:,\n|\S)*) +(.*?)(?: :: |\n +)(.*)", (TOP / "tests/mutants/list").read_text(), re.MULTILINE)
    lines = [(place, text, edit) for places, text, edit in entries for place in re.split(r",\s*", places)]
    ranges = [(word.split("-") * 2)[:2] for word in (os.environ.get("ONLY") or f"1-{len(lines)}").split()]
    if not all(n.isdigit() and 0 < int(n) <= len(lines) for both in ranges for n in both):
        fail(f"ONLY={os.environ['ONLY']}: the list has 1-{len(lines)}", WRONG)
    mutants = [Mutant(n, *lines[n - 1]) for first, last in ranges for n in range(int(first), int(last) + 1)]
    mutants = [mutant for mutant in mutants if not variants or mutant.name in variants]
    mutants = mutants[::-(-len(mutants) // (sample or len(lines))) or 1]
    if variants and not mutants:
        say(f"the list has no mutant of {' or '.join(variants)}")
        return
    # The tests must accept the right versions, or they would reject everything.
    environment = {**os.environ, "REDUCTION_BIN": str(OUT),
                   "REDUCTION_VARIANT": " ".join(f"reduction_{name}" for name in variants)}
    for suite in [TESTS / "test_contract"], [TESTS / "test_variants", "reduction_no_striding"]:
        if subprocess.run(suite, stdout=subprocess.DEVNULL, env=environment).returncode:
            fail("the variants as they are do not pass; make check says why", WRONG)
    traced = subprocess.run("$MAKE -s traced GPU=cpu", shell=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if traced.returncode:
        fail("what the race tool needs does not build: make traced GPU=cpu says why", WRONG)
    os.environ["TRACED"] = str(TOP / traced.stdout.splitlines()[-1])
    with ThreadPoolExecutor(int(os.environ.get("REDUCTION_JOBS") or len(os.sched_getaffinity(0)))) as pool:
        words = Counter(pool.map(Mutant.outcome, mutants))
    wrong = words.pop("SURVIVES", 0), words.pop("ERROR", 0)
    say(f"{len(mutants)} mutants: {sum(words.values())} rejected" + "".join(f", {n} by {word}" for word, n in words.items()) +
        f"; {wrong[0]} survive, {wrong[1]} do not fit")
    sys.exit(any(wrong) or not mutants)


if __name__ == "__main__":
    main()
