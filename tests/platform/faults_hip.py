#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every HIP call of a program fails once, and the device is lost once at each call.

usage: faults_hip.py STEP PROGRAM...      LAUNCH: words that start a program on the device

Of the calls every STEP-th one fails, of the next program others. The program must end with one line that says what to do,
exit code 3 and the rows that it had measured; or, where it does not depend on that call, as usual. Prints what does not.
"""
import csv
import io
import os
import re
import subprocess
import sys

FACTS = 'program warp_size compute_units n grid block value check'.split()  # do not depend on time


def run(program, fault, sizes):
    environment = {**os.environ, **({'HIP_CPU_FAIL': fault} if fault else {})}
    ran = subprocess.run([*os.environ.get('LAUNCH', '').split(), program, '-n', sizes, *'-i 1 -w 0 --ceiling 1 -f csv'.split()],
                         env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    facts = [[row.get(name) for name in FACTS] for row in csv.DictReader(io.StringIO(ran.stdout))]
    return ran, facts


def is_right(ran, facts, usual):
    if ran.returncode == 0:
        return ran.stderr == '' and facts == usual
    return (ran.returncode == 3 and re.fullmatch('.*: [^:\n]*[a-z]\n', ran.stderr) is not None and
            ran.stdout[-1:] in ('', '\n') and facts == usual[:len(facts)])


def wrong_ends(program, sizes, usual, step, first, after):
    """The calls are counted until no fault has an effect any more. Several in a row may fail without harm: they query further
    properties of the device."""
    at, quiet, faults = first, 0, 0
    while quiet * step < 12:
        ran, facts = run(program, f'any:{at}{after}', sizes)
        if not is_right(ran, facts, usual):
            yield f'HIP_CPU_FAIL=any:{at}{after} {program}: exit code {ran.returncode}\n{ran.stderr}'
        quiet, faults = (quiet + 1, faults) if ran.returncode == 0 else (0, faults + 1)
        at += step
    if faults * step < 20:
        yield f'{program}: only {faults} calls that fail, so HIP_CPU_FAIL does nothing'


def main():
    step, programs, wrong = int(sys.argv[1]), sys.argv[2:], []
    sizes = '1000,5'  # the first program shows that rows are kept; one size makes fewer calls
    for turn, program in enumerate(programs):
        ran, usual = run(program, '', sizes)
        if ran.returncode == 0:
            wrong += wrong_ends(program, sizes, usual, step, 1 if step == 1 else 1 + (turn + 1) % step, '')
            wrong += wrong_ends(program, sizes, usual, step + 3, 1 if step == 1 else 1 + (turn + 1) % step, '+')
            sizes = '1000'
        elif ran.returncode != 1:  # an exercise
            wrong.append(f'{program}: exit code {ran.returncode}\n{ran.stderr}')
    print(*wrong, f'{len(programs)} programs, {len(wrong)} mistakes', sep='\n')
    return 1 if wrong or not programs else 0


sys.exit(main())
