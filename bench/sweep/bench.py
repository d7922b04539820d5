#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench [OPTION]... PROGRAM...

Measures reduction programs over many sizes, round by round, and writes one CSV: what `make bench` does. A round runs every
program once, with a list of sizes; rounds follow each other until the medians are known well enough or the time is up. So
a drifting clock, or another user of the machine, affects all programs alike.

Every other option goes to each program and must be one word: --pattern=ones. A PROGRAM may bring options of its own:
'./reduction_atomic/reduction_atomic --atomics=warp'.

Exit codes, from all rows of the CSV: 0 all right, 1 a program failed or a result is wrong, 2 bad usage, 3 device or file
error, 4 nothing is wrong, but a result is unproven, 77 no device of this kind, 130 interrupted. Whatever happens, the rows
measured so far are in the CSV."""
from __future__ import annotations

import argparse
import csv
import ctypes
import fcntl
import io
import os
import re
import selectors
import shutil
import signal
import stat
import subprocess
import sys
import time
from math import inf
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "tools"))
from lib.bench_csv import parse_size, size_text
from lib.script import (BAD_USAGE, DEVICE_ERROR, INTERRUPTED, NOT_HERE, RIGHT, UNPROVEN, WRONG, Options, fail, say)
from results import Results, table

TYPES = {"float": 4, "double": 8, "int": 4, "long": 8, "half": 2, "bfloat16": 2}  # bytes
OPS = re.findall(r"row\(x, OP_\w+, +(\w+)", (HERE.parents[1] / "common/types.h").read_text())
SIZES_CPU = "1K,8K,64K,512K"
SIZES_GPU = [1 << power for power in range(10, 34)]
OWN = ["date", "revision", "compiler", "round", "variant"]  # columns before those of the programs; after them: given
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE = 0.08  # by which a round may exceed its expected time, as a fraction of --time; then it is cut off
KILL_AFTER = 3.0  # s between SIGTERM and SIGKILL

terminal = False  # whether progress is shown


def tell(text: str, end: str = "\n") -> None:
    """Prints on standard error, over the line of progress."""
    print(("\r\033[K" if terminal else "") + text, end=end, file=sys.stderr, flush=True)


# ---- a program ----

class Interrupt:
    """SIGINT, SIGTERM and SIGHUP end the running program, and then the rounds."""
    got = False
    group = 0  # of the running program

    @classmethod
    def begin(cls) -> None:
        def handle(number: int, frame: object) -> None:
            cls.got = True
            if cls.group:
                kill(cls.group, signal.SIGTERM)
        for number in END_SIGNALS:
            signal.signal(number, handle)


def kill(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        pass


def become_child() -> None:
    """Gives the program its own process group, which ends when we do, and default signal handlers."""
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    for number in END_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


class Program:
    """Its words, and its name with its options: "atomic atomics=warp"."""

    def __init__(self, text: str) -> None:
        self.words = text.split()
        if not self.words:
            fail("give the name of a program; --help shows the options")
        name = os.path.basename(self.words[0])
        name = name[len("reduction_"):] if name.startswith("reduction_") else name
        self.label = " ".join([name, *(word.lstrip("-") for word in self.words[1:])])


class Run:
    """One run of a command. take() gets each complete line of its output, and returns whether it has had enough."""

    def __init__(self, words: list[str], take: Callable[[str], bool], deadline: float = inf) -> None:
        self.said, self.stopped, self.rows = b"", False, 0
        try:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     preexec_fn=become_child, env={"OMP_WAIT_POLICY": "passive", **os.environ})
        except OSError as error:
            self.status, self.said = 127, f"{words[0]}: {error.strerror}".encode()
            return
        Interrupt.group = child.pid
        text, enough, kill_at = b"", False, inf
        with selectors.DefaultSelector() as open_pipes:
            for pipe in child.stdout, child.stderr:
                open_pipes.register(pipe, selectors.EVENT_READ)
            while True:
                now = time.monotonic()
                ended = child.poll() is not None
                if ended and not open_pipes.get_map():
                    break
                if ended or now >= kill_at:
                    kill(child.pid, signal.SIGKILL)  # and processes that it has left behind
                elif not self.stopped and (Interrupt.got or enough or now >= deadline):
                    self.stopped, kill_at = True, now + KILL_AFTER
                    kill(child.pid, signal.SIGTERM)
                pause = max(min(0.25 if open_pipes.get_map() else 0.05, deadline - now), 0.001)
                ready = open_pipes.select(0 if ended else pause)
                for key, _ in ready:
                    got = os.read(key.fd, 65536)
                    if not got:
                        open_pipes.unregister(key.fileobj)
                    elif key.fileobj is child.stderr:
                        self.said = (self.said + got)[-4096:]
                    else:
                        *lines, text = (text + got).split(b"\n")
                        for line in lines:
                            enough = enough or not take(line.decode(errors="replace"))
                if ended and not ready:
                    break
        self.status = child.wait()
        kill(child.pid, signal.SIGKILL)
        child.stdout.close(), child.stderr.close()
        Interrupt.group = 0

    def message(self) -> str:
        """The last line on its standard error."""
        lines = [line for line in self.said.decode(errors="replace").splitlines() if line]
        return lines[-1] if lines else "no message"

    def trouble(self, rows: int, strange: bool) -> str:
        """Why the outcome is not valid, in one line; "" if the program ended by itself with a verdict."""
        if strange:
            return "its CSV has different columns from that of the first: build all programs with one make"
        if self.stopped:
            return "stopped"
        if self.status < 0:
            return f"crashed: {signal.strsignal(-self.status)}"
        if self.status == 127:
            return f"cannot be run: {self.message()}"
        if self.status not in (RIGHT, WRONG, UNPROVEN):
            return f"exit {self.status}: {self.message()}"
        return "" if rows else f"exit {self.status} without a row of results" + (f": {self.message()}" if self.said else "")


# ---- what is measured ----

class Combo:
    """A type and operation, and its sizes."""

    def __init__(self, kind: str, op: str, sizes: list[int]) -> None:
        self.type, self.op, self.sizes = kind, op, sizes
        self.settled: set[int] = set()  # sizes whose medians are all known well enough
        self.chosen: list[int] = []  # sizes of the current round
        self.cost = dict.fromkeys(sizes, 0.0)  # s that all programs took in the last round; 0: not measured yet
        self.failed: set[str] = set()  # programs not to run again


def sizes_of(text: str) -> list[int]:
    """1K..8G doubles, 1K,5M is a list."""
    sizes: list[int] = []
    for item in text.split(","):
        first, dots, last = item.partition("..")
        try:
            size, end = parse_size(first), parse_size(last if dots else first)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        if dots and not 0 < size <= end:
            raise argparse.ArgumentTypeError(f"{item!r} is not a range: give the smaller one first, from 1 on")
        while size <= end:
            sizes.append(size)
            if not size:
                break
            size *= 2
    return sizes


def words_of(known: list[str]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        words = list(dict.fromkeys(text.replace(",", " ").split()))
        if not words or set(words) - set(known):
            raise argparse.ArgumentTypeError(f"it takes {', '.join(known)}, with commas")
        return words
    return parse


def between(least: float, most: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = inf
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"give a number from {least:g} to {most:g}")
        return value
    return parse


def probe(given: argparse.Namespace) -> tuple[str, str, int]:
    """The device's name, architecture and memory. We ask a program, started like the measured ones: the launcher may be
    the only way to a device, and our own context would take memory from the programs."""
    found: list[list[str]] = []
    device = next((word for word in given.options if word.startswith("--device=")), "--device=0")
    run = Run([*given.launch.split(), str(Path(given.run).with_name("device")), device],
              lambda line: found.append(next(csv.reader([line]))) or True)
    if run.status or not found:
        if run.status == 127 or not run.said:
            fail(f"cannot query the device (status {run.status}): {run.message()}", DEVICE_ERROR)
        sys.stderr.write(run.said.decode(errors="replace"))
        sys.exit(run.status if run.status in (BAD_USAGE, NOT_HERE) else DEVICE_ERROR)
    name, arch, memory = found[0][:3]
    return name, arch, int(memory)


# ---- the CSV ----

class Record:
    """Writes each row as soon as it is measured; an interrupted file can be continued."""

    def __init__(self, given: argparse.Namespace, arch: str, combos: list[Combo]) -> None:
        self.results, self.names, self.error, self.other = Results(), [], "", False
        facts = Path(given.run).with_name("facts")
        self.facts = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else ["unknown", "unknown"]
        self.given = " ".join([*given.launch.split(), *given.options])
        self.labels = {program.label for program in given.programs}
        self.path = given.output or f"results/{arch}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.csv"
        try:
            if not given.output:
                os.makedirs("results", exist_ok=True)
            before = os.stat(self.path) if os.path.exists(self.path) else None
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            fail(f"{self.path}: {error.strerror}: name another --output", DEVICE_ERROR)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fail(f"{self.path}: another bench writes to it: wait until that ends, or name another --output")
        except OSError:
            pass  # a file system without locks
        self.created = before is None
        if before and stat.S_ISREG(before.st_mode) and before.st_size > 0:
            self.go_on(combos)
        tell(f"rows go to {self.path}" + (f", which has {self.results.rows} rows of {self.results.round} rounds"
                                          if self.results.rows else ""))

    def go_on(self, combos: list[Combo]) -> None:
        """Reads what was measured before, unless it was measured differently."""
        with open(self.path, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        names = lines[0].decode(errors="replace").rstrip("\n").split(",")
        if names[:len(OWN)] != OWN:
            fail(f"{self.path} exists, is not a CSV of bench, so it is not overwritten: name another --output")
        self.names = names[len(OWN):-1]
        if len(lines) > 1 and lines[1].endswith(b"\n"):
            try:
                self.results.read(self.path)
            except ValueError as error:
                fail(f"{error}; it is not overwritten, name another --output")
            first = self.results.first
            there = [("with", first["given"], self.given), ("of revision", first["revision"], self.facts[0]),
                     ("by compiler", first["compiler"], self.facts[1])]
            planned = {(label, c.type, c.op, n) for label in self.labels for c in combos for n in c.sizes}
            there += [("with", f"{c.variant}, {c.op} of {c.type}, {size_text(c.n)} elements", "what is asked for now")
                      for c in self.results.cells.values() if (c.variant, c.type, c.op, c.n) not in planned]
            for what, had, has in there:
                if had != has:
                    fail(f"{self.path} holds another measurement, {what} '{had}' and not '{has}': name another --output")
        if not lines[-1].endswith(b"\n"):  # cut short
            os.ftruncate(self.file, sum(map(len, lines[:-1])))

    def row(self, program: Program, number: int, values: list[str]) -> bool:
        """Adds a program's row. False: stop measuring, see error and other."""
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        names = [*OWN, *self.names, "given"]
        fields = [date, *self.facts[:2], str(number), program.label, *values, self.given]
        row = dict(zip(names, fields))
        self.other = self.results.rows > 0 and row.get("device") != self.results.first.get("device")
        if self.other:
            return False
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        before = os.lseek(self.file, 0, os.SEEK_END)
        if not before:
            lines.writerow(names)
        lines.writerow(fields)
        # One write, so that lines are complete even if we are killed; remove a line that a full disk cut short.
        line = text.getvalue().encode()
        try:
            if os.write(self.file, line) < len(line):
                os.ftruncate(self.file, before)
                self.error = os.strerror(28)  # ENOSPC
        except OSError as error:
            self.error = error.strerror
        if self.error:
            return False
        try:
            if len(names) != len(fields):
                raise ValueError("a row with more or fewer columns than the header")
            self.results.add(row)
        except ValueError as error:
            fail(f"{program.label}: {error}", DEVICE_ERROR)
        return True

    def close(self) -> None:
        os.close(self.file)
        if not self.results.rows and self.created:
            os.unlink(self.path)


# ---- rounds ----

class Sweep:
    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.programs = given, given.programs
        name, arch, memory = probe(given)
        tell(f"{len(self.programs)} programs on {name}")
        self.cpu = arch == "cpu"
        self.seconds = given.time if given.time is not None else 60 if self.cpu else 600
        iterations = given.iterations or (20 if self.cpu else 0)
        given.options += ["--cold"] * (not given.warm) + [f"--iterations={iterations:.0f}"] * (iterations > 0)
        self.combos = [Combo(kind, op, given.sizes or (sizes_of(SIZES_CPU) if self.cpu else
                                                       [n for n in SIZES_GPU if n <= memory // 2 // TYPES[kind]]))
                       for kind in given.types for op in given.ops]
        self.record = Record(given, arch, self.combos)
        self.results = self.record.results
        self.failures, self.round, self.start, self.deadline = 0, 0, 0.0, inf

    def over(self) -> bool:
        return Interrupt.got or bool(self.record.error) or self.record.other or time.monotonic() >= self.deadline

    def run(self, program: Program, combo: Combo) -> None:
        """Runs one program with the chosen sizes of one type and operation."""
        record, rows, last = self.record, 0, time.monotonic()
        strange, header = False, True

        def take(line: str) -> bool:
            nonlocal rows, last, strange, header
            fields = next(csv.reader([line]), [])
            if header:
                header = False
                names = fields[:fields.index("check") + 1] if "check" in fields else []
                record.names = record.names or (names if "total_median_us" in names else [])
                strange = not names or names != record.names  # reduction_multi_gpu has other columns
                return not strange
            if rows < len(combo.chosen):
                combo.cost[combo.chosen[rows]] += time.monotonic() - last
            last = time.monotonic()
            rows += 1
            return record.row(program, self.round, fields[:len(record.names)])

        ceiling = record.results.ceiling
        if not ceiling or float(ceiling) <= 0 or any(word.startswith("--ceiling=") for word in self.given.options):
            ceiling = ""
        run = Run([*self.given.launch.split(), *program.words, *self.given.options,
                   "--size=" + ",".join(map(str, combo.chosen)), f"--type={combo.type}", f"--op={combo.op}", "--format=csv",
                   *([f"--ceiling={ceiling}"] if ceiling else [])], take, self.deadline)
        if run.stopped and not strange:
            return
        if run.status in (BAD_USAGE, NOT_HERE) and not self.results.rows:
            record.close()
            sys.stderr.write(run.said.decode(errors="replace"))  # all others would end in the same way
            sys.exit(run.status)
        why = run.trouble(rows, strange)
        if run.status == UNPROVEN and not why and self.round == 1:
            tell(f"{program.label}, {combo.op} of {combo.type}: unproven results, see column check of the CSV")
        if not why and run.status == WRONG:
            why = "wrong results, see column check of the CSV"
        elif not why and rows != len(combo.chosen):
            why = f"{rows} rows for {len(combo.chosen)} sizes"
        if why:
            tell(f"{program.label}, {combo.op} of {combo.type}: {why}")
            combo.failed.add(program.label)
            self.failures += 1

    def settle(self) -> int:
        """Marks sizes as settled when all programs' medians are known well enough; all or none, because comparing needs
        the same rounds of all. Returns how many sizes of all types and operations are not settled."""
        def known(combo: Combo, n: int) -> bool:
            for program in self.programs:
                cell = self.results.named.get((program.label, combo.type, combo.op, n))
                if program.label in combo.failed or (cell and not cell.samples and cell.unproven):
                    continue
                if cell is None or cell.spread(self.given.clock) > self.given.spread / 100:
                    return False
            return True

        for combo in self.combos:
            combo.settled |= {n for n in combo.sizes if n not in combo.settled and known(combo, n)}
        return sum(len(combo.sizes) - len(combo.settled) for combo in self.combos)

    def choose(self) -> bool:
        """Chooses as many sizes as fit in the remaining time, the cheapest first; sizes never measured count as free.
        Without a limit, all."""
        left = self.start + self.seconds - time.monotonic() if self.seconds else inf
        taken = set()
        for cost, k, n in sorted((combo.cost[n], k, n) for k, combo in enumerate(self.combos)
                                 for n in combo.sizes if n not in combo.settled):
            left -= cost
            if left <= 0:
                break
            taken.add((k, n))
        for k, combo in enumerate(self.combos):
            combo.chosen = [n for n in combo.sizes if (k, n) in taken]
        return bool(taken)

    def run_round(self) -> None:
        # In alternating directions, so that no program always follows the same one.
        turns = [(combo, program) for combo in self.combos if combo.chosen
                 for program in (self.programs if self.round % 2 else self.programs[::-1]) if program.label not in combo.failed]
        for combo in self.combos:
            combo.cost.update(dict.fromkeys(combo.chosen, 0.0))
        for done, (combo, program) in enumerate(turns, 1):
            if self.over():
                return
            if terminal:
                gone = int(time.monotonic() - self.start)
                left = max(int(self.seconds) - gone, 0)
                tell(f"[round {self.round}, {done}/{len(turns)}] {program.label} {combo.op} {combo.type}, "
                     f"{gone // 60}:{gone % 60:02} elapsed, at most {left // 60}:{left % 60:02} left", end="")
            self.run(program, combo)

    def missing(self) -> int:
        """Rows that the CSV lacks, except for programs that have failed in this run."""
        return sum((program.label, combo.type, combo.op, n) not in self.results.named for combo in self.combos
                   for program in self.programs if program.label not in combo.failed for n in combo.sizes)

    def ended(self, chosen: bool, left: int) -> bool:
        """Whether this round was the last; prints why."""
        stopped = Interrupt.got or bool(self.record.error) or self.record.other
        if not stopped and (left == 0 or (chosen and not self.over() and self.seconds > 0)):
            return False
        if not stopped:
            tell(f"the time is up (--time={self.seconds:.0f}); sizes that are not done have a ~ below")
        if missing := self.missing():
            tell(f"{missing} rows of the first round are missing: the same command continues {self.record.path}")
        return True

    def measure(self) -> None:
        left, sizes = self.settle(), sum(len(combo.sizes) for combo in self.combos)
        self.start = time.monotonic()
        if not left:
            tell(f"all {sizes} sizes are done already")
        if self.seconds:
            self.deadline = self.start + (1 + GRACE) * self.seconds
        # Run again what failed or was interrupted in the last round: the exit code must reflect it.
        rounds = max(int(self.given.rounds), self.results.round + (self.missing() > 0))
        for self.round in range(self.results.round + 1, rounds + 1):
            if not left:
                break
            chosen = self.choose()
            if chosen:
                self.run_round()
            left = self.settle()
            if chosen:
                tell(f"{'interrupted in ' if Interrupt.got else ''}round {self.round}: {time.monotonic() - self.start:.0f} s, "
                     f"{sizes - left} of {sizes} sizes done")
            if self.ended(chosen, left):
                break
        self.record.close()


# ---- the command line and the end ----

def arguments() -> argparse.Namespace:
    options = Options(__doc__, prog="bench", usage=argparse.SUPPRESS, allow_abbrev=False)
    add = options.add_argument
    add("--sizes", type=sizes_of, metavar="LIST", help="elements: 1K..8G doubles, 1K,5M is a list; K M G are powers of two. "
        f"Default: 1K to half of the device's memory, at most 8G; on the CPU {SIZES_CPU}")
    add("--types", type=words_of(list(TYPES)), default=["double"], metavar="LIST",
        help="half and bfloat16: only for mixed. Default: double")
    add("--ops", type=words_of(OPS), default=["sum"], metavar="LIST", help="sum,min,max. Default: sum")
    add("--time", type=between(0, 1e7), metavar="SECONDS", help="measure that long, within 10 %%; 0: one round, however long "
        "it takes. Default: 600, on the CPU 60")
    add("--spread", type=between(0, 1000), default=1, metavar="PERCENT",
        help="a size is done when half of the 95 %% interval of each median is below that. Default: 1")
    add("--rounds", type=between(1, 1000), default=1000, metavar="COUNT", help="at most. Default: 1000")
    add("--iterations", type=between(1, 1e6), metavar="N",
        help="timed runs of each program, size and round. Default: the programs choose; on the CPU 20")
    add("--warm", action="store_true", help="keep the caches warm. Default: evict them before every run")
    add("--clock", choices=["total", "kernel"], default="total", help="which one is shown and judged; the CSV has both")
    add("--output", metavar="FILE", help="the CSV. One that the same command began is continued; any other file is left alone. "
        "Default: results/ARCHITECTURE-DATE.csv")
    add("--launch", default="", metavar="WORDS", help="put these in front of every program: --launch='srun -n1 --gpus=1'")
    add("--run", default="build/cpu/bin/run", help=argparse.SUPPRESS)  # describes the device; the build's facts are next to it
    given, rest = options.parse_known_args()
    given.programs = [Program(word) for word in rest if not word.startswith("-")]
    given.options = [word for word in rest if word.startswith("-")]
    if "--input=-" in given.options:
        fail("--input=-: several programs cannot share standard input: name a file")
    if not given.programs:
        fail("name the programs to measure, or use make bench; --help shows the options")
    return given


def main() -> None:
    global terminal
    given = arguments()
    terminal = sys.stderr.isatty()
    Interrupt.begin()
    sweep = Sweep(given)
    sweep.measure()
    results, record = sweep.results, sweep.record
    if record.error:
        tell(f"{record.path}: {record.error}: free some space there and run the same command again, it continues from here")
    if not results.rows:
        tell("nothing was measured")
    else:
        width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
        lines = list(table(results, given.clock, given.spread / 100, width))
        lines += [f"# all rows: {record.path}"]
        lines += [f"# {sweep.failures} failures, see above"] if sweep.failures else []
        for word, count in ("wrong", results.wrong), ("unproven", results.unproven):
            lines += [f"# {count} of all {results.rows} rows are {word}"] if count else []
        say("\n".join(lines))
    if record.error:
        sys.exit(DEVICE_ERROR)
    if record.other:
        fail(f"{record.path} is of {results.first.get('device')}, and now a program ran elsewhere: name another --output")
    if Interrupt.got:
        sys.exit(INTERRUPTED)
    if sweep.failures or results.wrong:
        sys.exit(WRONG)
    sys.exit(UNPROVEN if results.unproven else RIGHT)


if __name__ == "__main__":
    main()
