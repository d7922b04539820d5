#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the exercises of one attendee, or of a folder with a folder for each attendee.

    grade.py [--no-sandbox] [--sample] [--jobs N] DIR

Each kind of round runs every type and operation with every block and grid of the judge's list; --sample: as in make check.

An attendee's folder has the files of the exercises by their names, anywhere below it (a copy of the whole tree, of
reduction_to_fix, or of single files). Of two with one name the newer one counts. Every folder has at least one row,
also an empty one. Each file is compiled and judged in a sandbox of its own (sandbox.sh): no network, a process tree
that ends with it, the course read-only, one folder to write to, limits on memory, files and processor time. The judge
hands its result to this process alone.

A row for each exercise is printed and written to DIR/grades.csv and DIR/grades.json. What is there already is not done
again, as long as file and course are the same: an interrupted run resumes where it stopped. Each row is sealed with a key
in the home of whoever grades; rows that others wrote or changed are left out.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import csv
import hashlib
import hmac
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
HERE = COURSE / "reduction_to_fix"
FIELDS = ["attendee", "exercise", "file", "cksum", "verdict", "code", "diagnosis", "seconds", "seal"]
FILE_MOST = 1 << 20  # bytes of a source
running: set[subprocess.Popen] = set()
lock = threading.Lock()


def exercises() -> dict[int, dict[str, str]]:
    """Number: file, folder, flags."""
    found = {}
    for line in (HERE / "exercises.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            number, folder, source, _, flags, _ = line.split("|")
            found[int(number)] = {"file": source, "folder": folder, "flags": flags}
    return found


# ---- submissions ----------------------------------------------------------------------------------------------------


def read_source(path: Path) -> tuple[bytes, str]:
    """The text of a regular file, or why there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return b"", "a symbolic link, which is not followed" if path.is_symlink() else error.strerror or "unreadable"
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return b"", "not a regular file"
        if status.st_size > FILE_MOST:
            return b"", f"larger than {FILE_MOST >> 20} MiB"
        return file.read(FILE_MOST), ""


def files_below(folder: Path) -> list[Path]:
    """Links to folders are not followed."""
    found = []
    for top, _, names in os.walk(folder):
        found += [Path(top) / name for name in names]
    return found


def submissions(folder: Path, known: dict[int, dict[str, str]]) -> tuple[dict[int, Path], list[str]]:
    """The file of each exercise, and what else is there and looks like one."""
    by_name = {entry["file"]: number for number, entry in known.items()}
    chosen: dict[int, Path] = {}
    renamed: dict[int, Path] = {}  # count where none has the name: a build folder has copies
    strange = []
    for path in sorted(files_below(folder)):
        number, found = by_name.get(path.name), chosen
        if number is None:
            if path.suffix in (".hip", ".cu", ".cpp", ".txt~") or path.name.strip() in by_name:
                text = read_source(path)[0] if path.suffix == ".hip" else b""
                title = re.search(rb"Exercise (\d+):", text)
                if title and int(title[1]) in known and path.name != "instances.hip":
                    number, found = int(title[1]), renamed
                else:
                    strange.append(path.name)
        if number is not None:
            other = found.get(number)
            if other is None or path.lstat().st_mtime > other.lstat().st_mtime:
                found[number] = path
    return {**renamed, **chosen}, strange


def attendees(top: Path, known: dict[int, dict[str, str]]) -> list[tuple[str, Path, str]]:
    """Name, folder, and what is wrong with it."""
    names = {entry[key] for entry in known.values() for key in ("file", "folder")} | {"reduction_to_fix"}
    inside = [entry for entry in os.scandir(top) if entry.name not in ("grades.csv", "grades.json", "grades.new")]
    if any(e.name in names for e in inside):
        return [(top.name, top, "")]
    found, others = [], []
    for entry in sorted(inside, key=lambda e: e.name):
        if entry.is_symlink():
            found.append((entry.name, Path(entry.path), "a symbolic link, which is not followed"))
        elif entry.is_dir():
            found.append((entry.name, Path(entry.path), ""))
        elif not entry.name.startswith("."):
            others.append((entry.name, Path(entry.path), "not a folder"))
    return found + others if found else []


# What a compiler takes for one character, or for a space; strings stay.
SPLICE = re.compile(rb"\\[ \t]*\r?\n")
COMMENT = re.compile(rb'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
DIRECTIVE = re.compile(rb"^(?:\xef\xbb\xbf)?[\s\0]*(?:#|%:)[\s\0]*((?:include|import|embed).*)", re.MULTILINE)
HEADER = re.compile(rb'include[ \t]*(?:<\w[\w/.]*>|"\w+[.]h")\s*')


def foreign_include(source: bytes) -> str:
    """A directive that names no header of the system or the course: the compiler would print what is there."""
    text = COMMENT.sub(lambda found: found[1] or b" ", SPLICE.sub(b"", source))
    for found in DIRECTIVE.finditer(text):
        if not HEADER.fullmatch(found[1]) or b".." in found[1]:
            return found[1].decode(errors="replace")[:200]
    return ""


# ---- one check ------------------------------------------------------------------------------------------------------


class Grader:
    def __init__(self, top: Path, built: Path, sandbox: bool, sample: bool, work: Path):
        self.top, self.built, self.sandbox, self.sample, self.work = top, built, sandbox, sample, work

    def judge(self, number: int, flags: str, source: bytes, name: str) -> dict[str, str]:
        """verdict, code, diagnosis and seconds of processor time."""
        foreign = foreign_include(source)
        if foreign:
            return {"verdict": "wrong", "code": "include", "seconds": "0",
                    "diagnosis": f"it includes a file that is none of the headers: #{foreign}"}
        folder = Path(tempfile.mkdtemp(dir=self.work))
        try:
            (folder / "box").mkdir()
            (folder / "box" / "attendee.hip").write_bytes(source)
            return self.run(folder, number, flags, name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run(self, folder: Path, number: int, flags: str, name: str) -> dict[str, str]:
        box = folder / "box"
        read_end, write_end = os.pipe()  # the judge's alone
        # A compiler that fails is started again for each type: together they get three times the time of one process.
        command = ["timeout", "-k", "5", str(3 * int(os.environ.get("GRADE_SECONDS") or 120)),
                   "sh", str(HERE / "build_and_judge.sh"), str(number), str(self.built), str(box), f"--json=fd:{write_end}",
                   *([] if self.sample else ["--all"]), *flags.split()]
        if self.sandbox:
            command = ["sh", str(HERE / "sandbox.sh"), str(COURSE), str(self.built), str(self.top), str(folder), *command]
        log = tempfile.TemporaryFile()
        with lock:
            process = subprocess.Popen(command, cwd=COURSE, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                       pass_fds=(write_end,), start_new_session=True)
            running.add(process)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe:
            result = pipe.read(1 << 20)
        status = process.wait()
        with lock:
            running.discard(process)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it left behind, where there is no sandbox
        except ProcessLookupError:
            pass
        log.seek(0)
        return self.verdict(result, status, log.read(1 << 20).decode(errors="replace"), box, name)

    @staticmethod
    def verdict(result: bytes, status: int, log: str, box: Path, name: str) -> dict[str, str]:
        try:
            found = json.loads(result)
            return {"verdict": found["verdict"], "code": found["code"], "diagnosis": found["diagnosis"],
                    "seconds": f"{found['seconds']:.2f}"}
        except (ValueError, KeyError, TypeError):
            pass
        log = log.replace(str(box / "attendee.hip"), name)
        error = next((line for line in log.splitlines() if "error" in line), "")
        if "poisoned" in error:
            error += ": it could behave differently elsewhere, or hide what it does"
        if status == 21:
            return {"verdict": "wrong", "code": "compile", "diagnosis": error[:300] or "it does not compile within the limits",
                    "seconds": "0"}
        if status == 126:
            return {"verdict": "unproven", "code": "sandbox", "diagnosis": log.strip()[-300:], "seconds": "0"}
        return {"verdict": "wrong", "code": "limit", "diagnosis":
                f"the check was ended by a limit, or its result was destroyed (exit code {status})", "seconds": "0"}


# ---- all of them ----------------------------------------------------------------------------------------------------


def read_key() -> bytes:
    """No submission sees it: there is no home in the sandbox."""
    path = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "reduction-grade.key"
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(os.urandom(32))
        return path.read_bytes()
    except OSError as error:
        print(f"{error}: a second run will not know what this one has done", file=sys.stderr)
        return os.urandom(32)


def sealed(row: dict[str, str], key: bytes) -> dict[str, str]:
    text = json.dumps([row[field] for field in FIELDS[:-1]])
    return {**row, "seal": hmac.new(key, text.encode(), "sha256").hexdigest()[:32]}


def read_rows(path: Path, key: bytes) -> list[dict[str, str]]:
    """Those that were sealed here."""
    if not path.exists():
        return []
    with path.open(newline="", errors="surrogateescape") as file:
        rows = list(csv.DictReader(file, FIELDS, restval=""))
    if not rows or list(rows[0].values()) != FIELDS:
        sys.exit(f"{path} is no list of grades: move it away")
    known = [row for row in rows[1:] if row.get(None) is None and sealed(row, key) == row]
    if len(known) < len(rows) - 1:
        print(f"{path}: {len(rows) - 1 - len(known)} rows were not written here, and are left out", file=sys.stderr)
    return known


def write_json(path: Path, rows: list[dict[str, str]]) -> None:
    out = []
    for row in rows:
        entry = {key: row[key] for key in FIELDS if key not in ("cksum", "seal")}
        entry["exercise"] = int(row["exercise"]) if row["exercise"] else None
        entry["seconds"] = float(row["seconds"] or 0)
        out.append(json.dumps(entry))
    path.with_suffix(".new").write_text("[\n  " + ",\n  ".join(out) + "\n]\n")
    path.with_suffix(".new").replace(path)


def shown(text: str, width: int) -> str:
    """In one line, without control characters."""
    return "".join(c if c.isprintable() else "?" for c in text.encode("utf-8", "replace").decode())[:width]


def show(row: dict[str, str], done: int, all_of_them: int) -> None:
    print(f"{shown(row['attendee'], 18):<18} {row['exercise']:>3}  {row['verdict']:<8} {shown(row['diagnosis'], 60):<60} "
          f"{done} of {all_of_them}".rstrip(), flush=True)


def build(built: Path, numbers: list[int], make: str) -> None:
    """All that submissions have in common."""
    for number in numbers:
        for work, goals in ((built / str(number), ["TRACE=1", "exercise-judge", "exercise-commands"]),
                            (built / str(number) / "plain", ["exercise-commands"])):
            work.mkdir(parents=True, exist_ok=True)
            done = subprocess.run([*make.split(), "-s", "--no-print-directory", "GPU=cpu", f"EX={number}", *goals,
                                   f"WORK={os.path.relpath(work, COURSE)}"], cwd=COURSE, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False, env={**os.environ, "MAKEFLAGS": ""})
            if done.returncode:
                sys.stderr.buffer.write(done.stdout)
                sys.exit(3)
    shutil.copy((built / str(numbers[0]) / "judge").resolve(), built / "judge")


def plan(top: Path, known: dict[int, dict[str, str]], old: list[dict[str, str]], sample: bool):
    """Rows that need no check, and (row, flags, source) of those that do."""
    course = hashlib.sha256(b"".join(sorted(p.read_bytes() for p in (HERE / "checker").rglob("*.*")))).hexdigest() + " sample" * sample
    have = {(row["attendee"], row["exercise"], row["cksum"]): row for row in old}
    ready, jobs = [], []
    for name, folder, problem in attendees(top, known):
        empty = {**dict.fromkeys(FIELDS, ""), "attendee": name.encode("utf-8", "replace").decode(), "seconds": "0"}
        chosen, strange = ({}, []) if problem else submissions(folder, known)
        if not chosen:
            what = problem or "no exercise by its name" + (f"; there is {', '.join(strange[:5])}" if strange else "")
            ready.append({**empty, "verdict": "missing", "code": "folder", "diagnosis": what})
        for number, path in sorted(chosen.items()):
            source, problem = read_source(path)
            text = str(path.relative_to(top)).encode("utf-8", "replace").decode()
            row = {**empty, "exercise": str(number), "file": text,
                   "cksum": hashlib.sha256(source + course.encode()).hexdigest()[:16]}
            if problem:
                ready.append({**row, "verdict": "missing", "code": "file", "diagnosis": problem})
            elif (row["attendee"], row["exercise"], row["cksum"]) in have:
                ready.append(have[(row["attendee"], row["exercise"], row["cksum"])])
            else:
                jobs.append((row, known[number]["flags"], source))
    return ready, jobs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", nargs="?", default="")
    parser.add_argument("--no-sandbox", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GRADE_JOBS") or os.cpu_count() or 1))
    options = parser.parse_args()
    if not options.dir:
        print("make grade DIR=submissions: name the folder of an attendee, or a folder of them", file=sys.stderr)
        return 2
    top = Path(options.dir).absolute()
    if not top.is_dir() or not os.access(top, os.W_OK):
        print(f"DIR={options.dir}: there is no such folder that can be written to", file=sys.stderr)
        return 2
    if not options.no_sandbox and subprocess.run(["sh", str(HERE / "sandbox.sh"), "try"], check=False).returncode:
        print("make grade runs other people's code, and cannot confine it here: it needs user namespaces, and\n"
              "bubblewrap or util-linux (unshare, setpriv). Elsewhere, or as a user who owns nothing: make grade SANDBOX=no",
              file=sys.stderr)
        return 3
    known = exercises()
    csv_path, json_path = top / "grades.csv", top / "grades.json"
    key = read_key()
    rows = read_rows(csv_path, key)
    if not attendees(top, known):
        print(f"DIR={options.dir}: there is no folder and no exercise below it", file=sys.stderr)
        return 2
    built = Path(os.environ.get("BUILT", "") or ".").absolute() / "build" / "grade"
    build(built, list(known), os.environ.get("MAKE", "make"))

    def stop(*_):
        with lock:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
        print("interrupted: the same command goes on from here", file=sys.stderr, flush=True)
        os._exit(143)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    ready, jobs = plan(top, known, rows, options.sample)
    total = len(ready) + len(jobs)
    print(f"{'attendee':<18} {'EX':>3}  {'verdict':<8} diagnosis")
    for path in (csv_path, json_path):  # links are not followed
        if path.is_symlink():
            path.unlink()
    now = [sealed(row, key) for row in ready]  # this run's
    with tempfile.TemporaryDirectory() as work, csv_path.open("w", newline="", errors="surrogateescape") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows + [row for row in now if row not in rows])
        file.flush()
        for done, row in enumerate(now, 1):
            show(row, done, total)
        grader = Grader(top, built, not options.no_sandbox, options.sample, Path(work))
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            waiting = {pool.submit(grader.judge, int(row["exercise"]), flags, source, Path(row["file"]).name): row
                       for row, flags, source in jobs}
            for done, future in enumerate(concurrent.futures.as_completed(waiting), len(ready) + 1):
                now.append(sealed({**waiting[future], **future.result()}, key))
                writer.writerow(now[-1])
                file.flush()
                show(now[-1], done, total)
    write_json(json_path, now)
    print(f"written: {csv_path} and {json_path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
