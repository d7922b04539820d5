# SPDX-License-Identifier: MIT
"""Changes HTML that pandoc has made: links, tooltips of the glossary, tables that scroll."""
from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import Callable

# Inside of these a term is left as it is.
QUIET = {"a", "code", "pre", "h1", "h2", "h3", "h4", "th", "summary", "script", "style", "button", "svg"}


class Terms:
    """The glossary: a term and what it is."""

    def __init__(self, text: str) -> None:
        self.meaning: dict[str, str] = {}
        for heading, *rows in self.tables(text):
            names = [cell.strip() for cell in heading.strip("|").split("|")]
            what = names.index("what it is")
            amd = names.index("AMD") if "AMD" in names else None
            for row in rows:
                cells = [re.sub(r"[`*]|\s*\[\d+\]|\[([^]]*)\]\([^)]*\)", r"\1", cell).strip() for cell in row.strip("|").split("|")]
                term = re.sub(r" \(.*\)", "", cells[0])
                other = f" (AMD: {cells[amd]})" if amd is not None and cells[amd] and cells[amd] != term else ""
                for one in re.split(", | and ", term):
                    self.meaning[one.lower()] = f"{term}{other}: {cells[what]}"
        if len(self.meaning) < 30:
            raise SystemExit("site: docs/glossary.md has fewer than 30 terms: has its form changed?")
        words = sorted(self.meaning, key=len, reverse=True)
        self.pattern = re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")(?:s|es)?\b", re.I)

    @staticmethod
    def tables(text: str) -> list[list[str]]:
        found = re.findall(r"^(\| here[^\n]*\|)\n\|[-| ]+\|\n((?:\|.*\n)+)", text, re.M)
        return [[heading, *rows.strip().split("\n")] for heading, rows in found]


class Rewriter(HTMLParser):
    def __init__(self, target: Callable[[str], str | None], terms: Terms | None, glossary: str) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self.target, self.terms, self.glossary = target, terms, glossary
        self.open: list[str] = []
        self.unlinked = 0
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and "href" in given:
            there = self.target(given["href"] or "")
            if there is None:
                self.unlinked += 1
                self.open.append("no-a")
                return
            given["href"] = there
        if tag == "img":
            there = self.target(given.get("src") or "")
            given["src"] = there if there is not None else given.get("src")
            given["loading"] = "lazy"
        if tag == "table":
            self.out.append('<div class="scroll" tabindex="0" role="region" aria-label="Table">')
        if tag == "pre":
            given["tabindex"] = "0"
        if tag not in ("img", "br", "hr", "input", "col", "meta", "link"):
            self.open.append(tag)
        self.out.append(f"<{tag}" + "".join(f' {name}="{html.escape(value)}"' if value is not None else f" {name}"
                                            for name, value in given.items()) + ">")

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] in (tag, f"no-{tag}"):
            if self.open.pop() == f"no-{tag}":
                return
        self.out.append(f"</{tag}>")
        if tag == "table":
            self.out.append("</div>")

    def handle_entityref(self, name: str) -> None:
        self.out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.out.append(f"&#{name};")

    def handle_data(self, data: str) -> None:
        if self.terms is None or QUIET & set(self.open):
            self.out.append(data)
            return

        def tip(found: re.Match) -> str:
            term = found[1].lower()
            if term in self.seen:  # the first time on a page
                return found[0]
            self.seen.add(term)
            return (f'<a class="term" href="{self.glossary}" data-tip="{html.escape(self.terms.meaning[term])}">'
                    f"{found[0]}</a>")

        self.out.append(self.terms.pattern.sub(tip, data))


def decorate(text: str, target: Callable[[str], str | None], terms: Terms | None, glossary: str) -> str:
    rewriter = Rewriter(target, terms, glossary)
    rewriter.feed(text)
    rewriter.close()
    return "".join(rewriter.out)


def anchored(text: str) -> list[tuple[str, str, str]]:
    """(level, id, text) of each heading that has an id."""
    return [(level, name, re.sub("<[^>]*>", "", inside).strip())
            for level, name, inside in re.findall(r"<h([1-6])[^>]* id=[\"']([^\"']*)[\"'][^>]*>(.*?)</h\1>", text, re.S)]


def words_of(text: str) -> str:
    text = re.sub(r"<(script|style|iframe)\b.*?</\1>", " ", text, flags=re.S)
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())
