#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles a HIP program with a main() of its own so that its kernels can be traced.
#
#   standalone.sh TRACED SOURCE PROGRAM
#
# TRACED defines traced_kernel and traced_link (trace/trace.mk). Where the CPU platform lacks
# something, the message says what to write instead. Exit code 2 if it cannot be compiled.
. "$1"
source=$2 program=$3
new=$program.$$ # renamed when it is complete: another run may be using the previous one
trap 'rm -f "$new" "$new.o" "$new.log"' EXIT
trap 'exit 130' INT TERM HUP

# What must be written differently: reported at once, before the compiler prints a hundred lines.
sed -e 's|//.*||' "$source" | awk -v file="$source" '
function reject(what) { printf "%s:%d: %s\n", file, NR, what; bad = 1 }
/<<</ {
    reject("kernel<<<grid, block>>>(arguments) needs a compiler for GPUs: write\n" \
         "    hipLaunchKernelGGL(kernel, dim3(grid), dim3(block), shared_bytes, stream, arguments);")
}
/extern[ \t]+__shared__/ {
    reject("extern __shared__ needs a compiler for GPUs: write inside the kernel\n" \
         "    HIP_DYNAMIC_SHARED(type, name)")
}
/#[ \t]*include[ \t]*[<"](cuda|cooperative_groups)/ {
    reject("this is a header of CUDA: write #include <hip/hip_runtime.h>, and hip... for cuda...")
}
/(^|[^A-Za-z0-9_])cuda[A-Z]/ {
    match($0, /cuda[A-Z][A-Za-z0-9_]*/)
    name = substr($0, RSTART, RLENGTH)
    reject(name " is CUDA: write hip" substr(name, 5))
}
/#[ \t]*include[ \t]*[<"](hip\/hip_(fp16|bf16|bfloat16|complex|fp8|math)|hiprand|hipcub|rocprim|rocrand|rocblas|hipblas|thrust)/ {
    reject("the CPU platform has no such header: its kernels use <hip/hip_runtime.h>, with float for half,\n" \
         "    and what a library does is not traced")
}
/hipLaunchCooperativeKernel[ \t]*\([ \t]*(\([ \t]*(const )?void[ \t]*\*|reinterpret_cast)/ {
    reject("the CPU platform launches by the kernel, not by its address: write without the cast\n" \
         "    hipLaunchCooperativeKernel(kernel, grid, block, arguments, shared_bytes, stream)")
}
/__(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot)_sync[ \t]*\(/ {
    match($0, /__[a-z_]*_sync/)
    name = substr($0, RSTART, RLENGTH - 5)
    reject(name "_sync(mask, ...) names its lanes: write " name "(...), for all lanes of the warp")
}
END { exit bad }' >&2 || exit 2

if ! traced_kernel -Wno-error -I"$(dirname "$source")" -c "$source" -o "$new.o" 2>"$new.log"; then
    # Names that the platform lacks, once each.
    missing=$(sed -n 's/.*error: [^A-Za-z0-9_]*\(hip[A-Z][A-Za-z0-9]*\).* was not declared.*/\1/p
                      s/.*error: [^A-Za-z0-9_]*\(__[a-z0-9_]*\).* was not declared.*/\1/p
                      s/.*error: use of undeclared identifier .\(hip[A-Z][A-Za-z0-9]*\).*/\1/p
                      s/.*error: use of undeclared identifier .\(__[a-z0-9_]*\).*/\1/p' \
        "$new.log" | sort -u)
    cat "$new.log" >&2
    for name in $missing; do
        case $name in
        hipMallocManaged) instead='hipMalloc() and hipMemcpy()' ;;
        hipMallocAsync | hipFreeAsync) instead="${name%Async}()" ;;
        hipMemcpy2D* | hipMemcpy3D*) instead='hipMemcpy(), row by row' ;;
        hipGraph* | hipStreamBeginCapture | hipStreamEndCapture) instead='the launches themselves, one after the other' ;;
        hipTex* | hipBindTexture*) instead='loads from a plain array' ;;
        __*) instead='it in C, or a function that platform/cpu/hip/hip_runtime.h has' ;;
        *) instead='what platform/cpu/hip/hip_runtime_api.h lists' ;;
        esac
        echo "$source: the CPU platform has no $name: write $instead" >&2
    done
    ! grep -Eq 'operand.*(float|double|int)[234]' "$new.log" ||
        echo "$source: float4 and its like have no operators here, nor in CUDA: write a.x + b.x ..." >&2
    exit 2
fi
grep -q . "$new.log" && cat "$new.log" >&2
traced_link -o "$new" "$new.o" 2>"$new.log" && mv -f "$new" "$program" && exit 0
if grep -q 'undefined reference to .main' "$new.log"; then
    echo "$source: no main() found: write one that launches the kernel; for a variant: make race V=shfl" >&2
else
    cat "$new.log" >&2
fi
exit 2
