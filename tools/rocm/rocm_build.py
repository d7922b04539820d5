#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The part of rocm_matrix.py that runs inside a release: compiles the programs for every target that this hipcc knows,
and writes rows ("target program word seconds"), complaints and version to --out."""
from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import TOP, Options, say

KERNEL = "#include <hip/hip_runtime.h>\n__global__ void k(double *x) { x[threadIdx.x] += 1; }\n"


def run(*command: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


class Matrix:
    """The build folder, and rows and complaints, written at once because a run may be interrupted."""

    def __init__(self, out: Path) -> None:
        out.mkdir(exist_ok=True)
        self.out, self.rows, self.complaints = out, out / "rows", out / "complaints"
        self.rows.write_text("")
        self.complaints.write_text("")

    def build(self, *words: str) -> subprocess.CompletedProcess:
        return run("make", f"-j{len(os.sched_getaffinity(0))}", "-k", f"OUT={self.out}", "WERROR=1", *words)

    def row(self, target: str, program: str, word: str, took: float) -> None:
        with open(self.rows, "a", encoding="utf-8") as out:
            print(target, program, word, f"{took:.0f}", file=out)

    def complain(self, text: str) -> None:
        with open(self.complaints, "a", encoding="utf-8") as out:
            print(text.rstrip("\n"), file=out)


def seconds() -> float:
    """Processor time of all commands until now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def known(matrix: Matrix, target: str, wanted: list[str]) -> bool:
    (matrix.out / "k.hip").write_text(KERNEL)
    said = run("hipcc", f"--offload-arch={target}", "-c", matrix.out / "k.hip", "-o", matrix.out / "k.o")
    for program in wanted if said.returncode else ():
        matrix.row(target, program, "no-device-library" if "device library" in said.stdout else "unknown", 0)
    return said.returncode == 0


def goal_of(program: str) -> str:
    return "library" if program == "libreduction" else f"reduction_{program}"


def objects_of(program: str, folder: Path) -> list[Path]:
    """Those with kernels; hello is compiled without instantiate.hip."""
    if program == "libreduction":
        return sorted(path for path in (folder / "library").glob("*.o") if b"hip_fatbin" in path.read_bytes()
                      and path.name != "joined.o")
    whole = folder / goal_of(program) / f"reduction_{program}.o"
    return [whole if whole.exists() else whole.with_name(f"{program}.o")]


def inspect(matrix: Matrix, program: str, folder: Path, target: str) -> bool:
    """Does the machine code meet the expectations?"""
    met = True
    for path in objects_of(program, folder):
        said = run(sys.executable, "tools/code/codegen.py", "--expect", "amd", "hipcc", path.stem.replace("reduction_", ""), path,
                   target)
        if said.returncode:
            matrix.complain(said.stdout)
            met = False
    return met


def build_programs(matrix: Matrix, wanted: list[str], target: str) -> None:
    """One by one, so that each has its time. What needs rocPRIM is left out where rocPRIM does not compile."""
    users = [program for program in wanted if (prelude := TOP / f"reduction_{program}/prelude.h").exists()
             and "rocprim/" in prelude.read_text()]
    lacks = users and run("hipcc", f"--offload-arch={target}", "-std=c++17", "-c", "platform/amd/rocprim_probe.hip", "-o",
                          matrix.out / "k.o").returncode != 0
    folder = matrix.out / "build" / target
    for program in wanted:
        if lacks and program in users:
            matrix.row(target, program, "library", 0)
            continue
        begun = seconds()
        said = matrix.build(f"GPU={target}", goal_of(program))
        took = seconds() - begun
        if said.returncode == 0:
            matrix.row(target, program, "ok" if inspect(matrix, program, folder, target) else "CODE", took)
        else:
            matrix.row(target, program, "FAIL", took)
            matrix.complain("\n".join([line for line in said.stdout.splitlines() if "error" in line][:3]))


def start_programs(matrix: Matrix, wanted: list[str]) -> None:
    """Without a GPU the programs must say so. hello takes numbers."""
    for program in wanted:
        path = matrix.out / f"reduction_{program}" / f"reduction_{program}"
        if path.exists():
            said = run(path, *(["1", "2"] if program == "hello" else ["-n", "1K"]))
            if said.returncode != 77 or len(said.stdout.splitlines()) != 1:
                matrix.complain(f"{path} without a GPU: exit code {said.returncode}, {said.stdout.splitlines()[:1]}")


def other_ways(matrix: Matrix, targets: list[str]) -> None:
    """Other compilers for the host part, and one compressed binary for all targets."""
    clang = sorted(Path("/usr/bin").glob("clang-[0-9]*"))
    for compiler in ["gcc"] + [str(path) for path in clang[:1]]:
        for standard in "c11", "c17":
            what = f"host part with {compiler} as {standard}"
            if matrix.build(f"GPU={targets[0]}", f"CC={compiler}", f"CFLAGS=-std={standard}", "VARIANTS=shfl", "all").returncode:
                matrix.complain(f"{what}: FAILED")
            else:
                say(f"{what}: ok")
    one_kernel = [f"--offload-arch={targets[0]}", "-c", matrix.out / "k.hip", "-o", matrix.out / "k.o"]
    if run("hipcc", "--offload-compress", *one_kernel).returncode:
        say("compressed binaries: not supported by this hipcc")
    elif matrix.build(f"GPU={' '.join(targets)}", "HIPFLAGS=--offload-compress", "reduction_shfl").returncode:
        matrix.complain("one compressed binary for all targets: FAILED")
    else:
        size = (matrix.out / "reduction_shfl/reduction_shfl").stat().st_size
        say(f"one binary for all targets, compressed: {size} bytes")


def main() -> None:
    options = Options(__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--targets", required=True)
    options.add_argument("--out", type=Path, default=Path("/out"))
    options.add_argument("wanted", nargs="+")
    given = options.parse_args()
    matrix = Matrix(given.out)
    version = run("hipcc", "--version").stdout
    found = [re.search(pattern, version) for pattern in (r"(HIP) version: (\d+\.\d+)", r"(clang) version ([\d.]+)")]
    (matrix.out / "version").write_text(" ".join(f"{name[1]} {name[2]}" for name in found if name))
    targets = [target for target in given.targets.split() if known(matrix, target, given.wanted)]
    for target in targets:
        build_programs(matrix, given.wanted, target)
    if targets:
        start_programs(matrix, given.wanted)
    if targets and not given.quick:
        other_ways(matrix, targets)


if __name__ == "__main__":
    main()
