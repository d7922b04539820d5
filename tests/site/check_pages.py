#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the pages of a site: links and anchors, balanced tags, unique ids, texts for pictures, titles, no network.

usage: check_pages.py SITE

Prints each mistake; exit code 1 if there is any."""
from __future__ import annotations

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LOADED = {("img", "src"), ("script", "src"), ("iframe", "src"), ("link", "href"), ("video", "src")}  # by the browser itself


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.mistakes: list[str] = []
        self.links: list[tuple[str, str, str]] = []
        self.title = ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        if self.open:
            self.mistakes.append(f"{self.open[-1]} is not closed")
        if not self.title.strip():
            self.mistakes.append("no title")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if len(given) < len(attrs):
            self.mistakes.append(f"{tag} has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)
        if given.get("id") in self.ids:
            self.mistakes.append(f"id {given['id']} occurs twice")
        if given.get("id"):
            self.ids.add(given["id"] or "")
        if tag == "img" and not (given.get("alt") or "").strip():
            self.mistakes.append(f"no text for the picture {given.get('src')}")
        if tag == "iframe" and not given.get("title"):
            self.mistakes.append("an iframe without a title")
        if tag == "html" and not given.get("lang"):
            self.mistakes.append("no language")
        for name in ("href", "src"):
            if given.get(name) is not None:
                self.links.append((tag, name, given[name] or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.mistakes.append(f"</{tag}> at line {self.getpos()[0]} where {self.open[-1:] or 'nothing'} is open")
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["title"] and "svg" not in self.open:
            self.title += data


def main() -> int:
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    checked = wrong = 0

    def complain(path: Path, text: str) -> None:
        nonlocal wrong
        wrong += 1
        print(f"{path.relative_to(site)}: {text}")

    for path, page in pages.items():
        for mistake in page.mistakes:
            complain(path, mistake)
        for tag, name, link in page.links:
            checked += 1
            if re.match("[a-z]+:", link) or link.startswith("//"):
                if (tag, name) in LOADED and not link.startswith("data:"):
                    complain(path, f"needs the network: {link}")
                continue
            file, _, anchor = link.partition("#")
            there = Path(os.path.normpath(path.parent / unquote(file))) if file else path
            if not there.is_file():
                complain(path, f"link to {link}: there is no such file")
            elif not there.is_relative_to(site):
                complain(path, f"link to {link}: it is outside of the site")
            # The places of explain.html are made by its script.
            elif anchor and there in pages and there.name != "explain.html" and unquote(anchor) not in pages[there].ids:
                complain(path, f"link to {link}: there is no such place")
    for path in site.rglob("*.css"):
        for found in re.findall(r"@import|url\((?!data:)[^)]*", path.read_text(encoding="utf-8")):
            complain(path, f"needs more than itself: {found}")
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if size > 15e6:
        complain(site, f"{size / 1e6:.1f} MB, more than 15")
    print(f"{len(pages)} pages, {checked} links, {size / 1e6:.1f} MB: {wrong} mistakes")
    return 1 if wrong or len(pages) < 50 else 0


sys.exit(main())
