#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The machine code of a variant's kernels for one type and operation, below the source line that each instruction
comes from. `make asm` runs it."""
from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import DEVICE_ERROR, fail, say
from listing import Kernels, compile_to, find_nvdisasm, kernel_names, read_options, source_text

SUMMARY = re.compile(r"; (NumSgprs|NumVgprs|NumAgprs|ScratchSize|LDSByteSize|Occupancy)")
NO_INSTRUCTION = re.compile(r"[ \t]*(;|#|//)|[ \t]*\.[a-zA-Z]|\.?[A-Za-z_]|[ \t]*$")


class Source:
    """Prints each source line once, when the code comes to it."""

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
    """Prints the kernels of a compiler's listing (-S) or of nvdisasm -g; False if none is in it."""
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
            if not re.match(r"\.LBB\d+:", line):  # those are scopes of the debug information
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
