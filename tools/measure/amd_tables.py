# SPDX-License-Identifier: MIT
"""Tables from what on_amd.py has measured: results/NAME/README.md, the list of GPUs in results/amd/README.md, and the table
and the sentence between marks in the README."""
from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.script import TOP, fail, say

COLD, WARM = "ladder/ladder-double-sum-cold.txt", "ladder/ladder-double-sum.txt"


class Results:
    """A folder that on_amd.py has written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.machine = json.loads((folder / "machine.json").read_text())
        self.cold, self.warm = (self.text(name) for name in (COLD, WARM))

    def text(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(errors="replace") if path.exists() else ""

    def speed(self, text: str, variant: str) -> float:
        """GB/s of the whole reduction; 0 without a right result."""
        found = re.search(rf"^{variant} +[\d.]+ +[\d.]+ +([\d.]+) .*  OK$", text, re.MULTILINE)
        return float(found[1]) if found else 0

    def fact(self, pattern: str) -> str:
        found = re.search(pattern, self.cold)
        return found[1] if found else "?"

    def row(self, link: str) -> str:
        """A line of the table of results/amd."""
        ours, theirs = self.speed(self.cold, "single_pass"), self.speed(self.cold, "prim")
        ceiling = self.fact(r"read ceiling ([\d.]+)")
        share = f"{ours:.1f}, {100 * ours / float(ceiling):.1f} %" if ours and ceiling != "?" else "?"
        machine, elements = self.machine, self.fact(r"sum of (\d+) elements")
        return (f"| [{machine['name']}]({link}) ({machine['arch']}, {machine['units']} units) | "
                f"{elements} doubles | {ceiling} | {share} | {theirs or '?'} | "
                f"{f'{ours / theirs:.3f}' if ours and theirs else '?'} | {machine['hip']} | {machine['date']} |")

    def block(self, link: str) -> str:
        return f"<!-- from {link} -->\n```text\n{self.cold}```\n"


HEAD = ("| GPU | cold sum | read ceiling, GB/s | single_pass, GB/s and share | rocPRIM | single_pass / rocPRIM | | |\n"
        "|---|---|---|---|---|---|---|---|\n")


def put(path: Path, mark: str, text: str) -> None:
    """Replaces what is between the marks."""
    before = path.read_text()
    after, count = re.subn(rf"(<!-- {mark} -->\n?)(?:.|\n)*?(<!-- end of {mark} -->)", lambda found: found[1] + text + found[2],
                           before)
    if count != 1:
        fail(f"{path} has no place for it: <!-- {mark} --> and <!-- end of {mark} -->")
    if after != before:
        path.write_text(after)
        say(f"written: {path}")


def tables(folder: Path, only_here: bool = False) -> None:
    """only_here: no other file of the tree is changed."""
    if not (folder / "machine.json").exists():
        fail(f"{folder} has no machine.json: tools/measure/on_amd.py measures and writes it")
    found = Results(folder)
    subprocess.run([sys.executable, HERE / "results_on_gpu.py", "--tables", folder, folder], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)  # versus-*.md, as far as it was measured
    (folder / "README.md").write_text(
        f"# {found.machine['name']}\n\nMeasured by `tools/measure/on_amd.py`; the commands and the state of the GPU are in\n"
        f"[summary.md](summary.md).\n\n{HEAD}{found.row('summary.md')}\n\n"
        + (f"A cold sum: the caches are emptied before each run.\n\n{found.block(COLD)}" if found.cold else "No ladder was measured.\n")
        + "".join(f"\n- [{path.stem}]({path.relative_to(folder)})" for path in sorted(folder.glob("*/versus-*.md"))) + "\n")
    if only_here:
        return
    if not found.speed(found.cold, "single_pass"):
        fail(f"{folder / COLD} has no right result of single_pass: on_amd.py ladder measures it")
    if found.machine["target"] == "cpu":
        fail(f"{folder} is a rehearsal on the CPU: it has no place among the results")
    machines = [Results(path.parent) for path in sorted((TOP / "results").glob("*/machine.json"))]
    machines = [one for one in machines if one.speed(one.cold, "single_pass")]
    if folder.resolve() not in [one.folder.resolve() for one in machines]:
        fail(f"{folder} is not in results/ of this tree: copy it there first")
    put(TOP / "results/amd/README.md", "measured", HEAD + "".join(one.row(f"../{one.folder.name}/README.md") + "\n" for one in machines))
    names = [f"[{one.machine['name']}](results/{one.folder.name}/README.md)" for one in machines]
    put(TOP / "README.md", "AMD", f"measured on {', '.join(names)}: [results/amd](results/amd/README.md).")
    put(TOP / "README.md", "AMD table", f"\nThe same on an {found.machine['name']} ({found.machine['date']}, {found.machine['hip']}):\n\n"
        + found.block(f"results/{folder.resolve().name}/{COLD}"))
