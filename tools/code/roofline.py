#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The device resources that each variant uses, and how close its time comes to a bound that no variant with that many
launches can beat:

    launches x the cheapest launch + bytes / read ceiling

The cheapest launch is the smallest kernel time per launch at the smallest size of the CSV. `make roofline` runs it."""
from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.bench_csv import number, parse_size, read_rows, size_text, variant
from lib.script import TOP, Options, fail, say

def nvidia_occupancy(sm: int, block: int, registers: int, shared: float) -> str:
    """Limits of a multiprocessor: registers are 65536 on all; CUDA C++ Programming Guide, "Technical Specifications per
    Compute Capability"."""
    threads = 1024 if sm == 75 else 1536 if sm in (86, 87, 88, 89, 110, 120, 121) else 2048
    blocks = 16 if sm in (75, 86, 87, 88) else 24 if sm in (89, 110, 120, 121) else 32
    kib = 64 if sm == 75 else 100 if sm in (86, 89, 120, 121) else 164 if sm in (80, 87) else 228
    warps = (block + 31) // 32
    fit = min(threads // 32 // warps, blocks,
              65536 // ((registers * 32 + 255) // 256 * 256) // warps,
              int(kib * 1024 / (shared + 1024)))  # from sm_80 on the system uses 1 KiB per block
    return f"{100 * fit * warps * 32 / threads:.0f} %"


def amd_occupancy(gfx: str, waves: int) -> str:
    """Waves that a SIMD can hold: 8 from gfx90a to gfx950, 10 before, 16 from gfx10.3 on, 20 for gfx10.1."""
    most = 8 if re.match("gfx(90a|94|95)", gfx) else 10 if gfx.startswith("gfx9") else 20 if gfx.startswith("gfx101") else 16
    return f"{100 * waves / most:.0f} %"


def resources_of(kernel: dict, dynamic: float, block: int) -> list[str]:
    """A kernel's columns from codegen.py; dynamic: at most this much shared memory, one element per thread."""
    registers, shared, arch = kernel["vgpr"], kernel["lds"], kernel["target"]
    if arch.startswith("sm_"):
        occupancy = nvidia_occupancy(int(re.sub(r"\D", "", arch)), block, registers, shared + dynamic)
    else:
        occupancy = amd_occupancy(arch, kernel["waves"])
    return [f"  {kernel['kernel']}", str(registers), f"<={int(shared + dynamic)}" if dynamic else str(shared),
            str(kernel["scratch"]), str(kernel["barriers"]), occupancy]


def has_dynamic(name: str) -> bool:
    """Whether the variant has dynamic shared memory."""
    words = re.compile(r"extern __shared__|HIP_DYNAMIC_SHARED")
    return any(words.search(path.read_text()) for path in (TOP / f"reduction_{name}").glob("*.h*"))


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv", help="what bench has written")
    options.add_argument("target", help="what the kernels are compiled for: gfx90a, sm_90, cpu")
    options.add_argument("kernels", nargs="*", type=Path, help="reduction_VARIANT.codegen-INSTANCE: codegen.py --format=json")
    options.add_argument("--type", default="double")
    options.add_argument("--op", default="sum")
    options.add_argument("--size", type=parse_size, default=0, help="elements; default: the largest")
    given = options.parse_args()
    try:
        rows = list(read_rows(given.csv))
    except OSError:
        fail(f"{given.csv} cannot be read: run make bench first, or name a CSV")
    arch = rows[0].get("arch", "") if rows else ""
    if not arch:
        fail(f"{given.csv} has no column arch, or no rows: is it a CSV that make bench wrote?")
    if arch != given.target:
        fail(f"{given.csv} was measured on {arch} and this is for {given.target}: make roofline GPU={arch}, or another CSV")
    # Without options: "atomic atomics=warp" is compiled from atomic.
    kernels = {path.stem[len("reduction_"):]: json.loads(path.read_text()) for path in given.kernels}

    right = [row for row in rows if row["check"] == "OK" and number(row["kernel_median_us"]) > 0]
    ours = [row for row in right if (row["type"], row["op"]) == (given.type, given.op)
            and variant(row).split(" ")[0] in kernels]
    if not ours:
        fail(f"no right results for {given.op} of {given.type} in the CSV")
    smallest = min(int(row["n"]) for row in right)
    cheapest = min(number(row["kernel_min_us"]) / max(number(row["launches"]), 1) for row in right
                   if int(row["n"]) == smallest)
    ceiling = max(number(row["ceiling_gbps"]) for row in right)
    n = given.size or max(int(row["n"]) for row in ours)
    date = right[0].get("date", "")[:10]
    say(f"# {given.op} of {given.type}s, {size_text(n)} elements on {right[0]['device']}{f', {date}' if date else ''}\n"
        f"# bound: launches x {cheapest:.2f} us (cheapest launch, at {size_text(smallest)} elements) + bytes / {ceiling:.1f} "
        "GB/s (read ceiling)\n"
        "# shared: bytes per block; <=: with one element per thread, the most that a kernel uses\n"
        "# barriers: in the code, in a loop they count once; occupancy: resident warps, as a share of the maximum\n#")

    measured = defaultdict(list)
    names = {variant(row): None for row in ours}
    for row in ours:
        if int(row["n"]) == n:
            measured[variant(row)].append(row)
    width = max([8] + [len(name) for name in names]
                + [len(kernel["kernel"]) + 2 for name in names for kernel in kernels[name.split(" ")[0]]])

    def line(*fields: str) -> None:
        widths = [9, 8, 8, 8, 9, 9, 10, 9, 9, 9, 6]
        fields = fields + ("",) * (len(widths) + 1 - len(fields))
        say(" ".join([f"{fields[0]:<{width}}"] + [f"{field:>{w}}" for field, w in zip(fields[1:], widths)]))

    line("variant", "registers", "shared", "spilled", "barriers", "occupancy", "launches", "bytes", "bound", "kernel", "total",
         "bound")
    line("  kernel", "", "bytes", "bytes", "", "", "", "", "us", "us", "us", "%")
    for name in names:
        if name not in measured:
            continue
        rounds = measured[name]
        time, total = (median(number(row[f"{clock}_median_us"]) for row in rounds) for clock in ("kernel", "total"))
        launches, size, block = (int(number(rounds[-1][field])) for field in ("launches", "bytes", "block"))
        bound = launches * cheapest + size / ceiling / 1e3
        line(name, "", "", "", "", "", str(launches or "?"), str(size), f"{bound:.2f}", f"{time:.2f}", f"{total:.2f}",
             f"{100 * bound / time:.0f}")
        plain = name.split(" ")[0]
        dynamic = block * size / n if has_dynamic(plain) else 0
        for kernel in kernels[plain]:
            line(*resources_of(kernel, dynamic, block))
        if not kernels[plain]:
            line("  (CPU)" if given.target == "cpu" else "  (library)", "-", "-", "-", "-", "-")


if __name__ == "__main__":
    main()
