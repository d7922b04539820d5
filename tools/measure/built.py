# SPDX-License-Identifier: MIT
"""Finds the programs that `make OUT=FOLDER` or for_gpu.py has built."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

from lib.script import TOP


def compared() -> list[str]:
    """The compared variants, in the order of their steps."""
    said = subprocess.run(["sh", "tools/build/variants.sh"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    names = [folder[len("reduction_"):] for folder in said.split()]
    return [name for name in names if name not in ("hello", "multi_gpu", "to_fix")]


class Built:
    """FOLDER, and in it the build for the given target, or for the first GPU, or for the CPU."""

    def __init__(self, folder: Path, target: str | None = None) -> None:
        self.folder = folder.resolve()
        builds = sorted((path for path in (self.folder / "build").glob("*/") if (path / "bin").is_dir()),
                        key=lambda path: (path.name.startswith("cpu"), path.name))
        self.build = self.folder / "build" / target if target else builds[0] if builds else self.folder

    def program(self, name: str) -> Path:
        """A program in the build folder or, failing that, in its place in the tree."""
        built = self.build / f"reduction_{name}" / f"reduction_{name}"
        return built if built.exists() else self.folder / f"reduction_{name}" / f"reduction_{name}"

    def programs(self) -> list[Path]:
        """The variants that were built, in the order of the ladder."""
        return [program for program in map(self.program, compared()) if os.access(program, os.X_OK)]
