#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command within the limits of make grade: GRADE_MEMORY in KiB, GRADE_SECONDS of processor time for each process.

    sandbox.py limited COMMAND...
    sandbox.py COURSE BUILT HIDDEN FOLDER COMMAND...   also in a sandbox: COMMAND runs in COURSE, sees BUILT, and not HIDDEN;
                                                       it may write to FOLDER/box; exit code 126: it did not begin
    sandbox.py try                                     whether that works here

The sandbox has the course and the system's programs, both read-only, and one folder to write to: no network, no other
process, no home. Its processes end with it. bubblewrap does it where it works; else unshare and setpriv of util-linux. Both
need user namespaces. GRADE_WITH=bwrap or unshare names one.
"""
from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

SYSTEM = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/alternatives /etc/ld.so.cache".split()
DEVICES = "/dev/null /dev/zero /dev/urandom".split()
WRAP = "bwrap --unshare-all --die-with-parent --cap-drop ALL --proc /proc --size 268435456 --tmpfs /tmp".split()
SHARE = "unshare --user --map-root-user --mount --pid --fork --net --ipc --uts --kill-child --mount-proc".split()
ALONE = "setpriv --bounding-set=-all --inh-caps=-all --no-new-privs".split()


def works(command: list[str]) -> bool:
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def tool() -> str:
    return os.environ.get("GRADE_WITH") or ("bwrap" if works([*WRAP, "--ro-bind", "/", "/", "true"]) else "unshare")


def limit() -> None:
    stacks = int(os.environ.get("GRADE_MEMORY") or 8388608) << 10  # of blocks that wait for each other, which nobody touches
    seconds = int(os.environ.get("GRADE_SECONDS") or 120)
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 128 << 20), (resource.RLIMIT_DATA, stacks),
                       (resource.RLIMIT_CPU, seconds)):
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):
            pass  # a lower one is there
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")  # what takes all memory is ended first
    except OSError:
        pass


def secrets(course: str) -> list[Path]:
    return [path for name in ("solution.patch", "cases.txt") for path in sorted(Path(course).glob(f"reduction_to_fix/*/{name}"))]


def empty(course: str, hidden: str) -> list[str]:
    return [hidden, f"{course}/.git", f"{course}/tests"]


def with_bwrap(course: str, built: str, hidden: str, folder: str, command: list[str]) -> int:
    box, words = f"{folder}/box", list(WRAP)
    for path in filter(os.path.lexists, SYSTEM):
        words += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    for path in DEVICES:
        words += ["--dev-bind", path, path]
    for path in (course, built):
        words += ["--ro-bind", path, path]
    for path in empty(course, hidden):
        if path.startswith((f"{course}/", f"{built}/")) and os.path.isdir(path):
            words += ["--tmpfs", path, "--remount-ro", path]
    for path in secrets(course):
        words += ["--ro-bind", "/dev/null", str(path)]
    words += ["--bind", box, box, "--remount-ro", "/", "--chdir", course, "sh", "-c", ': >"$0/.begun"; exec "$@"', box, *command]
    status = subprocess.run(words, close_fds=False, check=False).returncode
    return status if os.path.exists(f"{box}/.begun") else 126


def in_root(course: str, built: str, hidden: str, folder: str, command: list[str]) -> None:
    """Where there is no bubblewrap: inside unshare, a root of its own."""
    def mount(*words: str) -> None:
        subprocess.run(["mount", *words], check=True)

    def show(path: str, writable: bool = False) -> None:
        if os.path.islink(path):
            os.makedirs(root + os.path.dirname(path), exist_ok=True)
            os.symlink(os.readlink(path), root + path)
        elif os.path.exists(path):
            os.makedirs(root + (path if os.path.isdir(path) else os.path.dirname(path)), exist_ok=True)
            if not os.path.isdir(path):
                open(root + path, "w").close()
            mount("--rbind", path, root + path)
            if not writable:
                mount("-o", "remount,bind,ro", root + path)

    root = f"{folder}/.root"
    os.mkdir(root)
    mount("-t", "tmpfs", "-o", "size=256m,mode=755", "none", root)
    os.mkdir(f"{root}/tmp")
    mount("-t", "tmpfs", "-o", "size=256m,mode=1777", "none", f"{root}/tmp")
    for path in [*SYSTEM, course, built]:
        show(path)
    for path in secrets(course):
        mount("--bind", "/dev/null", f"{root}{path}")
    for path in empty(course, hidden):
        if os.path.isdir(root + path):
            mount("-t", "tmpfs", "-o", "ro", "none", root + path)
    for path in [f"{folder}/box", "/proc", *DEVICES]:
        show(path, writable=True)
    os.mkdir(f"{root}/.old")
    subprocess.run(["pivot_root", root, f"{root}/.old"], check=True)
    os.chdir("/")
    subprocess.run(["umount", "-l", "/.old"], check=True)
    os.rmdir("/.old")
    subprocess.run(["mount", "-o", "remount,ro", "/"], stderr=subprocess.DEVNULL, check=False)
    os.chdir(course)
    os.execvp(ALONE[0], [*ALONE, *command])


def main(words: list[str]) -> int:
    if words == ["try"]:
        return not works([*WRAP, "--ro-bind", "/", "/", "true"] if tool() == "bwrap" else [*SHARE, *ALONE, "true"])
    if words[0] == "in-root":
        try:
            in_root(*words[1:5], words[5:])
        except (OSError, subprocess.CalledProcessError) as error:
            print(error, file=sys.stderr)
        return 126
    limit()
    if words[0] == "limited":
        os.execvp(words[1], words[1:])
    keep = [f"{word}={os.environ.get(word, '')}" for word in ("GRADE_SECONDS", "GRADE_MEMORY")]
    command = ["env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8", *keep, *words[4:]]
    if tool() == "bwrap":
        return with_bwrap(*words[:4], command)
    os.execvp(SHARE[0], [*SHARE, sys.executable, __file__, "in-root", *words[:4], *command])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
