#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static checks: shellcheck on every script; clang-tidy (.clang-tidy) on the C sources for the CPU; the same version number
everywhere, and a license line in each source.

    lint.py scripts|c|deep|texts     deep: like c, with clang's analysis across functions; takes four times as long
    lint.py format COMMAND...        runs a formatter on all C and HIP files: clang-format -i
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCES = (".c", ".h", ".hip", ".sh", ".py", ".mk", ".bats", ".bash", ".awk", ".gp", "Makefile")
TIDY = ["-std=c11", "-D_GNU_SOURCE", "-D__HIP_PLATFORM_CPU__", "-DHIP_CPU_TRACE", "-DVARIANT_NAME=reduction_shfl",
        '-DLIBRARY_TARGETS="cpu"', "-I.", "-Icommon", "-Ilibrary", "-Iplatform/cpu", "-Inogpu", "-Inogpu/include"]


def sources(*more: str) -> list[Path]:
    names = subprocess.check_output(["git", "ls-files", "-z", "--cached", *more], text=True).split("\0")
    return [Path(name) for name in names if os.path.isfile(name)]


def scripts() -> bool:
    def check(files: list[Path], *options: str) -> bool:
        return subprocess.run(["shellcheck", "-S", "warning", *options, *files], check=False).returncode == 0

    # Tests share variables with tests/lib, and lists are words; bats ends a test at the first error.
    shell = [path for path in sources() if path.suffix in (".sh", ".bats") or not path.suffix and path.read_bytes().startswith(b"#!/bin/")]
    tests = [path for path in shell if "tests" in path.parts[:-1]]
    return all([check([path for path in shell if path not in tests]),
                check([path for path in tests if path.suffix == ".sh"], "-s", "sh", "-e", "SC2010,SC2034,SC2154"),
                check([path for path in tests if path.suffix == ".bats"],
                      "-s", "bash", "-e", "SC2034,SC2046,SC2128,SC2154,SC2164,SC2178,SC2261")])


def tidy(shallow: list[str]) -> bool:
    # Not what needs mpi.h: clang-tidy would not find it.
    files = [path for path in sources() if path.suffix == ".c" and path.parts[0] in ("common", "bench", "library", "nogpu")
             and "tests" not in path.parts and path.parts[:2] != ("library", "mpi")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return all(list(pool.map(lambda path: subprocess.run(["clang-tidy", "--quiet", path, "--", *TIDY, *shallow],
                                                             stderr=subprocess.DEVNULL, check=False).returncode == 0, files)))


def texts() -> bool:
    version = re.search(r'^#define REDUCTION_VERSION "(.*)"$', Path("common/version.h").read_text(), re.M)[1]
    wrong = [f"common/version.h has {version}: {name} does not" for name, line in (("CITATION.cff", f"version: {version}"), ("CHANGELOG.md", f"## {version}"))
             if line not in Path(name).read_text().splitlines()]
    # People have patches for the exercises: their sources stay as they are.
    wrong += [f"{path}: no line SPDX-License-Identifier: MIT" for path in sources()
              if path.name.endswith(SOURCES) and not re.match(r"reduction_to_fix/(to_fix|\d.*/.*)\.hip$", str(path))
              and "SPDX-License-Identifier: MIT" not in path.read_text(errors="replace")]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return not wrong


def formatted(command: list[str]) -> int:
    files = [path for path in sources("--others", "--exclude-standard") if path.suffix in (".c", ".h", ".cu", ".cuh", ".hip")]
    status = subprocess.run([*command, *files], check=False).returncode
    if status == 0:
        print(f"clang-format: {len(files)} files are formatted")
    return status


CHECKS = {"scripts": scripts, "c": lambda: tidy(["-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"]), "deep": lambda: tidy([]), "texts": texts}

if __name__ == "__main__":
    os.chdir(Path(__file__).parents[2])
    if sys.argv[1:2] == ["format"]:
        sys.exit(formatted(sys.argv[2:]))
    if sys.argv[1:2] and sys.argv[1] in CHECKS:
        sys.exit(not CHECKS[sys.argv[1]]())
    sys.exit("usage: lint.py format|" + "|".join(CHECKS))
