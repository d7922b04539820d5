#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a new folder with what an instructor hands out and what the instructor keeps. `make course` runs it.

    attendees/    a copy of the tree: without solutions, answers and the instructor's pages, and without links to them
    *.html        handout, timing sheet and the two tests without their keys, to print
    instructor/   slides (HTML, and PDF where chromium is), plan, all answers, the tests with their keys, solutions

Pages are made with pandoc; without it they are Markdown. Exit code 2: DIR is not given, or already exists."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.script import TOP, Options, fail, find_program, say

INSTRUCTORS = ["workshop.md", "quiz.md", "feedback.md", "slides.md", "slides.css", "print.css"]  # of docs/course
DETAILS = re.compile(r"<details><summary>(.*?)</summary>.*?</details>\n?", re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\n)*?)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.S | re.M)


def without_answers(text: str) -> str:
    """Keeps only the questions of folded answers."""
    return DETAILS.sub(lambda found: f"- {found[1]}\n" if "?" in found[1] else "", text)


def without_dead_links(text: str, folder: Path) -> str:
    """Replaces a link to a missing file by its text."""
    def keep(found: re.Match) -> str:
        target = found[3].split("#")[0]
        there = not target or re.match("[a-z]+:", target) or (folder / target).exists()
        return found[0] if there else "" if found[1] else found[2]

    parts = FENCE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(keep, part) for part in parts)


def for_instructors(text: str, attendees: Path, folder: str = "docs/course") -> str:
    """Rewrites links of a document in that folder for the instructor's folder: to the attendees' copy, or next to it."""
    beside = {"quiz.md": "quiz_with_key.html", "slides.md": "slides.html"}

    def moved(found: re.Match) -> str:
        path, hash_, anchor = found[3].partition("#")
        if found[1] or not path or re.match("[a-z]+:", path):
            return found[0]
        place = os.path.normpath(Path(folder) / path)
        target = (beside.get(path) or (f"../attendees/{place}" if (attendees / place).exists() else ""))
        return f"[{found[2]}]({target}{hash_}{anchor})" if target else found[2]

    parts = FENCE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in parts)


def all_answers(attendees: Path) -> str:
    """The answers that the attendees' documents lack, in the order of the README's ladder."""
    ladder = re.findall(r"^\| \[\w+\]\((reduction_\w+/README.md)\)", (TOP / "README.md").read_text(encoding="utf-8"), re.M)
    page = "# Answers\n"
    for name in ["docs/course/start.md", "docs/course/profiling.md", *ladder]:
        text = (TOP / name).read_text(encoding="utf-8")
        folded = [found[0].replace("<details>", "<details open>") for found in DETAILS.finditer(text)]
        if folded:
            heading = text.partition("\n")[0].lstrip("# ")
            page += f"\n## [{heading}](../attendees/{name})\n\n"
            page += for_instructors("\n".join(folded), attendees, os.path.dirname(name))
    return page


def copy_for_attendees(to: Path) -> None:
    ran = subprocess.run([sys.executable, TOP / "tools/build/copy.py", to], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ran.returncode:
        fail(ran.stderr.strip(), ran.returncode)
    for name in INSTRUCTORS:
        (to / "docs/course" / name).unlink()
    for name in ("tools/course", ".github", ".ci"):
        shutil.rmtree(to / name, ignore_errors=True)
    for document in to.rglob("*.md"):
        text = document.read_text(encoding="utf-8")
        document.write_text(without_dead_links(without_answers(text), document.parent), encoding="utf-8")


def page(source: str, text: str, to: Path, pandoc: str | None, *options: str) -> None:
    """Writes a document of docs/course as HTML with its figures inside, or unchanged."""
    if not pandoc:
        to.with_suffix(".md").write_text(text, encoding="utf-8")
        return
    heading = re.match(r"# (.*)\n", text)
    title = ["--metadata", f"title={heading[1]}"] if heading else []
    ran = subprocess.run([pandoc, "--standalone", "--self-contained", "--from=gfm+yaml_metadata_block", "--to=html5",
                          *title, *options, "-o", to.resolve()], cwd=TOP / "docs/course", text=True, stderr=subprocess.PIPE,
                         input=text[heading.end():] if heading else text)
    if ran.returncode:
        fail(f"pandoc failed at {source}: {ran.stderr.strip()}", 3)


def print_to_pdf(html: Path) -> None:
    browser = find_program("chromium") or find_program("google-chrome")
    if browser:
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                        f"--print-to-pdf={html.with_suffix('.pdf')}", html.resolve().as_uri()],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not html.with_suffix(".pdf").exists():
        say(f"no PDF of the slides: print {html} in a browser (chromium was not found, or failed)")


def main() -> None:
    options = Options(__doc__)
    options.add_argument("to", metavar="DIR", nargs="?", default="", help="a new folder")
    to = options.parse_args().to
    if not to:
        fail("make course: name a folder, make course TO=~/course")
    to = Path(os.path.expanduser(to))
    if to.exists():
        fail(f"{to} already exists: name another folder, or move it away")
    instructor = to / "instructor"
    instructor.mkdir(parents=True)
    copy_for_attendees(to / "attendees")

    pandoc = find_program("pandoc")
    texts = {name: (TOP / "docs/course" / f"{name}.md").read_text(encoding="utf-8")
             for name in ("handout", "timing_sheet", "quiz", "feedback", "workshop", "slides")}
    for name in ("handout", "timing_sheet", "feedback"):
        page(name, texts[name], to / f"{name}.html", pandoc, "--css=print.css")
    page("quiz", without_answers(texts["quiz"]), to / "quiz.html", pandoc, "--css=print.css")
    page("quiz", texts["quiz"].replace("<details>", "<details open>"), instructor / "quiz_with_key.html", pandoc,
         "--css=print.css")
    page("workshop", for_instructors(texts["workshop"], to / "attendees"), instructor / "plan.html", pandoc,
         "--css=print.css")
    page("answers", all_answers(to / "attendees"), instructor / "answers.html", pandoc, "--css=print.css")
    page("slides", texts["slides"], instructor / "slides.html", pandoc, "--section-divs", "--css=slides.css")
    (instructor / "solutions").mkdir()
    for patch in TOP.glob("reduction_to_fix/*/solution.patch"):
        shutil.copy(patch, instructor / "solutions" / f"{patch.parent.name}.patch")
    if pandoc:
        print_to_pdf(instructor / "slides.html")
    else:
        say("pandoc not found, so the pages are Markdown: ./install-deps.sh course")
    say(f"{to}: hand out attendees/ and the pages next to it; keep instructor/")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}", 3)
