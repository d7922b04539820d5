#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh FOLDER <headers.txt: writes the headers to FOLDER, in one step, CUDA's names by names.txt, and one in front of each
# header of include/ that programs name: warnings are about the program alone, and its macros of one letter mean nothing in
# ours.
set -e
trap 'rm -rf "$1.$$" "$1.old.$$"' EXIT
here=$(dirname "$0")
devices='HIP_CPU_IN_THRUST __CUDACC__ __NVCC__ __HIPCC__ __HIP__ __CUDA_ARCH__ __HIP_DEVICE_COMPILE__
         __host__ __device__ __global__ __forceinline__ __noinline__'
letters='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z real'

write() { # write NAME TEXT, where \n ends a line
    [ -d "$to/${1%/*}" ] || case $1 in */*) mkdir -p "$to/${1%/*}" ;; esac
    printf '%b\n' "$2" >"$to/$1"
}
ours() { # ours NAME TEXT
    text="#include \"hip_cpu/letters_begin.h\"\n$2\n#include \"hip_cpu/letters_end.h\""
    case $1 in
    cuda/* | nv/* | cub/*) text="#if defined(HIP_CPU_IN_THRUST) && __has_include_next(<$1>)\n#include_next <$1>\n#else\n$text\n#endif" ;;
    esac
    write "$1" "#pragma GCC system_header\n$text"
}
# in_thrust NAME: the text for Thrust's own header, where it is installed, which takes us for a host's compiler.
in_thrust() { printf %s "#include \"hip_cpu/thrust_begin.h\"\n#include_next <$1>\n#include \"hip_cpu/thrust_end.h\""; }
push() { printf '#pragma push_macro("%s")\\n' "$@" && printf '#undef %s\\n' "$@"; }
pop() { printf '#pragma pop_macro("%s")\\n' "$@"; }

to=$1.$$
mkdir "$to"
for header in hip_cpu/language.h $(cd "$here/include" && echo *.h hip/*.h); do
    ours "$header" "#include_next <$header>"
done
write hip_cpu/letters_begin.h "$(push $letters)"
write hip_cpu/letters_end.h "$(pop $letters)"
write hip_cpu/thrust_begin.h "$(push $devices)#define HIP_CPU_IN_THRUST
#ifndef THRUST_DEVICE_SYSTEM\n#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP\n#endif
#ifndef CCCL_DISABLE_FP16_SUPPORT\n#define CCCL_DISABLE_FP16_SUPPORT\n#endif"
write hip_cpu/thrust_end.h "$(pop $devices)"
none='the CPU platform has no Thrust of its own: install libthrust-dev or the CUDA toolkit, whose headers run here, too'
cat - "$here/names.txt" | while read -r line; do
    case $line in
    '#'*) continue ;;
    *:*) behind=${line%%:*} line=${line#*:} ;;
    esac
    for name in $line; do
        case $behind in
        Thrust) write "$name" "#pragma GCC system_header\n#if __has_include_next(<$name>)\n$(in_thrust "$name")\n#else\n#error \"$none\"\n#endif" ;;
        'names '*) b=${behind#* } a=${behind#* * } && echo "#define ${a% *}$name ${a#* }$name" >>"$to/hip_cpu/${b%% *}" ;;
        'no '*) write "$name" "#error \"the CPU platform has $behind: build for a GPU\"" ;;
        cuda/std) ours "cuda/std/$name" "#ifdef CCCL_VERSION\n$(in_thrust "cuda/std/$name")\n#else\n#include <$name>\n#include \"hip_cpu/cuda/std.h\"\n#endif" ;;
        *) ours "$name" "#include \"$behind\"" ;;
        esac
    done
done
[ ! -d "$1" ] || mv -T "$1" "$1.old.$$"
mv -T "$1.$$" "$1"
