#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything in results/MACHINE, measured at one revision with one command, on a machine without a compiler or make.

    tools/measure/for_gpu.py results sm_90 FOLDER [CUB]               here: builds what is measured
    tools/measure/results_on_gpu.py FOLDER RESULTS [PART...]          there, with the tree and Python
    tools/measure/results_on_gpu.py --tables FOLDER RESULTS           here, afterwards: versus-*.md and the pictures

Without a PART all of them, in this order. A part that RESULTS/parts.txt has with this revision is not measured again; one
that fails or takes longer than its limit is left out of it, and what it has written stays in RESULTS/parts/PART. FOLDER may
be a build for the CPU: with --tiny it rehearses. Progress is on standard error. Exit code 1 if a part failed."""
from __future__ import annotations

import csv
import io
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Iterable

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from built import Built
from lib.bench_csv import parse_size, size_text
from lib.process import end
from lib.script import INTERRUPTED, TOP, Options, fail

COLD = ["--cold", "--warmup=2", "--iterations=15", "--format=csv"]
ALL_TYPES = "--types=float,double,int,long"
MAIN_TYPES = "double", "float", "int"


def tell(text: str) -> None:
    print(f"{time.strftime('%T')} {text}", file=sys.stderr, flush=True)


class Failed(Exception):
    pass


class Machine(Built):
    """The programs, the device, and the current part."""

    def __init__(self, folder: Path, results: Path, tiny: bool, target: str | None = None, most: int = 8 << 30,
                 built: bool = True) -> None:
        super().__init__(folder, target)
        self.results, self.tiny, self.most = results.resolve(), tiny, min(most, 1 << 14) if tiny else most
        facts = self.build / "bin/facts"
        if built and not facts.exists():
            fail(f"no build in {folder}: tools/measure/for_gpu.py results sm_90 {folder}")
        self.revision, self.compiler = ((facts.read_text().splitlines() if built else []) + ["", ""])[:2]
        self.deadline, self.to = 0.0, self.results
        self.nvidia = self.build.name.startswith("sm_")
        self.date = time.strftime("%d %B %Y").lstrip("0")

    def newest(self, name: str) -> Path | None:
        """A program compiled with a newer CUB than the toolkit's; in tables it is called prim36."""
        return next(iter(sorted((self.folder / "newest").glob(f"{name}[0-9]*"))), None)

    def size(self, n: int) -> str:
        return str(min(n, self.most))

    def named(self, n: int) -> str:
        """The same for people: 256M."""
        return size_text(int(self.size(n)))

    def several(self, *sizes: int) -> list[str]:
        """Each of them that fits once."""
        return list(dict.fromkeys(map(self.size, sizes)))

    def sizes(self, full: str) -> str:
        if self.tiny:
            return "--sizes=1K,16K"
        first, last = (self.named(parse_size(word)) for word in full.split(".."))
        return f"--sizes={first}..{last}" if first != last else f"--sizes={last}"

    def run(self, words: Iterable[object], out: object) -> None:
        """Runs one command within the part's limit. UNPROVEN and WRONG rows are results, too: CUB's gpu_to_gpu has one."""
        command = [str(word) for word in words]
        child = subprocess.Popen(command, stdout=out, stdin=subprocess.DEVNULL, cwd=TOP, start_new_session=True, env=self.env())
        try:
            status = child.wait(max(self.deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            end(child, 2)
            raise Failed(f"the time is up: {' '.join(command)}") from None
        except BaseException:  # who ends this ends what it has started
            end(child, 2)
            raise
        if status not in (0, 1, 4):
            raise Failed(f"exit code {status}: {' '.join(command)}")

    def env(self) -> dict[str, str]:
        return {**os.environ, "LIBREDUCTION": str(self.build / "library/libreduction.so"), "REDUCTION_BIN": str(self.folder),
                "PYTHONPATH": os.pathsep.join([str(TOP / "library/python"), os.environ.get("PYTHONPATH", "")])}

    def text(self, file: str, head: str, *commands: list[object]) -> None:
        """Writes the commands' output to a file that begins with the command, date and revision."""
        path = self.to / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"# {head}   ({self.date}, revision {self.revision})\n")
            out.flush()
            for command in commands:
                self.run(command, out)

    def rows(self, *command: object) -> list[dict[str, str]]:
        """The rows that a program prints as CSV."""
        path = self.to / "printed.csv"
        with open(path, "w+", encoding="utf-8") as out:
            self.run(command, out)
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        path.unlink()
        return rows

    def csv(self, file: str, *commands: list[object]) -> None:
        """Writes the programs' columns up to the verdict, after date and revision."""
        path = self.to / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", newline="", encoding="utf-8") as out:
            names: list[str] = []
            lines = csv.writer(out, lineterminator="\n")
            for command in commands:
                for row in self.rows(*command, *COLD):
                    if not names:
                        names = list(row)[:list(row).index("check") + 1]
                        lines.writerow(["date", "revision", *names])
                    lines.writerow([time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), self.revision,
                                    *(row[name] for name in names)])

    def bench(self, file: str, seconds: int, *arguments: object) -> None:
        path = self.to / file
        path.parent.mkdir(parents=True, exist_ok=True)
        self.run([sys.executable, TOP / "bench/sweep/bench.py", f"--run={self.build / 'bin/run'}",
                  f"--time={4 if self.tiny else seconds}", f"--output={path}", *arguments], sys.stderr)

    def words(self) -> str:
        """The card and its driver."""
        said = subprocess.run([self.build / "bin/device"], stdout=subprocess.PIPE, text=True).stdout
        device = next(csv.reader([said]), [])
        return f"{device[0]}, driver {device[7]}" if len(device) > 7 else "an unknown device"

    def table(self, *arguments: object) -> list[object]:
        return [self.build / "bin/run", "--format=wide", *arguments]


def us(rows: list[dict[str, str]]) -> float:
    return float(rows[0]["kernel_median_us"])


# ---- the parts

def ladder(m: Machine) -> None:
    size = f"--size={m.named(1 << 28)}"
    everything = [*m.programs(), m.program("to_fix")]
    float_max = ["--type=float", "--op=max"]
    m.text("ladder/ladder-double-sum.txt", f"make run GPU={m.build.name} SIZE={m.named(1 << 28)}", m.table(size, *everything))
    m.text("ladder/ladder-double-sum-cold.txt", f"bin/run {size} --cold, all variants",
           m.table(size, "--cold", *everything))
    m.text("ladder/ladder-float-max.txt", f"make run GPU={m.build.name} SIZE={m.named(1 << 28)} TYPE=float OP=max",
           m.table(size, *float_max, *everything))
    orders = [m.program("global_memory"), m.program("global_convergent"), m.program("no_striding"),
              m.program("first_add")]
    m.text("ladder/global_memory.txt", f"bin/run {size}, then with --type=float --op=max",
           m.table(size, *orders), m.table(size, *float_max, *orders))


def shuffles(m: Machine) -> None:
    def ways(kind: str, *words: str) -> list[str]:
        redux = ["trees=tile shuffle=redux"] if kind == "int" else []
        return [" ".join([str(m.program("shuffles")), *(f"--{word}" for word in way.split())]) for way in [*words, *redux]]

    few = "trees=tile", "trees=four", "trees=shared"
    m.text("ladder/shuffles.txt", f"bin/run --size={m.named(1 << 26)}, each --type, --trees and --shuffle of shuffles",
           *(m.table(f"--size={m.size(1 << 26)}", f"--type={kind}", *ways(kind, "", *few,
             *(("shuffle=xor", "shuffle=up", "trees=tile shuffle=xor", "trees=tile shuffle=up") if kind == "double" else ())))
             for kind in MAIN_TYPES))
    for head, words, trees in (
            ("--size=32K --grid=1 --block=32 --iterations=50, each type: 1024 trees one after another in one warp",
             ["--grid=1", "--block=32", "--iterations=50", f"--size={m.size(1 << 15)}"], few),
            ("--size=1K --grid=1 --block=1024 --iterations=200, each type: one tree in one block",
             ["--grid=1", "--block=1024", "--iterations=200", "--size=1K"], ("trees=tile", "trees=shared"))):
        m.text("ladder/part.txt", f"bin/run {head}",
               *(m.table(*words, f"--type={kind}", *ways(kind, *trees)) for kind in MAIN_TYPES))
        with open(m.to / "ladder/shuffles.txt", "a", encoding="utf-8") as out:
            lines = (m.to / "ladder/part.txt").read_text().splitlines(keepends=True)
            out.write("".join([lines[0].split("   (")[0] + "\n", *lines[1:]]))
        (m.to / "ladder/part.txt").unlink()


def sweep(m: Machine) -> None:
    m.bench("sweep/sweep.csv", 90, m.sizes("1K..256M"), "--types=double", "--iterations=10", *m.programs())


def latency(m: Machine) -> None:
    single_pass, prim = m.program("single_pass"), m.program("prim")
    common = ["--iterations=20", "--clock=kernel"]
    m.bench("single_pass/single_pass.csv", 65, m.sizes("16..1G"), ALL_TYPES, *common,
            single_pass, f"{single_pass} --result=device", prim)
    m.bench("single_pass/single_pass_large.csv", 25, m.sizes("512M..8G"), "--types=float", *common, single_pass, prim)


def determinism(m: Machine) -> None:
    prim, single_pass = m.newest("prim") or m.program("prim"), m.program("single_pass")
    modes = ("run_to_run", "not_guaranteed", "gpu_to_gpu") if m.newest("prim") else ()
    m.bench("single_pass/determinism.csv", 90, m.sizes("16..256M"), "--types=float,double", "--iterations=20", "--clock=kernel",
            single_pass, f"{single_pass} --result=device", *(f"{prim} --determinism={mode}" for mode in modes))


def edges(m: Machine) -> None:
    single_pass, prim = f"{m.program('single_pass')} --result=device", str(m.program("prim"))
    common = [m.sizes("4K..256M"), ALL_TYPES, "--iterations=20", "--clock=kernel"]
    m.bench("single_pass/single_pass_minmax.csv", 25, *common, "--ops=min,max", single_pass, prim)
    m.bench("single_pass/single_pass_misaligned.csv", 25, *common, single_pass, f"{single_pass} --offset=1", prim,
            f"{prim} --offset=1")


def sums(m: Machine) -> None:
    binned, prim = f"{m.program('reproducible')} --method=binned", m.newest("prim")
    m.bench("sums/reproducible.csv", 70, m.sizes("1K..1G"), "--types=float,double", "--iterations=20", "--clock=kernel",
            m.program("single_pass"), m.program("reproducible"), f"{binned} --folds=2", f"{binned} --folds=3", m.program("prim"),
            *([f"{prim} --determinism=gpu_to_gpu"] if prim else []))
    sizes = "--size=" + ",".join(m.several(*(1 << power for power in (range(20, 29) if not m.tiny else [10]))))
    ways = [("mixed", kind, "") for kind in ("half", "bfloat16", "float")]
    ways += [("compensated", kind, f"--method={method}") for kind in ("float", "double")
             for method in ("kahan", "neumaier", "pairwise")]
    ways += [(name, kind, "") for name in ("single_pass", "prim") for kind in ("float", "double")]
    m.csv("sums/mixed-compensated.csv", *([m.program(name), sizes, f"--type={kind}", *option.split(), "--ceiling=1"]
                                          for _ in range(3) for name, kind, option in ways))
    once = ["--pattern=mixed", f"--size={m.size(1 << 28)}", "--iterations=1", "--warmup=0", "--ceiling=1"]
    m.text("sums/compensated-errors.txt",
           f"reduction_compensated -p mixed -n {m.named(1 << 28)} -i 1 -w 0 --ceiling 1; each --method, float, double",
           *([m.program("compensated"), *once, f"--type={kind}", f"--method={method}"]
             for method in ("kahan", "neumaier", "pairwise") for kind in ("float", "double")))


def large(m: Machine) -> None:
    """Binned sums of up to 2^33 elements; sizes that do not fit the card's memory are left out, as the file says."""
    sizes = ",".join(m.several(1 << 30, 1 << 31, 1 << 33))
    m.text("sums/reproducible_large.txt", f"reduction_reproducible --method binned --folds F -t TYPE -p PATTERN -n {sizes}")
    with open(m.to / "sums/reproducible_large.txt", "a", encoding="utf-8") as out:
        out.write("# type folds pattern elements value reference error bound verdict; error in the unit of the sum, "
                  "against the exact value\n")
        for kind, folds, patterns in (("float", 2, 4), ("float", 3, 4), ("double", 2, 4), ("double", 3, 2)):
            for pattern in ("random", "mixed", "ramp", "constant")[:patterns]:
                for row in m.rows(m.program("reproducible"), "--method=binned", f"--folds={folds}", f"--type={kind}",
                                  f"--pattern={pattern}", f"--size={sizes}", "--iterations=1", "--warmup=0", "--ceiling=1",
                                  "--format=csv"):
                    print(kind, folds, pattern, *(row[name] for name in ("n", "value", "reference", "error", "bound", "check")),
                          file=out)


def options(m: Machine) -> None:
    size = f"--size={m.size(1 << 26)}"
    m.csv("ladder/grain.csv", *([m.program("striding"), size, f"--grain={grain}"]
                                for grain in [0, *(1 << power for power in range(13)), 1 << 14]))
    atomic = [m.program("atomic"), size]
    m.csv("ladder/atomic-operations.csv",
          *([*atomic, "--type=int", f"--op={op}", f"--atomics={who}"] for op in ("sum", "and", "or", "xor")
            for who in ("thread", "warp", "block")),
          *([*atomic, f"--type={kind}", f"--atomics={who}", *unsafe] for kind in ("float", "double")
            for who in ("thread", "block") for unsafe in ([], ["--unsafe-atomics"])))
    m.csv("rows/softmax.csv", *([m.program("softmax"), size, "--type=float", f"--columns={columns}", f"--reread={reread}"]
                                for columns in (64, 512, 1024, 16384, 65536) for reread in ("never", "row", "matrix")))


def rows(m: Machine) -> None:
    n, words = m.size(1 << 28), [*COLD, "--type=float", "--ceiling=1"]
    m.text("rows/rows.txt", f"reduction_rows -c -i 15 -t float -n {m.named(1 << 28)} --columns COLUMNS, each --axis: kernel us, median")
    with open(m.to / "rows/rows.txt", "a", encoding="utf-8") as out:
        whole = us(m.rows(m.program("single_pass"), f"--size={n}", "--result=device", *words))
        print(f"# single_pass {whole:.1f} us; goal: its bandwidth for the bytes read and written; library: its segmented sum\n"
              "#   columns      rows  goal/rows   library   columns  goal/columns", file=out)
        for columns in (1, 4, 5, 8, 16, 31, 64, 256, 1024, 4096, 65536, 1 << 20, 1 << 23):
            if columns > int(n):
                continue
            taken = [us(m.rows(m.program("rows"), f"--size={int(n) // columns * columns}", f"--columns={columns}", f"--axis={axis}",
                               *words)) for axis in ("rows", "columns")]
            library = us(m.rows(m.program("segmented"), f"--size={n}", f"--segment={columns}", "--method=library", *words)) \
                if columns >= 64 else 0
            goals = [whole * (1 + 1 / columns), whole * (1 + columns / int(n))]
            print(f"{columns:11} {taken[0]:9.1f} {goals[0] / taken[0]:10.3f} {library:9.1f} {taken[1]:9.1f} "
                  f"{goals[1] / taken[1]:13.3f}", file=out)


def segmented(m: Machine) -> None:
    words = [f"--size={m.size(1 << 27)}", "--ceiling=1", "--warmup=2", "--iterations=10", "--format=csv"]
    m.text("rows/segmented.txt",
           f"segmented, its library and head_flags, {m.named(1 << 27)} elements: kernel us, and the library's time by ours")
    with open(m.to / "rows/segmented.txt", "a", encoding="utf-8") as out:
        for kind in ["--type=float"], ["--type=double"], ["--type=float", "--op=min"], ["--type=float", "--ragged"]:
            print(f"  {' '.join(kind)}\n    length   library us      auto us   ratio     flags us   ratio", file=out)
            for length in (1 << power for power in (range(4, 25) if not m.tiny else [5])):
                ways = [["segmented", "--method=library"], ["segmented"], ["head_flags"]]
                library, ours, flags = (us(m.rows(m.program(way[0]), f"--segment={length}", *way[1:], *words, *kind))
                                        for way in ways)
                print(f"{length:10} {library:12.1f} {ours:12.1f} {library / ours:7.2f} {flags:12.1f} {library / flags:7.2f}",
                      file=out)


def library(m: Machine) -> None:
    m.text("library/small-sums.txt", "library-speed 15", [m.build / "library/library-speed", 3 if m.tiny else 15])
    newest = m.newest("library-speed")
    if newest:
        m.text("library/small-sums-newest-cub.txt", f"{newest.name} 15: the CUB of this number, not the toolkit's", [newest, 15])


def beside(m: Machine) -> None:
    for what in [*(["cublas"] if m.nvidia else []), "torch", "softmax"]:
        m.text(f"{'rows' if what == 'softmax' else 'library'}/{'torch' if what == 'softmax' else what}.txt",
               f"tools/measure/library_beside.py {what}", [sys.executable, HERE / "library_beside.py", what])


def bars(m: Machine) -> None:
    (m.to / "exercises").mkdir(exist_ok=True)
    with open(m.to / "exercises/bars.txt", "w", encoding="utf-8") as out:
        m.run([sys.executable, HERE / "bars.py", "run", m.folder / "bars"], out)


def exercises(m: Machine) -> None:
    m.text("exercises/exercises.txt", "tools/measure/exercises_on_gpu.py",
           [sys.executable, HERE / "exercises_on_gpu.py", m.folder / "exercises.tar.gz", m.to / "reports"])
    shutil.rmtree(m.to / "reports")


def counters(m: Machine) -> None:
    m.text("explain/explain.txt", "tools/measure/explain_on_gpu.py",
           [sys.executable, HERE / "explain_on_gpu.py", "compare", m.folder])
    if not m.nvidia:
        return
    for name in "interleaved", "shfl":
        m.text(f"explain/ncu-{name}.txt", f"ncu of the third launch of reduce_blocks by reduction_{name} -n 16M -t float -i 3",
               ["ncu", "--clock-control=none", *(f"--section={word}" for word in
                ("SpeedOfLight", "WarpStateStats", "MemoryWorkloadAnalysis", "Occupancy")), "--kernel-name=regex:reduce_blocks",
                "--launch-skip=2", "--launch-count=1", m.program(name), "-n", "16M", "--type=float", "-i", "3", "--ceiling=4600"])


# Each with its limit in seconds, about twice as long as it takes.
PARTS: dict[str, tuple[int, Callable[[Machine], None]]] = {
    "ladder": (400, ladder), "shuffles": (120, shuffles), "sweep": (200, sweep), "latency": (200, latency),
    "determinism": (180, determinism), "edges": (150, edges), "sums": (400, sums), "options": (150, options), "rows": (300, rows),
    "segmented": (500, segmented), "library": (300, library), "beside": (500, beside), "bars": (200, bars),
    "counters": (500, counters), "exercises": (500, exercises), "large": (500, large)}


def tables(m: Machine) -> None:
    """Computes tables and figures from those CSV files that are there, on a machine that has gnuplot."""
    def versus(file: str, source: str, *calls: list[str], head: str = "") -> None:
        if not (m.results / source).exists():
            return
        said = [subprocess.run([sys.executable, TOP / "bench/csv/versus.py", *call, m.results / source], check=True,
                               stdout=subprocess.PIPE, text=True).stdout for call in calls]
        (m.results / file).write_text(head + "\n".join(said))

    device = "--ours=single_pass result=device"
    versus("single_pass/versus-device.md", "single_pass/single_pass.csv", [device])
    versus("single_pass/versus-total.md", "single_pass/single_pass.csv", ["--clock=total"])
    versus("single_pass/versus-minmax.md", "single_pass/single_pass_minmax.csv", [device, "--full=float-min double-max"])
    versus("single_pass/versus-misaligned.md", "single_pass/single_pass_misaligned.csv",
           *([f"{device} offset=1", f"--theirs={theirs}"] + more for theirs, more in
             (("prim offset=1", []), ("single_pass result=device", ["--full=none"]))),
           head="Against the library, both misaligned by one element; then against our own aligned input\n\n")
    prim = m.newest("prim")
    if prim:
        name = prim.name
        versus("single_pass/versus-newest-cub.md", "single_pass/determinism.csv",
               *([ours, f"--theirs={name} determinism={mode}", "--full=none"] for mode in
                 ("run_to_run", "not_guaranteed", "gpu_to_gpu") for ours in (device, "--ours=single_pass")))
    ours = [f"--ours=reproducible{way}" for way in ("", " method=binned folds=2", " method=binned folds=3")]
    versus("sums/versus-reproducible.md", "sums/reproducible.csv",
           *([way, f"--theirs={theirs}", "--full=none"] for theirs in
             ["single_pass", *([f"{prim.name} determinism=gpu_to_gpu"] if prim else [])] for way in ours),
           head="# The tree and the binned sums against single_pass, and against the gpu_to_gpu of the newest CUB\n\n")
    if (m.results / "sweep/sweep.csv").exists() and shutil.which("gnuplot"):
        subprocess.run([os.environ.get("MAKE", "make"), "-s", "plot", f"CSV={m.results / 'sweep/sweep.csv'}"], cwd=TOP, check=True)


def measure(m: Machine, names: list[str], seconds: float) -> bool:
    m.results.mkdir(parents=True, exist_ok=True)
    done, start, right = m.results / "parts.txt", time.monotonic(), True
    for name in names:
        limit, part = PARTS[name]
        before = done.read_text().splitlines() if done.exists() else []
        if any(line.split()[:2] == [name, m.revision] for line in before):
            tell(f"{name}: done before")
            continue
        if time.monotonic() - start + limit > seconds:
            tell(f"{name}: not begun, its limit is {limit} s")
            right = False
            continue
        tell(name)
        began = time.monotonic()
        m.deadline, m.to = began + limit, m.results / "parts" / name
        shutil.rmtree(m.to, ignore_errors=True)
        m.to.mkdir(parents=True)
        try:
            part(m)
        except (Failed, OSError, KeyError, ValueError, IndexError) as error:
            tell(f"{name}: FAILED: {error!r}")
            right = False
            continue
        for path in sorted(m.to.rglob("*")):
            if path.is_file():
                place = m.results / path.relative_to(m.to)
                place.parent.mkdir(parents=True, exist_ok=True)
                path.replace(place)
        shutil.rmtree(m.to)
        tell(f"{name}: {time.monotonic() - began:.0f} s")
        with open(done, "a", encoding="utf-8") as out:
            out.write(f"{name} {m.revision} {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} "
                      f"{time.monotonic() - began:.0f} s, {m.words()}, {m.compiler}\n")
    return right


def main() -> None:
    given = Options(__doc__)
    given.add_argument("folder", type=Path, help="what was built")
    given.add_argument("results", type=Path, help="results/MACHINE, or a folder for it")
    given.add_argument("part", nargs="*", help=f"of {' '.join(PARTS)}")
    given.add_argument("--seconds", type=float, default=1e9, help="begin no part whose limit exceeds the time left")
    given.add_argument("--target", help="build/TARGET; default: the only one, or the first for a GPU")
    given.add_argument("--most", type=parse_size, default=8 << 30, help="no array of more elements, of 8 bytes: 256M")
    given.add_argument("--tiny", action="store_true", help="small arrays and short runs: a rehearsal")
    given.add_argument("--tables", action="store_true", help="only compute tables and figures from the CSV files")
    words = given.parse_args()
    for name in words.part:
        if name not in PARTS:
            fail(f"no part {name}: {' '.join(PARTS)}")
    for number in signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, lambda *_: sys.exit(INTERRUPTED))
    machine = Machine(words.folder, words.results, words.tiny, words.target, words.most,
                      not words.tables)
    if words.tables:
        tables(machine)
        return
    sys.exit(not measure(machine, words.part or list(PARTS), words.seconds))


if __name__ == "__main__":
    main()
