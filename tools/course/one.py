#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a step of the ladder as one file that needs nothing else: its kernels, solve(input, output, N), a main() that checks.

usage: one.py VARIANT [TYPE [OP]]       at the top of the tree

nvcc and hipcc compile the file as it is, and nogpu/bin/hipcc. TYPE: float (the default), double, int, long; OP: sum, min, max.
Exit code 2: there is no such variant, or it is more than a kernel and its launches."""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from lib.script import TOP, fail, say

# How many blocks for n elements; the kernel; its arguments after input, partials and n.
ONE_EACH, TWO_EACH = "(n + block - 1) / block", "(n + 2 * block - 1) / (2 * block)"
FIXED = "n < 1024 * block ? (n + block - 1) / block : 1024"
TREES = {
    "interleaved": (ONE_EACH, "reduce_blocks", ""), "bank_conflicts": (ONE_EACH, "reduce_blocks", ""),
    "no_striding": (ONE_EACH, "reduce_blocks", ""), "first_add": (TWO_EACH, "reduce_blocks", ""),
    "unroll_last_warp": (TWO_EACH, "reduce_blocks", ""), "unrolled": (TWO_EACH, "reduce_blocks_256", ""),
    "recursive": (TWO_EACH, "reduce_blocks", ""), "striding": (FIXED, "reduce_blocks", ""),
    "two_kernel_calls": (FIXED, "reduce_blocks", ""),
    "two_kernels_unroll": ("(n + 8 * block - 1) / (8 * block)", "reduce_blocks_8", ""),
    "shfl": (FIXED, "reduce_blocks", ""), "vector_loads": (FIXED, "reduce_blocks", "")}
SOLVE_TREE = """/* output[0] becomes the result of input[0] to input[N - 1]; both arrays are on the device. Launches the kernel until one
 * value is left. */
extern "C" void solve(const value_t *input, value_t *output, int N)
{
    const size_t block = 256;
    size_t n = (size_t)N, partials = @blocks@;
    value_t *workspace, *next;

    CHECK(hipMalloc((void **)&workspace, (2 * partials + 64) * sizeof(value_t)));
    next = workspace;
    for (;;) {
        size_t grid = @blocks@;
        grid += grid == 0; /* no elements: the identity */
        value_t *to = grid == 1 ? output : next;
        @kernel@<<<(unsigned)grid, (unsigned)block, block * sizeof(value_t)>>>(input, to, n@more@);
        CHECK(hipGetLastError());
        if (grid == 1)
            break;
        input = to;
        next = to + grid;
        n = grid;
    }
    CHECK(hipDeviceSynchronize());
    CHECK(hipFree(workspace));
}
"""
SOLVES = {
    "atomic": """/* output[0] becomes the result of input[0] to input[N - 1]; both arrays are on the device. */
extern "C" void solve(const value_t *input, value_t *output, int N)
{
    const size_t block = 256, n = (size_t)N;
    size_t grid = @FIXED@;

    reset<<<1, 1>>>(output);
    CHECK(hipGetLastError());
    if (grid > 0)
        reduce_blocks<<<(unsigned)grid, (unsigned)block, block * sizeof(value_t)>>>(input, output, n, BLOCK);
    CHECK(hipGetLastError());
    CHECK(hipDeviceSynchronize());
}
""",
    "last_block": """/* output[0] becomes the result of input[0] to input[N - 1]; both arrays are on the device. */
extern "C" void solve(const value_t *input, value_t *output, int N)
{
    const size_t block = 256, n = (size_t)N;
    size_t grid = @FIXED@;
    grid += grid == 0;
    value_t *partials;
    unsigned *ticket;

    CHECK(hipMalloc((void **)&partials, grid * sizeof(value_t)));
    CHECK(hipMalloc((void **)&ticket, sizeof(unsigned)));
    CHECK(hipMemset(ticket, 0, sizeof(unsigned)));
    reduce_blocks<<<(unsigned)grid, (unsigned)block, block * sizeof(value_t)>>>(input, partials, output, ticket, n);
    CHECK(hipGetLastError());
    CHECK(hipDeviceSynchronize());
    CHECK(hipFree(ticket));
    CHECK(hipFree(partials));
}
"""}
TYPES = {"float": ("float", "unsigned"), "double": ("double", "unsigned long long"), "int": ("int", "unsigned"),
         "long": ("long long", "unsigned long long")}
OPS = {"sum": ("0", "a + b"), "min": ("(value_t)1e9", "b < a ? b : a"), "max": ("(value_t)-1e9", "a < b ? b : a")}
# What kernels use of common/ and platform/: a word, and its definition.
HELPERS = {
    "ceil_div": "static __host__ __device__ size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }",
    "min_size": "static __host__ __device__ size_t min_size(size_t a, size_t b) { return a < b ? a : b; }",
    "warp_lanes": "#define warp_lanes() ((unsigned)warpSize)",
    "bytes16_t": "#if defined(__HIP__) && defined(__clang__)\ntypedef unsigned bytes16_t __attribute__((ext_vector_type(4)));\n"
                 "#else\ntypedef uint4 bytes16_t;\n#endif",
    "LOADED_BYTES_MAX": "#define LOADED_BYTES_MAX 128 /* that a thread can hold and has not used yet */",
    "load_16": "static __device__ bytes16_t load_16(const void *from) { return *(const bytes16_t *)from; }",
    "whole_16": "#define whole_16(bytes) (bytes)",
    "loads_first": "#define loads_first()",
}
START = """#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#if defined(__NVCC__) && !defined(__HIP__) /* HIP's names are CUDA's with another beginning */
#include <cuda_runtime.h>
@names@#else
#include <hip/hip_runtime.h>
@amd@#endif

typedef @type@ value_t;
@more@#define IDENTITY ((value_t)@identity@)
static __host__ __device__ value_t combine(value_t a, value_t b) { return @combine@; }
@helpers@
#define CHECK(call) check((call), #call)
static void check(hipError_t error, const char *what)
{
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\\n", what, hipGetErrorString(error));
        exit(3);
    }
}

"""
MAIN = """
int main(void)
{
    const int sizes[] = {1, 255, 1000, 1000003};
    int wrong = 0;

    for (int k = 0; k < 4; k++) {
        int N = sizes[k];
        value_t *numbers = (value_t *)malloc(N * sizeof(value_t)), *input, *output, result, expected = IDENTITY;
        for (int i = 0; i < N; i++) { /* small whole numbers: no order of additions rounds */
            numbers[i] = (value_t)(((unsigned)i * 2654435761u >> 28) % 13);
            expected = combine(expected, numbers[i]);
        }
        CHECK(hipMalloc((void **)&input, N * sizeof(value_t)));
        CHECK(hipMalloc((void **)&output, sizeof(value_t)));
        CHECK(hipMemcpy(input, numbers, N * sizeof(value_t), hipMemcpyHostToDevice));
        for (int again = 0; again < 2; again++) {
            CHECK(hipMemset(output, 0x55, sizeof(value_t)));
            solve(input, output, N);
            CHECK(hipMemcpy(&result, output, sizeof(value_t), hipMemcpyDeviceToHost));
            printf("%d elements: %g, expected %g\\n", N, (double)result, (double)expected);
            wrong += result != expected;
        }
        CHECK(hipFree(output));
        CHECK(hipFree(input));
        free(numbers);
    }
    puts(wrong ? "WRONG" : "right");
    return wrong > 0;
}
"""


def without_branches(text: str) -> str:
    """Leaves out what platforms add: #if defined(HAS_...)."""
    kept, skipping = [], 0
    for line in text.split("\n"):
        if skipping:
            skipping += line.startswith("#if")
            skipping -= line.startswith("#endif")
            continue
        if re.match(r"#if.*\bHAS_", line):
            skipping = 1
            continue
        kept.append(line)
    return "\n".join(kept)


def part_of(header: Path) -> str:
    """What a header in the variant's folder adds to the file; a prelude is for the build."""
    return "" if header.name == "prelude.h" else header.read_text(encoding="utf-8").split("*/\n\n", 1)[1]


def one(variant: str, type_: str, op: str) -> str:
    folder = TOP / f"reduction_{variant}"
    if variant not in TREES and variant not in SOLVES:
        fail(f"{variant} is more than a kernel and its launches; these fit into one file: {' '.join([*TREES, *SOLVES])}")
    if type_ not in TYPES or op not in OPS:
        fail(f"TYPE={type_} OP={op}: take one of {' '.join(TYPES)} and one of {' '.join(OPS)}")
    source = (folder / f"{variant}.hip").read_text(encoding="utf-8")
    header, rest = source.split("*/\n", 1)
    idea = re.sub(r"\n \* (Step|Study|Compare|Try) .*|\n \* SPDX.*", "", header).rstrip()
    kernels = rest[rest.index('#include "reduction.h"\n') + len('#include "reduction.h"\n'):]
    kernels = re.sub(r'#include "(\w+\.h)"\n', lambda part: part_of(folder / part.group(1)), kernels)
    kernels = re.split(r"\n(?:/\*[^/]*?\*/\n)?(?:static (?:void|size_t) (?:plan|partial_count|share)\(|typedef void \(\*kernel_t)|"
                       r"enum \{ UNROLL", kernels)[0]
    kernels = re.sub(r"(?s)static const struct variant_option.*?^};\n", "", without_branches(kernels), flags=re.M)
    kernels = kernels.strip("\n") + "\n"
    if variant in TREES:
        blocks, kernel, more = TREES[variant]
        solve = SOLVE_TREE.replace("@blocks@", blocks).replace("@kernel@", kernel).replace("@more@", more)
    else:
        solve = SOLVES[variant].replace("@FIXED@", FIXED)
    all_ = kernels + solve + MAIN
    names = sorted(set(re.findall(r"\bhip[A-Z]\w+", all_ + START)))
    cuda = "".join(f"#define {name} cuda{name[3:]}\n" for name in names)
    for word in ("__shfl_down", "__shfl_up", "__shfl_xor"):
        if word in all_:
            cuda += f"#define {word}(value, by) {word}_sync(0xffffffffu, value, by)\n"
    if "warp_sync" in all_:
        cuda += "#define warp_sync() __syncwarp()\n"
    if "unsafeAtomicAdd" in all_:
        cuda += "#define unsafeAtomicAdd(address, value) atomicAdd(address, value)\n"
    amd = ""
    if "warp_sync" in all_:
        amd = ("#if defined(__AMDGCN__)\n#define warp_sync() (__builtin_amdgcn_fence(__ATOMIC_RELEASE, \"wavefront\"), "
               "__builtin_amdgcn_wave_barrier(), \\\n                     __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"wavefront\"))\n#else\n#define warp_sync() __syncwarp()\n#endif\n")
    c_type, bits = TYPES[type_]
    more = f"typedef {bits} bits_t;\n" if "bits_t" in all_ else ""
    if "OPERATION" in all_:
        more += "".join(
            f"#define {name} {number}\n" for number, name in enumerate(
                ["OP_SUM", "OP_MIN", "OP_MAX", "OP_AND", "OP_OR", "OP_XOR", "TYPE_FLOAT", "TYPE_DOUBLE", "TYPE_INT", "TYPE_LONG"]))
        more += "#define IS_FLOATING(type) ((type) == TYPE_FLOAT || (type) == TYPE_DOUBLE)\n"
        more += f"#define OPERATION OP_{op.upper()}\n#define VALUE_TYPE TYPE_{type_.upper()}\n"
    identity, combined = OPS[op]
    helpers = "".join(f"{text}\n" for word, text in HELPERS.items() if re.search(rf"\b{word}\b", all_))
    start = START
    for word, text in (("names", cuda), ("amd", amd), ("type", c_type), ("more", more), ("identity", identity),
                       ("combine", combined), ("helpers", helpers)):
        start = start.replace(f"@{word}@", text)
    made = (f"\n *\n * One file, made by `make one V={variant} TYPE={type_} OP={op}` from reduction_{variant}/{variant}.hip.\n"
            f" *   nvcc -O3 {variant}.cu        hipcc -O3 -x hip {variant}.cu\n * SPDX-License-Identifier: MIT */\n")
    return idea + made + start + kernels + "\n" + solve + MAIN


def main() -> None:
    if len(sys.argv) < 2 or len(sys.argv) > 4 or sys.argv[1].startswith("-"):
        say(__doc__ or "")
        sys.exit(0 if "--help" in sys.argv else 2)
    variant, type_, op = (sys.argv[1:] + ["float", "sum"][len(sys.argv) - 2:])[:3]
    say(one(variant.replace("reduction_", ""), type_, op), end="")


if __name__ == "__main__":
    main()
