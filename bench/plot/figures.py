# SPDX-License-Identifier: MIT
"""What the figures of a benchmark show: gnuplot's input for one type and operation, written to a folder.

    curves.dat   a block for each variant: n, time in us, GB/s, speed-up over the library, then low and high of each
    bars.dat     row, GB/s, colour, name, text, low, high
    FIGURE.set   title, axes, styles, and the labels at the ends of the lines"""
from __future__ import annotations

from math import log, log2
from pathlib import Path
from statistics import median
from typing import Iterable

from lib.bench_csv import interval, number, size_text, variant

LIBRARY = "prim"
# One hue for the steps of a chapter, from the palette of Okabe and Ito, which is safe for all kinds of colour vision;
# within a chapter lightness and marks differ.
CHAPTERS = {
    "#C98A00 #8F5F00 #E0AC3C #5E3F00": "no_striding global_memory interleaved bank_conflicts",
    "#CC79A7 #94456F #DDA3C4 #6B2A4E": "first_add unroll_last_warp recursive unrolled",
    "#009E73 #5CC2A3 #00644A": "striding two_kernel_calls two_kernels_unroll",
    "#0072B2 #56B4E9 #004266 #3E8FC4 #8CC8EE #1B5E8A": "shfl atomic cooperative vector_loads last_block mixed",
    "#8A8A1C #5F5F00 #C9C97A #B3B34D #3F3F00 #A1A100": "statistics segmented rows custom head_flags reproducible",
    "#7A4B2A #B98A66": "compensated softmax",
    "#D55E00": "single_pass",
    "#000000": LIBRARY,
}
LOOKS = {name: (colour, mark) for colours, names in CHAPTERS.items()
         for mark, (name, colour) in enumerate(zip(names.split(), colours.split()))}
OTHERS = ["#555555", "#777777", "#999999", "#666666"]  # variants outside of chapters
MARKS = [7, 5, 9, 13, 11, 15]  # gnuplot's numbers for filled points; open ones are one less
WIDE = ["no_striding", "striding", "shfl", "atomic", "global_memory"]
NOISE = 0.01  # half an interval over the median; a bar above that is marked ~, as in bench's table
LABEL_GAP = 0.037  # between the names of lines, as a fraction of the height
GREY = "#505050"


def plain(text: str) -> str:
    """Escapes gnuplot's marks for indices and fonts."""
    for mark in "\\_^@&~{}":  # escaped twice: for the string, and for enhanced text
        text = text.replace(mark, f"\\\\{mark}")
    return text.replace('"', '\\"')


def time_text(us: float) -> str:
    return f"{us:g} µs" if us < 1e3 else f"{us / 1e3:g} ms" if us < 1e6 else f"{us / 1e6:g} s"


def spread(at: list[float]) -> list[float]:
    """Moves labels, sorted by height, apart until they have room: neighbours that are too close both move."""
    at = list(at)
    for _ in range(2000):
        for i in range(len(at) - 1):
            lack = LABEL_GAP - (at[i + 1] - at[i])
            if lack > 0:
                at[i] -= lack / 2
                at[i + 1] += lack / 2
        if at:
            at[0] = max(at[0], 0.0)
            at[-1] = min(at[-1], 1.0)
    return at


def y_tics(low: float, high: float, name) -> str:
    """Tics of a logarithmic axis: the finest set that has room."""
    sets = ["1 1.1 1.2 1.3 1.5 1.75 2 2.5 3 4 5 6 7 8 9", "1 1.5 2 3 4 5 6 8", "1 2 5", "1 3", "1"]
    for marks in sets:
        tics = [float(mark) * 10.0 ** k for k in range(-30, 31) for mark in marks.split()]
        tics = [tic for tic in tics if low <= tic <= high]
        if len(tics) <= 12:
            break
    return "set ytics (" + ", ".join(f'"{name(tic)}" {tic:.10g}' for tic in tics) + ")\n"


class Benchmark:
    """The right results of one type and operation."""

    def __init__(self, rows: Iterable[dict[str, str]], kind: tuple[str, str], clock: str) -> None:
        self.kind, self.clock = kind, clock
        self.about = ""
        self.ceiling = self.peak = 0.0
        self.bytes: dict[int, float] = {}
        self.own: dict[str, str] = {}  # variants that compute something else: the name of that
        samples: dict[str, dict[int, list[float]]] = {}  # in the order of the file
        for row in rows:
            n, time = int(number(row["n"])), number(row[f"{clock}_median_us"])
            if (row["type"], row["op"]) != kind or row["check"] != "OK" or n == 0 or time <= 0:
                continue
            samples.setdefault(variant(row), {}).setdefault(n, []).append(time)
            if row.get("options", "").startswith("example="):  # no sum, whatever the heading says
                self.own[variant(row)] = " " + row["options"].split(";")[0].split("=")[1]
            self.bytes[n] = number(row["bytes"])
            self.ceiling = max(self.ceiling, number(row.get("ceiling_gbps")))
            self.peak = number(row.get("peak_gbps")) or self.peak
            if not self.about:
                self.about = (f"{row.get('device', '')}, {row.get('date', '')[:10]}, {row.get('cache', '')} caches, clock of "
                              + ("the host around the whole reduction" if clock == "total"
                                 else "the device around the launches"))
        self.sizes = sorted(self.bytes)
        self.time = {name: {n: median(times) for n, times in sizes.items()} for name, sizes in samples.items()}
        self.range = {name: {n: interval(times) for n, times in sizes.items() if len(times) > 1}
                      for name, sizes in samples.items()}
        if any(self.range.values()):
            self.about += "; error bars: the median with 95 %"

    def speed(self, name: str, n: int) -> float:
        """Bandwidth in GB/s."""
        return self.bytes[n] / self.time[name][n] / 1e3

    def shown(self, figure: str, name: str, n: int) -> float | None:
        """A variant's value at n in this figure."""
        if n not in self.time[name]:
            return None
        if figure == "time":
            return self.time[name][n]
        if figure == "bandwidth":
            return self.speed(name, n)
        library = self.time.get(LIBRARY, {})
        return library[n] / self.time[name][n] if n in library else None

    # "atomic atomics=warp" looks like atomic, with a dashed line and open marks.
    def place(self, name: str) -> int:  # among the variants outside of chapters
        return [other for other in self.time if other.split(" ")[0] not in LOOKS].index(name)

    def colour(self, name: str) -> str:
        base = name.split(" ")[0]
        if base in LOOKS:
            return LOOKS[base][0]
        return OTHERS[self.place(name) % 4 if name in self.time else 3]

    def style(self, name: str) -> str:
        base = name.split(" ")[0]
        if name == LIBRARY:
            return f"lines lc rgb '{self.colour(name)}' lw 3.5 dt (12,6)"
        width = 5 if base == "single_pass" else 3.5 if base in WIDE else 2.5
        mark = LOOKS[base][1] if base in LOOKS else (self.place(name) + 1) % 5 - 1
        dashes, point = ("1", MARKS[mark]) if name == base else ("(8,4)", MARKS[mark] - 1)
        return (f"linespoints lc rgb '{self.colour(name)}' lw {width:g} dt {dashes} pt {point} "
                f"ps {0.8 if width > 3 else 0.6:g}")

    def label(self, name: str) -> str:
        return "prim (library)" if name == LIBRARY else name + self.own.get(name, "")

    def heading(self, figure: str, size: int) -> str:
        what = f"{self.kind[1]} of {self.kind[0]}s"
        return {"bandwidth": f"Bandwidth: {what}", "time": f"Time: {what}",
                "speedup": f"How many times faster than the library: {what}",
                "bars": f"Bandwidth: {what}, {size_text(size)} elements"}[figure] + f": {self.about}"

    def title(self, figure: str, size: int = 0) -> str:
        heading = self.heading(figure, size)[:-len(f": {self.about}")]
        return f'set label "{heading}\\n{{/*0.9 {plain(self.about)}}}" at screen 0.015,0.955 left\n'

    def write_curves(self, folder: Path) -> None:
        with open(folder / "curves.dat", "w", encoding="utf-8") as out:
            for name, times in self.time.items():
                for n in self.sizes:
                    if n in times:
                        ratio = self.shown("speedup", name, n)
                        low, high = (part / times[n] for part in self.range[name].get(n, (times[n], times[n])))
                        values = times[n], self.speed(name, n), ratio
                        print(n, *("NaN" if value is None else f"{value:.6g}" for value in values),
                              f"{times[n] * low:.6g} {times[n] * high:.6g}",
                              *("NaN NaN" if value is None else f"{value / high:.6g} {value / low:.6g}"
                                for value in values[1:]), file=out)
                out.write("\n\n")

    def write_lines(self, folder: Path, figure: str, last: int) -> None:
        """A figure of lines over the sizes up to last."""
        logarithmic = figure != "bandwidth"
        sizes = [n for n in self.sizes if n <= last]
        values = [y for name in self.time for n in sizes if (y := self.shown(figure, name, n)) is not None]
        low = min(values, default=1e30) if logarithmic else 0.0
        high = max(values + ([self.peak, self.ceiling] if not logarithmic else []), default=0.0)
        if figure == "speedup":  # below a thirty-second of the library's speed a point is off the picture
            low, high = max(low, 1 / 32), max(high, 1.2)
        high *= 1.15 if logarithmic else 1.07
        low /= 1.15 if logarithmic else 1

        def place(y: float) -> float:  # from 0 (bottom) to 1 (top)
            return log(y / low) / log(high / low) if logarithmic else (y - low) / (high - low)

        step = 1
        while log2(last / sizes[0]) / step > 8:
            step += 1
        tics = [last / 2 ** k for k in range(0, 64, step) if last / 2 ** k >= sizes[0]]
        axis = {"bandwidth": "bandwidth in GB/s", "time": "time of a reduction", "speedup": "speed-up over the library"}
        text = self.title(figure)
        text += f'set xlabel "elements in the array"\nset ylabel "{axis[figure]}"\n'
        text += f"set yrange [{low:.10g}:{high:.10g}]\n"
        text += f"set logscale x 2\nset xrange [{sizes[0]:.0f}:{last * 1.001:.0f}]\nset xtics ("
        text += ", ".join(f'"{size_text(tic)}" {tic:.10g}' for tic in tics) + ")\n"
        if logarithmic:
            text += "set logscale y\n" + y_tics(low, high, time_text if figure == "time" else "{:.3g}".format)

        lines, ends = [], []  # ends: height, name, horizontal position of a line's end
        column = {"time": 2, "bandwidth": 3, "speedup": 4}[figure]
        for index, name in enumerate(self.time):
            if any(n in self.range[name] for n in sizes):
                low_column = 2 * column + 1
                lines.append(f"'curves.dat' index {index} using 1:{column}:{low_column}:{low_column + 1} with yerrorbars "
                             f"lc rgb '{self.colour(name)}' lw 1 pt -1")
            lines.append(f"'curves.dat' index {index} using 1:{column} with {self.style(name)}")
            shown = [(n, y) for n in sizes if (y := self.shown(figure, name, n)) is not None]
            if shown:
                n, y = shown[-1]
                ends.append((place(max(y, low)), name, log(n / sizes[0]) / log(last / sizes[0])))
        floor = self.bytes[last] / (self.ceiling * 1e3) if self.ceiling else 0.0
        if figure == "time" and floor / 8 > low:  # nothing is faster than a read at the ceiling
            lines.append(f"x * {floor / last:.10g} with lines dt (6,6) lc rgb '{GREY}' lw 2")
            if low < floor < high:
                ends.append((place(floor), "bytes / read ceiling", 1.0))
        ends.sort(key=lambda end: end[0])
        for (height, name, across), at in zip(ends, spread([end[0] for end in ends])):
            colour = self.colour(name)
            text += (f"set arrow from graph {across:.4f},{height:.4f} to graph 1.025,{at:.4f} nohead "
                     f"lc rgb '{colour}' lw 1\n"
                     f"set label \"{self.label(name)}\" at graph 1.03,{at:.4f} left noenhanced textcolor rgb '{colour}'\n")
        if figure == "bandwidth":
            for y, what, dashes, offset in ((self.ceiling, "measured read ceiling", 2, "-0.7"),
                                            (self.peak, "peak of the memory", 3, "0.6")):
                if y > 0:
                    text += (f"set arrow from graph 0,first {y:g} to graph 1,first {y:g} nohead dt {dashes} lc rgb '{GREY}' "
                             f"lw 2\nset label \"{what} {y:.4g} GB/s\" at graph 0.01,first {y:g} offset 0,{offset} left "
                             f"textcolor rgb '{GREY}'\n")
        if figure == "speedup":
            text += "set arrow from graph 0,first 1 to graph 1,first 1 nohead lc rgb '#000000' lw 1\n"
        text += f'plot_command = "plot {", ".join(lines)}"\n'
        (folder / f"{figure}.set").write_text(text, encoding="utf-8")

    def write_bars(self, folder: Path, size: int) -> bool:
        """The figure of bars at one size; False if nothing was measured there."""
        names = [name for name in self.time if size in self.time[name]]
        most = max([self.peak, self.ceiling] + [self.speed(name, size) for name in names])
        bars = ""
        for row, name in enumerate(names, 1):
            speed = self.speed(name, size)
            text = f"{speed:.3g}" if speed < 100 else f"{speed:.0f}"
            if self.ceiling > 0:
                text += f"   {100 * speed / self.ceiling:3.0f} %"
            time = self.time[name][size]
            low, high = self.range[name].get(size, (time, time))
            noisy = high - low > 2 * NOISE * time
            bars += (f'{row} {speed:.6g} {int(self.colour(name)[1:], 16)} "{self.label(name)}" "{text}{"~" if noisy else ""}" '
                     f"{speed * time / high:.6g} {speed * time / low:.6g}\n")
        (folder / "bars.dat").write_text(bars, encoding="utf-8")
        text = self.title("bars", size)
        text += f"set yrange [{len(names) + 0.7:g}:0.3]\nset xrange [0:{most * 1.25:g}]\nbar_text_x = {most * 1.25:g}\n"
        if self.ceiling > 0:
            text += (f"set arrow from first {self.ceiling:g},graph 0 to first {self.ceiling:g},graph 1 nohead dt 2 "
                     f"lc rgb '{GREY}' lw 2 front\nset label \"measured read ceiling {self.ceiling:.4g} GB/s\" "
                     f"at first {self.ceiling:g},graph 1.03 center textcolor rgb '{GREY}' front\n")
        (folder / "bars.set").write_text(text, encoding="utf-8")
        return bool(names)

    def write(self, folder: Path, bar_size: int = 0) -> dict[str, str]:
        """Everything for the figures that can be drawn: their names, and titles as plain text."""
        folder.mkdir(parents=True, exist_ok=True)
        if not self.sizes:
            return {}
        self.write_curves(folder)
        last = self.sizes[-1]
        figures = {}
        if len(self.sizes) > 1:
            # The latency range ends where reading takes longer than launching.
            small = max((n for n in self.sizes[2:] if n <= 1 << 22), default=last)
            for figure in ["bandwidth", "time"] + (["speedup"] if LIBRARY in self.time else []):
                self.write_lines(folder, figure, small if figure == "time" else last)
                figures[figure] = self.heading(figure, 0)
        if self.write_bars(folder, bar_size or last):
            figures["bars"] = self.heading("bars", bar_size or last)
        return figures
