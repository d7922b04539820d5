#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Strong and weak scaling of reduction_multi_gpu over a number of ranks, into one CSV, and its table. `make scaling` runs
it.

One run has all sizes for one number of ranks, and in each of its iterations one GPU alone, so efficiencies do not
compare times of different runs.

Environment: MPIRUN='srun' or 'mpirun' starts processes, as MPIRUN -n RANKS PROGRAM; otherwise ranks are threads, and
LAUNCH='srun -n1 --gpus=8' starts their process."""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from lib.script import Options, fail, say
from scaling_table import table


def main() -> None:
    options = Options(__doc__)
    options.add_argument("program", help="reduction_multi_gpu/reduction_multi_gpu")
    options.add_argument("csv", help="where the rows go")
    options.add_argument("sizes", help="elements in all, as for --size: 4K..1G")
    options.add_argument("ranks", help="1,2,4,8: those for which a machine lacks GPUs are left out")
    options.add_argument("options", nargs=argparse.REMAINDER, help="for the program")
    given = options.parse_args()
    launch = os.environ.get("LAUNCH", "").split()
    mpirun = os.environ.get("MPIRUN", "").split()

    if not os.access(given.program, os.X_OK) or not Path(given.program).is_file():
        fail(f"{given.program} not found: make reduction_multi_gpu")
    if not re.fullmatch("[0-9,]+", given.ranks):
        fail(f"RANKS={given.ranks}: give numbers and commas, 1,2,4,8")
    listed = subprocess.run([*launch, given.program, "--list-devices"], stdout=subprocess.PIPE, text=True).stdout
    gpus = len(re.findall(r"^ *[0-9]", listed, re.MULTILINE))

    text, status = "", 0
    try:
        Path(given.csv).parent.mkdir(parents=True, exist_ok=True)
        Path(given.csv).write_text("")
    except OSError as error:
        fail(f"{given.csv} cannot be written ({error.strerror}): name another with CSV=")
    for count in filter(None, given.ranks.split(",")):
        if mpirun:
            command = [*mpirun, "-n", count, given.program, "-n", given.sizes]
        elif int(count) > gpus and "--share" not in given.options:
            print(f"scaling: {count} ranks left out: this machine has {gpus} GPUs", file=sys.stderr)
            continue
        else:
            command = [*launch, given.program, "--gpus", count, "-n", given.sizes]
        run = subprocess.run([*command, *given.options, "-f", "csv"], stdout=subprocess.PIPE, text=True)
        if run.returncode:
            status = run.returncode
            print(f"scaling: exit code {status} with {count} ranks", file=sys.stderr)
        else:
            header, rows = run.stdout.split("\n", 1)
            text += rows if text else f"{header}\n{rows}"
            Path(given.csv).write_text(text)  # the rows so far, in case the next run is interrupted
    if not text:
        sys.exit(status)
    say(table(given.csv), end="")
    say(given.csv)
    sys.exit(status)


if __name__ == "__main__":
    main()
