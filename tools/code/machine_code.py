# SPDX-License-Identifier: MIT
"""Counts in the machine code of kernels: AMD's from llvm-readelf --notes and llvm-objdump --disassemble, NVIDIA's from
cuobjdump -res-usage and -sass.

One row for each kernel of ours:

    vgpr agpr sgpr  registers: vector, accumulation (both together where they are one file), scalar
    lds scratch     bytes of shared memory (static) and of local memory
    spills          registers that did not fit; NVIDIA: bytes of local memory
    waves           wavefronts (warps) that fit on a SIMD (an SM's quarter) by the registers alone
    width loads     the sequence of loads from global memory of one width, before anything waits for one of them,
                    that has the most bytes: bytes of a load, and how many
    waits           waits in the main loop, which is the innermost one that loads most; None without a loop
    native cas      atomic instructions: done by the memory; compare and swap
    bpermute ... redux  how lanes exchange values: through the LDS; operands of other lanes; v_permlane*; v_readlane
                    and v_readfirstlane; SHFL; REDUX
    size            bytes of code
    turn            instructions in the main loop; a dual one (v_dual_...) is two
    widest          bytes of the widest load from global memory
    steps           AMD: in how many steps a loop waits for its loads: 8 if the first of 8 is used while 7 are under way,
                    the second while 6 are, and so on; 1 if all are waited for at once
    late            AMD: atomics behind a barrier that did not wait for stores: what other threads of the block stored
                    before it may arrive after the atomic. hipcc 5 has a wait of its own before a barrier, which gfx9
                    does not need for the block itself, and does not count
    masked          AMD: v_permlanex16 that fetch from lanes which were switched off after the exchange before: they read 0
    reserved        AMD: v_permlane16 and v_permlanex16 with bits that must be 0: modifiers of floats, which LLVM 15 (hipcc
                    5.2) sets with bound_ctrl, and for which newer ones do not disassemble them
    bounded         AMD: loads and stores of which the hardware tests the bound"""
from __future__ import annotations

import re
from typing import Any, Dict

COUNTS = ("vgpr agpr sgpr lds scratch spills waves width loads waits native cas bpermute dpp permlane readlane shuffle "
          "redux size turn widest steps late masked reserved bounded").split()
COLUMNS = ["variant", "target", "type", "op", "kernel", *COUNTS]
Row = Dict[str, Any]  # of COLUMNS


def kernel_of(symbol: str) -> tuple[str, str, str] | None:
    """("double", "sum", "reduce_blocks") of _ZN10double_sum14reduction_shfl13reduce_blocksE..., and of the library's
    _ZN13function_nrm29of_double3own13reduce_statesE...; None if the kernel is a vendor's."""
    names, rest = [], symbol[3:] if symbol.startswith("_ZN") else ""
    while length := re.match(r"\d+", rest):
        end = length.end() + int(length[0])
        names.append(rest[length.end():end])
        rest = rest[end:]
    space = re.sub("^softmax_(float|double|half|bfloat16)$", r"\1_softmax", names[0]) if names else ""
    ours = re.fullmatch(r"(double|float|int|long|half|bfloat16)_(\w+)", space) if len(names) > 1 else None
    if ours:
        return ours[1], ours[2], names[-1]
    library = re.match(r"function_(\w+) of_(\w+) own ", " ".join(names))
    if library:
        return library[2], library[1], names[-1]
    if not symbol.startswith("_Z") or re.search(r"rocprim|hipcub|^_ZN3cub|thrust", symbol):
        return None
    return "-", "-", symbol  # of the harness


def waves_by_registers(target: str, registers: int) -> int:
    """Wavefronts per SIMD that this many vector registers allow: size of the file, granule, limit. (LLVM, User Guide
    for AMDGPU Backend; AMD, ISA documents.)"""
    if target.startswith("sm_"):
        if not registers:
            return 0
        limit = 12 if re.match(r"sm_(86|87|89|120|121)", target) else 8 if target.startswith("sm_75") else 16
        return min(512 // (-(-registers // 8) * 8), limit)
    if re.match(r"gfx9(0a|4|5)", target) or target == "gfx9-4-generic":
        file, granule, limit = 512, 8, 8
    elif target.startswith("gfx9"):
        file, granule, limit = 256, 4, 10
    elif target.startswith("gfx103"):
        file, granule, limit = 1024, 8, 16
    elif target.startswith("gfx10"):
        file, granule, limit = 1024, 8, 20
    elif re.match(r"gfx11(00|01|51)$|gfx12(?!5)", target):
        file, granule, limit = 1536, 24, 16
    else:
        file, granule, limit = 1024, 16, 16
    return min(file // (-(-max(registers, 1) // granule) * granule), limit)


class Rows:
    """The kernels of one target, each with its counts; several symbols may belong to one kernel."""

    def __init__(self, variant: str, target: str) -> None:
        self.variant, self.target = variant, target
        self.rows: dict[tuple[str, str, str], Row] = {}

    def of(self, symbol: str) -> Row | None:
        key = kernel_of(symbol)
        if key is None:
            return None
        if key not in self.rows:
            names = dict(zip(COLUMNS, (self.variant, self.target, *key)))
            self.rows[key] = {**names, **dict.fromkeys(COUNTS, 0), "waits": None}
        return self.rows[key]

    def finished(self) -> list[Row]:
        for row in self.rows.values():
            row["waves"] = waves_by_registers(self.target, row["vgpr"])
        return list(self.rows.values())


class Code:
    """The instructions of one kernel, in order."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.lines: list[list[int]] = []  # address, bytes loaded, waits, loads that may be in flight then or -1
        self.loops: list[tuple[int, int]] = []  # first and last address
        self.in_row: dict[int, int] = {}  # loads of each width since a wait for one of them
        self.issued = 0  # accesses that waits count, since then
        self.stored = self.unsure = self.crossed = False  # in flight; only the last wait is; at a barrier
        self.narrowed = False  # lanes of the last exchange are inactive

    def instruction(self, address: int) -> None:
        self.lines.append([address, 0, 0, -1])

    def load(self, width: int) -> None:
        self.in_row[width] = self.in_row.get(width, 0) + 1
        self.issued += 1
        row = self.row
        row["widest"] = max(row["widest"], width)
        if (width * self.in_row[width], width) > (row["width"] * row["loads"], row["width"]):
            row["width"], row["loads"] = width, self.in_row[width]
        self.lines[-1][1] = width

    def wait(self, for_loads: bool, under_way: int = -1) -> None:
        self.lines[-1][2:] = [1, under_way]
        if for_loads and under_way < self.issued:  # else it is for older ones: of the turn before, or loaded in vain
            self.in_row.clear()
            self.issued = 0

    def end(self) -> None:
        """Finds the main loop: the innermost one with the most bytes loaded; of two such loops the last."""
        most = 0
        for first, last in self.loops:
            steps = {line[3] for line in self.lines if first <= line[0] <= last and line[3] >= 0}
            self.row["steps"] = max(self.row["steps"], len(steps))
            if any(first <= start and end <= last and end - start < last - first for start, end in self.loops):
                continue
            inside = [line for line in self.lines if first <= line[0] <= last]
            loaded = sum(line[1] for line in inside)
            if loaded > 0 and loaded >= most:
                most = loaded
                self.row["waits"] = sum(line[2] for line in inside)
                self.row["turn"] = len(inside)


def read_amd_notes(text: str, rows: Rows) -> None:
    """Parses the metadata of a code object. A kernel's keys are in alphabetical order, with .name in the middle."""
    row: Row | None = None
    agpr = lds = 0
    for line in text.splitlines():
        field = re.match(r" +(?:- +)?\.(\w+): +(\S+)", line)
        if not field:
            continue
        key, value = field[1], field[2]
        if key == "agpr_count":
            agpr = int(value)
        elif key == "group_segment_fixed_size":
            lds = int(value)
        elif key == "name" and value.startswith("_Z"):
            row = rows.of(value)
            if row is not None:
                row["agpr"], row["lds"] = agpr, lds
            agpr = lds = 0
        elif row is not None:
            if key == "private_segment_fixed_size":
                row["scratch"] = int(value)
            elif key == "sgpr_count":
                row["sgpr"] = int(value)
            elif key == "vgpr_count":
                row["vgpr"] = int(value)
            elif key in ("sgpr_spill_count", "vgpr_spill_count"):
                row["spills"] += int(value)


AMD_LOADS = [(re.compile(r"(global|flat|buffer)_load_(dwordx4|b128)"), 16), (re.compile(r"(global|flat|buffer)_load_(dwordx2|b64)"), 8),
             (re.compile(r"(global|flat|buffer)_load_(dword|b32)"), 4)]
AMD_COUNTS = [(re.compile(r"(global|flat)_atomic_(cmpswap|cmpst)"), "cas"), (re.compile(r"(global|flat)_atomic_"), "native"),
              (re.compile(r"ds_bpermute"), "bpermute"), (re.compile(r"v_permlane"), "permlane"),
              (re.compile(r"v_read(first)?lane"), "readlane")]
AMD_STORES_WAIT = re.compile(r"s_waitcnt_vscnt null, (0x)?0$|s_wait_storecnt(_dscnt)? 0x0$")
AMD_PERMLANE = re.compile(r" (D77[78]|D65[BC])[0-9A-F]([0-9A-F])[0-9A-F]{2}( [0-9A-F]{8})?")  # gfx10, gfx11 and 12: words
AMD_DPP = re.compile(r" row_mask:0x| quad_perm:| row_(half_)?mirror| row_bcast")


def amd_stores(code: Code, operation: str, operand: str) -> None:
    """Whether stores are in flight at a barrier that an atomic follows, in the order of the code."""
    gfx9 = code.row["target"].startswith("gfx9")
    unsure, code.unsure = code.unsure, False
    if re.match("(global|flat|buffer)_store", operation):
        code.stored = True
        code.issued += gfx9
    elif gfx9 and operation == "s_waitcnt" and "vmcnt(0)" in operand:
        code.unsure = code.stored and "lgkmcnt(0)" in operand
        code.stored = False
    elif AMD_STORES_WAIT.match(f"{operation} {operand}"):
        code.stored = False
    elif re.match("s_barrier(_signal)?$", operation):
        code.crossed = code.stored or unsure
    elif code.crossed and re.match("(global|flat)_atomic", operation):
        code.row["late"] += 1


def amd_masked(code: Code, text: str) -> None:
    if AMD_DPP.search(text) or re.match(r"s_(or|mov)\w* exec(_lo)?,", text):
        code.narrowed = False
    elif text.startswith("v_permlanex16"):
        code.row["masked"] += code.narrowed
    elif re.match(r"s_and\w*_saveexec|s_and\w* exec(_lo)?,|v_cmpx", text):
        code.narrowed = True


def amd_reserved(code: Code, words: str) -> None:
    """Bits 8 to 10 of the first word (absolute value), 29 to 31 of the second (negative)."""
    found = AMD_PERMLANE.match(words)
    if found and (int(found[2], 16) & 7 or int(found[3] or "0", 16) >> 29):
        code.row["reserved"] += 1


def amd_instruction(code: Code, address: int, operation: str, operand: str) -> None:
    code.instruction(address)
    if operation.startswith("v_dual_"):
        code.instruction(address)
    amd_stores(code, operation, operand)
    amd_masked(code, f"{operation} {operand}")
    code.row["bounded"] += bool(re.match("buffer_(load|store)_", operation))
    for pattern, width in AMD_LOADS:
        if pattern.match(operation):
            return code.load(width)
    if re.match(r"s_waitcnt$", operation):
        count = re.search(r"vmcnt\((\d+)\)", operand)
        return code.wait(bool(count), int(count[1]) if count else -1)
    if re.match(r"s_wait(cnt|_[a-z]+cnt)", operation):
        for_loads = operation.startswith("s_wait_loadcnt")
        return code.wait(for_loads, int(operand, 0) & 63 if for_loads else -1)
    for pattern, count in AMD_COUNTS:
        if pattern.match(operation):
            code.row[count] += 1
            return None
    target = operand.split(" ")[0]
    if re.match(r"s_c?branch", operation) and target.isdigit() and int(target) >= 32768:  # backwards
        code.loops.append((address + 4 + (int(target) - 65536) * 4, address))
    return None


def read_amd_code(text: str, rows: Rows) -> None:
    """Parses a disassembly: _ZN...: and lines with an instruction, // address: and its words."""
    code: Code | None = None
    unused = 0  # bytes that may only fill up the end
    for line in text.splitlines():
        symbol = re.match(r"[0-9a-f]+ <(\S*)>:$", line)
        if symbol:
            if code:
                code.end()
            row = rows.of(symbol[1])
            code, unused = (Code(row) if row is not None else None), 0
            continue
        place = re.match(r"\t(.*)// ([0-9A-F]+):(.*)", line)
        if not code or not place:
            continue
        operation, _, operand = place[1].strip().partition(" ")
        unused += 4 * len(re.findall(r" +[0-9A-F]{8}", place[3]))
        if operation not in ("s_nop", "s_code_end"):
            code.row["size"] += unused
            unused = 0
        amd_instruction(code, int(place[2], 16), operation, operand.strip())
        if not code.row["target"].startswith("gfx9"):
            amd_reserved(code, place[3])
        if AMD_DPP.search(line):
            code.row["dpp"] += 1
    if code:
        code.end()


def read_amd(variant: str, target: str, notes: str, disassembly: str) -> list[Row]:
    rows = Rows(variant, target)
    read_amd_notes(notes, rows)
    read_amd_code(disassembly, rows)
    return rows.finished()


def read_nvidia_usage(text: str, rows: Rows) -> None:
    """Parses registers and memory: a line with the function's name, and one with its numbers."""
    row: Row | None = None
    for line in text.splitlines():
        name = re.match(r" *Function (\S+):$", line)
        if name:
            row = rows.of(name[1])
        elif row is not None and re.search(r"REG:\d+ STACK:\d+", line):
            numbers: dict[str, int] = {key: int(value) for key, value in re.findall(r"(\w+):(\d+)", line)}
            row["vgpr"], row["lds"] = numbers["REG"], numbers.get("SHARED", 0)
            row["spills"] = numbers.get("LOCAL", 0)
            row["scratch"] = numbers["STACK"] + row["spills"]
            row = None


def read_nvidia_code(text: str, rows: Rows) -> None:
    """Parses SASS. The first instruction that uses a loaded register waits."""
    code: Code | None = None
    loaded: set[int] = set()
    for line in text.splitlines():
        symbol = re.search(r"Function : (\S+)", line)
        if symbol:
            if code:
                code.end()
            row = rows.of(symbol[1])
            code = Code(row) if row is not None else None
            loaded.clear()
            continue
        place = re.match(r" +/\*([0-9a-f]+)\*/( +[^ ].*)", line)
        if not code or not place:
            continue
        address, text = int(place[1], 16), place[2].split("/*")[0]
        code.instruction(address)
        row = code.row
        row["size"] += 16
        if "LDG." in text:
            width = 16 if re.search(r"LDG[A-Z.0-9]*\.128", text) else 8 if re.search(r"LDG[A-Z.0-9]*\.64", text) else 4
            first = re.search(r" R(\d+),", text)
            if first:
                loaded.update(range(int(first[1]), int(first[1]) + width // 4))
            code.load(width)
            continue
        for pattern, count in ((r"(ATOM|ATOMG|RED)\..*CAS", "cas"), (r" (ATOM|ATOMG|RED|REDG)\.", "native"),
                               (r" SHFL\.", "shuffle"), (r" C?REDUX", "redux")):
            if re.search(pattern, text):
                row[count] += 1
                break
        there = re.search(r" BRA .*?0x([0-9a-f]+)", text)
        if there and int(there[1], 16) < address:
            code.loops.append((int(there[1], 16), address))
        if loaded.intersection(map(int, re.findall(r"(?<=[^0-9A-Z]R)\d+(?=[^0-9])", text))):
            code.wait(True)
            loaded.clear()
    if code:
        code.end()


def read_nvidia(variant: str, target: str, usage: str, sass: str) -> list[Row]:
    rows = Rows(variant, target)
    read_nvidia_usage(usage, rows)
    read_nvidia_code(sass, rows)
    return rows.finished()
