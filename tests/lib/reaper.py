#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command. Processes that it leaves behind are a failure, and are killed.

    reaper.py FILE COMMAND [ARGUMENT]...      FILE receives the processor time in seconds, of all processes

The exit code is the command's (128 + N for signal N), or 99 when it left processes behind, or when nothing moved for five
minutes: no process of it ran or waited for a disk, or used processor time. No verdict depends on how long something
takes: a process that still runs, or waits for one that runs, is waited for. A signal to the reaper ends them all."""
from __future__ import annotations

import ctypes
import os
import re
import resource
import signal
import sys
import time
from pathlib import Path

TROUBLE, STANDSTILL_S = 99, 300
END_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
status = -1  # the command's, once it has ended


class Family:
    """All living descendants of this process: the fields after the name in /proc/PID/stat, and the name."""

    def __init__(self) -> None:
        others: dict[int, list[str]] = {}
        for folder in Path("/proc").glob("[1-9]*"):
            try:
                before, _, after = (folder / "stat").read_text(errors="replace").rpartition(")")
                others[int(folder.name)] = [*after.split(), before.partition("(")[2]]
            except OSError:
                pass
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
                command = read(pid, "cmdline").replace("\0", " ")[:160]
                print(f"{what}: process {pid} ({fields[-1]}), state {fields[0]}: {command}", file=sys.stderr, flush=True)

    def kill(self, number: int) -> None:
        for pid in self.members:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


def read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")
    except OSError:
        return ""


def is_dying(pid: int) -> bool:
    """Whether SIGKILL is pending: the process ends as soon as it gets a processor."""
    pending = re.findall(r"^S[ih][gd]Pnd:\s*(\w+)", read(pid, "status"), re.MULTILINE)
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


def wait_for(command: int, seconds: float) -> int:
    """Waits at most this long for a signal that ends everything; 0 if there is none."""
    got = signal.sigtimedwait(END_SIGNALS | {signal.SIGCHLD}, seconds)
    reap(command)
    return 0 if got is None or got.si_signo == signal.SIGCHLD else got.si_signo


def watch(command: int, step: float, most: int, ticks_most: float, what: str) -> int:
    """Watches the command or, with a limit of processor time, what it has left behind. Returns 0, a signal, or TROUBLE after
    `most` steps without progress."""
    still, ticks, family = 0, 0, None
    limited = ticks_most < float("inf")
    begin = Family().ticks
    while status < 0 or (limited and Family().members):
        got = wait_for(command, step)
        if got or (status >= 0 and not limited):
            return got
        family = Family()
        still = 0 if family.moves or family.ticks != ticks else still + 1
        ticks = family.ticks
        if family.members and (still == most or ticks - begin > ticks_most):
            family.tell(what)
            return TROUBLE
    return 0


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS | {signal.SIGCHLD})
    command = os.fork()
    if not command:
        os.setpgid(0, 0)
        for number in END_SIGNALS | {signal.SIGQUIT, signal.SIGPIPE}:  # ignored after nohup
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS | {signal.SIGCHLD})
        try:
            os.execvp(sys.argv[2], sys.argv[2:])
        except OSError as error:
            print(f"{sys.argv[2]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)

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
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    Path(sys.argv[1]).write_text(f"{used.ru_utime + used.ru_stime:.1f}\n")
    if trouble not in (0, TROUBLE):
        signal.signal(trouble, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {trouble})
        os.kill(os.getpid(), trouble)
    sys.exit(trouble or status)


if __name__ == "__main__":
    main()
