#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks links and quotations in documents.

usage: documents.py links|quotations|minutes DOCUMENT...       at the top of the tree

links: a relative link leads to a file, and #anchor to a heading in it. quotations: a block marked ```c occurs in the
sources of the document's folder, in common/ or in platform/, outside of lessons in those of any step; white space does
not matter, and a line "..." stands for anything in between. A block marked ```diff is two of them: what went, and what came.
minutes: those in the notes of the slides fill each part's, which are the workshop's. Prints each failure, and their number; exit code 1 if there
are any.
"""
import functools
import re
import sys
from collections import Counter
from pathlib import Path

SOURCES = 'common/*.[ch] common/*/*.[ch] common/*.hip common/*/*.hip reduction_hello/*.hip platform/*/*.h platform/*/hip/*.h'


@functools.cache
def text_of(path):
    """The document without code blocks."""
    lines, code = [], False
    for line in path.read_text().splitlines():
        if re.match(' *```', line):
            code = not code
        elif not code:
            lines.append(line)
    return '\n'.join(lines)


@functools.cache
def anchors(path):
    """The anchors of a document's headings, as on GitHub."""
    found, seen = set(), Counter()
    for heading in re.findall('^#+ +(.*)', text_of(path), re.MULTILINE):
        name = re.sub('[^a-z0-9_ -]', '', re.sub(r'\]\([^)]*\)', '', heading).lower()).replace(' ', '-')
        found.add(f'{name}-{seen[name]}' if seen[name] else name)
        seen[name] += 1
    return found


def links(document):
    for target in re.findall(r'\]\(([^)]*)\)', re.sub('`[^`]*`', '', text_of(document))):
        if re.match('[a-z]*:', target):
            continue
        path, _, anchor = target.partition('#')
        there = document.parent / path if path else document
        if not there.exists():
            yield f'link to {target}: there is no such file'
        elif anchor and there.is_file() and anchor not in anchors(there):
            yield f'link to {target}: no heading makes this anchor'
        else:
            yield None


def squeezed(text):
    return re.sub('[ \t\n]', '', text)


@functools.cache
def source(path):
    return squeezed(path.read_text(errors='replace'))


def has(text, pieces):
    at = 0
    for piece in pieces:
        at = text.find(piece, at) + len(piece)
        if at < len(piece):
            return False
    return True


def quotations(document):
    paths = [path for name in ('*.hip', '*.[ch]', '*/*.[ch]') for path in document.parent.glob(name)]
    paths += [path for name in SOURCES.split() for path in Path().glob(name)]
    if not document.parent.name.startswith('reduction_'):
        paths += Path().glob('reduction_*/*.hip')
    blocks = []
    for kind, block in re.findall('^```(c|diff)\n(.*?)^```$', document.read_text(), re.MULTILINE | re.DOTALL):
        sides = [block] if kind == 'c' else [re.sub(f'^[{other}].*\n|^.', '', block, flags=re.MULTILINE) for other in '+-']
        blocks += [side for side in sides if side.strip()]
    for block in blocks:
        pieces = [squeezed(piece) for piece in re.split(r'^ *\.\.\.$', block, flags=re.MULTILINE)]
        found = any(has(source(path), pieces) for path in paths)
        yield None if found else f'no source has the quotation {squeezed(block):.70} ...'


def minutes(document):
    plan = document.with_name('workshop.md').read_text()
    for number, part in re.findall(r'^## Part (\d)(.*?)(?=^## Part |\Z)', document.read_text(), re.MULTILINE | re.DOTALL):
        minutes, begin = re.search(r'^(\d+) minutes, from (\S+)$', part, re.MULTILINE).groups()
        noted = sum(map(int, re.findall(r'</summary>\n\n(\d+) minutes', part)))
        right = noted == int(minutes) and f'| {begin} | {minutes} | {number}. ' in plan
        yield None if right else f'part {number}: its notes have {noted} minutes, or workshop.md has others'


def main():
    check = {'links': links, 'quotations': quotations, 'minutes': minutes}[sys.argv[1]]
    results = [(document, mistake) for document in map(Path, sys.argv[2:]) for mistake in check(document)]
    wrong = [f'{document}: {mistake}' for document, mistake in results if mistake]
    print(*wrong, f'{len(results) - len(wrong)} right, {len(wrong)} wrong', sep='\n')
    return 1 if wrong else 0


sys.exit(main())
