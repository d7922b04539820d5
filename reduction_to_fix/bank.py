#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bank of exercises: a folder for each, NUMBER_NAME, with everything about it.

    NAME.hip         as shipped; if there is none, it is NAME.hip in the folder above
    exercise.txt     title, place and rules, "key: value" in each line (KEYS below)
    hints.txt        three hints, a line "%" between
    solution.patch   the reasoning, and a unified diff of the source
    cases.txt        right and wrong fixes, as diffs, and what the checker has to say

    bank.py new NAME                             makes a folder with all of it, to be filled
    bank.py add NUMBER solution|wrong|right NAME SOURCE ["what it does"]
                                                 keeps an edited source as the solution, or as a case
    bank.py check [--every N] [NUMBER...]        builds and judges: each exercise broken as shipped, its solution right, its
                                                 cases as they say; N: only each Nth case
    bank.py write FOLDER [NUMBER...]             writes the sources, and prints a line for each, with tabs:
        NUMBER  NAME  shipped|solution|wrong|right  SOURCE  EXPECTED  ON A GPU  WITH WARPS OF 64
    bank.py solution NUMBER SHIPPED              prints the solution, made of the source as shipped
    bank.py table                                writes README.md's table of exercises
    bank.py mistakes                             beginners' mistakes, and what the checker says

A case begins with "= wrong NAME: what it does". Lines "expect:", "on a gpu:" and "with warps of 64:" follow: a regular
expression for the checker's code and diagnosis, or "solved"; one that is missing is as the one before. "On a GPU" is for
the checker alone, which cannot choose the order of threads there and sees no access. The diff is one of the solution where
there is a line "on: solution". "beginner: yes": the first diagnosis has to be this one, and it is in the table of mistakes.
"hint: WORDS", here or in solution.patch: what hints.txt says of it; each of its sentences that judge code (JUDGES) is proven so."""
from __future__ import annotations

import concurrent.futures
import difflib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KEYS = {
    "title": "one line for make list",
    "place": "make list and make watch go from the lowest to the highest",
    "lesson": "the document that explains it",
    "task": "argmax, rows, histogram or softmax; else a reduction (checker/task.h)",
    "arrays": "huge: elements beyond 2^31 are what it is about",
    "defines": "a macro for the compiler",
    "kinds": "types and operations that the checker compiles and runs; else all",
    "rules": "beyond the result (checker/rules/rules_table.c)",
    "bar": "options of the program, for its share of the read ceiling on a GPU",
    "fastest": "the variant that has the highest bar, and its options",
    "shipped": "what the checker says of it as shipped; `on a gpu` and `with warps of 64`, too",
    "on a gpu": "",
    "with warps of 64": "",
}

JUDGES = r"not inside|too late|must not|would be right|calls that|no longer needed|are right there|costs nothing"


class Exercise:
    def __init__(self, folder: Path):
        self.folder = folder
        self.number, self.name = int(folder.name[:2]), folder.name[3:]
        self.source = next(iter(sorted(folder.glob("*.hip"))), HERE / f"{self.name}.hip")
        lines = [line for line in (folder / "exercise.txt").read_text().splitlines() if line]
        self.about = dict(line.split(": ", 1) for line in lines)

    def get(self, key: str) -> str:
        return self.about.get(key, "")

    @property
    def place(self) -> int:
        return int(self.get("place") or 0)


def exercises(numbers: list[str] = ()) -> list[Exercise]:
    """These, or all, from the easier to the harder ones."""
    found = [Exercise(path.parent) for path in HERE.glob("[0-9][0-9]_*/exercise.txt")]
    wrong = set(map(int, numbers)) - {exercise.number for exercise in found}
    if wrong:
        sys.exit(f"no such exercise: {min(wrong)}")
    return sorted((e for e in found if not numbers or str(e.number) in {str(int(n)) for n in numbers}), key=lambda e: e.place)


# ---- sources ----------------------------------------------------------------------------------------------------------


def patched(text: str, diff: str, what: str) -> str:
    """Applies a unified diff, each hunk where its old lines are: at the given line, or at the only place."""
    lines = text.splitlines()
    shift = 0
    for hunk in re.split(r"^@@ ", diff, flags=re.MULTILINE)[1:]:
        head, *body = hunk.splitlines()
        old = [line[1:] for line in body if not line.startswith("+")]
        new = [line[1:] for line in body if not line.startswith("-")]
        at = int(re.match(r"-(\d+)", head)[1]) - 1 + shift
        if lines[at:at + len(old)] != old:
            places = [i for i in range(len(lines)) if lines[i:i + len(old)] == old]
            if len(places) != 1:
                sys.exit(f"{what} does not fit its source: @@ {head}")
            at = places[0]
        lines[at:at + len(old)] = new
        shift += len(new) - len(old)
    return "\n".join(lines) + "\n"


def difference(old: str, new: str, lines: int) -> str:
    return "\n".join(list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=lines))[2:]) + "\n"


def solution_of(e: Exercise, shipped: Path | None = None) -> str:
    patch = (e.folder / "solution.patch").read_text()
    return patched((shipped or e.source).read_text(), patch[patch.index("\n@@"):] if "\n@@" in patch else "", f"{e.folder.name}/solution.patch")


def cases_of(e: Exercise) -> list[tuple[str, str, str, dict[str, str], str]]:
    """Kind, name, what it does, its words, and the source."""
    shipped, solution, found = e.source.read_text(), solution_of(e), []
    for text in re.split(r"^= ", (e.folder / "cases.txt").read_text(), flags=re.MULTILINE)[1:]:
        kind, name, what = re.match(r"(wrong|right) (\w+): (.*)", text).groups()
        head, at, diff = text.partition("\n@@")
        words = dict(line.split(": ", 1) for line in head.splitlines()[1:])
        source = patched(solution if words.get("on") == "solution" else shipped, at[1:] + diff, f"{e.folder.name}: {name}")
        found.append((kind, name, what, words, source))
    return found


def expected(words: dict[str, str], first: str) -> list[str]:
    found = [words.get(first, "solved")]
    for key in ("on a gpu", "with warps of 64"):
        found.append(words.get(key, found[-1]))
    return found


def write(folder: Path, numbers: list[str]) -> list[tuple[int, str, str, Path, list[str]]]:
    """Number, name, kind, source, and what is expected."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for e in exercises(numbers):
        rows.append((e.number, f"{e.number:02}_shipped", "shipped", e.source, expected(e.about, "shipped")))
        sources = [("solution", "solution", {}, solution_of(e)), *((k, n, w, s) for k, n, _, w, s in cases_of(e))]
        for kind, name, words, source in sources:
            path = folder / f"{e.number:02}_{name}.hip"
            path.write_text(source)
            rows.append((e.number, path.stem, kind, path, expected(words, "expect")))
    return rows


# ---- the table, and what is wrong with a folder -----------------------------------------------------------------------


def readme() -> str:
    """The README, with the table of these folders."""
    rows = ["| | exercise | about | explained in |", "|---|---|---|---|"]
    for e in exercises():
        name = re.sub(r"^reduction_(\w+)/README\.md$|^.*/(\w+)\.md$", lambda m: m[1] or m[2], e.get("lesson"))
        rows.append(f"| {e.number} | {e.name} | {e.get('title')} | [{name}](../{e.get('lesson')}) |")
    return re.sub(r"^\| \| exercise .*\n(\|.*\n)+", lambda _: "\n".join(rows) + "\n", (HERE / "README.md").read_text(), flags=re.MULTILINE)


def faults() -> list[str]:
    """What is missing in the folders, one line for each."""
    found = []
    places: dict[int, Exercise] = {}
    for e in exercises():
        def fault(text: str, e: Exercise = e) -> None:
            found.append(f"{e.folder.name}/{text}")
        for key in e.about:
            if key not in KEYS:
                fault(f"exercise.txt: \"{key}\" has no meaning")
        for key in ("title", "lesson", "shipped"):
            if not e.get(key) or "TODO" in e.get(key):
                fault(f"exercise.txt: no {key}")
        if not (ROOT / e.get("lesson")).is_file():
            fault(f"exercise.txt: there is no {e.get('lesson')}")
        if places.setdefault(e.place, e) is not e:
            fault(f"exercise.txt: place {e.place} is also that of {places[e.place].folder.name}")
        hints = (e.folder / "hints.txt").read_text()
        if len(re.split(r"^%$", hints, flags=re.MULTILINE)) != 3 or "TODO" in hints:
            fault("hints.txt: three hints, with a line \"%\" between")
        if max(map(len, hints.splitlines())) > 80:
            fault("hints.txt: longer than 80 columns")
        if not re.search(rf"Exercise {e.number}:", e.source.read_text()):
            fault(f"{e.source.name}: its first line says \"Exercise {e.number}:\"")
        if solution_of(e) == e.source.read_text():
            fault("solution.patch: no solution yet; bank.py add keeps one")
        says = " ".join(hints.split())
        proven = re.findall("^hint: (.*)", (e.folder / "solution.patch").read_text(), re.MULTILINE)
        proven += [words["hint"] for *_, words, _ in cases_of(e) if "hint" in words]
        for words in proven:
            if words not in says:
                fault(f"hints.txt: none says \"{words}\", as cases.txt does")
        for sentence in re.split(r"(?<=[.?:]) ", says):
            if re.search(JUDGES, sentence) and not any(words in sentence or sentence in words for words in proven):
                fault(f"cases.txt: no case proves the hint \"{sentence}\"")
        names = [name for _, name, *_ in cases_of(e)]
        found += [f"{e.folder.name}/cases.txt: {name} is there twice" for name in set(names) if names.count(name) > 1]
    if readme() != (HERE / "README.md").read_text():
        found.append("README.md: its table is not that of the folders; bank.py table writes it")
    return found


# ---- judging ----------------------------------------------------------------------------------------------------------


def judged(row: tuple[int, str, str, Path, list[str]], work: Path) -> tuple[bool, str]:
    """Whether the checker says what it should, and a line about it."""
    number, name, kind, source, expect = row
    folder = work / name
    folder.mkdir()
    out = subprocess.run(["sh", "reduction_to_fix/judge.sh", f"{number:02}", str(source), str(folder), f"--json={folder}/json"],
                         cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    log = out.stdout.decode(errors="replace")
    try:
        found = json.loads((folder / "json").read_text())
        said = f"{found['code']} {found['diagnosis']}".strip()
    except (OSError, ValueError):
        said = "compile " + next((line for line in log.splitlines() if "error: " in line), "")
    subprocess.run(["rm", "-rf", str(folder)], check=False)
    right = out.returncode == 0 if kind in ("solution", "right") else out.returncode != 0 and bool(re.match(f"(?:{expect[0]})", said))
    text = f"{name}: exit code {out.returncode}, {said or 'solved'}; expected {expect[0]}"
    return right, text if right else text + "\n" + "\n".join(log.splitlines()[:40])


def check(numbers: list[str], every: int) -> int:
    wrong = faults()
    for line in wrong:
        print("WRONG", line)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        rows = write(work / "sources", numbers)
        cases = 0
        chosen = []
        for row in rows:
            cases += row[2] in ("wrong", "right")
            sampled = cases % every == 0 if row[2] in ("wrong", "right") else row[0] == 1 or row[0] % 6 == (2 if row[2] == "shipped" else 0)
            if every == 1 or sampled:
                chosen.append(row)
        first = judged(chosen[0], work)  # builds what all have in common
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for right, text in itertools.chain([first], pool.map(lambda row: judged(row, work), chosen[1:])):
                print("right" if right else "WRONG", text, flush=True)
                wrong += [] if right else [text]
    print(f"{len(chosen)} sources judged; {len(wrong)} wrong")
    return 1 if wrong else 0


# ---- new ones ---------------------------------------------------------------------------------------------------------


def new(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        sys.exit(f"NAME={name}: lower-case letters, digits and _")
    if any(e.name == name for e in exercises()):
        sys.exit(f"NAME={name}: there is one already")
    number, place = (max(values) for values in zip(*((e.number, e.place) for e in exercises())))
    folder = HERE / f"{number + 1:02}_{name}"
    folder.mkdir()
    model = Exercise(HERE / "01_to_fix").source.read_text()
    (folder / f"{name}.hip").write_text(re.sub(r"Exercise 1: [^\n]*", f"Exercise {number + 1}: TODO", model, count=1))
    (folder / "exercise.txt").write_text(f"title: TODO\nplace: {place + 10}\nlesson: reduction_TODO/README.md\nshipped: TODO\n")
    (folder / "hints.txt").write_text("TODO\n%\nTODO\n%\nTODO\n")
    (folder / "solution.patch").write_text(f"SPOILER, for instructors: the solution of exercise {number + 1}.\n\nTODO\n")
    (folder / "cases.txt").write_text("")
    print(f"{folder.relative_to(ROOT)}: fill what says TODO; make exercises-check EX={number + 1} says what is missing")


def add(number: str, kind: str, name: str, source: Path, what: str) -> None:
    e = exercises([number])[0]
    text = source.read_text()
    if kind == "solution":
        patch = e.folder / "solution.patch"
        head = patch.read_text().split("\n--- a/")[0].rstrip() + "\n"
        where = e.source.relative_to(ROOT)
        patch.write_text(f"{head}\n--- a/{where}\n+++ b/{where}\n{difference(e.source.read_text(), text, 3)}")
        return
    bases = {"": e.source.read_text(), "on: solution\n": solution_of(e)}
    if text in bases.values():
        sys.exit(f"{source}: it is the exercise as shipped, or its solution")
    on, diff = min(((on, difference(base, text, 1)) for on, base in bases.items()), key=lambda pair: len(pair[1]))
    expect = "" if kind == "right" else "expect: TODO\n"
    with (e.folder / "cases.txt").open("a") as out:
        out.write(f"= {kind} {name}: {what or 'TODO'}\n{expect}{on}{diff}")


def mistakes() -> int:
    """The table for teachers: what the checker really says to each of them, and how many of these diagnoses are the right ones."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        rows = {row[1]: row for row in write(work / "sources", [])}
        chosen = [(what, rows[f"{e.number:02}_{name}"]) for e in exercises()
                  for kind, name, what, words, _ in cases_of(e) if kind == "wrong" and words.get("beginner")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            judgements = list(pool.map(lambda each: judged(each[1], work), chosen))
    print("| exercise | mistake | what the checker says |\n|---|---|---|")
    for (what, row), (_, text) in zip(chosen, judgements):
        code, _, says = text.split("\n")[0].partition(", ")[2].rpartition("; expected ")[0].partition(" ")
        says = re.sub(r"/\S*/|\d\d_(?=\w+\.hip)", "", says).replace("|", "\\|")
        print(f"| {row[0]} | {what} | `{code}`: {says} |")
    right = sum(good for good, _ in judgements)
    print(f"\n{right} of {len(chosen)} first diagnoses are the right ones.")
    return int(right < len(chosen))


def main() -> int:
    words = sys.argv[1:]
    command, words = (words[0], words[1:]) if words else ("", [])
    every = 1
    if words[:1] == ["--every"]:
        every, words = int(words[1]), words[2:]
    if command == "new" and len(words) == 1:
        new(words[0])
    elif command == "add" and len(words) in (4, 5) and words[1] in ("solution", "wrong", "right"):
        add(words[0], words[1], words[2], Path(words[3]), words[4] if len(words) == 5 else "")
    elif command == "check":
        return check(words, every)
    elif command == "write" and words:
        for number, name, kind, source, expect in write(Path(words[0]), words[1:]):
            print(number, name, kind, source.relative_to(ROOT) if kind == "shipped" else source, *expect, sep="\t")
    elif command == "solution" and len(words) == 2:
        print(solution_of(exercises(words[:1])[0], Path(words[1])), end="")
    elif command == "table" and not words:
        (HERE / "README.md").write_text(readme())
    elif command == "mistakes" and not words:
        return mistakes()
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
