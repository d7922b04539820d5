#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh FOLDER <headers.txt: writes the headers to FOLDER, in one step, and one in front of each header of include/
# that programs name: warnings are about the program alone, and its macros of one letter mean nothing in ours.
set -e
trap 'rm -rf "$1.$$" "$1.old.$$"' EXIT
here=$(dirname "$0")
devices='HIP_CPU_IN_THRUST __CUDACC__ __NVCC__ __HIPCC__ __HIP__ __CUDA_ARCH__ __HIP_DEVICE_COMPILE__
         __host__ __device__ __global__ __forceinline__ __noinline__'
letters='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z real'

# write NAME TEXT
write() {
    mkdir -p "$(dirname "$to/$1")"
    echo "$2" >"$to/$1"
}
# ours NAME TEXT
ours() {
    text="#include \"hip_cpu/letters_begin.h\"
$2
#include \"hip_cpu/letters_end.h\""
    case $1 in
    cuda/* | nv/* | cub/*) text="#if defined(HIP_CPU_IN_THRUST) && __has_include_next(<$1>)
#include_next <$1>
#else
$text
#endif" ;;
    esac
    write "$1" "#pragma GCC system_header
$text"
}
# thrust NAME: Thrust's own header, where it is installed, which takes us for a host's compiler.
thrust() {
    write "$1" "#pragma GCC system_header
#if __has_include_next(<$1>)
#include \"hip_cpu/thrust_begin.h\"
#include_next <$1>
#include \"hip_cpu/thrust_end.h\"
#else
#error \"the CPU platform has no Thrust of its own: install libthrust-dev or the CUDA toolkit, whose headers run here, too\"
#endif"
}

to=$1.$$
for header in hip_cpu/language.h $(cd "$here/include" && echo *.h hip/*.h); do
    ours "$header" "#include_next <$header>"
done
write hip_cpu/letters_begin.h "$(printf '#pragma push_macro("%s")\n' $letters && printf '#undef %s\n' $letters)"
write hip_cpu/letters_end.h "$(printf '#pragma pop_macro("%s")\n' $letters)"
write hip_cpu/thrust_begin.h "$(printf '#pragma push_macro("%s")\n' $devices && printf '#undef %s\n' $devices)
#define HIP_CPU_IN_THRUST
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#ifndef CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_FP16_SUPPORT
#endif"
write hip_cpu/thrust_end.h "$(printf '#pragma pop_macro("%s")\n' $devices)"
while read -r line; do
    case $line in
    '#'*) continue ;;
    *:*) behind=${line%%:*} line=${line#*:} ;;
    esac
    for name in $line; do
        case $behind in
        Thrust) thrust "$name" ;;
        'no '*) write "$name" "#error \"the CPU platform has $behind: build for a GPU\"" ;;
        cuda/std) ours "cuda/std/$name" "#ifdef CCCL_VERSION
#include \"hip_cpu/thrust_begin.h\"
#include_next <cuda/std/$name>
#include \"hip_cpu/thrust_end.h\"
#else
#include <$name>
#include \"hip_cpu/cuda/std.h\"
#endif" ;;
        *) ours "$name" "#include \"$behind\"" ;;
        esac
    done
done
[ ! -d "$1" ] || mv -T "$1" "$1.old.$$"
mv -T "$1.$$" "$1"
