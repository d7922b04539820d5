#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs test suites that are built already: the last step of `make check`, and the way to run tests on a machine without
compilers.

    REDUCTION_BIN=out tests/run_suites.py cpu|amd|nvidia FOLDER [SUITE]...

FOLDER has the suites test_*, and the list `suites`: name, source, and words about each (tests/README.md). REDUCTION_BIN
has the programs. On the CPU two suites (REDUCTION_JOBS) run at a time, on a GPU one. REDUCTION_CHECK=fast|usual|all says
how much to run; REDUCTION_VARIANT=reduction_shfl selects a variant. REDUCTION_LAUNCH='srun -n1 --gpus=1' is put before
every command that uses a device: suites with their own kernels, and the programs that the others start.

The output of a failing suite is shown. A suite also fails if processes that it started outlive it, which are killed, or if
for five minutes none of them ran, waited for a disk or used processor time. No verdict depends on how long something takes.
Exit code 1 if a suite failed, 2 if there is no such suite."""
from __future__ import annotations

import ctypes
import os
import re
import resource
import shlex
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

TROUBLE, STANDSTILL_S, PROCESSOR_S = 99, 300, 1800
END_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
status = -1  # of the command of a keeper, once it has ended


# ---- a keeper: the process that runs one suite, and sees to it that nothing of it is left
class Family:
    """All living descendants of this process: the fields after the name in /proc/PID/stat, and the name."""

    def __init__(self) -> None:
        others: dict[int, list[str]] = {}
        for folder in Path("/proc").glob("[1-9]*"):
            before, _, after = read(folder / "stat").rpartition(")")
            if before:
                others[int(folder.name)] = [*after.split(), before.partition("(")[2]]
        self.members: dict[int, list[str]] = {}
        parents = {os.getpid()}
        while parents:
            children = {pid: others.pop(pid) for pid in [p for p, fields in others.items() if int(fields[1]) in parents]}
            self.members.update(children)
            parents = set(children)
        self.ticks = sum(int(ticks) for fields in self.members.values() for ticks in fields[11:15])
        # One of them is running, waiting for a disk or about to be killed.
        self.moves = any(fields[0] in "RD" or (fields[0] != "Z" and is_dying(pid)) for pid, fields in self.members.items())

    def tell(self, what: str) -> None:
        for pid, fields in self.members.items():
            if fields[0] != "Z":
                command = read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ")[:160]
                print(f"{what}: process {pid} ({fields[-1]}), state {fields[0]}: {command}", file=sys.stderr, flush=True)

    def kill(self, number: int) -> None:
        for pid in self.members:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


def read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def is_dying(pid: int) -> bool:
    """Whether SIGKILL is pending: the process ends as soon as it gets a processor."""
    pending = re.findall(r"^S[ih][gd]Pnd:\s*(\w+)", read(Path(f"/proc/{pid}/status")), re.MULTILINE)
    return not pending or any(int(bits, 16) >> (signal.SIGKILL - 1) & 1 for bits in pending)


def reap(command: int) -> None:
    global status
    try:
        while True:
            pid, ended = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            if pid == command:
                status = 128 + os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else os.WEXITSTATUS(ended)
    except ChildProcessError:
        pass


def signal_within(seconds: float) -> int:
    """Waits at most this long for a child's end, or a signal that ends everything, which it returns."""
    got = signal.sigtimedwait(END_SIGNALS | {signal.SIGCHLD}, seconds)
    return 0 if got is None or got.si_signo == signal.SIGCHLD else got.si_signo


def watch(command: int, step: float, most: int, ticks_most: float, what: str) -> int:
    """Watches the command or, with a limit of processor time, what it has left behind. Returns 0, a signal, or TROUBLE after
    `most` steps without progress."""
    still, ticks = 0, 0
    limited = ticks_most < float("inf")
    begin = Family().ticks
    while status < 0 or (limited and Family().members):
        got = signal_within(step)
        reap(command)
        if got or (status >= 0 and not limited):
            return got
        family = Family()
        still = 0 if family.moves or family.ticks != ticks else still + 1
        ticks = family.ticks
        if family.members and (still == most or ticks - begin > ticks_most):
            family.tell(what)
            return TROUBLE
    return 0


def command_of(suite: Suite, temporary: str) -> int:
    """Starts the suite's command."""
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    for number in END_SIGNALS | {signal.SIGQUIT, signal.SIGPIPE}:  # ignored after nohup
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS | {signal.SIGCHLD})
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_S, PROCESSOR_S))
    os.environ.update(suite.settings, TMPDIR=temporary, CK_TAP_LOG_FILE_NAME=str(suite.tap))
    if suite.is_bats:
        os.dup2(os.open(suite.tap, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), 1)
    try:
        os.execvp(suite.command[0], suite.command)
    except OSError as error:
        print(f"{suite.command[0]}: {error.strerror}", file=sys.stderr, flush=True)
    os._exit(127)


def keep(suite: Suite) -> int:
    """Runs a suite and ends what it leaves behind. Returns its exit code: 128 + N for signal N, or TROUBLE."""
    libc = ctypes.CDLL(None)
    libc.prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(suite.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), 1)
    os.dup2(1, 2)
    temporary = tempfile.mkdtemp(prefix="suite-")  # because compilers leave folders there
    os.chmod(temporary, 0o1777)  # like /tmp: a suite may have another user
    command = command_of(suite, temporary)

    def rest() -> int:
        """What is left makes progress, and uses less than 10 s of processor time."""
        return watch(command, 0.05, 40, 10 * os.sysconf("SC_CLK_TCK"), "left behind")

    trouble = watch(command, 1, STANDSTILL_S, float("inf"), "nothing moved for five minutes") or rest()
    if trouble not in (0, TROUBLE):  # they may need to clean up
        Family().kill(trouble)
        rest()
    family = Family()
    while family.members:
        family.kill(signal.SIGKILL)
        time.sleep(0.02)
        reap(command)
        family = Family()
    shutil.rmtree(temporary, ignore_errors=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    suite.used.write_text(f"{used.ru_utime + used.ru_stime:.1f}")
    return trouble or status


def fail(code: int, text: str) -> NoReturn:
    print(text)
    sys.exit(code)


# ---- suites
class Suite:
    def __init__(self, folder: Path, name: str, source: str = "", words: tuple[str, ...] = (), warp: int = 0) -> None:
        self.name, self.words, self.start = name, words, 0.0
        self.is_bats = source.endswith(".bats")
        self.settings: dict[str, str] = {}
        if self.is_bats:
            self.command = ["bats", "--tap", source]
        else:
            self.command = [*(shlex.split(os.environ["REDUCTION_LAUNCH"]) if "kernels" in words else []), str(folder / f"test_{name}")]
            self.command += os.environ["REDUCTION_VARIANT"].split() if name == "variants" else []
        if warp:
            self.name += f", warp {warp}"
            self.settings = {"HIP_CPU_WARP_SIZE": str(warp)}
            if warp == 32:  # as late as HIP allows, in as little shared memory as NVIDIA's GPUs give
                self.settings.update(HIP_CPU_LATE="1", HIP_CPU_SHARED_MEMORY="48")
        self.log, self.tap, self.used = (folder / f"{kind}.{self.name}" for kind in ("log", "tap", "time"))

    def started(self) -> int:
        self.start = time.monotonic()
        keeper = os.fork()
        if not keeper:
            os._exit(keep(self))
        return keeper

    def ended(self, code: int) -> tuple[str, str, list[str]]:
        """One word, one line, and what to show of a suite that failed."""
        tap, log = read(self.tap).splitlines(), read(self.log).splitlines()
        passed = [line for line in tap if line.startswith("ok")]
        skipped = [line.partition(" # skip")[2].strip() for line in passed if " # skip" in line]
        empty = self.is_bats and not any(line.startswith(("ok", "not ok")) for line in tap)
        for file in (self.log, self.tap, self.used):
            file.unlink(missing_ok=True)
        if code == 77:
            return "skipped", log[0] if log else "", []
        if code or empty:
            shown = [line for line in tap if self.is_bats and not line.startswith("ok")] + log
            return "FAILED", f"{len(passed)} tests", shown + (["no test of it has run"] if empty else [])
        if skipped and len(skipped) == len(passed):
            return "skipped", skipped[0], []
        return "ok", f"{len(passed) - len(skipped)} tests" + (f", {len(skipped)} skipped" if skipped else ""), []


def listed(platform: str, folder: Path, names: list[str]) -> list[Suite]:
    """The suites with these names, or all that are to run; the longest first."""
    known = {line.split()[0]: line.split()[1:] for line in read(folder / "suites").splitlines()}
    here = {path.name[len("test_"):] for path in folder.glob("test_*") if os.access(path, os.X_OK) and path.suffix == ""}
    for name, (source, *_) in known.items():
        if source.endswith(".bats") and platform == "cpu" and Path(source).is_file():
            here.add(name)
    for name in names:
        if name not in here:
            fail(2, f"there is no suite {name}")
    suites = []
    for name in names or sorted(here):
        source, *words = known.get(name, [""])
        if names or os.environ["REDUCTION_CHECK"] != "fast" or "slow" not in words:
            warps = (64, 32) if platform == "cpu" and "warps" in words else (0,)
            suites += [Suite(folder, name, source, tuple(words), warp) for warp in warps]
    return sorted(suites, key=lambda suite: ("tree" not in suite.words, "long" not in suite.words))


def run(suites: list[Suite], jobs: int) -> bool:
    """Runs them all, except after a signal; prints a line for each, and the sum."""
    left, running, words, bad, stopped = list(suites), {}, [], [], 0
    terminal = sys.stdout.isatty()
    while running or (left and not stopped):
        for suite in list(left):
            # Those that build in the tree run one after another.
            if not stopped and len(running) < jobs and not ("tree" in suite.words and any("tree" in r.words for r in running.values())):
                left.remove(suite)
                running[suite.started()] = suite
        got = signal_within(1)
        for keeper in list(running) if got else []:
            os.kill(keeper, got)
        stopped = stopped or got
        while running:
            keeper, ended = os.waitpid(-1, os.WNOHANG)
            if not keeper:
                break
            suite = running.pop(keeper)
            used = read(suite.used) or f"{time.monotonic() - suite.start:.0f}"
            word, text, shown = suite.ended(os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else 128 + os.WTERMSIG(ended))
            if stopped:
                continue
            words.append(word)
            bad += [suite.name] if word == "FAILED" else []
            print("\r\033[K" * terminal + f"  CHECK [{len(words):2}/{len(suites)}] {suite.name:<24} {word:<7} {used:>4} s  {text}")
            print(*(f"        {line}\n" for line in shown), sep="", end="", flush=True)
        if terminal:
            now = (f"{s.name} {time.monotonic() - s.start:.0f} s, {read(s.tap).count(chr(10) + 'ok')} tests" for s in running.values())
            print("\r\033[K  " + "  ".join(now)[:76] if running else "\r\033[K", end="", flush=True)
    if bad:
        print("failed: " + "; ".join(sorted(bad)))
    if len(words) < len(suites):
        print(f"{len(suites) - len(words)} suites did not end")
    print(f"check on {sys.argv[1]}: {words.count('ok')} suites passed, {len(bad)} failed, {words.count('skipped')} skipped")
    return not bad and len(words) == len(suites)


def main() -> None:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    platform, folder = sys.argv[1], Path(sys.argv[2])
    os.environ["OMP_WAIT_POLICY"] = os.environ.get("OMP_WAIT_POLICY", "passive")  # who spins takes the cores from who works
    for name, default in (("BIN", "."), ("CHECK", "usual"), ("VARIANT", ""), ("LAUNCH", "")):
        os.environ[f"REDUCTION_{name}"] = os.environ.get(f"REDUCTION_{name}") or default
    suites = listed(platform, folder, sys.argv[3:])
    if any(suite.is_bats for suite in suites) and not shutil.which("bats"):
        fail(1, "bats not found: ./install-deps.sh test (package bats)")
    jobs = int(os.environ.get("REDUCTION_JOBS") or (min(2, os.cpu_count() or 1) if platform == "cpu" else 1))
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS | {signal.SIGCHLD})
    sys.exit(0 if run(suites, jobs) else 1)


if __name__ == "__main__":
    main()
