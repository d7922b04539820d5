#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies this tree, to edit and build there, for users who cannot write here. `make copy TO=DIR` runs it.

    copy.py DIR               the whole tree, without what was built
    copy.py DIR VARIANT...    what these variants need; if DIR is such a copy, adds these variants

Does not copy the exercises' solutions and the wrong fixes for testing. Never overwrites files.
"""
from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from pathlib import Path
from typing import NoReturn

TOP = Path(__file__).resolve().parents[2]


def fail(text: str, status: int = 2) -> NoReturn:
    print(f"make copy: {text}", file=sys.stderr)
    sys.exit(status)


def copy(name: str, to: Path) -> None:
    """A file or folder, writable."""
    def one(source: str, target: str) -> None:
        shutil.copy(source, target)
        os.chmod(target, os.stat(target).st_mode | stat.S_IWUSR)

    try:
        to.mkdir(parents=True, exist_ok=True)
        if not os.path.isdir(name):
            return one(name, str(to / name))
        shutil.copytree(name, to / name, symlinks=True, copy_function=one)
        for folder, _, _ in os.walk(to / name):
            os.chmod(folder, os.stat(folder).st_mode | stat.S_IWUSR)
        if name.startswith("reduction_"):  # the program, perhaps for another GPU
            for built in [to / name / name, *(to / name).glob("*.so")]:
                built.unlink(missing_ok=True)
    except OSError as error:  # shutil.Error has a list
        fail(f"cannot write {to / name}: check the free space and the permissions ({error.strerror or error.args[0][0][2]})", 3)


def main(to: Path, variants: list[str]) -> None:
    os.chdir(TOP)
    if variants:
        for variant in filter(lambda name: os.path.lexists(to / name), variants):
            fail(f"{to}/{variant} already exists: name another folder, or move it away")
        if not (to / "Makefile").exists():
            variants = ["Makefile", "config.mk", "common", "bench", "nogpu", "platform", "tools", *variants]
        if "reduction_multi_gpu" in variants:  # runs their kernels
            more = ["reduction_single_pass", "reduction_reproducible", "reduction_prim"]
            variants += [name for name in more if name not in variants and not (to / name).exists()]
        for name in variants:
            copy(name, to)
        return
    if (to / "Makefile").exists():
        fail(f"{to} already has a Makefile: name another folder")
    for name in sorted(os.listdir()):
        if name not in ("build", "bin") and (not name.startswith(".") or name in (".clang-format", ".gitignore", ".gitattributes")):
            copy(name, to)
    exercises = to / "reduction_to_fix"
    for secret in [*exercises.glob("*/solution.patch"), *exercises.glob("*/cases.txt")]:
        secret.unlink()
    (exercises / ".shipped").mkdir()  # for make reset
    for source in [*exercises.glob("*.hip"), *exercises.glob("*/*.hip")]:
        shutil.copy(source, exercises / ".shipped")


if __name__ == "__main__":
    if not sys.argv[1:2] or not sys.argv[1]:
        fail("name a folder, make copy TO=~/reduction")
    place, chosen = os.path.expanduser(sys.argv[1]), sys.argv[2:]
    main(Path(place), chosen)
    print(f"cd {shlex.quote(place)}/{chosen[0]} && make && ./{chosen[0]}" if chosen else f"cd {shlex.quote(place)} && make run")
