#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the compiler says of a variant's kernels for one type and operation, a line for each, for `make roofline`:

    variant kernel registers(per thread) shared(static, bytes) spilled(bytes) barriers(instructions) waves dynamic

waves: resident per SIMD according to the compiler, AMD alone; dynamic: 1 if the variant has dynamic shared memory;
"-" is unknown."""
from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import say
from listing import Kernels, compile_to, kernel_names, read_options, source_text


def amd_resources(listing: str, kernels: Kernels) -> dict[str, dict]:
    """From a listing (-S)."""
    found: dict[str, dict] = {}
    now = ""
    fields = {"TotalNumVgprs": "registers", "NumVgprs": "registers", "ScratchSize": "spilled", "LDSByteSize": "shared",
              "Occupancy": "waves"}
    for line in listing.splitlines():
        if re.match(r"_Z\w*:", line):
            now = kernels.of(line)
        if not now:
            continue
        if re.match(r"[ \t]+s_barrier", line):
            entry = found.setdefault(now, {})
            entry["barriers"] = entry.get("barriers", 0) + 1
        field = re.match(r"; (\w+): (\d+)", line)
        if field and field[1] in fields:
            found.setdefault(now, {})[fields[field[1]]] = int(field[2])
            if field[1] == "Occupancy":
                now = ""
    return found


def nvidia_resources(listing: str, kernels: Kernels) -> dict[str, dict]:
    """From PTX followed by the output of ptxas -v. A barrier in a loop counts once."""
    found: dict[str, dict] = {}
    now = ""

    def number_before(word: str, line: str) -> int:
        number = re.search(rf"(\d+) {word}", line)
        return int(number[1]) if number else 0

    for line in listing.splitlines():
        if re.match(r"(\.visible )?\.entry", line) or "Compiling entry function" in line:
            now = kernels.of(line)
        elif not now:
            continue
        elif re.match(r"[ \t]*(@%?!?p\d+ )?(bar|barrier)\.(cta\.)?sync", line):
            entry = found.setdefault(now, {})
            entry["barriers"] = entry.get("barriers", 0) + 1
        elif "bytes spill stores" in line:
            found.setdefault(now, {})["spilled"] = (number_before("bytes spill stores", line)
                                                    + number_before("bytes spill loads", line))
        elif re.search(r"ptxas info.*Used \d+ registers", line):
            found.setdefault(now, {}).update(registers=number_before("registers", line),
                                             shared=number_before("bytes smem", line))
            now = ""
    return found


def main() -> None:
    given = read_options(__doc__)
    text = source_text(given)
    names = kernel_names(text)
    variant = given.source.stem
    if not names or given.platform == "cpu":
        say(f"{variant} {'(CPU)' if names else '(library)'} - - - - - 0")
        return
    kernels = Kernels(given, names)
    with tempfile.TemporaryDirectory() as work:
        code, ptx = Path(work, "code"), Path(work, "ptx")
        if given.platform == "amd":
            compile_to(code, given.compile, "--cuda-device-only", "-S")
            found = amd_resources(code.read_text(errors="replace"), kernels)
        else:
            compile_to(ptx, given.compile, "-ptx")
            said = compile_to(code, given.compile, "-Xptxas", "-v", "-cubin")
            found = nvidia_resources(ptx.read_text() + said, kernels)
    dynamic = int("HIP_DYNAMIC_SHARED" in text)
    for name in names:
        entry = found.get(name, {})
        if "registers" in entry:
            say(f"{variant} {name} {entry['registers']} {entry.get('shared', 0)} {entry.get('spilled', 0)} "
                f"{entry.get('barriers', 0)} {entry.get('waves', '-')} {dynamic}")


if __name__ == "__main__":
    main()
