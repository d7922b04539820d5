#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The part of rocm_matrix.py that runs inside a release: compiles the programs for every target that this hipcc knows,
and writes rows ("target program word"), complaints and version to --out."""
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
        return run("make", f"-j{os.cpu_count()}", "-k", f"OUT={self.out}", "WERROR=1", *words)

    def row(self, target: str, program: str, word: str) -> None:
        with open(self.rows, "a", encoding="utf-8") as out:
            print(target, program, word, file=out)

    def complain(self, text: str) -> None:
        with open(self.complaints, "a", encoding="utf-8") as out:
            print(text.rstrip("\n"), file=out)


def known_targets(matrix: Matrix, targets: list[str], wanted: list[str]) -> list[str]:
    (matrix.out / "k.hip").write_text(KERNEL)
    known = []
    for target in targets:
        said = run("hipcc", f"--offload-arch={target}", "-c", matrix.out / "k.hip", "-o", matrix.out / "k.o")
        if said.returncode == 0:
            known.append(target)
            continue
        for program in wanted:
            matrix.row(target, program, "no-device-library" if "device library" in said.stdout else "unknown")
    return known


def goal_of(program: str) -> str:
    return "library" if program == "libreduction" else f"reduction_{program}"


def result_of(program: str, folder: Path) -> Path:
    return folder / goal_of(program) / ("libreduction.so" if program == "libreduction" else goal_of(program))


def objects_of(program: str, folder: Path) -> list[Path]:
    """Those with kernels; hello is compiled without instantiate.hip."""
    if program == "libreduction":
        return sorted(path for path in (folder / "library").glob("*.o") if b"hip_fatbin" in path.read_bytes()
                      and path.name != "joined.o")
    whole = folder / goal_of(program) / f"reduction_{program}.o"
    return [whole if whole.exists() else whole.with_name(f"{program}.o")]


def inspect(matrix: Matrix, program: str, folder: Path, targets: list[str]) -> None:
    """Compares the machine code with the expectations."""
    wrong = set()
    for path in objects_of(program, folder):
        name = path.stem.replace("reduction_", "")
        said = run(sys.executable, "tools/code/codegen.py", "--expect", "amd", "hipcc", name, path, *targets)
        if said.returncode:
            matrix.complain(said.stdout)
            apart = not re.search("^codegen: |no kernel fits", said.stdout, re.MULTILINE)
            wrong |= {target for target in targets if not apart or f"{name} {target}, " in said.stdout}
    for target in targets:
        matrix.row(target, program, "CODE" if target in wrong else "ok")


def build_programs(matrix: Matrix, wanted: list[str], known: list[str]) -> None:
    """Builds programs that need rocPRIM for the targets for which rocPRIM compiles."""
    users = [program for program in wanted if (prelude := TOP / f"reduction_{program}/prelude.h").exists()
             and "rocprim/" in prelude.read_text()]
    probe = ["-std=c++17", "-c", "platform/amd/rocprim_probe.hip", "-o", matrix.out / "k.o"]
    library = [target for target in known if users and run("hipcc", f"--offload-arch={target}", *probe).returncode == 0]
    plain = [program for program in wanted if program not in users]
    for programs, targets in ((plain, known), (users, library)):
        if programs and targets:
            matrix.build(f"GPU={' '.join(targets)}", *map(goal_of, programs))
    for program in wanted:
        having = library if program in users else known
        for target in known:
            if target not in having:
                matrix.row(target, program, "library")
        if not having:
            continue
        folder = matrix.out / "build" / run("sh", "platform/target.sh", " ".join(having)).stdout.split()[1]
        built = result_of(program, folder)
        if built.exists() and built.stat().st_size:
            inspect(matrix, program, folder, having)
            continue
        for target in having:  # which of them is it?
            alone = result_of(program, matrix.out / "build" / target)
            if alone.exists():
                alone.unlink()
            said = matrix.build(f"GPU={target}", goal_of(program))
            if alone.exists() and alone.stat().st_size:
                inspect(matrix, program, matrix.out / "build" / target, [target])
            else:
                matrix.row(target, program, "FAIL")
                matrix.complain("\n".join([line for line in said.stdout.splitlines() if "error" in line][:3]))


def start_programs(matrix: Matrix, wanted: list[str]) -> None:
    """Without a GPU the programs must say so. hello takes numbers."""
    for program in wanted:
        path = matrix.out / f"reduction_{program}" / f"reduction_{program}"
        if path.exists():
            said = run(path, *(["1", "2"] if program == "hello" else ["-n", "1K"]))
            if said.returncode != 77 or len(said.stdout.splitlines()) != 1:
                matrix.complain(f"{path} without a GPU: exit code {said.returncode}, {said.stdout.splitlines()[:1]}")


def other_ways(matrix: Matrix, known: list[str]) -> None:
    """Other compilers for the host part, and one compressed binary for all targets."""
    clang = sorted(Path("/usr/bin").glob("clang-[0-9]*"))
    for compiler in ["gcc"] + [str(path) for path in clang[:1]]:
        for standard in "c11", "c17":
            what = f"host part with {compiler} as {standard}"
            if matrix.build(f"GPU={known[0]}", f"CC={compiler}", f"CFLAGS=-std={standard}", "VARIANTS=shfl", "all").returncode:
                matrix.complain(f"{what}: FAILED")
            else:
                say(f"{what}: ok")
    one_kernel = [f"--offload-arch={known[0]}", "-c", matrix.out / "k.hip", "-o", matrix.out / "k.o"]
    if run("hipcc", "--offload-compress", *one_kernel).returncode:
        say("compressed binaries: not supported by this hipcc")
    elif matrix.build(f"GPU={' '.join(known)}", "HIPFLAGS=--offload-compress", "reduction_shfl").returncode:
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
    known = known_targets(matrix, given.targets.split(), given.wanted)
    version = run("hipcc", "--version").stdout
    found = [re.search(pattern, version) for pattern in (r"(HIP) version: (\d+\.\d+)", r"(clang) version ([\d.]+)")]
    (matrix.out / "version").write_text(" ".join(f"{name[1]} {name[2]}" for name in found if name))
    build_programs(matrix, given.wanted, known)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    say(f"{len(known)} targets, {len(given.wanted)} programs: {used.ru_utime + used.ru_stime:.0f} s of processor time")
    start_programs(matrix, given.wanted)
    if not given.quick and known:
        other_ways(matrix, known)


if __name__ == "__main__":
    main()
