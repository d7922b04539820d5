#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds other people's programs with the drivers of the CPU platform, runs them, and prints a table.

usage: peers.py [--only TEXT] [--seconds N] FOLDER...

FOLDER is a checkout, or a part of one. Each folder in it with sources and a Makefile is built by that Makefile, with
platform/cpu/bin first in PATH, and HIPCC, HIPCXX, NVCC set; a folder with .cu files and no Makefile by nvcc itself. The
checkout's folders are written to. A program is run without arguments in its folder, for at most N seconds of processor time (60)
and 8 GiB.
Rows: program, whether it builds, how it ends, and the first reason why not.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BIN = TOP / 'platform/cpu/bin'
SOURCES = ('.hip', '.cu', '.cpp', '.cc')
MEMORY = 8 << 30  # of addresses


def command(words, folder, seconds):
    """Exit code and output; the limit is of processor time, with a wide one for those that wait forever."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        path = f'{BIN}:{os.environ["PATH"]}'
        done = subprocess.run(words, cwd=folder, env={**os.environ, 'PATH': path}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10 * seconds, preexec_fn=limit)
        return done.returncode, done.stdout.decode(errors='replace')
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b'').decode(errors='replace')


def folders_of(root):
    for folder, _, files in sorted(os.walk(root)):
        if any(f.endswith(SOURCES) for f in files) and ('Makefile' in files or any(f.endswith('.cu') for f in files)):
            yield pathlib.Path(folder)


def executables(folder):
    found = {}
    for path in folder.rglob('*'):
        if path.is_file() and os.access(path, os.X_OK) and path.suffix not in ('.so', '.sh', '.o'):
            with open(path, 'rb') as file:
                if file.read(4) == b'\x7fELF':
                    found[path] = path.stat().st_mtime_ns
    return found


def build(folder, root):
    if (folder / 'Makefile').exists():
        variables = [f'{name}={BIN}/hipcc' for name in ('HIPCC', 'HIPCXX', 'HIP_COMPILER')] + [f'NVCC={BIN}/nvcc']
        command(['make', 'clean', *variables], folder, 60)
        return command(['make', '-k', *variables], folder, 300)
    sources = sorted(str(p.name) for p in folder.iterdir() if p.suffix in ('.cu', '.cpp'))
    common = next((p for up in (folder, *folder.parents) for p in [up / 'Common'] if p.is_dir()), folder)
    return command([str(BIN / 'nvcc'), f'-I{common}', *sources, '-o', f'{folder.name}.out'], folder, 300)


def reason_of(output):
    """The first complaint of a compiler, linker or make."""
    for line in output.splitlines():
        found = re.search(r'(?:fatal )?error: (.*)|(undefined reference to .*)|^/.*ld.*: (cannot find .*)|(\*\*\* .*)', line)
        if found:
            return next(g for g in found.groups() if g)[:110]
    return (output.strip().splitlines() or ['no program'])[-1][:110]


def end_of(status, output, seconds):
    if status is None or status in (-24, -9):
        return 'no', f'more than {seconds} s'
    wrong = re.search(r'^.*(?:\bFAIL|\bfailed\b|[Mm]ismatch|\bWRONG\b|assert|[Ee]rror:).*$', output, re.MULTILINE)
    if status != 0:
        last = [line for line in output.splitlines() if line.strip()] or ['']
        return 'no', f'exit {status}: ' + (wrong.group(0) if wrong else last[-1]).strip()[:110]
    passed = re.search(r'(?i)\bpass(?:ed)?\b|success|\bcorrect\b', output)
    if wrong and not passed:
        return 'no', wrong.group(0).strip()[:110]
    return ('PASS' if passed else 'exit 0'), ''


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].splitlines()[0], description=__doc__.splitlines()[0])
    parser.add_argument('--only', default='')
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('folder', nargs='+', type=pathlib.Path)
    given = parser.parse_args()
    rows = []

    for root in given.folder:
        if not root.is_dir():
            sys.exit(f'peers.py: {root} is no folder: name a checkout, or a part of one')
        for folder in folders_of(root.resolve()):
            name = str(folder.relative_to(root.resolve())) or folder.name
            if given.only not in name:
                continue
            before = executables(folder)
            _, said = build(folder, root)
            programs = [p for p, when in executables(folder).items() if before.get(p) != when]
            if not programs:
                rows.append((name, 'no', '', reason_of(said)))
            for program in sorted(programs):
                status, output = command([str(program)], folder, given.seconds)
                ends, reason = end_of(status, output, given.seconds)
                label = name if len(programs) == 1 else f'{name}: {program.name}'
                rows.append((label, 'yes', ends, reason))
            print('| ' + ' | '.join(c.replace('|', '/') for c in rows[-1]) + ' |', file=sys.stderr, flush=True)
    print('| program | builds | ends with | reason |\n|---|---|---|---|')
    for row in rows:
        print('| ' + ' | '.join(cell.replace('|', '/') for cell in row) + ' |')
    built = [r for r in rows if r[1] == 'yes']
    print(f'\n{len(rows)} programs, {len(built)} build, {sum(r[2] in ("PASS", "exit 0") for r in built)} end well')


main()
