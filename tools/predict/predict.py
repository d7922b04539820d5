#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Predicts the performance of machines that have not been measured, from predict.txt: the table of make run for 256M
doubles, and single_pass over sizes.

A program that has F bytes in flight on the whole device reads at

    B = (read^-4 + (F / latency)^-4 + issue^-4)^(-1/4)

: at memory bandwidth if F is large, at F / latency if it is small (Little's law), at `issue` if its instructions take
longer than that, and a little below all of them in between; the 4 is fitted on the H200 together with the latency.
issue = 8 bytes / (vector instructions for an element, in which one of double precision counts as many as it takes the
place of). Then

    kernel = first kernel + further kernels + bytes / B
    total  = kernel + the transfer of the value to the host"""
from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.bench_csv import parse_size, size_text
from lib.script import Options, say

MACHINE = ["units", "threads", "read", "latency", "first", "launch", "copy", "marks", "rate", "double"]
PROGRAM = ["flight", "kernels", "vector", "double"]


def read_inputs(path: Path) -> tuple[dict[str, dict], dict[str, dict]]:
    """Machines and programs by their names."""
    machines, programs = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *fields = [field.strip() for field in line.split(";")]
        if kind == "machine":
            machines[fields[0]] = {**dict(zip(MACHINE, map(float, fields[1:11]))), "source": fields[11]}
        elif kind == "program":
            programs[fields[0]] = {**dict(zip(PROGRAM, map(float, fields[1:5]))), "way": fields[5], "host": float(fields[6])}
    return machines, programs


def kernel_us(machine: dict, program: dict, size: int) -> float:
    flight = machine["units"] * machine["threads"] * program["flight"]
    instructions = program["vector"] + (machine["double"] - 1) * program["double"]
    issue = instructions / (8 * machine["units"] * machine["rate"]) if machine["rate"] else 0.0  # ns for a byte
    speed = (machine["read"] ** -4 + (machine["latency"] / flight) ** 4 + issue ** 4) ** -0.25  # bytes / ns = GB/s
    return machine["first"] + (program["kernels"] - 1) * machine["launch"] + size / speed / 1000


def total_us(machine: dict, program: dict, size: int) -> float:
    way = machine["marks"] if program["way"] == "marks" else machine["copy"]
    return kernel_us(machine, program, size) + way + program["host"]


def read_ladder(path: str) -> dict[str, float]:
    """Kernel times of a wide table of make run."""
    rows = re.findall(r"^([a-z_]+) +([0-9.]+) +[0-9.]+ ", Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    return {name: float(time) for name, time in rows}


def main() -> None:
    options = Options(__doc__)
    options.add_argument("inputs", nargs="?", type=Path, default=HERE / "predict.txt", help="machines and programs (%(default)s)")
    options.add_argument("--size", type=parse_size, default=parse_size("256M"), help="elements (256M)")
    options.add_argument("--ladder", help="a table of make run on the H200: shows the measured times beside the predicted")
    given = options.parse_args()
    machines, programs = read_inputs(given.inputs)
    measured = read_ladder(given.ladder) if given.ladder else {}
    size = 8 * given.size
    for index, (name, machine) in enumerate(machines.items()):
        compared = measured if name == "H200" else {}
        say(("\n" if index else "") + f"# {name}, {size_text(given.size)} doubles: predicted, not measured\n"
            f"# {machine['source']}")
        say(f"{'program':<20} {'kernel us':>9} {'total us':>9} {'GB/s':>8}" + ("  measured us    off %" if compared else ""))
        for label, program in programs.items():
            kernel, total = kernel_us(machine, program, size), total_us(machine, program, size)
            line = f"{label:<20} {kernel:9.1f} {total:9.1f} {size / total / 1000:8.1f}"
            if label in compared:
                line += f"  {compared[label]:11.1f}  {100 * (kernel / compared[label] - 1):7.1f}"
            say(line)
        say(f"single_pass, sizes   {'kernel us':>9} {'total us':>9} {'GB/s':>8}")
        for power in range(12, 31, 3):
            bytes_read, program = 8 << power, programs["single_pass"]
            total = total_us(machine, program, bytes_read)
            say(f"{size_text(1 << power):<20} {kernel_us(machine, program, bytes_read):9.1f} {total:9.1f} "
                f"{bytes_read / total / 1000:8.1f}")


if __name__ == "__main__":
    main()
