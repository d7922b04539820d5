#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processor time of a kernel's thread with nogpu, and with PoCL where OpenCL is installed.

    speed.py [--rounds 5] [--trace] [--nogpu NAME=BUILD ...] [KERNEL ...]

The programs run one after the other, round by round, so that a busy machine treats them alike; the table has the fastest
round of each. --nogpu names another build of nogpu to compare with: a folder that holds nogpu/ and build/cpu/nogpu, as a
git worktree does. --trace: in place of PoCL the whole program plain, in race and in explain, for smaller arrays.
"""
import argparse, os, resource, shutil, subprocess, sys, tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPEED = os.path.join(TOP, "tools/measure/speed")
KERNELS = ("vector_add", "reduction", "matrix_product", "stencil", "histogram", "scan")
TRACED_SHIFT = {"matrix_product": 6, "histogram": 6}  # 128 x 128, 256K elements; the others 1M


def stop(text):
    sys.exit(f"speed.py: {text}")


def compiled(top, out, trace=""):
    environment = dict(os.environ, HIP_CPU_TRACE=trace)
    environment.pop("NOGPU_BUILD", None)
    if os.path.isdir(os.path.join(top, "build/cpu/nogpu")):
        environment["NOGPU_BUILD"] = os.path.join(top, "build/cpu/nogpu")
    command = [os.path.join(top, "nogpu/bin/nvcc"), "-O2", os.path.join(SPEED, "six.cu"), "-o", out]
    if subprocess.run(command, env=environment).returncode:
        stop(f"{command[0]} failed: make GPU=cpu driver")
    return out


def run(command, trace=""):
    """Nanoseconds a thread and the sum that the program prints; the processor time of all of it; KiB at most."""
    environment = dict(os.environ, HIP_CPU_TRACE=trace)
    if not trace:
        del environment["HIP_CPU_TRACE"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    text, said = process.communicate() if not trace else (process.stdout.read(), process.stderr.read())
    status, usage = (process.returncode, None) if not trace else os.wait4(process.pid, 0)[1:]
    if status:
        stop(f"{' '.join(command)} ended with {status}: {said}")
    words = text.split()
    seconds = usage.ru_utime + usage.ru_stime if usage else 0
    return float(words[0]), float(words[1]), seconds, usage.ru_maxrss if usage else 0


def table(head, rows):
    width = [max(len(row[k]) for row in [head] + rows) for k in range(len(head))]
    for row in [head] + rows:
        print("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, width))))


def plain(arguments, folder):
    programs = {name: [compiled(top, os.path.join(folder, "six-" + name))] for name, top in arguments.nogpu}
    if shutil.which("cc") and os.path.exists("/usr/include/CL/cl.h"):
        cl = os.path.join(folder, "six_cl")
        subprocess.run(["cc", "-O2", os.path.join(SPEED, "six_cl.c"), "-o", cl, "-lOpenCL"], check=True)
        programs["PoCL"] = [cl]
    rows = []
    for kernel in arguments.kernels:
        best, sums = dict.fromkeys(programs, 1e30), set()
        for _ in range(arguments.rounds):
            for name, program in programs.items():
                nanoseconds, total, *_ = run(program + [kernel])
                best[name] = min(best[name], nanoseconds)
                sums.add(round(total, -int(len(str(int(abs(total)))) - 4)))
        if len(sums) > 1:
            stop(f"{kernel}: the programs have different results: {sums}")
        last = list(best.values())[-1]
        rows.append([kernel] + [f"{best[name]:.2f}" for name in programs] + [f"{best[arguments.nogpu[0][0]] / last:.1f}"])
    table(["ns a thread"] + list(programs) + [f"{arguments.nogpu[0][0]}/{list(programs)[-1]}"], rows)


def traced(arguments, folder):
    rows = []
    programs = [(name, top, compiled(top, os.path.join(folder, "plain-" + name)),
                 compiled(top, os.path.join(folder, "traced-" + name), "races")) for name, top in arguments.nogpu]
    for kernel in arguments.kernels:
        best = {}
        for _ in range(arguments.rounds):
            for name, top, ours, seen in programs:
                for mode in ("", "races", "explain"):
                    command = [seen if mode else ours, kernel, str(TRACED_SHIFT.get(kernel, 4))]
                    nanoseconds, _, seconds, kilobytes = run(command, mode)
                    before = best.get((name, mode), (1e30, 0))
                    best[name, mode] = min(before, (nanoseconds, kilobytes))
        for name, *_ in programs:
            base = best[name, ""][0]
            rows.append([kernel, name, f"{base:.1f}"] + [f"{best[name, mode][0]:.0f} ({best[name, mode][0] / base:.1f})"
                        for mode in ("races", "explain")] + [f"{best[name, 'races'][1] / 1024:.0f} MiB"])
    table(["ns a thread", "", "plain", "race (times plain)", "explain", "race's memory"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--nogpu", action="append", metavar="NAME=BUILD", default=[])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", default=KERNELS)
    arguments = parser.parse_args()
    arguments.nogpu = [("nogpu", TOP)] + [tuple(word.split("=", 1)) for word in arguments.nogpu]
    for kernel in arguments.kernels:
        if kernel not in KERNELS:
            stop(f"no kernel {kernel}: {' '.join(KERNELS)}")
    with tempfile.TemporaryDirectory() as folder:
        (traced if arguments.trace else plain)(arguments, folder)


main()
