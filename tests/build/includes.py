#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds cycles of #include "..." among the project's files and among its folders, and cycles of calls among objects.

usage: includes.py TOP BUILD

Prints each cycle in one line; exit code 1 if there are any.
"""
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ROOMS = ('common', 'bench', 'library', 'platform', 'nogpu', 'reduction_*')


def included(top, path):
    """The files that this one includes; if each platform has the header, all of them."""
    platforms = sorted([*top.glob('platform/*/'), top / 'nogpu/include/'])
    own = [p for p in platforms if p in path.parents]
    for name in INCLUDE.findall(path.read_text(errors='replace')):
        for folders in ([path.parent], [top, top / 'common'], own or platforms):
            found = [f for f in ((folder / name).resolve() for folder in folders) if f.is_file()]
            if found:
                yield from found
                break


def called(build):
    """The objects that each object calls; ignores functions that several define."""
    objects = [o for o in build.rglob('*.o') if not {'tests', 'exercises', 'traced', 'asan'} & set(o.relative_to(build).parts)
               and o.relative_to(build).parts[:2] not in (('library', 'nogpu'), ('library', 'common'))]  # compiled once more
    defined, wanted = {}, {}
    for line in subprocess.run(['nm', '-A', '-P', *objects], capture_output=True, text=True).stdout.splitlines():
        path, _, symbol = line.rpartition(': ')
        name, kind = symbol.split()[:2]
        (wanted if kind == 'U' else defined if kind in 'TDBRC' else {}).setdefault(name, []).append(path)
    graph = {}
    for name, paths in wanted.items():
        for path in paths if len(defined.get(name, ())) == 1 else ():
            graph.setdefault(path, set()).update(defined[name])
    return graph


def circles(graph):
    """The strongly connected components of more than one node (Tarjan)."""
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
    found = [('folders that include', c) for c in circles(folders)] + [('files that include', c) for c in circles(files)]
    calls = called(pathlib.Path(sys.argv[2]))
    found += [('files that call', c) for c in circles(calls)]
    for kind, circle in found:
        print(f'{kind} each other: {" ".join(circle)}')
    print(f'{len(files)} files include others, {len(calls)} objects call others')
    return 1 if found or not files or not calls else 0


sys.exit(main())
