#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All measurements on a machine with AMD GPUs, by one command and without root: builds, runs the test suites, the
table of all programs, the sweep over sizes, the machine code, the profiler's counters and reduction_multi_gpu, and packs
the results into one archive with a summary that can be pasted into an issue.

The GPU should be idle: the summary says whether rocm-smi or amd-smi found it so. Sizes are chosen by its free memory. A
step that fails is reported and does not stop the others. Exit code 1 if any failed, 2 bad usage, 77 without an AMD GPU.
On a cluster: srun --gpus=1 -c 16 tools/measure/on_amd.py"""
from __future__ import annotations

import csv
import datetime
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.bench_csv import parse_size, size_text
from lib.script import DEVICE_ERROR, NOT_HERE, TOP, Options, fail, say

EVICTED = 2 << 30  # bytes that a run with cold caches needs besides its array, rounded up


def text_of(*command: str | Path, errors: bool = False) -> str:
    """A command's output; "" if it is missing or fails."""
    try:
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stderr if errors else ran.stdout if ran.returncode == 0 else ""


def json_of(*command: str) -> object:
    text = text_of(*command)
    start = min((text.index(mark) for mark in "[{" if mark in text), default=0)  # warnings may precede it
    try:
        return json.loads(text[start:])
    except ValueError:
        return None


# ---- the device, and what the system management interfaces report

def bus_of(device: int) -> str:
    """The PCI address of HIP's device from the driver's list of GPUs; "" if the numbering is uncertain."""
    if os.environ.get("ROCR_VISIBLE_DEVICES") or os.environ.get("GPU_DEVICE_ORDINAL"):
        return ""
    nodes = Path(os.environ.get("KFD_NODES") or "/sys/class/kfd/kfd/topology/nodes")
    gpus = []
    for node in sorted(nodes.glob("*/properties"), key=lambda path: int(path.parent.name)):
        values = dict(re.findall(r"^(\w+) (\d+)$", node.read_text(), re.MULTILINE))
        if int(values.get("gfx_target_version", 0)) > 0 and "location_id" in values:
            location = int(values["location_id"])
            gpus.append(f"{int(values.get('domain', 0)):04x}:{location >> 8 & 255:02x}:{location >> 3 & 31:02x}.{location & 7}")
    return gpus[device] if device < len(gpus) else ""


def flat(value: object, name: str = "") -> dict[str, str]:
    """The leaves of JSON by their last two names; {"value": 300, "unit": "W"} is one leaf."""
    if isinstance(value, dict) and "value" in value:
        return {name: f"{value['value']} {value.get('unit', '')}".strip()}
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else ((str(i), item) for i, item in enumerate(value))
        return {key: leaf for word, item in items for key, leaf in
                flat(item, f"{name.split(' ')[-1]} {word}".strip()).items()}
    return {name: str(value)}


def rocm_smi(bus: str) -> dict[str, str]:
    """Asks for each option separately: an older rocm-smi lacks some."""
    cards: dict[str, dict[str, str]] = {}
    for option in ("--showbus", "--showuse", "--showcomputepartition", "--showmemorypartition", "--showmaxpower", "--showclocks"):
        said = json_of("rocm-smi", option, "--json")
        for card, values in said.items() if isinstance(said, dict) else ():
            cards.setdefault(card, {}).update(flat(values))
    for values in cards.values():
        if values.get("PCI Bus", "").lower() == bus:
            return values
    return {}


def amd_smi(bus: str) -> dict[str, str]:
    listed = json_of("amd-smi", "list", "--json")
    listed = listed.get("gpu_data", []) if isinstance(listed, dict) else listed or []
    for gpu in listed:
        if str(gpu.get("bdf", "")).lower() == bus:
            number = str(gpu["gpu"])
            return {**flat(json_of("amd-smi", "metric", "-g", number, "--usage", "--clock", "--json")),
                    **flat(json_of("amd-smi", "static", "-g", number, "--partition", "--limit", "--json"))}
    return {}


def describe_state(device: int) -> list[str]:
    """Lines of the summary: idle or not, partition, power cap and clocks, each with its source."""
    bus = bus_of(device)
    for tool, ask in (("rocm-smi", rocm_smi), ("amd-smi", amd_smi)):
        values = ask(bus) if bus and shutil.which(tool) else {}
        use = next((re.match(r"\d+", value) for name, value in values.items()
                    if re.search("GPU use|gfx_activity", name)), None)
        if not values:
            continue
        lines = []
        if use is None:
            lines.append(f"- whether it was idle is unknown: {tool} does not say")
        elif int(use[0]) > 5:
            lines.append(f"- **not idle**: {use[0]} % in use before the first measurement by {tool}; times below are worth less")
        else:
            lines.append(f"- idle before the first measurement by {tool} ({use[0]} % in use)")
        for what, pattern in (("partition", "artition"), ("power cap", "ower"), ("clocks", "sclk|mclk|gfx_0 clk|mem_0 clk")):
            found = [f"{name} {value}" for name, value in values.items() if re.search(pattern, name)]
            lines.append(f"- {what}: {'; '.join(found) or f'{tool} does not say'}")
        return [*lines, f"- PCI {bus}"]
    return ["- whether it was idle, its partition, power cap and clocks are unknown: neither rocm-smi nor amd-smi says so of "
            + (f"the device at {bus}" if bus else "this device")]


# ---- the steps

class Report:
    """The summary, and the number of failures."""

    def __init__(self, out: Path) -> None:
        self.out, self.failed = out, 0
        out.mkdir(parents=True, exist_ok=True)
        self.summary = out / "summary.md"
        self.summary.write_text("")

    def write(self, line: str) -> None:
        say(line)
        with open(self.summary, "a", encoding="utf-8") as file:
            print(line, file=file)

    def step(self, file: str, *command: str | Path, env: dict[str, str] | None = None) -> bool:
        """Runs a command with its output in a file; adds a line to the summary."""
        words = [str(word) for word in command]
        start = time.monotonic()
        with open(self.out / file, "w", encoding="utf-8") as out:
            try:
                status = subprocess.run(words, stdout=out, stderr=subprocess.STDOUT, env=env).returncode
            except OSError as error:
                print(f"{words[0]}: {error.strerror}", file=out)
                status = DEVICE_ERROR
        word = "ok"
        if status == NOT_HERE:
            word = "not here"
        elif status:
            self.failed += 1
            lines = [line for line in (self.out / file).read_text(errors="replace").splitlines()
                     if line.strip() and not re.match(r"make(\[\d+\])?: ", line)]
            word = f"**failed** ({status}): {lines[-1][:100] if lines else ''}"
        self.write(f"| `{shlex.join(words)}` | {word} | {time.monotonic() - start:.0f} s |")
        return status == 0


def free_bytes(program: Path) -> int:
    """The device's free memory, from the program's message about an array that is too large."""
    said = re.search(r"on the device, and (\d+) bytes", text_of(program, "-n", str(1 << 42), errors=True))
    return int(said[1]) if said else 0


def largest_size(free: int) -> int:
    """Elements of 8 bytes, a power of two up to 8G, for which every program has memory."""
    n = 8 << 30
    while n > 1024 and 8 * n + min(EVICTED, free // 2) > free:
        n >>= 1
    return n


def measure(report: Report, gpu: str, out_folder: Path, quick: bool, first_row: dict[str, str], free: int,
            all_devices: dict[str, str]) -> None:
    """All measurements, the important ones first."""
    make = [os.environ.get("MAKE", "make"), f"-j{os.cpu_count()}", f"GPU={gpu}", f"OUT={out_folder}"]

    def program(name: str, folder: Path = out_folder) -> Path:
        return folder / f"reduction_{name}" / f"reduction_{name}"

    single_pass = program("single_pass")
    most = largest_size(free)
    report.write(f"| largest array: {size_text(most)} elements of 8 bytes, of {free / (1 << 30):.1f} GiB free | | |")

    def size(text: str) -> str:
        return size_text(min(parse_size(text), most))

    def sizes(text: str) -> str:
        return ",".join(word for word in text.split(",") if parse_size(word) <= most)

    rehearsal = gpu == "cpu"
    table = size("16K" if rehearsal else "16M" if quick else "256M")
    one, cached_sizes = (table, "4K,16K") if rehearsal else (size("16M" if quick else "1G"), sizes("512K,4M,16M,128M"))
    few = "4K,16K" if rehearsal else sizes("4K,1M,64M" if quick else "4K,64K,1M,16M,256M,1G,2G")
    sweep = few if quick else f"1..{size('8G')}"
    report.step("suites.txt", *make, "check")
    report.step("ladder-double-sum.txt", *make, "run", "FORMAT=wide", f"SIZE={table}")
    report.step("ladder-float-max.txt", *make, "run", "FORMAT=wide", f"SIZE={table}", "TYPE=float", "OP=max")
    report.step("sweep.txt", *make, "bench", f"SIZE={sweep}", f"TIME={60 if quick else 1800}",
                "VARIANT=single_pass,prim,shfl,striding", "TYPE=float,double", f"CSV={report.out / 'sweep.csv'}")
    for shuffle in "down", "xor", "up", "dpp":
        report.step(f"shfl-{shuffle}.txt", program("shfl"), "-n", table, "--shuffle", shuffle)
    units = int(first_row["compute_units"])
    for block in "256", "512", "1024":  # 2 or 4 blocks per unit, and the result by marks or by copy
        for per_unit in 2, 4:
            report.step(f"single_pass-{block}-{per_unit}.txt", single_pass, "-n", one,
                        "--block", block, "--grid", str(units * per_unit))
    for result in "host", "device":
        report.step(f"single_pass-{result}.txt", single_pass, "-n", few, "--result", result)
    # Loads with nt, and without it, of arrays that fit the caches and of one that does not.
    cached = out_folder / "build" / "cached"
    report.step("build-cached.txt", *make[:-1], f"OUT={cached}", "HIPFLAGS=-DLOAD_16_CACHED", "reduction_single_pass")
    report.step("single_pass-nt.txt", single_pass, "-n", cached_sizes)
    report.step("single_pass-cached.txt", program("single_pass", cached), "-n", cached_sizes)
    if not rehearsal:
        for variant in "single_pass", "shfl", "two_kernels_unroll", "atomic":
            report.step(f"codegen-{variant}.txt", *make, "codegen", f"V={variant}", "EXPECT=1")
        for variant in "bank_conflicts", "striding", "single_pass":
            report.step(f"profile-{variant}.txt", *make, "profile", f"V={variant}", f"SIZE={table}")
    report.step("multi_gpu.txt", sys.executable, HERE / "on_gpus.py", program("multi_gpu"), report.out / "multi_gpu",
                "--sizes", few if quick else f"4K..{size('2G')}", "--few", few,
                "--large", str(10007 if rehearsal else min(100000007, most)),
                "--steps", "measure,right,bits", *(["--iterations", "10"] if quick else []), env=all_devices)


def main() -> None:
    options = Options(__doc__)
    options.add_argument("-q", "--quick", action="store_true", help="small sizes, a few minutes; else about an hour")
    options.add_argument("-d", "--device", type=int, help="which GPU (0); sets HIP_VISIBLE_DEVICES")
    options.add_argument("-o", "--to", type=Path, help="where to: results/NAME-OF-THE-GPU")
    options.add_argument("--gpu", default="auto", help="build for this target; cpu rehearses with small arrays and without a GPU")
    given = options.parse_args()
    os.chdir(TOP)
    os.environ["PATH"] += os.pathsep + str(Path(os.environ.get("ROCM_PATH") or "/opt/rocm", "bin"))
    os.environ["HIP_PLATFORM"] = "amd"
    all_devices = dict(os.environ)
    visible = os.environ.get("HIP_VISIBLE_DEVICES", "").split(",")[0]
    if given.device is not None:
        os.environ["HIP_VISIBLE_DEVICES"] = str(given.device)
    device = given.device if given.device is not None else int(visible) if visible.isdigit() else 0

    meant = text_of("sh", "platform/target.sh", given.gpu).split()
    if not meant or meant[0] != "amd" and given.gpu != "cpu":
        fail("no AMD GPU found; on a cluster, run it where the GPU is: srun --gpus=1 -c 16 tools/measure/on_amd.py", NOT_HERE)
    gpu = " ".join(meant[2:]) or "cpu"
    out_folder = Path(os.environ.get("OUT") or ".").absolute()
    program = out_folder / "reduction_single_pass/reduction_single_pass"
    build = [os.environ.get("MAKE", "make"), f"-j{os.cpu_count()}", f"GPU={gpu}", f"OUT={out_folder}"]
    built = subprocess.run([*build, "all"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    row = next(csv.DictReader(text_of(program, "-n", "1K", "-f", "csv").splitlines()), {})
    name = row.get("device") or "AMD GPU"
    out = (given.to or Path("results", re.sub("[^a-z0-9._-]+", "-", name.lower()).strip("-"))).absolute()

    report = Report(out)
    report.write(f"# {name}, {datetime.datetime.now(datetime.timezone.utc):%d %B %Y}\n")
    hip = re.search("HIP version.*", text_of("hipcc", "--version"))
    driver = Path("/sys/module/amdgpu/version")
    revision = text_of("git", "describe", "--always", "--dirty").strip() or "unknown"
    report.write(f"- revision {revision}, {hip[0] if hip else 'no hipcc'}\n"
                 f"- driver {driver.read_text().strip() if driver.exists() else 'of the kernel'}, kernel {platform.release()}, "
                 f"GPU={gpu}, {os.cpu_count()} cores")
    for line in describe_state(device):
        report.write(line)
    report.write("\n| command | | time |\n|---|---|---|")
    (out / "build.txt").write_text(built.stdout)
    (out / "devices.txt").write_text(text_of(program, "--list-devices"))
    if built.returncode:
        report.step("build.txt", *build, "all")  # again, for its line in the summary
    else:
        report.write(f"| `{shlex.join(build)}` | ok | |")
    if row:
        measure(report, gpu, out_folder, given.quick, row, free_bytes(program), all_devices)
        ladder = (out / "ladder-double-sum.txt").read_text(errors="replace")
        report.write("\n```text\n" + re.sub(r"^  [A-Z]+ .*\n", "", ladder, flags=re.MULTILINE) + "```")
    else:
        report.failed += not built.returncode
        said = text_of(program, "-n", "1K", errors=True).strip().rpartition("\n")[2] or "it does not run"
        report.write(f"| `{program}` | **failed**: {said}; nothing is measured | |")
    archive = out.with_name(out.name + ".tar.gz")
    with tarfile.open(archive, "w:gz") as pack:
        pack.add(out, out.name)
    say(f"\n{report.failed} steps failed. Paste {report.summary} into an issue and attach {archive}.")
    sys.exit(report.failed > 0)


if __name__ == "__main__":
    main()
