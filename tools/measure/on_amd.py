#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All measurements of one AMD GPU, by one command and without root: builds for it, measures, and packs the results into
one archive, with a summary that can be pasted into an issue.

    tools/measure/on_amd.py [PART...]          30 minutes; -q: 5 minutes, with the build
    tools/measure/on_amd.py --tables FOLDER    afterwards: the tables of results/amd and of the README, from results/NAME

The GPU is the one on which the programs run; rocm-smi and amd-smi are asked about its PCI address only. On a cluster:
srun --gpus=1 -c 16 tools/measure/on_amd.py. Each step has a limit of time, and what fails or hangs does not stop the
others. Ctrl-C ends it; the archive has what was measured until then. The same command measures what is still missing.
Exit code 1 if a step failed or was not begun, 2 bad usage, 77 without an AMD GPU, 130 if it was interrupted."""
from __future__ import annotations

import csv
import datetime
import errno
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import traceback
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from amd_state import state_of
from amd_tables import tables
from built import Built
from lib.bench_csv import parse_size, size_text
from lib.process import end, output_of
from lib.script import BAD_USAGE, DEVICE_ERROR, INTERRUPTED, NOT_HERE, TOP, Options, fail, say

EVICTED = 2 << 30  # bytes that a run with cold caches needs besides its array, rounded up
FACTS = ["name", "arch", "memory", "free", "units", "address", "uuid", "driver", "devices"]  # of bin/device
CORES = len(os.sched_getaffinity(0)) or 1


class Interrupted(Exception):
    pass


class Gone(Exception):
    """The device does not answer any more."""


def heed(action: object) -> None:
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # of nohup
            signal.signal(number, action)


def interrupt(number: int, _: object) -> None:
    """Only the first: while the current step ends and the archive is written, others change nothing."""
    heed(signal.SIG_IGN)
    raise Interrupted(signal.Signals(number).name)


def run(words: list[str], out: object, limit: float, env: dict[str, str] | None = None) -> int | None:
    """The exit code of a command; None if it took longer than its limit."""
    try:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=TOP,
                                 start_new_session=True)
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=out, flush=True)
        return DEVICE_ERROR
    try:
        return child.wait(max(limit, 0.1))
    except subprocess.TimeoutExpired:
        end(child)
        return None
    except BaseException:
        end(child)
        raise


def last_words(path: Path) -> str:
    """What a command said last, other than make."""
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines()
             if line.strip() and not re.match(r"make(\[\d+\])?: ", line)]
    return lines[-1] if lines else ""


class Session:
    """The folder for results, its summary, the time that is left, and how many steps failed."""

    def __init__(self, out: Path, seconds: float, longest: float) -> None:
        self.longest = longest
        self.out, self.failed, self.left_out, self.deadline = out, 0, 0, time.monotonic() + seconds
        self.program: Path | None = None  # tells whether the device still answers
        self.parts: list[str] = []  # that were not all measured
        out.mkdir(parents=True, exist_ok=True)
        self.summary = out / "summary.md"
        self.summary.write_text("")

    def left(self) -> float:
        return self.deadline - time.monotonic()

    def write(self, line: str) -> None:
        with open(self.summary, "a", encoding="utf-8") as file:
            print(line, file=file)
        try:
            say(line)
        except SystemExit:  # nobody reads any more, as after SIGHUP: the archive shall be written
            pass

    def answers(self) -> bool:
        with open(self.out / "answers.txt", "w", encoding="utf-8") as out:
            return self.program is None or run([str(self.program), "-n", "1K", "-i", "1", "-w", "0", "--ceiling", "1"],
                                               out, min(60, self.longest)) == 0

    def step(self, file: str, limit: float, *command: str | Path, env: dict[str, str] | None = None) -> bool:
        """Runs a command with its output in a file; adds a line to the summary. Not begun if too little time is left."""
        words = [str(word) for word in command]
        shown = shlex.join(["python3" if word == sys.executable else word for word in words]).replace(f"{TOP}/", "")
        shown = shown if len(shown) < 200 else f"{shown[:180]} ..."
        if self.left() < min(limit, 20):
            self.left_out += 1
            self.write(f"| `{shown}` | **not begun**: the time is up | |")
            return False
        limit = min(limit, self.left(), self.longest)
        start = time.monotonic()
        path = self.out / file
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(path, "w", encoding="utf-8") as out:
                status = run(words, out, limit, env)
        except Interrupted:
            self.write(f"| `{shown}` | interrupted | {time.monotonic() - start:.0f} s |")
            raise
        word = "ok"
        if status == NOT_HERE or status and re.search(rf"^make.* Error {NOT_HERE}$", path.read_text(errors="replace"), re.MULTILINE):
            word = f"not here: {last_words(path)[:100]}"
        elif status is None and self.left() <= 0:
            self.left_out += 1
            word = f"**not finished** in {limit:.0f} s: the time is up"
        elif status is None:
            word = f"**failed**: ended after {limit:.0f} s, its limit"
        elif status:
            word = f"**failed** ({status}): {last_words(path)[:100]}"
        self.failed += word.startswith("**failed")
        self.write(f"| `{shown}` | {word} | {time.monotonic() - start:.0f} s |")
        if status is None and not self.answers():
            raise Gone("after that step the GPU does not answer within a minute: nothing more is measured")
        return status == 0


# ---- the device

def text_of(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """A command's output; "" if it is missing, fails or hangs."""
    status, said, _ = output_of(list(command), 60, env, TOP)
    return said if status == 0 else ""


def probe(program: Path, device: int, env: dict[str, str]) -> dict[str, str]:
    """What the runtime says of a device. Exits with the program's message if there is none."""
    status, said, errors = output_of([program, f"--device={device}"], 120, env)
    if status is None:
        fail("the GPU does not answer within two minutes: another process may hang on it; sudo dmesg shows what the driver says",
             DEVICE_ERROR)
    if status:
        fail(errors.strip().rpartition("\n")[2] or f"{program}: exit code {status}",
             status if status in (BAD_USAGE, NOT_HERE) else DEVICE_ERROR)
    found = [row for row in csv.reader(said.splitlines()) if len(row) == len(FACTS)]  # and no warnings of the runtime
    if not found:
        fail(f"{program} does not say which GPU this is: {said[:100]!r}", DEVICE_ERROR)
    facts = dict(zip(FACTS, found[-1]))
    return {**facts, "name": facts["name"] or facts["arch"]}


def choose(program: Path, device: int) -> dict[str, str]:
    """Lets all programs see only this device, and makes sure that it is the one."""
    meant = probe(program, device, dict(os.environ))
    listed = os.environ.get("HIP_VISIBLE_DEVICES") or os.environ.get("CUDA_VISIBLE_DEVICES") or ""
    entries = [entry.strip() for entry in listed.split(",") if entry.strip()]
    os.environ["HIP_VISIBLE_DEVICES"] = entries[device] if device < len(entries) else str(device)
    found = probe(program, 0, dict(os.environ))
    if any(found[fact] != meant[fact] for fact in ("name", "address", "uuid")):
        fail(f"device {device} is {meant['name']} at {meant['address']}, but HIP_VISIBLE_DEVICES="
             f"{os.environ['HIP_VISIBLE_DEVICES']} shows {found['name']} at {found['address']}: set HIP_VISIBLE_DEVICES to it "
             "yourself, and leave out -d", DEVICE_ERROR)
    return found


def largest_size(free: int) -> int:
    """Elements of 8 bytes, a power of two up to 8G, for which every program has memory."""
    n = 8 << 30
    while n > 1024 and 8 * n + min(EVICTED, free // 2) > free:
        n >>= 1
    return n


# ---- the parts

class Plan:
    """What the parts need to know."""

    def __init__(self, session: Session, gpu: str, folder: Path, device: dict[str, str], quick: bool,
                 everywhere: dict[str, str]) -> None:
        self.session, self.gpu, self.folder, self.quick, self.everywhere = session, gpu, folder, quick, everywhere
        self.rehearsal, self.units = gpu == "cpu", int(device["units"])
        self.most = min(largest_size(int(device["free"])), 1 << 14 if self.rehearsal else 8 << 30)
        self.build = folder / "build" / (gpu.replace(" ", "+").replace(":", "."))
        self.make = [os.environ.get("MAKE", "make"), f"-j{CORES}", f"GPU={gpu}", f"OUT={folder}"]

    def program(self, name: str, folder: Path | None = None) -> Path:
        return (folder or self.folder) / f"reduction_{name}" / f"reduction_{name}"

    def size(self, text: str) -> str:
        return size_text(min(parse_size(text), self.most))

    def sizes(self, text: str) -> str:
        return ",".join(word for word in text.split(",") if parse_size(word) <= self.most) or self.size("1K")

    def step(self, file: str, limit: float, *command: str | Path, env: dict[str, str] | None = None) -> bool:
        return self.session.step(file, limit, *command, env=env)

    def measured(self, *parts: str) -> None:
        """Parts of results_on_gpu.py, each a step: what they are, and how long they may take, is said there."""
        for part in parts:
            self.step(f"parts/{part}.txt", 600, sys.executable, HERE / "results_on_gpu.py", self.folder, self.session.out, part,
                      f"--target={self.build.name}", f"--most={size_text(self.most)}", *(["--tiny"] if self.rehearsal else []))


def ladder(p: Plan) -> None:
    if not p.quick:
        return p.measured("ladder")
    for how in "", "-cold":
        p.step(f"ladder/ladder-double-sum{how}.txt", 90, p.build / "bin/run", "--format=wide", f"--size={p.size('16M')}",
               *(["--cold"] if how else []), *Built(p.folder, p.build.name).programs())
    return None


def turns(p: Plan) -> None:
    """single_pass and the vendor's library in turns."""
    if not p.quick:
        return p.measured("latency")
    p.step("turns.txt", 90, *p.make, "bench", f"SIZE={p.sizes('4K,64K,1M,16M,64M')}", "TIME=30", "VARIANT=single_pass,prim",
           "TYPE=float,double", f"CSV={p.session.out / 'turns.csv'}")
    return None


def tried(p: Plan) -> None:
    """What docs/amd.md wants to be tried: shapes of launches, ways of the result, loads that stay in the caches, shuffles."""
    single_pass, one, few = p.program("single_pass"), p.size("1G"), p.sizes("4K,64K,1M,16M,256M,1G")
    if p.quick:
        one, few = p.size("64M"), p.sizes("4K,1M,64M")
    for block in ["512"] if p.quick else ["256", "512", "1024"]:
        for per_unit in 2, 4:
            p.step(f"tried/grid-{block}-{per_unit}.txt", 60, single_pass, "-n", one, "--block", block,
                   "--grid", str(p.units * per_unit))
    for result in "host", "device":
        p.step(f"tried/result-{result}.txt", 60, single_pass, "-n", few, "--result", result)
    if p.quick:
        return
    for shuffle in "down", "xor", "up", "dpp":
        p.step(f"tried/shuffles-{shuffle}.txt", 60, p.program("shuffles"), "-n", p.size("256M"), "--shuffle", shuffle)
    ways = [("cached", "LOAD_16_CACHED", ["single_pass"])]
    if not p.gpu.startswith("gfx9"):  # which has no other way than the swizzle
        ways.append(("swizzle", "ACROSS_ROWS_BY_SWIZZLE", ["single_pass", "softmax", "head_flags"]))
    for name, flag, variants in ways:
        other = p.folder / "build" / name
        p.step(f"tried/build-{name}.txt", 300, *p.make[:-1], f"OUT={other}", f"HIPFLAGS=-D{flag}",
               *(f"reduction_{variant}" for variant in variants))
        for variant in variants:
            sizes = p.sizes("512K,4M,16M,128M" if name == "cached" else "16,64K,16M")
            p.step(f"tried/{variant}-{name}-no.txt", 60, p.program(variant), "-n", sizes)
            p.step(f"tried/{variant}-{name}.txt", 60, p.program(variant, other), "-n", sizes)


def suites(p: Plan) -> None:
    p.step("suites.txt", 300, *p.make, "check", "SUITES=variants,library_lines,library_segments")


def codegen(p: Plan) -> None:
    for variant in ["single_pass"] if p.quick else ["single_pass", "shfl", "two_kernels_unroll", "atomic", "softmax", "rows"]:
        p.step(f"codegen/{variant}.txt", 60, *p.make, "codegen", f"V={variant}", "EXPECT=1")


def profile(p: Plan) -> None:
    for variant in "bank_conflicts", "striding", "single_pass":
        p.step(f"profile/{variant}.txt", 120, *p.make, "profile", f"V={variant}", f"SIZE={p.size('16M')}")


def beside(p: Plan) -> None:
    sees = "import torch, sys; sys.exit(not torch.cuda.is_available())"
    if run([sys.executable, "-c", sees], subprocess.DEVNULL, 60):
        p.session.write("| PyTorch beside libreduction and softmax | not here: no PyTorch that sees the GPU | |")
    else:
        p.measured("beside")


def exercises(p: Plan) -> None:
    if p.step("exercises/build.txt", 400, sys.executable, HERE / "for_gpu.py", "exercises", p.gpu.split(" ")[0], p.folder,
              env={**os.environ, "WRONG": "10"}):
        p.measured("exercises")


def bars(p: Plan) -> None:
    if p.step("exercises/bars-build.txt", 300, sys.executable, HERE / "bars.py", "build", p.gpu.split(" ")[0], p.folder / "bars"):
        p.measured("bars")


def counters(p: Plan) -> None:
    if not (shutil.which("rocprofv3") or shutil.which("rocprof")):
        p.session.write("| explain's counts beside rocprofv3 | not here: no rocprofv3 | |")
    elif p.step("explain/build.txt", 400, sys.executable, HERE / "explain_on_gpu.py", "count", p.folder, p.gpu.split(" ")[0]):
        p.measured("counters")


def multi(p: Plan) -> None:
    few = "4K,16K" if p.rehearsal else p.sizes("4K,1M,64M")
    p.step("multi_gpu.txt", 120, sys.executable, HERE / "on_gpus.py", p.program("multi_gpu"), p.session.out / "multi_gpu",
           "--sizes", few, "--few", few, "--large", str(min(10007 if p.rehearsal else 100000007, p.most)),
           "--steps", "measure,right,bits", "--iterations", "10", env=p.everywhere)


# In this order: the most important first. True: a part of the quick run, too.
PARTS: dict[str, tuple[bool, Callable[[Plan], None]]] = {
    "ladder": (True, ladder), "turns": (True, turns), "tried": (True, tried), "codegen": (True, codegen),
    "sweep": (False, lambda p: p.measured("sweep")), "rows": (False, lambda p: p.measured("rows")),
    "library": (False, lambda p: p.measured("library")), "beside": (False, beside), "profile": (False, profile),
    "suites": (False, suites), "exercises": (False, exercises), "counters": (False, counters), "multi": (False, multi),
    "segmented": (False, lambda p: p.measured("segmented")), "bars": (False, bars),
    "more": (False, lambda p: p.measured("shuffles", "options", "sums", "edges", "determinism", "large"))}


def build(p: Plan) -> bool:
    """Builds as much as can be built. False: no program."""
    goals = ["all", str(p.build / "bin/facts")]
    p.step("build.txt", 300 if p.quick else 900, *p.make, "-k", *goals)
    if not p.quick:
        p.step("build-library.txt", 400, *p.make, "library", "library-speed")
    return os.access(p.program("single_pass"), os.X_OK)


def archive(session: Session) -> Path:
    """Packs the results, next to their folder."""
    path = session.out.with_name(session.out.name + ".tar.gz")
    with tarfile.open(path, "w:gz") as pack:
        pack.add(session.out, session.out.name)
    return path


def session_head(session: Session, device: dict[str, str], gpu: str, quick: bool) -> None:
    hip = re.search("HIP version.*", text_of("hipcc", "--version"))
    driver = Path("/sys/module/amdgpu/version")
    facts = {**device, "date": f"{datetime.datetime.now(datetime.timezone.utc):%d %B %Y}".lstrip("0"),
             "revision": text_of("git", "describe", "--always", "--dirty").strip() or "unknown",
             "hip": hip[0] if hip else "no hipcc", "kernel": platform.release(), "target": gpu, "quick": quick,
             "amdgpu": driver.read_text().strip() if os.access(driver, os.R_OK) else "of the kernel"}
    (session.out / "machine.json").write_text(json.dumps(facts, indent=1) + "\n")
    session.write(f"# {device['name']}, {facts['date']}\n\n"
                  f"- {device['arch']}, {device['units']} units, {int(device['memory']) / 2**30:.1f} GiB, of which "
                  f"{int(device['free']) / 2**30:.1f} GiB are free; PCI {device['address'] or 'address unknown'}"
                  + (f", {device['uuid']}" if device["uuid"] else "") +
                  f"\n- revision {facts['revision']}, {facts['hip']}, GPU={gpu}"
                  f"\n- driver {facts['amdgpu']}, kernel {facts['kernel']}, {CORES} cores")
    for line in state_of(device):
        session.write(f"- {line}")


def measure(p: Plan) -> None:
    session = p.session
    session.write(f"\n| command | | time |\n|---|---|---|\n| largest array: {size_text(p.most)} elements of 8 bytes | | |")
    if not build(p):
        session.write("| reduction_single_pass was not built: nothing is measured | **failed** | |")
        return
    session.program = p.program("single_pass")
    if not session.answers():
        session.failed += 1
        said = last_words(session.out / "answers.txt") or "it hangs"
        session.write(f"| `{session.program}` | **failed**: {said}; nothing is measured | |")
        return
    for name in list(session.parts):
        before = session.left_out
        PARTS[name][1](p)
        if session.left_out == before:
            session.parts.remove(name)
    ladder_text = session.out / "ladder/ladder-double-sum-cold.txt"
    if ladder_text.exists():
        session.write("\n```text\n" + ladder_text.read_text(errors="replace") + "```")


def started(given: object) -> tuple[str, Path, dict[str, str], dict[str, str]]:
    """Builds what asks the runtime, before any kernel is compiled; returns the target, the folder for output, the device, and
    the environment in which all devices are seen."""
    os.environ["PATH"] += os.pathsep + str(Path(os.environ.get("ROCM_PATH") or "/opt/rocm", "bin"))
    os.environ["HIP_PLATFORM"] = "amd"
    everywhere = dict(os.environ)
    folder = Path(os.environ.get("OUT") or ".").absolute()
    meant = text_of("sh", "platform/target.sh", given.gpu).split()
    if not meant or given.gpu != "auto" and meant[0] not in ("amd", "cpu"):
        fail(f"--gpu {given.gpu} is no target of AMD's, nor cpu")
    target = "cpu" if given.gpu == "cpu" else meant[2] if meant[0] == "amd" else "gfx90a"  # any: no kernel is needed
    asks = folder / "build" / target.replace(":", ".") / "bin/device"
    status, *both = output_of([os.environ.get("MAKE", "make"), f"-j{CORES}", f"GPU={target}", f"OUT={folder}", asks], 600, cwd=TOP)
    if status != 0:
        lines = [line for line in "\n".join(both).splitlines() if line.strip()] or [f"make: exit code {status}"]
        said = next((line for line in lines if re.search("error|not found|cannot|denied", line)), lines[-1])
        fail(f"{said}; all of it: make GPU={target} "
             f"OUT={folder} {asks}", DEVICE_ERROR)
    device = choose(asks, given.device)
    return (device["arch"] if given.gpu == "auto" else " ".join(meant[2:]) or "cpu"), folder, device, everywhere


def main() -> None:
    options = Options(__doc__)
    options.add_argument("part", nargs="*", help=f"only these, of {' '.join(PARTS)}")
    options.add_argument("-q", "--quick", action="store_true", help="small sizes, the most important parts: 5 minutes")
    options.add_argument("-d", "--device", type=int, default=0, help="which of the GPUs that --list-devices shows (0)")
    options.add_argument("-o", "--to", type=Path, help="where to: results/NAME-OF-THE-GPU")
    options.add_argument("--minutes", type=float, help="begin nothing later than this (30, or 5 with -q)")
    options.add_argument("--limit", type=float, default=1e9, metavar="SECONDS", help="end each step that takes longer; each has "
                         "a limit of its own, too")
    options.add_argument("--gpu", default="auto", help="build for this target; cpu rehearses with small arrays and without a GPU")
    options.add_argument("--tables", type=Path, metavar="FOLDER", help="only write the tables from what FOLDER has")
    given = options.parse_args()
    os.chdir(TOP)
    if given.tables:
        tables(given.tables)
        return
    for name in given.part:
        if name not in PARTS:
            fail(f"no part {name}: {' '.join(PARTS)}")
    if given.device < 0:
        fail("-d takes a number from 0")
    heed(interrupt)
    begun = time.monotonic()
    try:
        gpu, folder, device, everywhere = started(given)
    except Interrupted as why:
        fail(f"interrupted by {why} before anything was measured", INTERRUPTED)
    name = re.sub("[^a-z0-9._-]+", "-", device["name"].lower()).strip("-") or device["arch"]
    try:
        minutes = given.minutes if given.minutes is not None else 5 if given.quick else 30
        session = Session((given.to or Path("results", name)).resolve(), 60 * minutes - (time.monotonic() - begun), given.limit)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}; -o names another folder for results, OUT= for what is built")
    status = 0
    session.parts = given.part or [name for name, (quick, _) in PARTS.items() if quick or not given.quick]
    try:
        session_head(session, device, gpu, given.quick)
        measure(Plan(session, gpu, folder, device, given.quick, everywhere))
    except Interrupted as why:
        session.write(f"\n**Interrupted** by {why}.")
        status = INTERRUPTED
    except Gone as why:
        session.write(f"\n**{why}**.")
    except Exception as error:  # whatever happens, what was measured is packed
        if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
            fail(f"{session.out}: {error.strerror}; it has what was measured; -o names another folder", DEVICE_ERROR)
        session.failed += 1
        session.write(f"\n**The tool itself failed**; please report this:\n\n```text\n{traceback.format_exc()}```")
    heed(signal.SIG_IGN)  # until the archive is written
    if session.parts:
        session.write(f"\nNot measured, or not all of it: `tools/measure/on_amd.py {' '.join(session.parts)}` does that.")
    session.write(f"\n{session.failed} steps failed, {session.left_out} were not begun.")
    try:
        if (session.out / "machine.json").exists():
            tables(session.out, only_here=True)
    except (Exception, SystemExit) as error:
        session.write(f"\nThere are no tables: {error!r}.")
    try:
        packed = archive(session)
    except (OSError, ValueError) as error:
        fail(f"the archive cannot be written ({error}): send the folder {session.out}", DEVICE_ERROR)
    say(f"Paste {session.summary} into an issue and attach {packed}.")
    sys.exit(status or (session.failed > 0 or session.left_out > 0))


if __name__ == "__main__":
    main()
