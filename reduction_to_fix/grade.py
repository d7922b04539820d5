#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the exercises of one attendee, or of a folder with a folder for each attendee.

    grade.py [--no-sandbox] [--jobs N] DIR

An attendee's folder has the files of the exercises by their names, anywhere below it (a copy of the whole tree, of
reduction_to_fix, or of single files). Files that differ get a row each, those as shipped only if there is no other. Every
folder has at least one row, also an empty one; so has what looks like an exercise and is none, and what lies beside the
folders. Each file is compiled and judged in a sandbox of its own (sandbox.py): no network, a process tree that ends with
it, the course read-only, one folder to write to, limits on memory, files and processor time. The judge hands its result
to this process alone.

A row for each exercise is printed and written to DIR/grades.csv and DIR/grades.json. What is there already is not done
again, as long as file and course are the same: an interrupted run resumes where it stopped.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import csv
import hashlib
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

import bank

COURSE = Path(__file__).resolve().parent.parent
HERE = COURSE / "reduction_to_fix"
FIELDS = ["attendee", "exercise", "file", "cksum", "verdict", "code", "diagnosis", "seconds"]
FILE_MOST = 1 << 20  # bytes of a source
# What settles how programs are built goes into the sandbox.
BUILD_WORDS = ["PATH", "MAKE", "MAKEFLAGS", "MAKELEVEL", "CC", "CXX", "AR", "CFLAGS", "CXXFLAGS", "LDFLAGS", "LDLIBS", "OUT", "WERROR", "CLANG"]
running: set[subprocess.Popen] = set()
lock = threading.Lock()


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
        text = file.read(FILE_MOST)
    if b"\0" in text:
        return b"", ("UTF-16, which no compiler reads" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else "not text") + ": save it as UTF-8"
    return text, ""


class Found:
    """What is in an attendee's folder: the sources of each exercise, and what looks like one and is none, with the reason."""

    def __init__(self) -> None:
        self.sources: dict[int, list[Path]] = {}
        self.strays: list[tuple[Path, str]] = []


def look(folder: Path, known: list[bank.Exercise]) -> Found:
    """Links to folders are not followed."""
    found, renamed = Found(), {}
    by_name = {e.source.name: e for e in known}

    def unreadable(error: OSError) -> None:
        found.strays.append((Path(error.filename), f"this folder cannot be read: {error.strerror}"))

    paths = [folder] if folder.is_file() else sorted(
        Path(top) / name for top, _, names in os.walk(folder, onerror=unreadable) for name in names)
    for path in paths:
        name = path.name.strip()
        stem = name.split(".")[0]
        if path.name in by_name:
            found.sources.setdefault(by_name[path.name].number, []).append(path)
        elif name in by_name:
            found.strays.append((path, f"its name has a blank: rename it to {name}"))
        elif f"{stem}.hip" in by_name and name != f"{stem}.o" and path.suffix in (".txt", ".cu", ".cpp", ".c", ".zip", ".hip~", ".cc", ".cxx"):
            found.strays.append((path, f"only files called {stem}.hip are checked: rename it"))
        elif path.suffix == ".hip" and name != "instances.hip":
            title = re.search(rb"Exercise (\d+):", read_source(path)[0])
            if title and int(title[1]) in {e.number for e in known}:
                renamed.setdefault(int(title[1]), []).append(path)
            else:
                found.strays.append((path, "it has the name of no exercise, and does not say which one it is"))
    found.sources = {**renamed, **found.sources}
    for e in known:  # each text once; as shipped only if nothing else is there
        texts = {read_source(path)[0] or path: path for path in found.sources.get(e.number, [])}
        if len(texts) > 1:
            texts.pop(e.source.read_bytes(), None)
        if texts:
            found.sources[e.number] = list(texts.values())
    return found


def is_course(folder: Path, known: list[bank.Exercise]) -> bool:
    """Whether a folder is one attendee's: a copy of the tree or of reduction_to_fix, or exercises alone."""
    names = {entry.name for entry in os.scandir(folder)}
    folders = {entry.name for entry in os.scandir(folder) if entry.is_dir()} - {"build"}
    exercises = {e.folder.name for e in known} | {"reduction_to_fix"}
    if "reduction_to_fix" in names and "Makefile" in names or "exercises.mk" in names:
        return True
    return folders <= exercises and bool(folders or names & {e.source.name for e in known})


def attendees(top: Path, known: list[bank.Exercise]) -> list[tuple[str, Path, str]]:
    """Name, folder, and what is wrong with it."""
    if is_course(top, known):
        return [(top.name, top, "")]
    found, others = [], []
    for entry in sorted(os.scandir(top), key=lambda e: e.name):
        if entry.name in ("grades.csv", "grades.json", "grades.new"):
            continue
        if entry.is_symlink():
            found.append((entry.name, Path(entry.path), "a symbolic link, which is not followed"))
        elif entry.is_dir():
            found.append((entry.name, Path(entry.path), ""))
        elif entry.name.split(".")[0] in {e.source.stem for e in known}:  # beside the folders: a row of its own
            others.append((entry.name, Path(entry.path), ""))
        elif not entry.name.startswith("."):
            others.append((entry.name, Path(entry.path), "not a folder"))
    return found + others if found or any(not problem for *_, problem in others) else []


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
    def __init__(self, top: Path, built: Path, sandbox: bool, work: Path):
        self.top, self.built, self.sandbox, self.work = top, built, sandbox, work

    def judge(self, number: int, source: bytes, name: str) -> dict[str, str]:
        """verdict, code, diagnosis and seconds of processor time."""
        foreign = foreign_include(source)
        if foreign:
            return {"verdict": "wrong", "code": "include", "seconds": "0",
                    "diagnosis": f"it includes a file that is none of the headers: #{foreign}"}
        folder = Path(tempfile.mkdtemp(dir=self.work))
        try:
            (folder / "box").mkdir()
            (folder / "box" / "attendee.hip").write_bytes(source)
            return self.run(folder, number, name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run(self, folder: Path, number: int, name: str) -> dict[str, str]:
        box = folder / "box"
        read_end, write_end = os.pipe()  # the judge's alone
        # A compiler that fails is started again for each type: together they get three times the time of one process.
        command = ["timeout", "-k", "5", str(3 * int(os.environ.get("GRADE_SECONDS") or 120)),
                   "sh", str(HERE / "judge.sh"), f"{number:02}", str(box / "attendee.hip"), str(box), f"--json=fd:{write_end}"]
        if self.sandbox:
            words = [f"{word}={os.environ[word]}" for word in BUILD_WORDS if word in os.environ]
            command = [str(COURSE), str(self.built), str(self.top), str(folder), *words, *command]
        else:
            command = ["limited", *command]
        command = [sys.executable, str(HERE / "sandbox.py"), *command]
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
            return {"verdict": "wrong", "code": "compile", "diagnosis": error[:300] or log.strip()[-300:] or "it does not compile within the limits",
                    "seconds": "0"}
        if status == 126:
            return {"verdict": "unproven", "code": "sandbox", "diagnosis": log.strip()[-300:], "seconds": "0"}
        return {"verdict": "wrong", "code": "limit", "diagnosis":
                f"the check was ended by a limit, or its result was destroyed (exit code {status})", "seconds": "0"}


# ---- all of them ----------------------------------------------------------------------------------------------------


def for_csv(row: dict[str, str]) -> dict[str, str]:
    """A spreadsheet would calculate a field that begins like this."""
    return {key: "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r", "'") else text for key, text in row.items()}


def read_rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", errors="surrogateescape") as file:
        rows = list(csv.DictReader(file, FIELDS, restval=""))
    if not rows or list(rows[0].values()) != FIELDS:
        sys.exit(f"{path} is no list of grades: move it away")
    return [{key: text[1:] if text[:1] == "'" else text for key, text in row.items()} for row in rows[1:] if None not in row]


def write_json(path: Path, rows: list[dict[str, str]]) -> None:
    out = []
    for row in rows:
        entry = {key: row[key] for key in FIELDS if key != "cksum"}
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


def build(work: Path) -> None:
    """All that submissions have in common: in the sandbox nothing else can be written."""
    make = [*os.environ.get("MAKE", "make").split(), "-s", "--no-print-directory", "GPU=cpu", "EX=1", "TRACE=1", f"WORK={work}"]
    done = subprocess.run([*make, "exercise-judge", "exercise-gpu", "exercise-runner"], cwd=COURSE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.stderr.buffer.write(done.stdout)
        sys.exit(3)
    if not (work / "gpu").exists():
        print("make grade compiles everything as code for a GPU, and needs clang++, hipcc or nvcc for that: ./install-deps.sh develop", file=sys.stderr)
        sys.exit(3)


def plan(top: Path, known: list[bank.Exercise], old: list[dict[str, str]]):
    """Rows that need no check, and (row, source) of those that do."""
    course = hashlib.sha256(b"".join(sorted(p.read_bytes() for p in (HERE / "checker").rglob("*.*")))).hexdigest()
    have = {(row["attendee"], row["exercise"], row["file"], row["cksum"]): row for row in old}
    ready, jobs = [], []

    def text(path: Path) -> str:
        return str(path.relative_to(top)).encode("utf-8", "replace").decode()

    for name, folder, problem in attendees(top, known):
        empty = {**dict.fromkeys(FIELDS, ""), "attendee": name.encode("utf-8", "replace").decode(), "seconds": "0"}
        found = Found() if problem else look(folder, known)
        for path, reason in found.strays:
            ready.append({**empty, "file": text(path), "verdict": "missing", "code": "folder" if path.is_dir() else "name",
                          "diagnosis": reason})
        if not found.sources and not found.strays:
            ready.append({**empty, "verdict": "missing", "code": "folder", "diagnosis": problem or "no exercise by its name"})
        for number, path in sorted((number, path) for number, paths in found.sources.items() for path in paths):
            source, problem = read_source(path)
            row = {**empty, "exercise": str(number), "file": text(path),
                   "cksum": hashlib.sha256(source + course.encode()).hexdigest()[:16]}
            key = (row["attendee"], row["exercise"], row["file"], row["cksum"])
            if problem:
                ready.append({**row, "verdict": "missing", "code": "file", "diagnosis": problem})
            elif key in have:
                ready.append(have[key])
            else:
                jobs.append((row, source))
    return ready, jobs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", nargs="?", default="")
    parser.add_argument("--no-sandbox", action="store_true")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GRADE_JOBS") or os.cpu_count() or 1))
    options = parser.parse_args()
    if not options.dir:
        print("make grade DIR=submissions: name the folder of an attendee, or a folder of them", file=sys.stderr)
        return 2
    top = Path(options.dir).absolute()
    if not top.is_dir() or not os.access(top, os.W_OK):
        print(f"DIR={options.dir}: there is no such folder that can be written to", file=sys.stderr)
        return 2
    if not options.no_sandbox and subprocess.run([sys.executable, str(HERE / "sandbox.py"), "try"], check=False).returncode:
        print("make grade runs other people's code, and cannot confine it here: it needs user namespaces, and\n"
              "bubblewrap or util-linux (unshare, setpriv). Elsewhere, or as a user who owns nothing: make grade SANDBOX=no",
              file=sys.stderr)
        return 3
    known = bank.exercises()
    csv_path, json_path = top / "grades.csv", top / "grades.json"
    rows = read_rows(csv_path)
    if not attendees(top, known):
        print(f"DIR={options.dir}: there is no folder and no exercise below it", file=sys.stderr)
        return 2
    built = Path(os.environ.get("BUILT", "") or ".").absolute() / "build"
    build(built / "grade")

    def stop(*_):
        with lock:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
        print("interrupted: the same command goes on from here", file=sys.stderr, flush=True)
        os._exit(143)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    ready, jobs = plan(top, known, rows)
    total = len(ready) + len(jobs)
    print(f"{'attendee':<18} {'EX':>3}  {'verdict':<8} diagnosis")
    for path in (csv_path, json_path):  # links are not followed
        if path.is_symlink():
            path.unlink()
    now = list(ready)  # this run's
    with tempfile.TemporaryDirectory() as work, csv_path.open("w", newline="", errors="surrogateescape") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(map(for_csv, rows + [row for row in now if row not in rows]))
        file.flush()
        for done, row in enumerate(now, 1):
            show(row, done, total)
        grader = Grader(top, built, not options.no_sandbox, Path(work))
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            waiting = {pool.submit(grader.judge, int(row["exercise"]), source, Path(row["file"]).name): row for row, source in jobs}
            for done, future in enumerate(concurrent.futures.as_completed(waiting), len(ready) + 1):
                now.append({**waiting[future], **future.result()})
                writer.writerow(for_csv(now[-1]))
                file.flush()
                show(now[-1], done, total)
    write_json(json_path, now)
    print(f"written: {csv_path} and {json_path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
