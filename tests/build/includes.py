#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds circles of #include "..." between the project's files, and between its folders.

usage: includes.py TOP

Prints each circle in one line; exit code 1 if there is any.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ROOMS = ('common', 'bench', 'library', 'platform', 'trace', 'reduction_*')


def included(top, path):
    """The files that this one includes; of a header that each platform has, the one of every platform."""
    platforms = sorted([*top.glob('platform/*/'), *top.glob('platform/*/include/')])
    own = [p for p in platforms if p in path.parents]
    for name in INCLUDE.findall(path.read_text(errors='replace')):
        for folders in ([path.parent], [top, top / 'common'], own or platforms):
            found = [f for f in ((folder / name).resolve() for folder in folders) if f.is_file()]
            if found:
                yield from found
                break


def circles(graph):
    """The strongly connected parts of more than one node (Tarjan)."""
    index, low, stack, parts = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                parts.append(sorted(map(str, part)))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return parts


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    sys.setrecursionlimit(10000)
    files, folders = {}, {}
    for room in ROOMS:
        for path in sorted(p for folder in top.glob(room) for p in folder.rglob('*')):
            if path.suffix not in ('.h', '.c', '.hip') or 'build' in path.relative_to(top).parts:
                continue
            here = path.relative_to(top)
            for other in included(top, path):
                there = other.relative_to(top)
                files.setdefault(here, set()).add(there)
                if here.parent != there.parent:
                    folders.setdefault(here.parent, set()).add(there.parent)
    found = [('folders', c) for c in circles(folders)] + [('files', c) for c in circles(files)]
    for kind, circle in found:
        print(f'{kind} that include each other: {" ".join(circle)}')
    print(f'{len(files)} files include others')
    return 1 if found or not files else 0


sys.exit(main())
