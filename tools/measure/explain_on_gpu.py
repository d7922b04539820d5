#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares explain's counts with a GPU's, for the kernel of each variant that does most:

    explain_on_gpu.py count FOLDER [GPU]   here: builds the traced programs, writes FOLDER/counted.txt; GPU: sm_90
    explain_on_gpu.py compare FOLDER       there: the same kernels under ncu or rocprofv3, prints
                                           results/MACHINE/explain/explain.txt

AMD's counters are instructions of wavefronts (all GPUs of gfx9; elsewhere some are missing, and shown as ?), to be compared
with the requests; ds_bpermute and ds_swizzle are instructions of the LDS, too. This has not run on an AMD GPU yet."""
from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "profile")]
import profiler
from built import compared
from lib.script import TOP, fail, say

# Their name or formula in explain's JSON, and the vendor's counter.
NVIDIA = [(f"global_{kind}_{what}", f"l1tex__t_{what}_pipe_lsu_mem_global_op_{short}.sum")
          for kind, short in (("load", "ld"), ("store", "st")) for what in ("requests", "sectors")]
NVIDIA += [(f"shared_{kind}_{what}", f"l1tex__data_{name}_mem_shared_op_{short}.sum")
           for kind, short in (("load", "ld"), ("store", "st"))
           for what, name in (("passes", "pipe_lsu_wavefronts"), ("conflicts", "bank_conflicts_pipe_lsu"))]
AMD = [("global_load_requests", "SQ_INSTS_VMEM_RD"), ("global_store_requests", "SQ_INSTS_VMEM_WR")]
LEFT_OUT = "rows", "prim"  # rows depends on the number of multiprocessors; prim's kernels are the vendor's


def words_of(program: Path, variant: str, kind: str) -> list[str | Path]:
    fills = (variant in ("cooperative", "single_pass", "reproducible") or  # a grid that follows the device
             "grid_to_fill(" in (TOP / f"reduction_{variant}/{variant}.hip").read_text())
    return [program, f"--size={102400 if variant == 'softmax' else 100003}", f"--type={kind}", "--iterations=1",
            "--warmup=0", "--ceiling=1", "--quiet", *(["--grid=64", "--block=256"] if fills else [])]


def count(folder: Path, gpu: str = "sm_90") -> None:
    out, amd = folder.resolve() / "traced", gpu.startswith("gfx")
    with open(folder / "counted.txt", "w", encoding="utf-8") as text:
        print(gpu, file=text)
        for kind in "float", "double":
            subprocess.run([os.environ.get("MAKE", "make"), "-s", f"-j{os.cpu_count()}", "GPU=cpu", f"OUT={out}", "TRACE=1",
                            f"TYPE={kind}", "counted"], cwd=TOP, check=True, stdout=sys.stderr)
            for variant in compared():
                programs = sorted(out.glob(f"build/*/instances/{kind}_sum/reduction_{variant}"))
                if variant in LEFT_OUT or not programs:
                    continue
                found = out / "counted.json"
                subprocess.run(words_of(programs[0], variant, kind), check=True, stdout=subprocess.DEVNULL, env={
                    **os.environ, "HIP_CPU_TRACE": "explain", "HIP_CPU_WARP_SIZE": "64" if gpu.startswith("gfx9") else "32",
                    "HIP_CPU_WORKERS": "64", "HIP_CPU_EXPLAIN": f"json,to:{found}"})
                kernel = max(json.loads(found.read_text()), key=lambda one: one["instructions"])
                print(variant, kind, kernel["kernel"], *(kernel[name] for name, _ in (AMD if amd else NVIDIA)), file=text,
                      flush=True)


def under_ncu(kernel: str, words: list[str | Path]) -> dict[str, str]:
    said = subprocess.run(["ncu", "--clock-control=none", "--csv", "--print-units=base", "--kernel-name", kernel,
                           "--launch-count=1", "--metrics", ",".join(name for _, name in NVIDIA), *words],
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()
    rows = csv.DictReader(io.StringIO("\n".join(line for line in said if line.startswith('"'))))
    return {row["Metric Name"]: row["Metric Value"].replace(",", "") for row in rows}


def under_rocprof(kernel: str, words: list[str | Path]) -> dict[str, str]:
    tool, found = profiler.find_profiler("amd"), {}
    with tempfile.TemporaryDirectory() as work:
        for _, counter in AMD:
            text, _ = profiler.measure(tool, counter, list(map(str, words)), Path(work))
            launches = profiler.first_launches(text, counter)
            if kernel in launches:
                found[counter] = f"{launches[kernel][0]:.0f}"
    return found


def compare(folder: Path) -> None:
    equal = all_of_them = 0
    lines = (folder / "counted.txt").read_text().splitlines()
    amd = lines[0].startswith("gfx")
    head = "# The kernel that does most, n 100003 (softmax 102400), grid 64 and block 256 where the grid follows the device:\n"
    if amd:
        say(head + "# loads and stores of global memory, instructions of wavefronts. Counted by the traced programs | by rocprofv3. ! where "
            "they differ.")
    else:
        say(head + "# requests and 32-byte sectors of global memory, loads, then stores; passes of shared memory and how many of them\n"
            "# are bank conflicts, loads, then stores. Counted by the traced programs | by ncu. ! where they differ.")
    for line in lines[1:]:
        variant, kind, kernel, *counted = line.split()
        words = words_of(folder / f"reduction_{variant}/reduction_{variant}", variant, kind)
        measured = (under_rocprof if amd else under_ncu)(kernel, words)
        pairs = list(zip(counted, (measured.get(name, "?") for _, name in (AMD if amd else NVIDIA))))
        equal += sum(a == b for a, b in pairs)
        all_of_them += len(pairs)
        say(f"{variant:19} {kind:6} {' '.join(a + '|' + b + '!' * (a != b) for a, b in pairs)}")
    say(f"# {equal} of {all_of_them} counts are equal")


def main() -> None:
    steps = {"count": count, "compare": compare}
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in steps or sys.argv[1] == "compare" and len(sys.argv) == 4:
        fail(__doc__ or "")
    steps[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])


if __name__ == "__main__":
    main()
