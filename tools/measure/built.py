# SPDX-License-Identifier: MIT
"""What `make OUT=FOLDER` or one of the scripts *_for_gpu.sh has built: where the programs are."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

from lib.script import TOP


def compared() -> list[str]:
    """The variants that are compared, in the order of the steps that their sources name."""
    said = subprocess.run(["sh", "tools/build/variants.sh"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    names = [folder[len("reduction_"):] for folder in said.split()]
    return [name for name in names if name not in ("hello", "multi_gpu", "to_fix")]


class Built:
    """FOLDER, and in it the build for one target: the one that is named, or the first for a GPU, or that for the CPU."""

    def __init__(self, folder: Path, target: str | None = None) -> None:
        self.folder = folder.resolve()
        builds = sorted((path for path in (self.folder / "build").glob("*/") if (path / "bin").is_dir()),
                        key=lambda path: (path.name.startswith("cpu"), path.name))
        self.build = self.folder / "build" / target if target else builds[0] if builds else self.folder

    def program(self, name: str) -> Path:
        """A program in the build's folder, or else where people look for it."""
        built = self.build / f"reduction_{name}" / f"reduction_{name}"
        return built if built.exists() else self.folder / f"reduction_{name}" / f"reduction_{name}"

    def programs(self) -> list[Path]:
        """The variants that are here, in the order of the ladder."""
        return [program for program in map(self.program, compared()) if os.access(program, os.X_OK)]
