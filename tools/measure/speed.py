#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processor time of a kernel's thread with nogpu, and with PoCL where OpenCL is installed.

    speed.py [--rounds 5] [--trace] [--nogpu NAME=BUILD ...] [KERNEL ...]
    speed.py --report [--rounds 5] >results/cpu/speed.md

The programs run one after the other, round by round, so that a busy machine treats them alike; the table has the fastest
round of each. "Threads" is nogpu without loops, where each thread is a coroutine or runs on the stack of the others.
--nogpu names another build of nogpu to compare with: a folder that holds nogpu/ and build/cpu/nogpu, as a git worktree
does. --trace: in place of PoCL race and explain beside both, for smaller arrays, and the memory of race. --report: both tables, with machine, command and date.
"""
import argparse, datetime, os, re, shutil, subprocess, sys, tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPEED = os.path.join(TOP, "tools/measure/speed")
# What is wanted, times PoCL, and of race times the threads of the day when that was said, in ns.
KERNELS = {"vector_add": (1.5, 15, 11.1), "reduction": (3, 10, 152), "matrix_product": (1, 25, 2767), "stencil": (1.5, 15, 16.4),
           "histogram": None, "scan": (3, 10, 168), "shuffles": None}
TRACED_SHIFT = {"matrix_product": 6, "histogram": 6}  # 128 x 128, 256K elements; the others 4M
MATRIX = 4  # the product of 512 x 512 has four times as many steps for each thread as that of 128 x 128


def stop(text):
    sys.exit(f"speed.py: {text}")


def compiled(top, out, *options, trace=""):
    environment = dict(os.environ, HIP_CPU_TRACE=trace)
    environment.pop("NOGPU_BUILD", None)
    if os.path.isdir(os.path.join(top, "build/cpu/nogpu")):
        environment["NOGPU_BUILD"] = os.path.join(top, "build/cpu/nogpu")
    command = [os.path.join(top, "nogpu/bin/nvcc"), "-O2", *options, os.path.join(SPEED, "six.cu"), "-o", out]
    if subprocess.run(command, env=environment).returncode:
        stop(f"{command[0]} failed: make GPU=cpu driver")
    return out


def run(command, **variables):
    """Nanoseconds a thread and the sum that the program prints; KiB at most; the share of the processes that it started."""
    process = subprocess.Popen(command, env=dict(os.environ, **variables), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    words = process.stdout.read().split()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        stop(f"{' '.join(command)} ended with {status}")
    again = 1 - float(words[2]) / (usage.ru_utime + usage.ru_stime) if len(words) > 2 else 0
    return float(words[0]), float(words[1]), usage.ru_maxrss, again


def table(head, rows):
    for row in [head, ["---"] * len(head)] + rows:
        print("| " + " | ".join(row) + " |")


def verdict(value, goal):
    return f"{goal:g}: {'met' if value <= goal else 'missed'}"


def plain(arguments, folder):
    programs = {name: [compiled(top, os.path.join(folder, "six-" + name))] for name, top in arguments.nogpu}
    ours = arguments.nogpu[0][0]
    programs["threads"] = [compiled(TOP, os.path.join(folder, "threads"), "-DHIP_CPU_NO_LOOPS")]
    if shutil.which("cc") and os.path.exists("/usr/include/CL/cl.h"):
        cl = os.path.join(folder, "six_cl")
        subprocess.run(["cc", "-O2", os.path.join(SPEED, "six_cl.c"), "-o", cl, "-lOpenCL"], check=True)
        programs["PoCL"] = [cl]
    rows = []
    for kernel in arguments.kernels:
        best, sums = {}, set()
        for _ in range(arguments.rounds):
            for name, program in programs.items():
                if name == "PoCL" and kernel == "shuffles":
                    continue
                nanoseconds, total, *_ = run(program + [kernel])
                best[name] = min(best.get(name, 1e30), nanoseconds)
                sums.add(round(total, -int(len(str(int(abs(total)))) - 4)))
        if len(sums) > 1:
            stop(f"{kernel}: the programs have different results: {sums}")
        ratio = best[ours] / best["PoCL"] if "PoCL" in best else None
        goal = KERNELS[kernel]
        rows.append([kernel] + [f"{best[name]:.2f}" if name in best else "" for name in programs] +
                    [f"{ratio:.2f}" if ratio else "", verdict(ratio, goal[0]) if ratio and goal else ""])
    table(["ns a thread"] + list(programs) + [f"{ours} / PoCL", "goal"], rows)


def traced(arguments, folder):
    rows = []
    threads_run = compiled(TOP, os.path.join(folder, "threads"), "-DHIP_CPU_NO_LOOPS")
    programs = [(name, compiled(top, os.path.join(folder, "plain-" + name)),
                 compiled(top, os.path.join(folder, "traced-" + name), trace="races")) for name, top in arguments.nogpu]
    for kernel in arguments.kernels:
        best, memory, again = {}, {}, {}
        for _ in range(arguments.rounds):
            for name, ours, seen in programs:
                for mode, program, variables in (("loops", ours, {}), ("threads", threads_run, {}),
                                                 ("race", seen, {"HIP_CPU_TRACE": "races"}), ("explain", seen, {"HIP_CPU_TRACE": "explain"})):
                    nanoseconds, _, kilobytes, again[name, mode] = run([program, kernel, str(TRACED_SHIFT.get(kernel, 2))], **variables)
                    best[name, mode] = min(best.get((name, mode), 1e30), nanoseconds)
                    memory[name, mode] = kilobytes
        for name, *_ in programs:
            loops, threads, race, explain = (best[name, mode] for mode in ("loops", "threads", "race", "explain"))
            row = [kernel] + ([name] if len(programs) > 1 else [])
            row += [f"{loops:.1f}", f"{threads:.1f}", f"{race:.0f}", f"{race / loops:.0f}", f"{race / threads:.0f}"]
            goal = KERNELS[kernel]
            if goal:
                then = race * (MATRIX if kernel == "matrix_product" else 1) / goal[2]
                row += [f"{then:.1f}", verdict(then, goal[1])]
            else:
                row += ["", ""]
            more = memory[name, "race"] / memory[name, "loops"]
            rows.append(row + [f"{explain:.0f}", f"{memory[name, 'loops'] / 1024:.0f}", f"{memory[name, 'race'] / 1024:.0f}",
                               verdict(more, 4) + f" ({more:.1f})", f"{100 * max(again[name, 'race'], 0):.0f} %"])
    table(["ns a thread"] + (["build"] if len(programs) > 1 else []) +
          ["loops", "threads", "race", "/ loops", "/ threads", "/ that day's threads", "goal", "explain", "MiB", "MiB in race", "goal", "again"], rows)


def report(arguments, folder):
    """Both tables, as Markdown."""
    with open("/proc/cpuinfo") as f:
        model = re.search("model name\\s*: (.*)", f.read()).group(1)
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    print("# Processor time of a kernel's thread\n\nWritten by `tools/measure/speed.py --report --rounds %d` on %s: %d cores of an %s, load %.0f,\n%s, -O2.\n"
          "Nanoseconds of processor time (user and system, all workers) for each thread, the fastest of the rounds.\n"
          "16M elements, the matrix product 512 x 512, blocks of 256. `threads`: nogpu with -DHIP_CPU_NO_LOOPS, where each thread is a\n"
          "coroutine, or runs on the stack of the others. [What was tried](speed-steps.md).\n"
          % (arguments.rounds, datetime.date.today().strftime("%-d %B %Y"), os.cpu_count(), model, os.getloadavg()[0], compiler))
    plain(arguments, folder)
    print("\n`race` (one schedule) and `explain`; 4M elements, the histogram 256K, the matrix product 128 x 128. The goals were set when the\n"
          "threads of a day took 11.1 ns (vector_add), 152, 2767 (of 512 x 512: four times that of 128 x 128), 16.4 and 168; `/ that day's\n"
          "threads` is against those. Memory is all of the process. `race` and its memory are\n"
          "those of the program's process; launches run again for lost elements in others, which take the share `again` of all time.\n")
    traced(arguments, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--nogpu", action="append", metavar="NAME=BUILD", default=[])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", default=list(KERNELS))
    arguments = parser.parse_args()
    arguments.nogpu = [("nogpu", TOP)] + [tuple(word.split("=", 1)) for word in arguments.nogpu]
    for kernel in arguments.kernels:
        if kernel not in KERNELS:
            stop(f"no kernel {kernel}: {' '.join(KERNELS)}")
    with tempfile.TemporaryDirectory() as folder:
        (report if arguments.report else traced if arguments.trace else plain)(arguments, folder)


main()
