#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the machine code of a variant's kernels for one type and operation, under the source lines that it comes from.
`make asm` runs it. COMPILE compiles SOURCE for only TARGET, without -c and -o."""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import DEVICE_ERROR, Options, fail, find_program, say

SUMMARY = re.compile(r"; (NumSgprs|NumVgprs|NumAgprs|ScratchSize|LDSByteSize|Occupancy)")
NO_INSTRUCTION = re.compile(r"[ \t]*(;|#|//)|[ \t]*\.[a-zA-Z]|\.?[A-Za-z_]|[ \t]*$")


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
    """The variant and the headers in its folder, some of which are for one vendor only."""
    headers = [header for header in sorted(given.source.parent.glob("*.h"))
               if given.platform == "nvidia" or not header.name.startswith("nvidia_")]
    return "\n".join(path.read_text() for path in [given.source, *headers])


def kernel_names(text: str) -> list[str]:
    """Finds kernels' names: before the first parameter, after void and perhaps launch bounds."""
    text = re.sub(r"\w*(bounds__|BOUNDS\w*)\([^)]*\)", "", text.replace("\n", " "))
    return sorted(set(re.findall(r"__global__ [a-z ]*void +(\w+) *\(", text)))


class Kernels:
    """The kernels in one namespace of instance.h, by their symbols."""

    def __init__(self, given: argparse.Namespace, names: list[str]) -> None:
        spaces = [f"{given.type}_{given.op}", given.source.parent.name]
        self.prefix = "_ZN" + "".join(f"{len(space)}{space}" for space in spaces)
        self.symbols = {f"{self.prefix}{len(name)}{name}": name for name in names}

    def of(self, text: str) -> str:
        """The kernel whose symbol the text contains; "" if none."""
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
    """nvdisasm is next to nvcc if it is installed."""
    return (find_program("nvdisasm", Path(compiler).parent, Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin"))
            or fail("nvdisasm not found: install it from the CUDA toolkit (package cuda-nvdisasm)"))


class Source:
    """Prints each source line once, when the code reaches it."""

    def __init__(self) -> None:
        self.last = ("", 0)
        self.files: dict[str, list[str]] = {}
        self.colour, self.plain = ("\033[36m", "\033[0m") if sys.stdout.isatty() else ("", "")

    def at(self, path: str, line: int) -> None:
        if line == 0 or (path, line) == self.last:
            return
        self.last = (path, line)
        if path not in self.files:
            try:
                self.files[path] = Path(path).read_text(errors="replace").splitlines()
            except OSError:
                self.files[path] = []
        lines = self.files[path]
        text = lines[line - 1] if line <= len(lines) and not path.startswith("/usr/") else ""
        say(f"{self.colour}{Path(path).name}:{line:<4d} {text}{self.plain}")


def show(listing: str, kernels: Kernels) -> bool:
    """Prints the kernels in a compiler's listing (-S) or from nvdisasm -g; False if there is none."""
    source, files, found, inside, summary = Source(), {}, False, False, False
    for line in listing.splitlines():
        named = re.match(r"[ \t]*\.file[ \t]+(\d+) .*", line)
        if named:  # .file 1 "folder" "name", or .file 1 "path"
            parts = re.findall(r'"([^"]*)"', line)
            files[int(named[1])] = str(Path(*parts[:2])) if parts else ""
            continue
        symbol = re.match(r"(_Z\w*):", line)
        if symbol:
            name = kernels.of(symbol[1])
            inside, summary = name != "" and symbol[1].startswith(kernels.prefix), False
            if inside:
                say(("\n" if found else "") + name)
                found = True
                source.last = ("", 0)
            continue
        if summary and SUMMARY.match(line):
            say(line)
            continue
        if not inside:
            continue
        place = re.match(r"[ \t]*\.loc[ \t]+(\d+) +(\d+)", line) or re.match(r"[ \t]*\.loc[ \t]+(\d+)\t+(\d+)", line)
        cuda = re.match(r'[ \t]*//## File "([^"]*)".*?line (\d+)', line)
        if place:
            source.at(files.get(int(place[1]), ""), int(place[2]))
        elif cuda:
            source.at(cuda[1], int(cuda[2]))
        elif re.match(r"[ \t]*(\.cfi_endproc|s_endpgm_end)|\.Lfunc_end|//-----", line):
            inside = False
            summary = line.startswith(".Lfunc_end")
        elif re.match(r"(\.LBB|\.L_x_|\.L)[0-9_]+:", line):
            if not re.match(r"\.LBB\d+:", line):  # scopes of the debug information
                say(line.split()[0])
        elif not NO_INSTRUCTION.match(line):
            line = re.sub(r"^[ \t]+/\*[0-9a-f]+\*/[ \t]+", "", line.rstrip()).lstrip()  # offsets of nvdisasm
            say("        " + re.sub(" ;$", "", line).replace("\t", " ", 1))
    return found


def main() -> None:
    given = read_options(__doc__)
    names = kernel_names(source_text(given))
    if not names:
        say(f"{given.source} has no kernels of its own: they are in the vendor's library")
        return
    with tempfile.TemporaryDirectory() as work:
        code = Path(work, "code")
        if given.platform == "nvidia":
            nvdisasm = find_nvdisasm(given.compile[0])
            compile_to(code, given.compile, "-cubin")
            listing = subprocess.run([nvdisasm, "-g", "-c", code], stdout=subprocess.PIPE, text=True).stdout
        else:
            compile_to(code, given.compile, *(["--cuda-device-only"] if given.platform == "amd" else []), "-S")
            listing = code.read_text(errors="replace")
    kernels = Kernels(given, names)
    if not show(listing, kernels):
        fail(f"no kernel of {kernels.prefix} in the listing", DEVICE_ERROR)


if __name__ == "__main__":
    main()
