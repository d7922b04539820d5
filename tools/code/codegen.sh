#!/bin/sh
# The machine code of the kernels in one object file, for each target in it: registers, loads, waits, atomics, how
# lanes exchange values. The columns are explained in codegen.awk.
#
#   codegen.sh [-e] [-f table|json|rows] PLATFORM COMPILER VARIANT OBJECT TARGET...
#
#   -e   compare with the expectations in codegen.txt instead: one line for each that is not met
#
# Needs the compiler's own llvm-readelf, llvm-objdump and clang-offload-bundler (AMD), or cuobjdump (NVIDIA).
# Exit code 1 if an expectation is not met, 2 bad usage, 3 if the object cannot be read, 77 without the tools.
format=table expect=
while getopts ef: option; do
    case $option in
    e) expect=yes format=rows ;;
    f) format=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
platform=$1 compiler=$2 variant=${3#reduction_} object=$4
shift 4
scripts=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "codegen: $2" >&2
    exit "$1"
}
case $format in table | json | rows) ;; *) fail 2 "FORMAT=$format: there are table and json" ;; esac
[ -s "$object" ] || fail 3 "$object is not there: build reduction_$variant first"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
: >"$work/rows"

# A tool of the compiler's own LLVM, which knows its own file formats.
llvm_tool() {
    path=$("$compiler" -print-resource-dir 2>/dev/null | sed "s,/lib[0-9a-z]*/clang/.*,,")/bin/$1
    [ -x "$path" ] || path=$("$compiler" -print-prog-name="$1" 2>/dev/null)
    [ -x "$path" ] || path=$(ls -d "${ROCM_PATH:-/opt/rocm}/llvm/bin/$1" /usr/lib/llvm-*/bin/"$1" 2>/dev/null | sort -V | tail -n 1)
    [ -x "$path" ] || path=$(command -v "$1")
    [ -x "$path" ] || fail 77 "$1 is not there: it comes with $compiler"
    echo "$path"
}

case $platform in
amd)
    readelf=$(llvm_tool llvm-readelf) && objdump=$(llvm_tool llvm-objdump) && bundler=$(llvm_tool clang-offload-bundler) || exit
    objcopy -O binary --only-section=.hip_fatbin "$object" "$work/fat" || fail 3 "$object has no code for a GPU"
    [ -s "$work/fat" ] || fail 3 "$object has no code for a GPU"
    names=$("$bundler" --list --type=o --input="$work/fat")
    for target; do
        name=$(echo "$names" | grep -e "-$target\$")
        [ -n "$name" ] || fail 3 "$object has no code for $target"
        "$bundler" --unbundle --type=o --targets="$name" --input="$work/fat" --output="$work/code" || exit 3
        { "$readelf" --notes "$work/code" && "$objdump" --disassemble --mcpu="$target" "$work/code"; } >"$work/text" || exit 3
        awk -f "$scripts/codegen.awk" -v variant="$variant" -v target="$target" "$work/text" >>"$work/rows"
    done
    ;;
nvidia)
    cuobjdump=$(PATH=$PATH:$(dirname "$compiler"):${CUDA_HOME:-/usr/local/cuda}/bin command -v cuobjdump) ||
        fail 77 'cuobjdump is not there: install it from the CUDA toolkit (package cuda-cuobjdump)'
    for target; do
        { "$cuobjdump" -arch "$target" -res-usage "$object" 2>&1 && "$cuobjdump" -arch "$target" -sass "$object"; } >"$work/text" || exit 3
        awk -f "$scripts/codegen.awk" -v variant="$variant" -v target="$target" "$work/text" >>"$work/rows"
    done
    ;;
*) fail 2 'the CPU has no kernels to look at: name a GPU, make codegen V=shfl GPU=gfx90a or GPU=sm_90' ;;
esac
[ -n "$expect" ] || [ -s "$work/rows" ] || fail 3 "reduction_$variant has no kernels of its own: they are in the vendor's library"

if [ -n "$expect" ]; then
    awk -f "$scripts/codegen_expect.awk" -v variant="$variant" -v targets="$*" "$scripts/codegen.txt" "$work/rows"
elif [ "$format" = rows ]; then
    cat "$work/rows"
else
    awk -f "$scripts/codegen_table.awk" -v format="$format" -v type="$TYPE" -v op="$OP" "$work/rows"
fi
