#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The device resources that each variant uses, and how close its time comes to a bound that no variant with that many
launches can beat:

    launches x the cheapest launch + bytes / read ceiling

The cheapest launch is the smallest kernel time per launch at the smallest size of the CSV. `make roofline` runs it."""
from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.bench_csv import number, parse_size, read_rows, size_text, variant
from lib.script import Options, fail, say

FIELDS = ["variant", "kernel", "registers", "shared", "spilled", "barriers", "waves", "dynamic"]  # of resources.py


def nvidia_occupancy(sm: int, block: int, registers: int, shared: float) -> str:
    """Limits of a multiprocessor: registers are 65536 on all; CUDA C++ Programming Guide, "Technical Specifications per
    Compute Capability"."""
    threads = 1024 if sm == 75 else 1536 if sm in (86, 87, 88, 89, 110, 120, 121) else 2048
    blocks = 16 if sm in (75, 86, 87, 88) else 24 if sm in (89, 110, 120, 121) else 32
    kib = 64 if sm == 75 else 100 if sm in (86, 89, 120, 121) else 164 if sm in (80, 87) else 228
    warps = (block + 31) // 32
    fit = min(threads // 32 // warps, blocks,
              65536 // ((registers * 32 + 255) // 256 * 256) // warps,
              int(kib * 1024 / (shared + 1024)))  # the system takes 1 KiB of each block, from sm_80 on
    return f"{100 * fit * warps * 32 / threads:.0f} %"


def amd_occupancy(gfx: str, waves: int) -> str:
    """Waves that a SIMD can hold: 8 from gfx90a to gfx950, 10 before, 16 from gfx10.3 on, 20 for gfx10.1."""
    most = 8 if re.match("gfx(90a|94|95)", gfx) else 10 if gfx.startswith("gfx9") else 20 if gfx.startswith("gfx101") else 16
    return f"{100 * waves / most:.0f} %"


def resources_of(kernel: dict[str, str], arch: str, block: int, element: float) -> list[str]:
    """The columns of a kernel; dynamic shared memory is one element for each thread at most."""
    dynamic = block * element if kernel["dynamic"] == "1" else 0
    occupancy = "-"
    if kernel["registers"] != "-":
        if arch.startswith("sm_"):
            sm = int(re.sub(r"\D", "", arch))
            occupancy = nvidia_occupancy(sm, block, int(kernel["registers"]), int(kernel["shared"]) + dynamic)
        elif kernel["waves"] != "-":
            occupancy = amd_occupancy(arch, int(kernel["waves"]))
    shared = f"<={int(number(kernel['shared']) + dynamic)}" if dynamic else kernel["shared"]
    return [f"  {kernel['kernel']}", kernel["registers"], shared, kernel["spilled"], kernel["barriers"], occupancy]


def main() -> None:
    options = Options(__doc__)
    options.add_argument("csv", help="what bench has written")
    options.add_argument("resources", help="lines of resources.py")
    options.add_argument("target", help="what the resources are for: gfx90a, sm_90, cpu")
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
    kernels = defaultdict(list)  # of a variant without its options: "atomic atomics=warp" is compiled from atomic
    for line in Path(given.resources).read_text().splitlines():
        kernel = dict(zip(FIELDS, line.split()))
        kernels[kernel["variant"]].append(kernel)

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
        "# shared: bytes of a block; <=: with one element for each thread, which is the most that a kernel takes\n"
        "# barriers: in the code, those in a loop count once; occupancy: warps that can be resident, of the most\n#")

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
        for kernel in kernels[name.split(" ")[0]]:
            line(*resources_of(kernel, arch, block, size / n))


if __name__ == "__main__":
    main()
