#!/bin/sh
# Looks at the compiled kernels of one variant, for one type and operation.
#
#   kernels.sh asm        PLATFORM TARGET TYPE OP SOURCE COMPILE...   machine code with the source's lines
#   kernels.sh resources  PLATFORM TARGET TYPE OP SOURCE COMPILE...   one line for each kernel:
#       variant name registers(per thread) shared(static, bytes) spilled(bytes) barriers(instructions)
#       waves dynamic
#       (waves: resident per SIMD according to the compiler, AMD only; dynamic: 1 if the variant has dynamic
#       shared memory); "-" is unknown
#
# SOURCE is the variant, COMPILE... compiles it without -c and -o for TARGET alone.
what=$1 platform=$2 target=$3 type=$4 op=$5 source=$6
shift 6
scripts=$(cd "$(dirname "$0")" && pwd)
instance=${type}_$op
prefix=_ZN${#instance}$instance # of every symbol in the namespace of this type and operation

fail() {
    echo "$what: $1" >&2
    exit 2
}
case $type in float | double | int | long) ;; *) fail "TYPE=$type: there are float, double, int and long" ;; esac
case $op in sum | min | max) ;; *) fail "OP=$op: there are sum, min and max" ;; esac

work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
compile() {
    "$@" >"$work/log" 2>&1 && return
    cat "$work/log" >&2
    exit 3
}

# The variant and the headers beside it, of which some are for one vendor alone.
sources=$source
for header in "$(dirname "$source")"/*.h; do
    case $header in
    */nvidia_*) [ "$platform" = nvidia ] || continue ;;
    esac
    [ ! -f "$header" ] || sources="$sources $header"
done

# The name of a kernel is what stands before its first parameter, behind void and perhaps launch bounds.
# shellcheck disable=SC2086  # no spaces in these names
kernels=$(cat $sources | tr '\n' ' ' | sed 's/__global__/\
&/g' | sed -n '/^__global__ /{
s/[A-Za-z_]*\(bounds__\|BOUNDS\)([^)]*)//
s/^__global__[a-z ]*void  *\([A-Za-z0-9_]*\) *(.*/\1/p
}' | sort -u)
unlimited() { # a line for a variant without kernels, or without limits
    echo "$(basename "$source" .hip) $1 - - - - - 0"
    exit 0
}
if [ -z "$kernels" ]; then
    [ "$what" = asm ] || unlimited "(library)"
    echo "$source has no kernels of its own: they are in the vendor's library"
    exit 0
fi

case $what-$platform in
asm-nvidia)
    # nvdisasm is beside nvcc, if at all.
    nvdisasm=$(PATH=$PATH:$(dirname "$1"):${CUDA_HOME:-/usr/local/cuda}/bin command -v nvdisasm) ||
        fail 'nvdisasm is not there: install it from the CUDA toolkit (package cuda-nvdisasm)'
    compile "$@" -cubin -o "$work/code"
    "$nvdisasm" -g -c "$work/code" >"$work/listing" || exit 3
    ;;
asm-cpu) compile "$@" -S -o "$work/listing" ;;
*-amd) compile "$@" --cuda-device-only -S -o "$work/listing" ;;
resources-nvidia)
    compile "$@" -ptx -o "$work/ptx"
    compile "$@" -Xptxas -v -cubin -o "$work/code"
    cat "$work/ptx" "$work/log" >"$work/listing"
    ;;
*) unlimited "(CPU)" ;;
esac

# shellcheck disable=SC2086  # names are words
awk -f "$scripts/$what.awk" -v prefix="$prefix" -v kernels="$(printf "%s " $kernels)" -v target="$target" \
    -v variant="$(basename "$source" .hip)" \
    -v dynamic="$(cat $sources | grep -q HIP_DYNAMIC_SHARED && echo 1 || echo 0)" -v colour="$([ -t 1 ] && echo 1)" "$work/listing"
