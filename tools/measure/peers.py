#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds other people's programs with the drivers of the CPU platform, runs them, and prints a table.

usage: peers.py [--only TEXT] [--seconds N] [--race] [--whole] [--cmake=OPTION] FOLDER...

FOLDER is a checkout, or a part of one. Each folder in it that has sources and a Makefile or a CMakeLists.txt of its own
is copied and built by each of them, with nogpu/bin first in PATH; make gets HIPCC, HIPCXX, NVCC, ROCM_PATH and
ROCM_INSTALL_DIR, cmake CMAKE_PREFIX_PATH and OPTION. With --whole, FOLDER is one project of CMake. A program runs without
arguments, except for those in ARGUMENTS, for at most N seconds of processor time (60) and within 8 GiB; with --race,
another build of it runs with HIP_CPU_TRACE=races.
Columns: program; whether it builds by make and by cmake; how it ends; what the race run says; and the first reason.
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
CPU = TOP / 'nogpu'
SOURCES = ('.hip', '.cu', '.cpp', '.cc')
MEMORY = 8 << 30  # limit of address space; in race runs, whose shadow is large, of data
HIPCC = f'{CPU}/bin/hipcc'
ARGUMENTS = {'compute_comm_overlap': ['2']}  # for programs that would only print their usage
MAKE = [f'HIPCC={HIPCC}', f'HIPCXX={HIPCC}', f'HIP_COMPILER={HIPCC}', f'NVCC={CPU}/bin/nvcc',
        f'ROCM_PATH={CPU}', f'ROCM_INSTALL_DIR={CPU}']


def command(words, folder, seconds, race=False):
    """Exit code and output. Limits processor time and, generously, time, for programs that wait forever."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_DATA if race else resource.RLIMIT_AS, (MEMORY, MEMORY))
    environment = {**os.environ, 'PATH': f'{CPU}/bin:{os.environ["PATH"]}'}
    environment.pop('HIP_CPU_TRACE', None)
    if race:
        environment['HIP_CPU_TRACE'] = 'races'
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.STDOUT, preexec_fn=limit, start_new_session=True)
        try:
            status = process.wait(timeout=5 * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            status = None
        said.seek(0)
        return status, said.read(1 << 20).decode(errors='replace')


def folders_of(root):
    for folder, folders, files in os.walk(root):
        folders.sort()
        text = (pathlib.Path(folder) / 'CMakeLists.txt').read_text() if 'CMakeLists.txt' in files else ''
        cmake = 'add_executable' in text and 'project(' in text or 'add_subdirectory("src")' in text
        if 'Makefile' in files and any(f.endswith(SOURCES) for f in files) or cmake:
            yield pathlib.Path(folder), 'Makefile' in files, cmake


def executables(folder):
    found = {}
    for path in sorted(folder.rglob('*')):
        if path.is_file() and os.access(path, os.X_OK) and path.suffix not in ('.so', '.sh', '.o', '.bin') and \
                'CMakeFiles' not in path.parts:
            with open(path, 'rb') as file:
                if file.read(4) == b'\x7fELF':
                    found[path.name] = path
    return found


def built(folder, way, options, race=False):
    """The programs by name, and the output of the build."""
    if way == 'make':
        for made in executables(folder).values():
            made.unlink()
        command(['make', 'clean', *MAKE], folder, 60, race)
        said = command(['make', '-k', *MAKE], folder, 300, race)[1]
        return executables(folder), said
    to = folder / ('peers-race' if race else 'peers-build')
    status, said = command(['cmake', '-S', '.', '-B', str(to), f'-DCMAKE_PREFIX_PATH={CPU}', *options], folder, 300, race)
    if status == 0:
        said = command(['cmake', '--build', str(to), '--', '-k'], folder, 300, race)[1]
    return executables(to) if to.exists() else {}, said


def reason_of(output):
    """The first complaint of a compiler, linker, make or CMake."""
    for line in output.splitlines():
        found = re.search(r'(?:fatal )?error: (.*)|(undefined reference to .*)|^/.*ld.*: (cannot find .*)|(\*\*\* .*)|'
                          r'^(nvcc: .*|hipcc: .*)', line)
        if found:
            return next(g for g in found.groups() if g)[:110]
    after = output.partition('CMake Error')[2].splitlines()[1:]
    lines = [line for line in after or output.splitlines() if line.strip()]
    return (lines[0 if after else -1] if lines else 'no program').strip()[:110]


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


def race_of(folder, ways, name, seconds, options):
    programs = built(folder, ways[0], options, race=True)[0]
    if name not in programs:
        return 'does not build'
    status, output = command([str(programs[name]), *ARGUMENTS.get(name, [])], folder, seconds, race=True)
    if status is None or status in (-24, -9):
        return f'more than {seconds} s'
    found = len(re.findall(r'^(?:race|volatile|shuffle|unwritten) \d+:', output, re.MULTILINE))
    return {0: 'clean', 4: 'no launch'}.get(status, f'{found} found' if found else f'exit {status}')


def rows_of(folder, name, has_make, has_cmake, given):
    said, ways = {}, {}
    for way, there in (('make', has_make), ('cmake', has_cmake)):
        if there:
            programs, said[way] = built(folder, way, given.cmake)
            if programs:
                ways[way] = programs
    names = sorted({n for programs in ways.values() for n in programs})
    builds = [('' if way not in said else 'yes' if way in ways else 'no') for way in ('make', 'cmake')]
    failed = '; '.join(f'{way}: {reason_of(text)}' for way, text in said.items() if way not in ways)
    if not names:
        yield name, *builds, '', '', failed
    for program in names:
        path = next(programs[program] for programs in ways.values() if program in programs)
        status, output = command([str(path), *ARGUMENTS.get(program, [])], folder, given.seconds)
        ends, reason = end_of(status, output, given.seconds)
        here = [way if not way else 'yes' if program in ways.get(key, {}) else 'no'
                for key, way in zip(('make', 'cmake'), builds)]
        race = race_of(folder, [w for w in ways if program in ways[w]], program, given.seconds,
                       given.cmake) if given.race else ''
        label = name if len(names) == 1 else f'{name}: {program}'
        yield label, *here, ends, race, '; '.join(r for r in (reason, failed) if r)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].splitlines()[0], description=__doc__.splitlines()[0])
    parser.add_argument('--only', default='')
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('--race', action='store_true')
    parser.add_argument('--whole', action='store_true')
    parser.add_argument('--cmake', action='append', default=[])
    parser.add_argument('folder', nargs='+', type=pathlib.Path)
    given = parser.parse_args()
    rows = []

    print('| program | make | cmake | ends with | races | reason |\n|---|---|---|---|---|---|')
    for root in given.folder:
        if not root.is_dir():
            sys.exit(f'peers.py: {root} is no folder: name a checkout, or a part of one')
        with tempfile.TemporaryDirectory() as temporary:
            # Samples include headers from neighbouring folders and those above.
            top = next((up for up in (root.resolve(), *root.resolve().parents) if (up / '.git').exists()), root.resolve())
            copy = pathlib.Path(shutil.copytree(top, f'{temporary}/{top.name}', symlinks=True,
                                                ignore=shutil.ignore_patterns('.git')))
            start = copy / root.resolve().relative_to(top)
            for folder, has_make, has_cmake in [(start, False, True)] if given.whole else folders_of(start):
                name = str(folder.relative_to(start))
                name = start.name if name == '.' else name
                if given.only not in name:
                    continue
                for row in rows_of(folder, name, has_make, has_cmake, given):
                    rows.append([cell.replace('|', '/').replace(temporary, '') for cell in row])
                    print('| ' + ' | '.join(rows[-1]) + ' |', flush=True)
    good = sum(r[3] in ('PASS', 'exit 0') for r in rows)
    print(f'\n{len(rows)} programs, {sum("yes" in r[1:3] for r in rows)} build, {good} end well'
          + (f', {sum(r[4] == "clean" for r in rows)} race clean' if given.race else ''))


main()
