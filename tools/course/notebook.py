#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the course's first hour as a notebook, for Colab, Kaggle or Jupyter: with a GPU of NVIDIA, or without one.

usage: notebook.py >docs/course/reductions.ipynb       at the top of the tree

Its texts and kernels are those of the lessons; its commands run in a copy of the course."""
from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import TOP, fail

LESSONS = ("interleaved", "bank_conflicts", "no_striding", "shfl")
START = """# GPU reductions, step by step

One sum, many ways to compute it. Run the cells from top to bottom. On Colab choose *Runtime, Change runtime type, T4 GPU*
for times of a GPU; without one everything runs on the CPU, and counts what a GPU would do.

The first cell needs the course: set `COURSE` to where its repository is, or upload the folder as `course`."""
GET = """import os, shutil, subprocess

COURSE = os.environ.get('COURSE', '')  # the address of the repository, or of a copy
if not os.path.isdir('course'):
    subprocess.run(['git', 'clone', '--depth=1', COURSE, 'course'], check=True)
os.chdir('course')
os.environ['GPU'] = 'auto' if shutil.which('nvidia-smi') and shutil.which('nvcc') else 'cpu'
print('GPU=' + os.environ['GPU'])"""
TABLE = """## The first table

Every row is one way to compute the same sum. Which step gains most? With a GPU look at *speed*, without one at
*instr. per 32*, *lanes at work* and *conflicts per pass*."""
RUN = """%%bash
command -v make g++ >/dev/null || ./install-deps.sh run trace
make -s run GPU=$GPU VARIANTS=global_memory,{} SIZE=1M"""
END = """## Find a bug that no run shows

Take away one barrier, and ask for the race. Both lines are reported, whether or not the result was right."""
RACE = """%%bash
mkdir -p mine && make -s one V=no_striding >mine/no_striding.cu
sed -i '/if (tid + half < count)/{n;n;s/__syncthreads();/;/}' mine/no_striding.cu
make -s race FILE=mine/no_striding.cu WARP=32 || true"""
YOURS = """## Your turn

Change `mine/no_striding.cu` and compile it alone: `nvcc mine/no_striding.cu -o mine/sum && mine/sum`, or
`nogpu/bin/nvcc mine/no_striding.cu -o mine/sum && mine/sum` without a GPU. Then the exercises: `cd reduction_to_fix`, `make`, `make
check`."""


def lesson(name: str) -> list[tuple[str, str]]:
    """Its title, its first paragraph, its first piece of the kernel, and what the hardware does."""
    text = (TOP / f"reduction_{name}/README.md").read_text(encoding="utf-8")
    title = re.match(r"# (.*)\n", text)
    paragraph = re.search(r"\n\n([^#!|`<\n].*?)\n\n", text, re.S)
    loop = max(re.findall(r"^```c\n(.*?)^```", text, re.M | re.S), key=lambda code: ("for (" in code, len(code)))
    if not title or not paragraph:
        fail(f"reduction_{name}/README.md has no title, or no first paragraph")
    said = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(paragraph[1].split()))
    return [("markdown", f"## {title[1]}\n\n{said}\n\n```c\n{loop}```"),
            ("code", f"%%bash\nmake -s explain V={name} TYPE=float SIZE=256 WARP=32 | grep -v '^ *$' | head -n 40")]


def main() -> None:
    cells = [("markdown", START), ("code", GET), ("markdown", TABLE), ("code", RUN.format(",".join(LESSONS)))]
    for name in LESSONS:
        cells += lesson(name)
    cells += [("markdown", END), ("code", RACE), ("markdown", YOURS)]
    # A cell is a line of the file.
    print('{"cells": [')
    for number, (kind, text) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text}
        cell.update({"execution_count": None, "outputs": []} if kind == "code" else {})
        print(json.dumps(cell, ensure_ascii=False) + ("," if number + 1 < len(cells) else "],"))
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
             "language_info": {"name": "python"}, "accelerator": "GPU"}
    print(f'"metadata": {json.dumps(about)}, "nbformat": 4, "nbformat_minor": 5}}')


main()
