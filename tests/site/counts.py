#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the counts of the playground with those of make explain, for 100 settings.

usage: counts.py FOLDER BROWSER...      FOLDER has the traced programs float and double; BROWSER... starts a headless one

Prints each difference; exit code 1 if there is any."""
from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
ORDERS = ("interleaved", "strided", "sequential", "down", "xor", "up")
NAMES = {  # ours: explain's
    "instructions": "instructions", "lanes": "lanes", "shuffles": "warp_operations", "barriers": "barriers",
    "loadPasses": "shared_load_passes", "loadConflicts": "shared_load_conflicts", "storePasses": "shared_store_passes",
    "storeConflicts": "shared_store_conflicts", "sectors": "global_load_sectors"}


def settings() -> list[dict]:
    """The same ones every time; each order with each type and warp size, then others at random."""
    dice = random.Random(28)
    every = [(order, warp, size) for order in ORDERS for warp in (32, 64) for size in (4, 8)]
    chosen = []
    for number in range(100):
        order, warp, size = every[number] if number < len(every) else dice.choice(every)
        block = dice.choice((1, 2, 31, 32, 33, 64, 96, 100, 128, 256, 512, 1000, 1024)) if number >= 24 else 256
        padded = order in ORDERS[:3] and dice.random() < .4
        chosen.append({"order": order, "warp": warp, "bytes": size, "block": block, "padded": padded,
                       "elements": dice.choice((1, 1, 2, 4, 8))})
    return chosen


def explained(folder: Path, s: dict) -> dict:
    counts = folder / "counts.json"
    program = folder / {4: "float", 8: "double"}[s["bytes"]]
    ran = subprocess.run([program, s["order"], str(s["block"]), str(int(s["padded"])), str(s["elements"])], text=True,
                         stdout=subprocess.PIPE, check=True,
                         env={**os.environ, "HIP_CPU_TRACE": "explain", "HIP_CPU_WARP_SIZE": str(s["warp"]),
                              "HIP_CPU_EXPLAIN": f"machine:{'sm_90' if s['warp'] == 32 else 'gfx942'},json,to:{counts}"})
    kernel, = json.loads(counts.read_text())
    return {"sum": float(ran.stdout.split()[1]), **{ours: kernel[theirs] for ours, theirs in NAMES.items()}}


def simulated(folder: Path, browser: list[str], chosen: list[dict]) -> list[dict]:
    """What counts.js says, in a page without anything else."""
    page = folder / "counts.html"
    page.write_text(f"<pre id=log></pre><script>{(TOP / 'tools/site/counts.js').read_text()}\n"
                    f"document.getElementById('log').textContent = JSON.stringify({json.dumps(chosen)}.map(function (s) {{"
                    "var r = simulate(s); r.counts.sum = r.sum; return r.counts; }));</script>")
    ran = subprocess.run([*browser, "--dump-dom", page.as_uri()], text=True, stdout=subprocess.PIPE, check=True,
                         stderr=subprocess.DEVNULL)
    return json.loads(re.search('<pre id="log">(.*?)</pre>', ran.stdout, re.S)[1])


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    chosen = settings()
    wrong = 0
    for s, ours in zip(chosen, simulated(folder, sys.argv[2:], chosen)):
        theirs = explained(folder, s)
        for name, value in theirs.items():
            if ours[name] != value:
                wrong += 1
                print(f"{s}: {name} is {ours[name]}, and {value} by explain")
    print(f"{len(chosen)} settings, {len(NAMES) + 1} numbers each: {wrong} differ")
    return 1 if wrong or len(chosen) < 100 else 0


sys.exit(main())
