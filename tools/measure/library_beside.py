#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares libreduction with cuBLAS, PyTorch and CUB on the same arrays: library_beside.py cublas|torch|graph|softmax|functions|more;
needs a GPU.

In turns, cold: 512 MiB are written before each call, which gives the host time to start it; events around it. A line has us
of the library, us of the other, and the median of other / library with the 10th and 90th percentile over 15 rounds.
LIBREDUCTION names libreduction.so. softmax: programs of the course, each with 15 cold runs between two times 15 of PyTorch's;
it runs once, since it verifies its results for seconds. REDUCTION_BIN names the folder where the programs were built.
graph: one call in a graph, and PyTorch's in another.
more: functions of their own: softmax, products of several vectors, sums by key, complex numbers.
functions: every function of lr_reduce() along every axis, beside PyTorch and, where CuPy is installed, beside its CUB; of seven
rounds, for at most LIMIT=90 seconds: what is left then is said. Values are compared, too. Exit code 1 if one is wrong."""
from __future__ import annotations

import csv
import ctypes
import os
import math
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Callable

import torch

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import fail, say

ROUNDS = int(os.environ.get("ROUNDS", 15))
WRITTEN = int(os.environ.get("WRITTEN", 512 << 20))
MOST = int(os.environ.get("MOST", 28))  # the largest array has 2^MOST elements
CODES = {torch.float32: 0, torch.float64: 1, torch.int32: 2, torch.int64: 3, torch.float16: 4, torch.bfloat16: 5,
         torch.uint8: 6, torch.int8: 7, torch.bool: 9, torch.complex64: 10, torch.complex128: 11}


class Library:
    """libreduction's functions, by name, on device 0 and the default stream; results stay on the device."""

    def __init__(self) -> None:
        self.so, self.handle = ctypes.CDLL(os.environ.get("LIBREDUCTION", "libreduction.so")), ctypes.c_void_p()
        self.check(self.so.lr_create(ctypes.byref(self.handle), 0))

    def check(self, status: int) -> None:
        if status:
            self.so.lr_text.restype = ctypes.c_char_p
            fail(self.so.lr_text(status).decode(), 3)

    def call(self, name: str, x: torch.Tensor, *words: object, stream: int = 0) -> Callable[[], None]:
        arguments = [ctypes.c_void_p(word.data_ptr()) if isinstance(word, torch.Tensor) else ctypes.c_size_t(word)
                     for word in words]
        function = getattr(self.so, f"lr_{name}")
        return lambda: self.check(function(self.handle, CODES[x.dtype], ctypes.c_void_p(x.data_ptr()), *arguments,
                                           ctypes.c_void_p(stream)))


class Lines(ctypes.Structure):
    """struct lr_lines"""
    _fields_ = [(name, ctypes.c_size_t) for name in
                "lines length lead step batch batch_lead y_lead y_step".split()] + [("offsets", ctypes.c_void_p),
                                                                                      ("offset_type", ctypes.c_int),
                                                                                      ("length_at", ctypes.c_void_p)]


def times(*calls: Callable[[], object], rounds: int = ROUNDS) -> list[list[float]]:
    """us of each call in each round, alternating."""
    written = torch.empty(WRITTEN // 4, dtype=torch.int32, device="cuda")
    taken: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds + 2):
        for one, call in zip(taken, calls):
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            written.fill_(turn)
            events[0].record()
            call()
            events[1].record()
            torch.cuda.synchronize()
            if turn >= 2:
                one.append(1000 * events[0].elapsed_time(events[1]))
    return taken


def beside(what: str, other: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    ours_us, theirs_us = times(ours, theirs)
    ratios = sorted(b / a for a, b in zip(ours_us, theirs_us))
    say(f"{what:44} {median(ours_us):9.2f} {median(theirs_us):9.2f} us  {other}/library {median(ratios):6.3f} "
        f"({ratios[len(ratios) // 10]:.3f}-{ratios[-1 - len(ratios) // 10]:.3f})")


def array(n: int, kind: torch.dtype) -> torch.Tensor:
    return torch.rand(n, device="cuda").to(kind)


def cublas(library: Library) -> None:
    blas, handle, version = ctypes.CDLL(f"libcublas.so.{torch.version.cuda.split('.')[0]}"), ctypes.c_void_p(), ctypes.c_int()
    if blas.cublasCreate_v2(ctypes.byref(handle)) or blas.cublasSetPointerMode_v2(handle, 1):  # results on the device
        fail("cuBLAS does not start", 3)
    blas.cublasGetVersion_v2(handle, ctypes.byref(version))
    say(f"# {torch.cuda.get_device_name(0)}, cuBLAS {version.value}")

    def blas_call(name: str, n: int, *arrays: torch.Tensor) -> Callable[[], None]:
        *inputs, result = [ctypes.c_void_p(one.data_ptr()) for one in arrays]
        words = [word for one in inputs for word in (one, ctypes.c_int(1))]
        function = getattr(blas, f"cublas{name}_v2")

        def call() -> None:
            if function(handle, ctypes.c_int(n), *words, result):
                fail(f"cublas{name} failed", 3)
        return call

    for kind, letter in (torch.float32, "S"), (torch.float64, "D"):
        for power in [power for power in (8, 10, 12, 14, 16, 18, *range(20, 29)) if power <= MOST - (letter == "D")]:
            n = 1 << power
            x, y, result = array(n, kind), array(n, kind), torch.empty(1, dtype=kind, device="cuda")
            for name in "dot", "nrm2", "asum":
                inputs = [x, y] if name == "dot" else [x]
                beside(f"{name:5} {str(kind)[6:]} 2^{power}", "cuBLAS", library.call(name, *inputs, n, result),
                       blas_call(letter + name, n, *inputs, result))


def pytorch(library: Library) -> None:
    say(f"# {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}")
    for kind in torch.float32, torch.bfloat16, torch.float16:
        name = str(kind)[6:]
        result = torch.empty(1 << 26, dtype=torch.float32, device="cuda")
        for power in [power for power in (10, 14, 18, 22, 24, 26, 28) if power <= MOST]:
            x = array(1 << power, kind)
            beside(f"sum {name} 2^{power}", "torch", library.call("sum", x, x.numel(), result), lambda: torch.sum(x))
        power = min(26, MOST)
        x, index = array(1 << power, kind), torch.empty(1, dtype=torch.int64, device="cuda")
        beside(f"argmax {name} 2^{power}", "torch", library.call("argmax", x, x.numel(), result, index), lambda: torch.argmax(x))
        if kind == torch.float32:
            beside(f"nrm2 {name} 2^{power}", "torch", library.call("nrm2", x, x.numel(), result),
                   lambda: torch.linalg.vector_norm(x))
            beside(f"dot {name} 2^{power} (torch: cuBLAS)", "torch", library.call("dot", x, x, x.numel(), result),
                   lambda: torch.dot(x, x))
            beside(f"moments {name} 2^{power} (torch: var_mean)", "torch", library.call("moments", x, x.numel(), result),
                   lambda: torch.var_mean(x))
        for power in [power for power in (24, 28) if power <= MOST]:
            x = array(1 << power, kind)
            for columns in (4, 16, 64, 256, 1024, 4096, 65536, 1 << 20, 1 << 23):
                if columns > x.numel():
                    continue
                matrix = x.view(-1, columns)
                sizes = matrix.shape[0], columns, columns
                beside(f"rows {name} 2^{power} of {columns}", "torch", library.call("sum_rows", x, *sizes, result),
                       lambda: torch.sum(matrix, 1))
                if kind != torch.float16:
                    beside(f"columns {name} 2^{power}, {columns}", "torch", library.call("sum_columns", x, *sizes, result),
                           lambda: torch.sum(matrix, 0))


def graphs(library: Library) -> None:
    say(f"# {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}")
    stream = torch.cuda.Stream()

    def captured(call: Callable[[], object]) -> Callable[[], None]:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(stream):
            call()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, stream=stream):
            call()
        return graph.replay

    for kind in torch.float32, torch.float64, torch.bfloat16:
        for power in [power for power in (12, 16, 18, 20, 22, 24) if power <= MOST]:
            x, y = array(1 << power, kind), array(1 << power, kind)
            result, index = torch.empty(8, dtype=torch.float64, device="cuda"), torch.empty(1, dtype=torch.int64, device="cuda")
            for name, inputs, to, theirs in (("sum", [x], [result], lambda: torch.sum(x)),
                                             ("dot", [x, y], [result], lambda: torch.dot(x, y)),
                                             ("argmin", [x], [result, index], lambda: torch.argmin(x)),
                                             ("moments", [x], [result], lambda: torch.var_mean(x))):
                ours = library.call(name, *inputs, x.numel(), *to, stream=stream.cuda_stream)
                beside(f"{name} {str(kind)[6:]} 2^{power}", "torch", captured(ours), captured(theirs))


def softmax() -> None:
    say(f"# {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}: torch.softmax(x, 1, out=y), torch.sum(x)\n"
        "# us, medians; torch by ours: the mean of torch before and after, then the lower and the higher")
    folder = Path(os.environ.get("REDUCTION_BIN", "."))

    def program(name: str, *words: str) -> float:
        command = [str(folder / f"reduction_{name}" / f"reduction_{name}"), *words, "--cold", "--warmup=2",
                   f"--iterations={ROUNDS}", "--ceiling=1", "--format=csv"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            fail(f"exit code {done.returncode}: {' '.join(command)}", 3)
        return float(next(csv.DictReader(done.stdout.splitlines()))["kernel_median_us"])

    def compare(what: str, name: str, words: list[str], call: Callable[[], object]) -> None:
        before, ours, after = median(times(call)[0]), program(name, *words), median(times(call)[0])
        theirs = sorted([before, after])
        say(f"{what:44} {ours:9.1f} {sum(theirs) / 2:9.1f} us  torch/ours {sum(theirs) / 2 / ours:6.3f} "
            f"({theirs[0] / ours:.3f}-{theirs[1] / ours:.3f})")

    x = array(1 << min(26, MOST), torch.float32)
    y = torch.empty_like(x)
    for columns in (2, 3, 8, 16, 32, 64, 100, 127, 128, 256, 300, 512, 600, 1000, 1024, 1025, 4096, 10000, 16384, 16500, 17000,
                    20000, 24800, 26000, 65536):
        n = x.numel() // columns * columns
        if n:
            compare(f"softmax {n} floats, {columns} columns", "softmax", [f"--size={n}", "--type=float", f"--columns={columns}"],
                    lambda: torch.softmax(x[:n].view(-1, columns), 1, out=y[:n].view(-1, columns)))
    for name, kind in ("float", torch.float32), ("double", torch.float64):
        for power in [power for power in (20, 24, MOST) if power <= MOST]:
            z = array(1 << power, kind)
            for method in "neumaier", "kahan", "pairwise":
                compare(f"sum 2^{power} {name}, {method}", "compensated",
                        [f"--size={1 << power}", f"--type={name}", f"--method={method}"], lambda: torch.sum(z))
    for name, kind in ("half", torch.float16), ("bfloat16", torch.bfloat16):
        z = array(1 << MOST, kind)
        compare(f"sum 2^{MOST} {name} to float, mixed", "mixed", [f"--size={1 << MOST}", f"--type={name}"],
                lambda: torch.sum(z, dtype=torch.float32))


def more(library: Library) -> None:
    """Values are compared, too; exit code 1 if one is wrong."""
    say(f"# {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}")
    wrong = 0

    def compare(what: str, ours: Callable[[], object], theirs: Callable[[], torch.Tensor], result: torch.Tensor) -> None:
        nonlocal wrong
        ours()
        wanted = theirs().reshape(-1)
        digits = 1e-2 if result.element_size() == 2 else 1e-3
        right = torch.allclose(result[: wanted.numel()], wanted.to(result.dtype), rtol=digits, atol=1e-6)
        wrong += not right
        beside(what + ("" if right else "  WRONG"), "torch", ours, theirs)

    for kind in torch.float32, torch.float64, torch.float16, torch.bfloat16:
        name, n = str(kind)[6:], 1 << min(26, MOST)
        x, y = array(n, kind), torch.empty(n, dtype=kind, device="cuda")
        for columns in (2, 16, 33, 100, 1024, 4096, 16384, 65536):
            rows = n // columns
            m, out = x[:rows * columns].view(rows, columns), y[:rows * columns].view(rows, columns)
            compare(f"softmax_rows {name} {rows}x{columns}", library.call("softmax_rows", x, rows, columns, y),
                    lambda: torch.softmax(m, 1), out.reshape(-1))
        if x.element_size() == 2:
            continue
        for vectors, length in (4, 1 << 22), (32, 1 << 20), (100, 1 << 16):
            if vectors * length <= n:
                v = x[:vectors * length].view(vectors, length)
                w = array(length, kind)
                compare(f"dots {name} {vectors} of {length} (torch: mv)", library.call("dots", x, vectors, length, w, length, y),
                        lambda: torch.mv(v, w), y)
        for keys in 1000, 1 << 16, 1 << 20:
            k = torch.sort(torch.randint(0, keys, (n,), device="cuda", dtype=torch.int32))[0]
            offsets = torch.empty(keys + 1, dtype=torch.int64, device="cuda")
            wide = k.to(torch.int64)
            function, kinds = library.so.lr_sum_by_key, [ctypes.c_void_p(t.data_ptr()) for t in (x, k, offsets, y)]

            def ours() -> None:
                library.check(function(library.handle, CODES[kind], kinds[0], CODES[torch.int32], kinds[1], ctypes.c_size_t(n),
                                       ctypes.c_size_t(keys), kinds[2], kinds[3], ctypes.c_void_p(0)))
            compare(f"sum_by_key {name} {keys} of {n} (torch: index_add)", ours,
                    lambda: torch.zeros(keys, dtype=kind, device="cuda").index_add_(0, wide, x), y)
    for kind, real in (torch.complex64, torch.float32), (torch.complex128, torch.float64):
        for power in [power for power in (12, 18, 22, 26) if power <= MOST]:
            n, name = 1 << power, f"{str(kind)[6:]} 2^{power}"
            z, w = (torch.complex(array(n, real), array(n, real)) for _ in range(2))
            to, size = torch.empty(1, dtype=kind, device="cuda"), torch.empty(1, dtype=real, device="cuda")
            compare(f"sum {name}", library.call("sum", z, n, to), lambda: torch.sum(z), to)
            compare(f"dot {name} (torch: vdot)", library.call("dot", z, w, n, to), lambda: torch.vdot(z, w), to)
            compare(f"nrm2 {name}", library.call("nrm2", z, n, size), lambda: torch.linalg.vector_norm(z), size)
    if wrong:
        sys.exit(1)


# By name, what PyTorch has for it; d: the arguments that say along which axis. Whole arrays are along axis 0, too.
def peers(x: torch.Tensor, y: torch.Tensor, d: int) -> dict[str, Callable[[], object]]:
    norm, inf = torch.linalg.vector_norm, math.inf
    floating = {
        "asum": lambda: norm(x, 1, dim=d), "nrm2": lambda: norm(x, 2, dim=d), "amax": lambda: norm(x, inf, dim=d),
        "mean": lambda: torch.mean(x, d), "moments": lambda: torch.var_mean(x, dim=d, correction=0),
        "logsumexp": lambda: torch.logsumexp(x, d), "nansum": lambda: torch.nansum(x, d),
        "nanmean": lambda: torch.nanmean(x, d), "nanmin": lambda: torch.amin(torch.nan_to_num(x, inf), d),
        "nanmax": lambda: torch.amax(torch.nan_to_num(x, -inf), d),
        "nanargmin": lambda: torch.min(torch.nan_to_num(x, inf), d)[0],
        "nanargmax": lambda: torch.max(torch.nan_to_num(x, -inf), d)[0],
    }
    products = {} if x.element_size() == 1 else {  # of bytes they would wrap
        "sumsq": lambda: torch.sum(torch.square(x), d),
        "dot": (lambda: torch.dot(x, y)) if x.dim() == 1 and x.is_floating_point() else lambda: torch.sum(x * y, d),
    }
    return {
        "sum": lambda: torch.sum(x, d), "prod": lambda: torch.prod(x, d), "min": lambda: torch.amin(x, d),
        "max": lambda: torch.amax(x, d), "argmin": lambda: torch.min(x, d)[0], "argmax": lambda: torch.max(x, d)[0],
        "iamax": lambda: torch.max(torch.abs(x), d)[0],
        "any": lambda: torch.any(x != 0, d) if x.dtype != torch.bool else torch.any(x, d),
        "all": lambda: torch.all(x != 0, d) if x.dtype != torch.bool else torch.all(x, d),
        "count": lambda: torch.count_nonzero(x, d), **products, **(floating if x.is_floating_point() else {}),
    }


def cub_of(name: str, x: torch.Tensor) -> Callable[[], object] | None:
    """The same by CuPy, which takes CUB for whole arrays and rows."""
    try:
        os.environ["CUPY_ACCELERATORS"] = "cub"
        import cupy
        z = cupy.from_dlpack(x)
    except Exception:  # not installed, or it does not know the type
        return None
    call = getattr(cupy, name) if name in ("sum", "prod", "min", "max", "argmin", "argmax") else None
    return call and (lambda: call(z, axis=x.dim() - 1))


class Functions:
    """The part `functions`."""

    def __init__(self, library: Library) -> None:
        self.library, self.until = library, time.monotonic() + float(os.environ.get("LIMIT", 90))
        self.so, self.left, self.wrong, self.rounds = library.so, 0, 0, min(ROUNDS, 7)
        self.so.lr_function_name.restype = ctypes.c_char_p
        self.names: list[str] = []
        while self.so.lr_function_name(len(self.names)):
            self.names.append(self.so.lr_function_name(len(self.names)).decode())
        self.ratios: dict[str, dict[str, float]] = {}  # by function, by case
        self.results = torch.zeros(5 << 20, dtype=torch.int64, device="cuda")
        self.indices = torch.zeros(1 << 20, dtype=torch.int64, device="cuda")

    def one(self, name: str, axis: str, x: torch.Tensor, y: torch.Tensor, lines: Lines,
            theirs: Callable[[], object] | None, exact: Callable[[], object] | None,
            cub: Callable[[], object] | None) -> None:
        number, code = self.names.index(name), CODES[x.dtype]
        kind = self.so.lr_result_type(number, code)
        if kind < 0 or (theirs is None and cub is None):
            return
        if time.monotonic() > self.until:
            self.left += 1
            return
        first, second = ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr() if name == "dot" else 0)
        to, at = ctypes.c_void_p(self.results.data_ptr()), self.indices.data_ptr() if self.so.lr_finds(number) else 0

        def ours() -> None:
            self.library.check(self.so.lr_reduce(self.library.handle, number, code, first, second, ctypes.byref(lines), to,
                                                 ctypes.c_void_p(at), ctypes.c_void_p(0)))
        try:
            wrong = exact is not None and not self.same(ours, exact(), kind, lines.lines)
            calls = [ours, *[call for call in (theirs, cub) if call]]
            taken = [median(one) for one in times(*calls, rounds=self.rounds)]
        except (RuntimeError, TypeError, ValueError) as error:  # the peer has no such kernel
            say(f"# {name} {axis} {str(x.dtype)[6:]}: {str(error).splitlines()[0][:80]}")
            return
        best = min(taken[1:])
        self.wrong += wrong
        us = iter(taken)
        cells = [f"{next(us):10.2f}", f"{next(us):10.2f}" if theirs else " " * 9 + "-", f"{next(us):10.2f}" if cub else " " * 9 + "-"]
        say(f"{name:10} {axis:18} {str(x.dtype)[6:]:9} {' '.join(cells)} {best / taken[0]:8.3f}{'  WRONG' if wrong else ''}")
        self.ratios.setdefault(name, {})[f"{axis} {str(x.dtype)[6:]}"] = best / taken[0]

    def same(self, ours: Callable[[], None], theirs: object, kind: int, count: int) -> bool:
        """theirs: of doubles, where the elements are floating; two bytes have three digits."""
        ours()
        of = {0: torch.float32, 1: torch.float64, 2: torch.int32, 3: torch.int64}.get(kind)
        if of is None:  # moments: count, mean, variance, min, max
            got, wanted = self.results.view(torch.float64)[: 5 * count].view(-1, 5)[:, 2], theirs[0]
        else:
            got, wanted = self.results.view(of)[:count], theirs
        wanted = wanted.reshape(-1)
        wanted = (wanted.to(torch.int64).to(of) if kind == 2 else wanted).to(torch.float64)  # int32 wraps
        return bool(torch.allclose(got.to(torch.float64), wanted, rtol=0.02, atol=1e-6, equal_nan=True))

    def matrix(self, rows: int, columns: int, kind: torch.dtype) -> None:
        x, y = some(rows * columns, kind), some(rows * columns, kind)
        if rows == 1:
            shapes = [(f"all 2^{columns.bit_length() - 1}", Lines(lines=1, length=columns, step=1, y_step=1), x, y, 0)]
        else:
            m, w = x.view(rows, columns), y.view(rows, columns)
            shapes = [(f"rows {rows}x{columns}", Lines(lines=rows, length=columns, lead=columns, step=1, y_lead=columns, y_step=1),
                       m, w, 1),
                      (f"columns {rows}x{columns}", Lines(lines=columns, length=rows, lead=1, step=columns, y_lead=1,
                                                          y_step=columns), m, w, 0)]
        for axis, lines, mine, other, d in shapes:
            calls = peers(mine, other, d)
            for name in self.names:
                cub = cub_of(name, mine) if "columns" not in axis else None
                self.one(name, axis, x, y, lines, calls.get(name),
                         (lambda: peers(wide(mine), wide(other), d)[name]()) if name in calls else None, cub)

    def segments(self, count: int, length: int, kind: torch.dtype) -> None:
        """Segments of 0 to 2 length elements, and one eight times as long."""
        sizes = torch.randint(0, 2 * length, (count,), device="cuda")
        sizes[count // 2] = 8 * length
        offsets = torch.cat([torch.zeros(1, dtype=torch.int64, device="cuda"), torch.cumsum(sizes, 0)])
        n = int(offsets[-1])
        x = some(n, kind)
        lines = Lines(lines=count, length=n, step=1, y_step=1, offsets=offsets.data_ptr(), offset_type=CODES[torch.int64])
        for name in self.names:
            if name in ("sum", "mean", "max", "min") and x.is_floating_point():
                self.one(name, f"segments {count}x{length}", x, x, lines, lambda: torch.segment_reduce(x, name, offsets=offsets, axis=0),
                         lambda: torch.segment_reduce(wide(x), name, offsets=offsets, axis=0), None)

    def run(self) -> None:
        say(f"# {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}; us, medians of {self.rounds} rounds, cold\n"
            f"#{'function':9} {'axis':18} {'type':9} {'library':>10} {'torch':>10} {'CUB':>10} {'best/library':>12}")
        floats = (torch.float32, torch.bfloat16, torch.float64)
        for kind in (*floats, torch.int32, torch.int8):
            for power in [power for power in (12, 16, 20, 24, 28 - (kind == torch.float64)) if power <= MOST]:
                self.matrix(1, 1 << power, kind)
            for rows, columns in (256, 4096), (4096, 4096), (1 << 18, 64), (16, 1 << 20):
                if rows * columns <= 1 << MOST:
                    self.matrix(rows, columns, kind)
            if kind in floats:
                for count, length in (2048, 1000), (2048, 3000), (65536, 500):
                    if count * length <= 1 << MOST:
                        self.segments(count, length, kind)
        say("#\n# best/library by function: geometric mean, and the lowest")
        for name, cases in self.ratios.items():
            lowest = min(cases, key=lambda case: cases[case])
            mean = math.exp(sum(map(math.log, cases.values())) / len(cases))
            say(f"# {name:10} {mean:7.3f}  {cases[lowest]:7.3f} {lowest}")
        below = sorted((ratio, name, case) for name, cases in self.ratios.items() for case, ratio in cases.items() if ratio < 1)
        say(f"# {sum(map(len, self.ratios.values()))} cases, {len(below)} of them slower than a peer, {self.wrong} wrong, "
            f"{self.left} left out: the time was up")
        if self.wrong or not self.ratios:
            sys.exit(1)


def some(n: int, kind: torch.dtype) -> torch.Tensor:
    """Of both signs where the type has them, and nowhere near overflow."""
    x = torch.rand(n, device="cuda")
    return (x - 0.25).to(kind) if kind.is_floating_point else (x * 100 - 25).to(kind)


def wide(x: torch.Tensor) -> torch.Tensor:
    return x.double() if x.is_floating_point() else x


def main() -> None:
    parts: dict[str, Callable[[], None]] = {"cublas": lambda: cublas(Library()), "torch": lambda: pytorch(Library()),
                                            "graph": lambda: graphs(Library()), "softmax": softmax, "more": lambda: more(Library()),
                                            "functions": lambda: Functions(Library()).run()}
    if len(sys.argv) != 2 or sys.argv[1] not in parts:
        fail(__doc__ or "")
    parts[sys.argv[1]]()


if __name__ == "__main__":
    main()
