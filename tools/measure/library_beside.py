#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares libreduction with cuBLAS and PyTorch on the same arrays: library_beside.py cublas|torch|softmax; needs a GPU.

In turns, cold: 512 MiB are written before each call, which gives the host time to start it; events around it. A line has us
of the library, us of the other, and the median of other / library with the 10th and 90th percentile over 15 rounds.
LIBREDUCTION names libreduction.so. softmax: programs of the course, each with 15 cold runs between two times 15 of PyTorch's;
it runs once, since it verifies its results for seconds. REDUCTION_BIN names the folder where the programs were built."""
from __future__ import annotations

import csv
import ctypes
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Callable

import torch

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import fail, say

ROUNDS = int(os.environ.get("ROUNDS", 15))
WRITTEN = int(os.environ.get("WRITTEN", 512 << 20))
MOST = int(os.environ.get("MOST", 28))  # the largest array has 2^MOST elements
CODES = {torch.float32: 0, torch.float64: 1, torch.float16: 4, torch.bfloat16: 5}


class Library:
    """libreduction's functions, by name, on device 0 and the default stream; results stay on the device."""

    def __init__(self) -> None:
        self.so, self.handle = ctypes.CDLL(os.environ.get("LIBREDUCTION", "libreduction.so")), ctypes.c_void_p()
        self.check(self.so.lr_create(ctypes.byref(self.handle), 0))

    def check(self, status: int) -> None:
        if status:
            self.so.lr_text.restype = ctypes.c_char_p
            fail(self.so.lr_text(status).decode(), 3)

    def call(self, name: str, x: torch.Tensor, *words: object) -> Callable[[], None]:
        arguments = [ctypes.c_void_p(word.data_ptr()) if isinstance(word, torch.Tensor) else ctypes.c_size_t(word)
                     for word in words]
        function = getattr(self.so, f"lr_{name}")
        return lambda: self.check(function(self.handle, CODES[x.dtype], ctypes.c_void_p(x.data_ptr()), *arguments,
                                           ctypes.c_void_p(0)))


def times(*calls: Callable[[], object]) -> list[list[float]]:
    """us of each call in each round, alternating."""
    written = torch.empty(WRITTEN // 4, dtype=torch.int32, device="cuda")
    taken: list[list[float]] = [[] for _ in calls]
    for turn in range(ROUNDS + 2):
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


def main() -> None:
    parts: dict[str, Callable[[], None]] = {"cublas": lambda: cublas(Library()), "torch": lambda: pytorch(Library()),
                                            "softmax": softmax}
    if len(sys.argv) != 2 or sys.argv[1] not in parts:
        fail(__doc__ or "")
    parts[sys.argv[1]]()


if __name__ == "__main__":
    main()
