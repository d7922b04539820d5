# SPDX-License-Identifier: MIT
"""Compiles one variant for one target, for a tool that looks at the kernels of one type and operation.

Both tools take: PLATFORM TARGET TYPE OP SOURCE COMPILE...; COMPILE compiles SOURCE for TARGET alone, without -c and -o."""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from lib.script import DEVICE_ERROR, Options, fail, find_program


def read_options(doc: str | None) -> argparse.Namespace:
    options = Options(doc)
    options.add_argument("platform", choices=["amd", "nvidia", "cpu"])
    options.add_argument("target", help="gfx90a, sm_90, cpu")
    options.add_argument("type", choices=["float", "double", "int", "long"], metavar="type")
    options.add_argument("op", choices=["sum", "min", "max"], metavar="op")
    options.add_argument("source", help="reduction_shfl/shfl.hip", type=Path)
    options.add_argument("compile", nargs=argparse.REMAINDER, help="the compiler and its options")
    return options.parse_args()


def source_text(given: argparse.Namespace) -> str:
    """The variant and the headers beside it, of which some are for one vendor alone."""
    headers = [header for header in sorted(given.source.parent.glob("*.h"))
               if given.platform == "nvidia" or not header.name.startswith("nvidia_")]
    return "\n".join(path.read_text() for path in [given.source, *headers])


def kernel_names(text: str) -> list[str]:
    """A kernel's name stands before its first parameter, after void and perhaps launch bounds."""
    text = re.sub(r"\w*(bounds__|BOUNDS)\([^)]*\)", "", text.replace("\n", " "))
    return sorted(set(re.findall(r"__global__ [a-z ]*void +(\w+) *\(", text)))


class Kernels:
    """The kernels in one namespace of instance.h, by their symbols."""

    def __init__(self, given: argparse.Namespace, names: list[str]) -> None:
        spaces = [f"{given.type}_{given.op}", given.source.parent.name]
        self.prefix = "_ZN" + "".join(f"{len(space)}{space}" for space in spaces)
        self.symbols = {f"{self.prefix}{len(name)}{name}": name for name in names}

    def of(self, text: str) -> str:
        """The kernel whose symbol stands in a text; "" if there is none."""
        return next((name for symbol, name in self.symbols.items() if symbol in text), "")


def compile_to(output: Path | None, command: list[str], *options: str) -> str:
    """Compiles, or ends with the compiler's messages; returns them."""
    run = subprocess.run([*command, *options, *(["-o", str(output)] if output else [])], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.stderr.write(run.stdout)
        sys.exit(DEVICE_ERROR)
    return run.stdout


def find_nvdisasm(compiler: str) -> str:
    """It is beside nvcc, if it is installed."""
    return (find_program("nvdisasm", Path(compiler).parent, Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin"))
            or fail("nvdisasm not found: install it from the CUDA toolkit (package cuda-nvdisasm)"))
