# SPDX-License-Identifier: MIT
"""gdb: threads of a kernel by block and thread. nogpu run --gdb loads it; `help cuda` lists what it adds.

A thread that waits has a stack of its own, which no thread of the host is on. So that gdb shows it, an unwinder says that
the running thread was called from there; no register is changed."""
import re

import gdb
from gdb.unwinder import Unwinder, register_unwinder

SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")  # runtime/block/coroutine.c
OURS = re.compile(r"(^|/)(runtime|hip_cpu)/")


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class Parked(Unwinder):
    """Behind the innermost frame of one thread of the host come those of `stack`."""

    def __init__(self):
        super().__init__("nogpu")
        self.stack = self.sp = self.pc = None

    def __call__(self, pending):
        if self.stack is None or int(pending.read_register("rsp")) != self.sp or int(pending.read_register("rip")) != self.pc:
            return None
        word = gdb.lookup_type("unsigned long").pointer()
        saved = gdb.Value(self.stack).cast(word)
        info = pending.create_unwind_info(FrameId(gdb.Value(self.sp), gdb.Value(self.pc)))
        for i, name in enumerate(SAVED):
            info.add_saved_register(name, saved[i].cast(pending.read_register(name).type))
        info.add_saved_register("rsp", gdb.Value(self.stack + 8 * len(SAVED)).cast(pending.read_register("rsp").type))
        return info

    def show(self, stack):
        self.stack = None
        gdb.invalidate_cached_frames()
        frame = gdb.newest_frame()
        self.sp, self.pc = int(frame.read_register("rsp")), frame.pc()
        self.stack = stack
        gdb.invalidate_cached_frames()

    def forget(self, _=None):
        if self.stack is not None:
            self.stack = None
            gdb.invalidate_cached_frames()


class Hidden:
    """The innermost frame has nothing to do with a thread that waits."""
    name, priority, enabled = "nogpu", 100, True

    def filter(self, frames):
        frames = iter(frames)
        if parked.stack is not None:
            next(frames, None)
        return frames


parked = Parked()
register_unwinder(None, parked, True)
gdb.frame_filters[Hidden.name] = Hidden()
gdb.events.stop.connect(parked.forget)
for command in ("continue", "next", "step", "finish", "until", "advance", "nexti", "stepi", "jump", "run"):
    gdb.execute(f"define hook-{command}\npython parked.forget()\nend")


def dim(value):
    return tuple(int(value[axis]) for axis in "xyz")


def text(place):
    return "({},{},{})".format(*place)


def blocks():
    """(thread of the host, worker) of each block that runs."""
    parked.forget()
    chosen = gdb.selected_thread()
    found = []
    for host in sorted(gdb.selected_inferior().threads(), key=lambda host: host.num):
        host.switch()
        try:
            worker = gdb.parse_and_eval("hip_cpu_worker")
            if int(worker) != 0 and int(gdb.parse_and_eval("hip_cpu_current")) != 0:
                found.append((host, worker))
        except gdb.error:
            pass
    if chosen:
        chosen.switch()
    return found


def state(worker, number):
    """runs, waits, has not begun, has returned. Of the thread that the host's thread runs hip_cpu_current tells."""
    thread = worker["threads"][number]
    current = (int(gdb.parse_and_eval("hip_cpu_current")) - int(worker["threads"].address)) // thread.type.sizeof
    if number == current:
        return "runs"
    if int(thread["context"]) != 0:
        return "waits"
    if int(worker["sweep"]) != 0:
        return "has not begun" if number > current else "has returned"
    size = int(worker["warp_size"])
    return "has not begun" if int(worker["warps"][number // size]["ready"]) >> number % size & 1 else "has returned"


def select_author():
    """The innermost frame that is not the runtime's."""
    frame = gdb.newest_frame().older() if parked.stack is not None else gdb.newest_frame()
    first = frame
    while frame and (not frame.find_sal().symtab or OURS.search(frame.find_sal().symtab.filename)):
        frame = frame.older()
    (frame or first).select()
    gdb.execute("frame")


def read_place(words, at, like):
    """N or (X,Y,Z), which may have blanks; the rest are those of `like`."""
    found = re.search(at + r"\s+\(?\s*(\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?\)?", words)
    return tuple(int(number or 0) for number in found.groups()) if found else like


class Cuda(gdb.Command):
    """cuda block N thread N: the frames and variables of this thread of the kernel; each N may be (X,Y,Z).
cuda: which thread is running.
cuda until block N thread N: runs until this thread comes to the line that is shown.
info cuda threads: which threads of the blocks that run now wait, and which have returned."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        running = blocks()
        if not running:
            raise gdb.GdbError("No kernel runs here: set a breakpoint in one, and continue.")
        now = gdb.selected_thread()
        host, worker = next((pair for pair in running if pair[0].num == now.num), running[0])
        host.switch()
        here = gdb.parse_and_eval("hip_cpu_current")
        block = read_place(argument, "block", dim(worker["block"]["index"]))
        place = read_place(argument, "thread", dim(here["index"]))
        if argument.strip() and not re.search(r"\b(block|thread)\s", argument):
            raise gdb.GdbError("cuda [until] block N thread N")
        size, grid = dim(worker["block"]["size"]), dim(worker["block"]["grid"])
        for what, value, limit in (("block", block, grid), ("thread", place, size)):
            if any(number >= most for number, most in zip(value, limit)):
                raise gdb.GdbError(f"There is no {what} {text(value)}: there are {text(limit)}.")
        if argument.strip().startswith("until"):
            self.until(block, place)
            return
        found = [pair for pair in running if dim(pair[1]["block"]["index"]) == block]
        if not found:
            raise gdb.GdbError(f"Block {text(block)} does not run now: "
                               + ", ".join(text(dim(pair[1]["block"]["index"])) for pair in running)
                               + f" does; cuda until block {block[0]} thread {place[0]} runs to it.")
        host, worker = found[0]
        host.switch()
        number = place[0] + size[0] * (place[1] + size[1] * place[2])
        what = state(worker, number)
        print(f"[kernel {worker['block']['kernel'].string()}, block {text(block)}, thread {text(place)} {what}]")
        if what == "waits":
            if gdb.newest_frame().architecture().name() != "i386:x86-64":
                raise gdb.GdbError("Threads that wait are shown on x86-64 alone.")
            parked.show(int(worker["threads"][number]["context"]))
        if what in ("runs", "waits"):
            select_author()
        else:
            print(f"Its variables are not there; cuda until block {block[0]} thread {place[0]} runs to it.")

    @staticmethod
    def until(block, place):
        sal = gdb.selected_frame().find_sal()
        if not sal.symtab:
            raise gdb.GdbError("This frame has no line: choose one of the kernel (up).")
        condition = " && ".join(f"hip_cpu_current->{which}.{axis} == {number}"
                                for which, value in (("block->index", block), ("index", place))
                                for axis, number in zip("xyz", value))
        gdb.execute(f"tbreak {sal.symtab.filename}:{sal.line} if {condition}")
        gdb.execute("continue")


class Threads(gdb.Command):
    """The threads of the blocks that run now, and what they do."""

    def __init__(self):
        gdb.Command("info cuda", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)
        super().__init__("info cuda threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        chosen = gdb.selected_thread()
        for host, worker in blocks():
            host.switch()
            print(f"kernel {worker['block']['kernel'].string()}, block {text(dim(worker['block']['index']))}")
            states = [state(worker, number) for number in range(int(worker["threads_count"]))]
            first = 0
            for number in range(1, len(states) + 1):
                if number == len(states) or states[number] != states[first]:
                    ends = [text(dim(worker["threads"][at]["index"])) for at in (first, number - 1)]
                    print(f"  thread{'s' if number - 1 > first else ''} {' to '.join(dict.fromkeys(ends))}: {states[first]}")
                    first = number
        if chosen:
            chosen.switch()


Cuda()
Threads()
gdb.execute("alias hip = cuda")
