#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the course as a static site: one folder that opens from disk. `make site` runs it.

    every lesson       its text, its figure, explain's page of the step before and of this one, the races that the lesson
                       talks about, the difference, the source
    playground.html    one block adds numbers in an order of your choice, step by step
    results.html       plots of results/*/sweep/*.csv
    the rest           README.md, docs/, the exercises, nogpu/, library/, results/

Needs pandoc, and what `make explain` and `make race` need; --without-traces leaves their pages out.
Exit code 2: TO is not given or is no site, or pandoc is missing; 3: a program failed."""
from __future__ import annotations

import csv
import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.script import DEVICE_ERROR, TOP, Options, fail, find_program, say
from course import one
from pages import Terms, anchored, decorate, words_of

CODE = {".hip": "cpp", ".cu": "cpp", ".h": "cpp", ".c": "c", ".py": "python", ".sh": "bash", ".mk": "makefile",
        ".bats": "bash", ".sbatch": "bash", ".def": "bash"}
LEFT_OUT = ("docs/course/quiz.md", "docs/course/slides.md", "docs/course/feedback.md",
            "docs/course/timing_sheet.md", "docs/course/handout.md", "docs/figures/README.md")
MENU = [("index.html", "Home"), ("docs/course/start.html", "Start here"), ("ladder.html", "Ladder"),
        ("playground.html", "Playground"), ("reduction_to_fix/index.html", "Exercises"), ("results.html", "Results"),
        ("nogpu/index.html", "No GPU"), ("library/index.html", "Library"), ("docs/glossary.html", "Glossary")]


def run(*command: str | Path, given: str | None = None, may_fail: bool = False, **named) -> str | None:
    ran = subprocess.run(command, input=given, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=TOP, check=False,
                         **named)
    if ran.returncode and may_fail:
        return None
    if ran.returncode:
        fail(f"{' '.join(map(str, command[:3]))} ...: {ran.stderr.strip() or ran.stdout.strip()}", DEVICE_ERROR)
    return ran.stdout


def fenced(text: str, language: str) -> str:
    return f"~~~~~~ {language}\n{text.rstrip()}\n~~~~~~\n"


class Site:
    def __init__(self, to: Path, traces: bool) -> None:
        self.to = to
        self.search: list[list[str]] = []
        self.wanted: set[Path] = set()  # sources and data that pages link to
        self.ladder = [re.sub("^reduction_", "", name) for name in run("sh", "tools/build/variants.sh").split()]
        self.documents = [Path(name) for name in run("git", "ls-files", "*.md").splitlines()
                          if not name.startswith(LEFT_OUT) and name not in LEFT_OUT] if (TOP / ".git").exists() else [
                              path.relative_to(TOP) for path in sorted(TOP.rglob("*.md"))
                              if not str(path.relative_to(TOP)).startswith((*LEFT_OUT, "build/", "site/"))]
        self.terms = Terms((TOP / "docs/glossary.md").read_text(encoding="utf-8"))
        self.forms = [re.split(" *:: *", line) for line in (TOP / "tests/variants/forms.txt").read_text(encoding="utf-8").splitlines()
                      if not line.startswith("#") and ":: race " in line]
        self.programs = self.traced_programs() if traces else "-"

    # -------------------------------------------------------------------------------- traces
    @staticmethod
    def example(name: str) -> dict[str, str] | None:
        """The words of the lesson's first example of make explain that is about it, with FROM= if there is such a one."""
        text = (TOP / f"reduction_{name}/README.md").read_text(encoding="utf-8")
        given = [dict(word.split("=", 1) for word in shlex.split(command) if "=" in word)
                 for command in re.findall(r"^\$ make explain (.*)$", text, re.M)]
        given = [words for words in given if words.get("V", name) == name and words.get("TO", name) == name]
        return next((words for words in given if "FROM" in words), given[0] if given else None)

    @staticmethod
    def neighbour(name: str) -> str:
        """The step that the source names under Compare."""
        source = TOP / f"reduction_{name}/{name}.hip"
        found = re.search(r"^ \* Compare  diff -u \.\./reduction_(\w+)/", source.read_text(encoding="utf-8"), re.M) if source.exists() else None
        return found[1] if found else ""

    def traced_programs(self) -> str:
        """Builds what the pages of explain and race need; the name of the file of compilers' commands that make prints."""
        wanted = {("double", form[0]) for form in self.forms}
        for name in self.ladder:
            words = None if name == "to_fix" else self.example(name)
            if words:
                wanted |= {(words.get("TYPE", "double"), one) for one in (name, words.get("FROM", self.neighbour(name))) if one}
        traced = " ".join(f"instances/{type_}_sum/reduction_{name}" for type_, name in sorted(wanted) if name != "hello"
                          and (type_ != "half" or name == "mixed"))
        return run(os.environ.get("MAKE", "make"), "-s", "traced", f"TRACED={traced}", "TO=").splitlines()[-1]

    # -------------------------------------------------------------------------------- places
    @staticmethod
    def place(document: Path) -> Path:
        """Where the page of a document is."""
        return document.with_name("index.html") if document.name == "README.md" else document.with_suffix(".html")

    def target(self, document: Path, link: str) -> str | None:
        """A link of a document, for its page; None: there is nothing to link to."""
        if re.match("[a-z]+:", link) or link.startswith("#"):
            return link
        path, hash_, anchor = link.partition("#")
        there = Path(os.path.normpath(document.parent / path))
        if (TOP / there).is_dir():
            there = there / "README.md"
        if there in self.documents:
            page = self.place(there)
        elif (TOP / there).is_file() and not str(there).startswith(LEFT_OUT) and there.suffix != ".patch" and (TOP / there).stat().st_size < 500_000:
            self.wanted.add(there)
            page = there.with_name(there.name + ".html") if there.suffix in CODE else there
        else:
            return None
        return os.path.relpath(page, self.place(document).parent) + hash_ + anchor

    # --------------------------------------------------------------------------------- pages
    def pandoc(self, text: str, *options: str) -> str:
        """pandoc's HTML, without the ids that it gives to lines of code: several pieces make one page."""
        made = run("pandoc", "--from=gfm", "--to=html5", "--wrap=preserve", *options, given=text)
        return re.sub(r'<a href="#cb\d+-\d+"[^>]*></a>| id="cb\d+(?:-\d+)?"', "", made)

    def highlighted(self, pieces: list[tuple[str, str]]) -> list[str]:
        """Code, each piece with its language, as HTML: one call of pandoc for all."""
        cut = "<!-- the next piece -->"
        return self.pandoc(f"\n{cut}\n\n".join(fenced(text, language) for text, language in pieces)).split(cut) if pieces else []

    def page(self, place: Path, title: str, body: str, kind: str = "text", scripts: tuple[str, ...] = (),
             around: tuple[str | None, str | None] = (None, None), about: str = "") -> None:
        """Writes a page: menu, ladder, body, and its entry for the search."""
        up = os.path.relpath(".", place.parent)
        root = "" if up == "." else up + "/"
        lesson = re.match("reduction_(?!to_fix)([a-z_]+)/", str(place))
        here = lesson[1] if lesson else ""
        menu = "".join(f'<li><a href="{root}{link}"{" aria-current=page" if str(place) == link else ""}>{text}</a></li>'
                       for link, text in MENU)
        ladder = "".join(f'<li><a href="{root}reduction_{name}/index.html"{" aria-current=page" if name == here else ""}>'
                         f'{name}</a></li>' for name in self.ladder if name != "to_fix")
        contents = "".join(f'<li class="h{level}"><a href="#{name}">{text}</a></li>' for level, name, text in anchored(body)
                           if level in "23")
        before, after = (f'<a rel="{rel}" href="{root}reduction_{name}/index.html">{arrow}</a>' if name else ""
                         for name, rel, arrow in ((around[0], "prev", f"← {around[0]}"), (around[1], "next", f"{around[1]} →")))
        filled = {
            "root": root, "title": html.escape(title), "about": html.escape(about or title), "kind": kind, "menu": menu,
            "ladder": ladder, "body": body, "before": before, "after": after,
            "contents": f'<nav class="contents" aria-label="On this page"><ul>{contents}</ul></nav>' if contents.count("<li") > 2 else "",
            "scripts": "".join(f'<script src="{root}assets/{name}"></script>' for name in scripts)}
        text = re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], (HERE / "page.html").read_text(encoding="utf-8"))
        (self.to / place).parent.mkdir(parents=True, exist_ok=True)
        (self.to / place).write_text(text, encoding="utf-8")
        self.search.append([str(place), title, words_of(body)])

    def rendered(self, document: Path, text: str) -> str:
        """A document's text as HTML, with links for its page, tooltips and tables that scroll."""
        text = re.sub(r"^[ \t]*<!--.*?-->[ \t]*\n|<!--.*?-->", "", text, flags=re.S | re.M)
        root = os.path.relpath(".", self.place(document).parent)
        glossary = f"{root}/docs/glossary.html"
        return decorate(self.pandoc(text), lambda link: self.target(document, link),
                        None if document.name == "glossary.md" else self.terms, glossary)

    def document(self, document: Path) -> None:
        text = (TOP / document).read_text(encoding="utf-8")
        heading = re.match(r"# (.*)\n", text)
        title = re.sub(r"[`*]", "", heading[1]) if heading else document.name
        lesson = re.fullmatch(r"reduction_(\w+)/README.md", str(document))
        name = lesson[1] if lesson else ""
        body = self.rendered(document, text)
        around: tuple[str | None, str | None] = (None, None)
        if str(document) == "README.md":  # where to go from the first screen
            ways = "".join(f'<a href="{link}">{words}</a>' for link, words in (
                ("docs/course/start.html", "New to GPUs: the first 25 minutes"), ("playground.html", "Playground"),
                ("ladder.html", "All steps"), ("reduction_bank_conflicts/explain.html" if self.programs != "-" else "reduction_bank_conflicts/index.html", "A bank conflict, lane by lane")))
            body = body.replace("</p>", f"</p><p class=ways>{ways}</p>", 1)
        if name in self.ladder:
            at = self.ladder.index(name)
            around = (self.ladder[at - 1] if at else None, self.ladder[at + 1] if at + 1 < len(self.ladder) else None)
        if name == "to_fix":
            body += self.exercises(document)
        elif name:
            body += self.lesson(name)
        self.page(self.place(document), title, body, "lesson" if name else "text", around=around)

    # ------------------------------------------------------------------------------- lessons
    def lesson(self, name: str) -> str:
        """What a lesson's page has after its text."""
        folder = Path(f"reduction_{name}")
        source = TOP / folder / f"{name}.hip"
        code = source.read_text(encoding="utf-8") if source.exists() else ""
        neighbour = self.neighbour(name)
        body = ""
        page = self.explain(name, neighbour)
        if page:
            both = f"{neighbour} and {name}" if page[1] else name
            body += (f'<h2 id="explained">Lane by lane</h2><p>What the hardware does with {both}: choose a run, a line and a '
                     f'step, by mouse or by arrow keys. <a href="explain.html">The page alone</a>; made by <code>{page[2]}</code>.</p>'
                     f'<iframe src="explain.html#{name}-32-1" title="make explain: {both}" loading="lazy"></iframe>')
        races = self.races(name)
        if races:
            body += '<h2 id="races">The bug, seen by <code>make race</code></h2>' + races
        pieces = []
        if neighbour:
            difference = subprocess.run(["diff", "-u", f"reduction_{neighbour}/{neighbour}.hip", f"reduction_{name}/{name}.hip"],
                                        cwd=TOP, text=True, stdout=subprocess.PIPE, check=False).stdout
            pieces.append(("difference", f"What changed since {neighbour}", f"{len(re.findall('^[+-](?![+-])', difference, re.M))} lines "
                           "of the difference", difference, "diff"))
        if code:
            pieces.append(("source", "The source", f"<code>{folder}/{name}.hip</code>, {len(code.splitlines())} lines", code, "cpp"))
        if name in [*one.TREES, *one.SOLVES]:
            alone = one.one(name, "float", "sum")
            (self.to / folder).mkdir(parents=True, exist_ok=True)
            (self.to / folder / f"{name}.cu").write_text(alone, encoding="utf-8")
            pieces.append(("one", "In one file", f"<code>make one V={name}</code>, {len(alone.splitlines())} lines: nvcc, hipcc and Compiler "
                           f"Explorer take <a href='{name}.cu'>the file</a> as it is", alone, "cpp"))
        for (key, heading, about, _, _), shown in zip(pieces, self.highlighted([piece[3:] for piece in pieces])):
            body += f'<h2 id="{key}">{heading}</h2><details><summary>{about}</summary>{shown}</details>'
        return body

    def explain(self, name: str, neighbour: str) -> tuple[str, bool, str] | None:
        """Writes explain's page: the step before and this one, warps of 32 and 64, with the options of the lesson's first
        example. Returns its name, whether the neighbour is on it, and the command; None where there is none."""
        words = self.example(name)
        if self.programs == "-" or not words:
            return None
        neighbour = words.get("FROM", neighbour)
        built = Path(self.programs).parent / "instances" / f"{words.get('TYPE', 'double')}_sum"
        arguments = ["--quiet", "--iterations=1", "--warmup=0", "--ceiling=1", f"--size={words.get('SIZE', '64K')}",
                     *([f"--type={words['TYPE']}"] if "TYPE" in words else []), *shlex.split(words.get("OPTIONS", ""))]
        page = self.to / f"reduction_{name}/explain.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "PAGE": str(page), "WARP": "32 64", "HIP_CPU_WORKERS": "2", "MACHINE": "", "FORMAT": ""}
        for programs in ([neighbour, name] if neighbour else [], [name]):
            paths = [built / f"reduction_{one}" for one in programs]
            if not paths or not all(path.exists() for path in paths):
                continue
            if run(os.environ["NOGPU_BUILD"] + "/nogpu_report", "run", "explain", *paths, "--", *arguments, may_fail=True, env=environment) is not None:
                both = len(programs) == 2
                shown = f"FROM={neighbour} TO={name}" if both else f"V={name}"
                more = " ".join(f"{key}={shlex.quote(words[key])}" for key in ("TYPE", "SIZE", "OPTIONS") if key in words)
                return "explain.html", both, html.escape(f"make explain {shown} {more} PAGE=explain.html")
        fail(f"explain fails for {name} with {' '.join(arguments)}", DEVICE_ERROR)

    def races(self, name: str) -> str:
        """The report of each race that the lesson talks about: tests/variants/forms.txt has the changes."""
        shown = ""
        if self.programs == "-":
            return shown
        for lesson_, says, file, options, _, script in self.forms:
            if lesson_ != name:
                continue
            work = Path(f"build/site/{name}")
            shutil.rmtree(TOP / work, ignore_errors=True)
            shutil.copytree(TOP / f"reduction_{name}", TOP / work)
            (TOP / work / file).write_text(run("sed", script, f"reduction_{name}/{file}"), encoding="utf-8")
            built = run("sh", "-ec", f". ./{self.programs}; compile_kernel -Wno-error -I{work} -DVARIANT_NAME=reduction_{name} "
                        f"""-DVARIANT_SOURCE='"{file}"' "$(sh tools/build/only.sh double_sum)" -c common/instances/instantiate.hip """
                        f"-o {work}/object.o; link_variant reduction_{name} {work}/object.o {work}/program")
            size = [] if "--size" in options else ["--size=3000"]
            ran = subprocess.run([TOP / work / "program", "--quiet", "--iterations=1", "--warmup=0", "--ceiling=1", *size,
                                  *(shlex.split(options) if options != "-" else [])], cwd=TOP, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                 env={**os.environ, "HIP_CPU_TRACE": "races", "HIP_CPU_WARP_SIZE": "32", "HIP_CPU_WORKERS": "2",
                                      "HIP_CPU_GRID_BARRIER": "release"})
            report = re.sub(rf"{TOP}/|build/site/{name}/", "", ran.stdout)
            found = re.search(r"^race 1:.*?(?=^\S*race: |^reduction_|\Z)", report, re.M | re.S)
            if built is None or not found:
                fail(f"no race is found in {name}, changed by {script}", DEVICE_ERROR)
            what = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(says, quote=False)).replace("*", "")
            shown += f"<details><summary>… {what}</summary><pre class=report>{html.escape(found[0].rstrip())}</pre></details>"
        return shown

    def exercises(self, document: Path) -> str:
        """The task of every exercise, and its source."""
        rows = ""
        for folder in sorted((TOP / "reduction_to_fix").glob("[0-9][0-9]_*")):
            source = next(iter(sorted(folder.glob("*.hip"))), None)
            if not source:
                continue
            text = source.read_text(encoding="utf-8")
            title = re.match(r"/\* (.*)", text)
            task = re.search(r"^ \* Task +(.*?)^ \* [A-Z]\w+ ", text, re.M | re.S)
            about = re.sub(r"\s*\n \* *", " ", task[1]).strip() if task else ""
            link = self.target(document, str(source.relative_to(TOP / "reduction_to_fix")))
            rows += f"<dt><a href='{link}'>{html.escape(title[1].rstrip('.')) if title else folder.name}</a></dt><dd>{html.escape(about)}</dd>"
        return f'<h2 id="tasks">The tasks</h2><dl class="tasks">{rows}</dl>'

    # ------------------------------------------------------------------------- pages of its own
    @staticmethod
    def measured(machine: str) -> dict[str, list[str]]:
        """A card's ladder, 256M doubles: kernel, total, GB/s, and the share of the ceiling, of each variant."""
        text = (TOP / f"results/{machine}/ladder/ladder-double-sum-cold.txt").read_text(encoding="utf-8")
        rows = re.findall(r"^(\w+)(?: [a-z]\w+)? +([\d.]+)~? +([\d.]+)~? +([\d.]+)~? +([\d.]+)", text, re.M)
        return {name: cells for name, *cells in rows}

    def ladder_page(self) -> None:
        """A card for each step, with the bandwidth that the README's table has for it."""
        table = re.search(r"^variant +kernel.*?\n```", (TOP / "README.md").read_text(encoding="utf-8"), re.M | re.S)
        speed = {name: float(cells[2]) for name, cells in self.measured("h200").items()}
        if not table or len(speed) < 20:
            fail("the ladder's table has changed: look at ladder_page()", DEVICE_ERROR)
        ideas = dict(re.findall(r"^\| \[(\w+)\]\(reduction_\w+/README.md\) \| (.*?) \|", (TOP / "README.md").read_text(), re.M))
        best = max(speed.values())
        cards = ""
        for name in self.ladder:
            bar = (f'<span class="bar"><i style="width:{100 * speed[name] / best:.1f}%"></i></span>'
                   f'<b>{speed[name]:.0f} GB/s</b>') if name in speed else "<b></b>"
            cards += (f'<li><a href="reduction_{name}/index.html"><strong>{name}</strong> <span>{html.escape(ideas.get(name, ""))}'
                      f'</span>{bar}</a></li>')
        self.page(Path("ladder.html"), "The ladder", "<h1>The ladder</h1><p>One sum, many ways to compute it; each step adds one "
                  "idea. The bars, by <em>total</em>: 256M doubles on an NVIDIA H200, CUDA 13.0, cold caches, 28 November 2026, <code>bin/run "
                  f"--size=256M --cold</code>.</p><ol class='cards'>{cards}</ol>")

    def results_page(self) -> None:
        data = []
        for path in [*sorted(TOP.glob("results/*/sweep/*.csv")), *sorted(TOP.glob("results/*/single_pass/single_pass.csv"))]:
            what = "ladder" if path.parts[-2] == "sweep" else "single_pass beside the library"
            rows: dict[tuple[str, ...], dict[int, list[list[float]]]] = {}
            with path.open(newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    name = row["variant"] + (" on the device" if "result=device" in row["options"] else "")
                    key = (f"{path.parts[-3]}: {what}", row["device"], row["type"], row["op"], name, row["date"][:10], row["runtime"])
                    rows.setdefault(key, {}).setdefault(int(row["n"]), []).append(
                        [float(row["total_median_us"]), float(row["kernel_median_us"]), float(row["total_gbps"])])
            for (machine, device, type_, op, variant, date, runtime), sizes in rows.items():
                points = [[n, *(sorted(values)[len(values) // 2] for values in zip(*rounds))] for n, rounds in sorted(sizes.items())]
                data.append({"machine": machine, "file": str(path.relative_to(TOP)), "device": device, "type": type_, "op": op, "variant": variant, "date": date,
                             "runtime": runtime, "points": points})
        (self.to / "assets/results.js").write_text(f"var RESULTS = {json.dumps(data, separators=(',', ':'))};\n", encoding="utf-8")
        links = "".join(f'<li><a href="{self.place(path)}">{html.escape(str(path.parent))}</a></li>' for path in self.documents
                        if path.parts[0] == "results")
        cards = {path.parts[-3]: self.measured(path.parts[-3]) for path in TOP.glob("results/*/ladder/ladder-double-sum-cold.txt")}
        cards = dict(sorted(cards.items()))
        heads = "".join(f"<th>{card}: total, us</th><th>% of its ceiling</th>" for card in cards)
        none = [""] * 4
        rows = "".join(f"<tr><th>{name}</th>" + "".join(f"<td>{card.get(name, none)[1]}</td><td>{card.get(name, none)[3]}</td>"
                                                        for card in cards.values()) + "</tr>"
                       for name in self.ladder if any(name in card for card in cards.values()))
        beside = ("<h2 id='cards'>The ladder on each card</h2><p>256M doubles, cold caches, <em>total</em>: <code>ladder-double-sum-cold.txt"
                  "</code> in results/CARD/ladder.</p><div class=scroll><table><thead><tr><th>step</th>"
                  f"{heads}</tr></thead><tbody>{rows}</tbody></table></div>")
        self.page(Path("results.html"), "Results", (HERE / "results.html").read_text(encoding="utf-8") + beside
                  + f"<h2 id='more'>All measurements</h2><ul>{links}</ul>", "wide", ("results.js", "plot.js"))

    def sources(self) -> None:
        """The files that pages link to: sources as pages, the rest as they are."""
        done: set[Path] = set()
        while self.wanted - done:
            new = sorted(self.wanted - done)
            done |= set(new)
            sources = [path for path in new if path.suffix in CODE]
            shown = self.highlighted([((TOP / path).read_text(encoding="utf-8"), CODE[path.suffix]) for path in sources])
            for path, text in zip(sources, shown):
                self.page(path.with_name(path.name + ".html"), str(path), f"<h1><code>{path}</code></h1>{text}", "code")
            for path in set(new) - set(sources):
                (self.to / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(TOP / path, self.to / path)

    def write(self) -> None:
        (self.to / "assets").mkdir(parents=True)
        for name in ("site.css", "site.js", "plot.js", "counts.js", "playground.js"):
            shutil.copyfile(HERE / name, self.to / "assets" / name)
        (self.to / "site.txt").write_text("Made by make site.\n", encoding="utf-8")
        for document in self.documents:
            self.document(document)
        self.ladder_page()
        self.results_page()
        self.page(Path("playground.html"), "Playground", (HERE / "playground.html").read_text(encoding="utf-8"), "wide",
                  ("counts.js", "playground.js"))
        self.sources()
        (self.to / "assets/search.js").write_text(
            f"var SEARCH = {json.dumps(self.search, ensure_ascii=False, separators=(',', ':'))};\n", encoding="utf-8")


def main() -> None:
    options = Options(__doc__)
    options.add_argument("to", metavar="TO", help="a new folder, or a site that is made anew")
    options.add_argument("--without-traces", action="store_true", help="no pages of explain and race")
    given = options.parse_args()
    to = Path(os.path.expanduser(given.to)).resolve()
    if to.exists() and not (to / "site.txt").exists() and any(to.iterdir()):
        fail(f"{to} exists and is no site: name another folder, TO=site")
    if not find_program("pandoc"):
        fail("make site needs pandoc: ./install-deps.sh course")
    shutil.rmtree(to, ignore_errors=True)
    site = Site(to, not given.without_traces)
    site.write()
    size = sum(path.stat().st_size for path in to.rglob("*") if path.is_file())
    say(f"{to}/index.html: open it in a browser ({len(site.search)} pages, {size / 1e6:.1f} MB)")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}", DEVICE_ERROR)
