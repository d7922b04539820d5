#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds what is measured on a machine without a compiler, and packs it.

    tools/measure/for_gpu.py exercises GPU FOLDER [NUMBER...]   for `on_gpu.py FOLDER RESULTS exercises`: the judge, a
                                                                runner for each case of the bank, and a list of them
    tools/measure/for_gpu.py results GPU FOLDER [CUB]           for results_on_gpu.py: programs, libreduction, exercises,
                                                                and explain's counts

GPU      sm_90, gfx90a; cpu tests the procedure without a GPU
NUMBER   only these exercises
CUB      a checkout of NVIDIA/cccl, to measure its CUB next to the toolkit's
WRONG=10 in the environment: only ten wrong fixes, spread evenly, and no right ones

exercises takes some minutes on two cores, results half an hour. Only what is older than its source is built again."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "reduction_to_fix")]
import bank
from lib.script import TOP, Options, fail

CORES = os.cpu_count() or 1
# Of a GPU's compiler, which refuses what is the other vendor's.
FOREIGN = {"sm": r"__hip_atomic|__builtin_", "gf": r"cuda_runtime\.h"}


def make(gpu: str, *words: str, **named) -> int:
    return subprocess.run([os.environ.get("MAKE", "make"), "-s", f"GPU={gpu}", *words], cwd=TOP, **named).returncode


def put(file: Path, to: Path) -> None:
    """Copies a file, stripped where it is a program."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, to)
    subprocess.run(["strip", to], stderr=subprocess.DEVNULL)


def chosen(cases: list, gpu: str, wanted: int) -> list:
    """Without wrong fixes that no GPU reveals, those that must not compile, and those for the other vendor's compiler."""
    foreign = FOREIGN.get(gpu[:2])
    kept = [(number, name, kind, source, words) for number, name, kind, source, words in cases
            if not (foreign and kind != "shipped" and re.search(foreign, source.read_text()))
            and not words[1].startswith("compile") and (kind != "wrong" or list(words[1:3]) != ["solved", "solved"])]
    kept.sort(key=lambda case: (case[2], case[1]))
    if not wanted:
        return kept
    wrong = [case for case in kept if case[2] == "wrong"]
    spread = [case for n, case in enumerate(wrong) if (n + 1) * wanted // len(wrong) > n * wanted // len(wrong)]
    return [case for case in kept if case[2] in ("shipped", "solution") or case in spread]


def exercises(gpu: str, out: Path, numbers: list[str]) -> None:
    if not (TOP / "reduction_to_fix/01_to_fix/solution.patch").exists():
        fail("the solutions are not part of this copy")
    work = out / "build" / gpu / "exercises"
    pack = work / "pack"
    shutil.rmtree(pack, ignore_errors=True)
    pack.mkdir(parents=True)
    cases = chosen(bank.write(work / "sources", numbers), gpu, int(os.environ.get("WRONG", 0)))
    if not cases:
        fail(f"no such exercise: {' '.join(numbers)}")

    def build(case: tuple, *goals: str) -> None:  # compilers for GPUs print a lot: shown only on failure
        number, name, kind, source, _ = case
        words = [f"SOURCE={source.relative_to(TOP) if kind == 'shipped' else source}", f"WORK={work / name}", *goals]
        with open(work / f"{name}.log", "w+", encoding="utf-8") as log:
            if make(gpu, f"OUT={out}", f"EX={number}", *words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT):
                log.seek(0)
                fail(f"{log.read()}{source} does not compile for {gpu}", 1)

    build(cases[0], "exercise-judge", "exercise-runner")  # and what all share
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda case: build(case, "-j1", "exercise-runner"), cases))
    shutil.copy(work / cases[0][1] / "judge", pack / "judge")
    (pack / "target").write_text(gpu + "\n")  # says how many lanes a warp has
    (pack / "cases").write_text("".join("\t".join([str(number), name, kind, str(source), *words]) + "\n"
                                        for number, name, kind, source, words in cases))
    for number, name, *_ in cases:
        shutil.copy(next((TOP / "reduction_to_fix").glob(f"{number:02}_*/exercise.txt")), pack / f"{name}.txt")
        put(work / name / "runner", pack / name)
    packed = out / "exercises.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        tar.add(pack, ".")
    print(f"{packed}: {len(cases)} cases, {packed.stat().st_size >> 10} KiB")


def results(gpu: str, out: Path, cub: list[str]) -> None:
    def build(*words: str) -> None:
        if make(gpu, f"-j{os.environ.get('JOBS', CORES)}", *words):
            sys.exit(1)

    def tool(name: str, *words: object) -> None:
        if subprocess.run([sys.executable, f"tools/measure/{name}", *map(str, words)], cwd=TOP).returncode:
            sys.exit(1)

    build(f"OUT={out}", "all", f"{out}/build/{gpu}/bin/facts", "library", "library-speed")
    if cub:
        header = (Path(cub[0]) / "cub/cub/version.cuh").read_text()
        number = int(re.search(r"#define CUB_VERSION (\d+)", header)[1])
        version, newest = f"{number // 100000}{number // 100 % 1000}", out / "newest"
        build(f"OUT={newest}/build", "NVCCFLAGS=" + " ".join(f"-I{cub[0]}/{part}" for part in ("cub", "thrust", "libcudacxx/include")),
              "reduction_prim", "library-speed")
        shutil.copy(newest / "build/reduction_prim/reduction_prim", newest / f"prim{version}")
        shutil.copy(newest / f"build/build/{gpu}/library/library-speed", newest / f"library-speed{version}")
    tool("bars.py", "build", gpu, out / "bars")
    tool("explain_on_gpu.py", "count", out, gpu)
    os.environ["WRONG"] = "10"
    exercises(gpu, out, [])

    pack = out / "pack"
    shutil.rmtree(pack, ignore_errors=True)
    (pack / "newest").mkdir(parents=True)
    files = [f"build/{gpu}/{name}" for name in ("bin/run", "bin/device", "bin/facts", "library/libreduction.so", "library/library-speed")]
    for pattern in ("reduction_*/reduction_*", "bars/reduction_*/reduction_*", "bars/[0-9]*_solution", "bars/[0-9]*_fast", "newest/*[0-9]"):
        files += [str(file.relative_to(out)) for file in out.glob(pattern)
                  if file.is_file() and os.access(file, os.X_OK) and not file.name.endswith(("hello", "multi_gpu"))]
    for file in files:
        put(out / file, pack / file)
    for name in ("counted.txt", "exercises.tar.gz"):
        if (out / name).exists():
            shutil.copy(out / name, pack)
    with tarfile.open(out / "measured.tar.xz", "w:xz", preset=1) as tar:
        tar.add(pack, ".")
    shutil.rmtree(pack)
    print(f"{out}/measured.tar.xz: {(out / 'measured.tar.xz').stat().st_size >> 10} KiB")


def main() -> None:
    options = Options(__doc__)
    options.add_argument("what", choices=["exercises", "results"])
    options.add_argument("gpu", metavar="GPU")
    options.add_argument("folder", metavar="FOLDER", type=Path)
    options.add_argument("more", nargs="*")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    {"exercises": exercises, "results": results}[given.what](given.gpu, given.folder.resolve(), given.more)


if __name__ == "__main__":
    main()
