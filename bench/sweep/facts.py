#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the revision of the sources and the compiler of the kernels, a line each, if one has changed: facts.py FILE COMPILER..."""
import re
import subprocess
import sys
from pathlib import Path


def said(*command: str) -> str:
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.strip()
    except OSError:
        return ""


file, compiler = Path(sys.argv[1]), said(*sys.argv[2:], "--version")
# Of nvcc and hipcc their releases, and the compiler behind them.
names = re.findall(r"^.*(?:release|HIP version).*$", compiler, re.M)
names += re.findall(r"^.*clang version.*$|^.*\(GCC\).*$|^[gc]\+\+.*$", compiler, re.M)[:1]
text = f"{said('git', 'describe', '--always', '--dirty', '--abbrev=12') or 'unknown'}\n{'; '.join(names) or 'unknown'}\n"
if not file.exists() or file.read_text(encoding="utf-8") != text:
    file.write_text(text, encoding="utf-8")
