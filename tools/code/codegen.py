#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The machine code of the kernels in one object file, for each target in it: registers, loads, waits, atomics, how
lanes exchange values. The columns are explained in machine_code.py. `make codegen` runs it.

It needs the compiler's own llvm-readelf, llvm-objdump and clang-offload-bundler (AMD), or cuobjdump (NVIDIA).
Exit code 1 if an expectation is not met, 2 bad usage, 3 if the object cannot be read, 77 without the tools."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.script import DEVICE_ERROR, NOT_HERE, Options, fail, find_program, json_text, say
from expectations import check
from machine_code import Row, read_amd, read_nvidia


def output(*command: str | Path) -> str:
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if run.returncode:
        fail(f"{Path(command[0]).name}: {run.stderr.strip() or f'exit code {run.returncode}'}", DEVICE_ERROR)
    return run.stdout


def llvm_tool(compiler: str, name: str) -> str:
    """A tool of the compiler's own LLVM, which reads its own file formats."""
    def asked(option: str) -> str:
        try:
            return subprocess.run([compiler, option], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
        except OSError:
            return ""

    beside = re.sub(r"/lib[0-9a-z]*/clang/.*", "", asked("-print-resource-dir"))
    installed = [Path(os.environ.get("ROCM_PATH") or "/opt/rocm", "llvm/bin", name)]
    installed += sorted(Path("/usr/lib").glob(f"llvm-*/bin/{name}"), reverse=True,
                        key=lambda path: [int(part) for part in re.findall(r"\d+", str(path))])
    for path in [Path(beside, "bin", name), Path(asked(f"-print-prog-name={name}")), *installed]:
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return shutil.which(name) or fail(f"{name} not found: it comes with {compiler}", NOT_HERE)


def llvm_version(compiler: str) -> int:
    said = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    found = re.search(r"clang version (\d+)", said)
    return int(found[1]) if found else 0


def amd_rows(given, work: Path) -> list[Row]:
    readelf, objdump, bundler = (llvm_tool(given.compiler, name) for name in
                                 ("llvm-readelf", "llvm-objdump", "clang-offload-bundler"))
    bundle, code = work / "bundle", work / "code"
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.hip_fatbin", given.object, bundle], stderr=subprocess.DEVNULL)
    if not bundle.exists() or not bundle.stat().st_size:
        fail(f"{given.object} has no code for a GPU", DEVICE_ERROR)
    names = output(bundler, "--list", "--type=o", f"--input={bundle}").split()
    rows = []
    for target in given.targets:
        name = next((name for name in names if name.endswith(f"-{target}")), None)
        if not name:
            fail(f"{given.object} has no code for {target}", DEVICE_ERROR)
        output(bundler, "--unbundle", "--type=o", f"--targets={name}", f"--input={bundle}", f"--output={code}")
        rows += read_amd(given.variant, target, output(readelf, "--notes", code),
                         output(objdump, "--disassemble", f"--mcpu={target}", code))
    return rows


def nvidia_rows(given) -> list[Row]:
    cuda = Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin")
    cuobjdump = find_program("cuobjdump", Path(given.compiler).parent, cuda)
    if not cuobjdump:
        fail("cuobjdump not found: install it from the CUDA toolkit (package cuda-cuobjdump)", NOT_HERE)
    rows = []
    for target in given.targets:
        usage = subprocess.run([cuobjdump, "-arch", target, "-res-usage", given.object], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True).stdout
        rows += read_nvidia(given.variant, target, usage, output(cuobjdump, "-arch", target, "-sass", given.object))
    return rows


def exchanges(row: Row) -> str:
    words = {"bpermute": "bpermute", "dpp": "DPP", "permlane": "permlane", "readlane": "readlane", "shuffle": "SHFL",
             "redux": "REDUX", "native": "atomic", "cas": "CAS", "spills": "SPILLS"}
    return " ".join(f"{word}:{row[column]}" for column, word in words.items() if row[column])


def table(rows: list[Row]) -> str:
    def line(*fields) -> str:
        widths = [-11, -20, -11, 5, 5, 4, 4, 4, 5, 5, 5]
        cells = [f"{field:<{-width}}" if width < 0 else f"{field:>{width}}" for field, width in zip(fields, widths)]
        return (" ".join(cells) + f"  {fields[-1]}").rstrip() + "\n"

    text, target = "", ""
    for row in rows:
        nvidia = row["target"].startswith("sm_")
        if row["target"] != target:
            target = row["target"]
            text += ("\n" if text else "") + f"# reduction_{row['variant']} for {target}\n"
            text += line("", "", "registers", "LDS", "local", "", "wide", "in", "waits", "instr", "code", "")
            text += line("instance", "kernel", "" if nvidia else "v + a, s", "bytes", "bytes", "wave", "load", "row", "loop",
                         "loop", "bytes", "lanes exchange by; atomics")
        registers = row["vgpr"] if nvidia else f"{row['vgpr']} + {row['agpr']}, {row['sgpr']}"
        text += line(f"{row['type']} {row['op']}", row["kernel"], registers, row["lds"], row["scratch"], row["waves"],
                     row["width"], row["loads"], "-" if row["waits"] is None else row["waits"], row["turn"], row["size"],
                     exchanges(row))
    return text + "# wave: wavefronts (warps) per SIMD by registers; row: loads of that width before the first wait\n"


def main() -> None:
    options = Options(__doc__)
    options.add_argument("--expect", action="store_true", help="compare with codegen.txt; one line per unmet expectation")
    options.add_argument("--format", choices=["table", "json"], default="table")
    options.add_argument("--type", default="", help="only kernels of this type")
    options.add_argument("--op", default="", help="only kernels of this operation")
    options.add_argument("platform", choices=["amd", "nvidia", "cpu"])
    options.add_argument("compiler", help="its tools read the object")
    options.add_argument("variant")
    options.add_argument("object")
    options.add_argument("targets", nargs="*", metavar="target")
    given = options.parse_args()
    given.variant = re.sub("^reduction_", "", given.variant)
    if given.platform == "cpu":
        fail("codegen needs a GPU target: make codegen V=shfl GPU=gfx90a or GPU=sm_90")
    if not Path(given.object).is_file() or not Path(given.object).stat().st_size:
        fail(f"{given.object} not found: build reduction_{given.variant} first", DEVICE_ERROR)
    with tempfile.TemporaryDirectory() as work:
        rows = amd_rows(given, Path(work)) if given.platform == "amd" else nvidia_rows(given)
    if given.expect:
        complaints, compared = check(HERE / "codegen.txt", rows, given.variant, given.targets, llvm_version(given.compiler))
        for complaint in complaints:
            say(f"        {complaint}")
        if complaints:
            sys.exit(1)
        say(f"codegen {given.variant} for {' '.join(given.targets)}: {len(rows)} kernels, {compared} expectations met")
        return
    if not rows and given.format == "table":
        fail(f"reduction_{given.variant} has no kernels of its own: they are in the vendor's library", DEVICE_ERROR)
    rows = [row for row in rows if given.type in ("", row["type"]) and given.op in ("", row["op"])]
    if given.format == "json":
        say(json_text(rows), end="")
    elif rows:
        say(table(rows), end="")
    else:
        fail("no kernel of this TYPE and OP")


if __name__ == "__main__":
    main()
