#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the counts of make explain with the counters of an NVIDIA GPU, for the first kernel of each variant.

    explain_truth.py count >COUNTED                  on the CPU: builds the traced programs
    explain_truth.py measure COUNTED FOLDER RAW      on the GPU: FOLDER has the programs; what ncu prints goes to RAW/
    explain_truth.py join COUNTED RAW                both side by side, and why they differ; exit code 1 if
                                                     explain_truth.txt has no cause for a variant

Rows of COUNTED: variant, type, n, kernel, and the numbers in COUNTS. VARIANTS, TYPES and SIZES in the environment choose
some."""
from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.script import DEVICE_ERROR, TOP, Options, fail, find_program, say

VARIANTS = ("global_memory interleaved bank_conflicts no_striding first_add unroll_last_warp striding two_kernel_calls "
            "two_kernels_unroll shfl atomic cooperative single_pass recursive reproducible statistics custom "
            "segmented head_flags")
COUNTS = ("global_load_requests global_load_sectors global_store_requests global_store_sectors "
          "shared_load_passes shared_load_conflicts shared_store_passes shared_store_conflicts "
          "global_load_lanes global_store_lanes shared_load_lanes shared_store_lanes").split()
# In the order of COUNTS. The last four, lanes with a true predicate, are in the table of machine instructions. No counter
# has the instructions on shared memory with a lane at work: smsp__inst_executed_op_shared_ld counts those whose lanes are
# all switched off, too, and with _pred_on_any it is up to 6 % more than there are passes. So lanes are averaged over the
# passes that are needed without conflicts: with floats, that is one for each instruction.
METRICS = ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum "
           "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum "
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum "
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum").split()
LANES = "Predicated-On Thread Instructions Executed"
ONE_BLOCK_FOR_EACH_TILE = "global_memory interleaved bank_conflicts no_striding first_add unroll_last_warp recursive".split()
Key = tuple  # variant, type, n


def arguments(variant: str, kind: str, n: str) -> list[str]:
    """The same shape on both: what depends on the device's size is given."""
    shape = [] if variant in ONE_BLOCK_FOR_EACH_TILE else ["--grid=64", "--block=256"]
    return ["-q", "-i", "1", "-w", "0", "--ceiling=1", "-n", n, "-t", kind, *shape]


def program(folder: Path, variant: str) -> Path:
    return folder / f"reduction_{variant}" / f"reduction_{variant}"


def count() -> None:
    variants = os.environ.get("VARIANTS", VARIANTS).split()
    out = Path(os.environ.get("OUT", "build/truth"))
    make = [os.environ.get("MAKE", "make"), "-s", "GPU=cpu", "TRACE=1", f"OUT={out}"]
    built = subprocess.run([*make, *(f"reduction_{variant}" for variant in variants)], cwd=TOP, stdout=sys.stderr)
    if built.returncode:
        sys.exit(DEVICE_ERROR)
    settings = {**os.environ, "HIP_CPU_WORKERS": "64", "HIP_CPU_WARP_SIZE": "32", "HIP_CPU_TRACE": "explain",
                "HIP_CPU_EXPLAIN": "json"}
    for variant in variants:
        for kind in os.environ.get("TYPES", "float double").split():
            for n in os.environ.get("SIZES", "262144 100003").split():
                text = subprocess.run([program(TOP / out, variant), *arguments(variant, kind, n)], stdout=subprocess.PIPE,
                                      text=True, env=settings).stdout
                for line in text.splitlines():
                    kernel = re.search(r'"kernel": "([^"]*)"', line)
                    numbers = dict(re.findall(r'"(\w+)": (\d+)', line))
                    if kernel and numbers.get("global_load_requests", "0") != "0":
                        say(" ".join([variant, kind, n, kernel[1], *(numbers[name] for name in COUNTS)]))
                        break


def read_counted(path: Path) -> dict[Key, list[str]]:
    """Kernel and numbers by variant, type and n."""
    rows = [line.split() for line in path.read_text().splitlines() if line.strip()]
    return {tuple(row[:3]): row[3:] for row in rows}


def measure(counted: Path, folder: Path, raw: Path) -> None:
    """RAW/VARIANT.TYPE.N.csv: the counters; .sass.csv: one row for each machine instruction; .log: what ncu prints."""
    ncu = find_program("ncu", "/usr/local/cuda/bin")
    if not ncu:
        fail("ncu not found", DEVICE_ERROR)
    raw.mkdir(parents=True, exist_ok=True)

    def export(to: Path) -> None:  # reading a report needs no GPU
        report = to.with_name(f"{to.name}.ncu-rep")
        for page, ending in ((["raw", "--print-units", "base"], "csv"), (["source", "--print-source", "sass"], "sass.csv")):
            with open(f"{to}.{ending}", "w", encoding="utf-8") as out:
                subprocess.run([ncu, "-i", report, "--csv", "--page", *page], stdout=out, stderr=subprocess.DEVNULL)
        if report.exists():
            report.unlink()

    with ThreadPoolExecutor(8) as pool:
        for (variant, kind, n), (kernel, *_) in read_counted(counted).items():
            to = raw / f"{variant}.{kind}.{n}"
            with open(f"{to}.log", "w", encoding="utf-8") as log:
                counters = ["--section", "SourceCounters", "--metrics", ",".join(METRICS)]
                subprocess.run([ncu, "-f", "-o", to, "--kernel-name", kernel, "--launch-count", "1", *counters,
                                program(folder, variant), *arguments(variant, kind, n)],
                               stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            pool.submit(export, to)


def read_table(path: Path, first: str) -> list[dict[str, str]]:
    """The rows of a table of ncu, whose header begins with the column first or has it."""
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    head = next((i for i, line in enumerate(lines) if re.search(rf'(^|,)"?{first}"?,', line)), len(lines))
    return list(csv.DictReader(lines[head:]))


def plain_number(text: str | None) -> str:
    """Without commas of thousands; "-" if ncu has nothing."""
    text = (text or "").replace(",", "")
    return f"{float(text):.10g}" if re.match(r"[0-9.]", text) else "-"


def measured(to: str) -> list[str]:
    """The numbers of ncu in the order of COUNTS."""
    rows = [row for row in read_table(Path(f"{to}.csv"), "ID") if re.fullmatch(r"\d+", row.get("ID") or "")]
    counters = [plain_number(rows[0].get(metric)) if rows else "-" for metric in METRICS]
    instructions = [row for row in read_table(Path(f"{to}.sass.csv"), "Source") if LANES in row]
    if not instructions:
        return counters + ["-"] * 4
    lanes = dict.fromkeys(("LDG", "STG", "LDS", "STS"), 0)
    for row in instructions:
        operation = re.sub(r"^ *(@!?U?P[0-9T]+ *)?", "", row.get("Source") or "")
        executed = int(float(plain_number(row[LANES]).replace("-", "0")))
        if operation.startswith("LDGSTS"):
            lanes["LDG"] += executed
            lanes["STS"] += executed
            continue
        for name, pattern in (("LDG", r"(LDG|LD)[. ]"), ("STG", r"(STG|ST)[. ]"), ("LDS", r"LDS[. ]"), ("STS", r"STS[. ]")):
            if re.match(pattern, operation):
                lanes[name] += executed
                break
    return counters + [str(value) for value in lanes.values()]


def read_causes() -> dict[str, str]:
    """Why counts and counters differ, by variants; lines that begin with a blank continue one."""
    causes: dict[str, str] = {}
    variant = ""
    for line in (HERE / "explain_truth.txt").read_text().splitlines():
        if re.match("[a-z]", line):
            variant = line.split()[0]
        if variant:
            causes[variant] = causes.get(variant, "") + f"# {line}\n"
    return causes


def join(counted_path: Path, raw: Path) -> int:
    first, second, third = [], [], []
    same = numbers = near = means = 0
    differ: dict[str, None] = {}
    for (variant, kind, n), (_, *counted) in read_counted(counted_path).items():
        if not Path(f"{raw}/{variant}.{kind}.{n}.csv").exists():
            continue
        found = measured(f"{raw}/{variant}.{kind}.{n}")
        name = f"{variant:<19} {kind:<6} {int(n):7d} "

        def pairs(start: int, end: int) -> str:
            nonlocal same, numbers
            text, other = "", ""
            for k in range(start, end):
                text += f" {counted[k]}|{found[k]}"
                numbers += 1
                if counted[k] == found[k]:
                    same += 1
                else:
                    other += f" {k - start + 1}"
                    differ[variant] = None
            return text + (f"   differs:{other}" if other else "")

        def mean(lanes: int, needed: list[int]) -> str:
            """Lanes on average, counted and measured; "." where there is none."""
            nonlocal near, means
            per = []
            for values in counted, found:
                steps = [float(values[k].replace("-", "nan")) for k in needed]
                per.append(steps[0] - steps[1] if len(steps) > 1 else steps[0])
            if per == [0, 0]:
                return f" {'.':>14}"
            means += 1
            if found[lanes] == "-" or 0 in per or per[1] != per[1]:
                return f" {'-':>14}"
            ours, theirs = float(counted[lanes]) / per[0], float(found[lanes]) / per[1]
            close = abs(ours - theirs) <= theirs / 100
            near += close
            if not close:
                differ[variant] = None
            return f" {f'{ours:.2f}|{theirs:.2f}' + ('' if close else ' !'):>14}"

        first.append(name + pairs(0, 8))
        second.append(name + pairs(8, 12))
        third.append(name + mean(8, [0]) + mean(9, [2]) + mean(10, [4, 5]) + mean(11, [6, 7]))

    say("# First kernel of each variant: requests and 32-byte sectors of global memory, passes of shared memory\n"
        "# and how many of them are bank conflicts; loads, then stores. Counted by make explain | measured by ncu")
    say("\n".join([*first, "#\n# Lanes at work, added up: global loads and stores, shared loads and stores", *second]))
    say(f"# {same} of {numbers} numbers are equal\n#")
    say("# Lanes at work on average, in the same order: for each request, and for each pass of shared memory that is needed\n"
        "# without conflicts (with floats: for each instruction); !: not within 1 %")
    say("\n".join([*third, f"# {near} of {means} means are within 1 %"]))
    causes = read_causes()
    if differ:
        say("#\n# Why they differ:")
    for variant in differ:
        say(causes.get(variant, f"# {variant}: no cause is known\n"), end="")
    return int(any(variant not in causes for variant in differ) or numbers == 0)


def main() -> None:
    options = Options(__doc__)
    options.add_argument("what", choices=["count", "measure", "join"])
    options.add_argument("path", nargs="*", type=Path)
    given = options.parse_args()
    if len(given.path) != {"count": 0, "measure": 3, "join": 2}[given.what]:
        fail(f"{given.what} takes other paths; --help shows them")
    if given.what == "count":
        count()
    elif given.what == "measure":
        measure(*given.path)
    else:
        sys.exit(join(*given.path))


if __name__ == "__main__":
    main()
