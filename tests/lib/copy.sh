# SPDX-License-Identifier: MIT
# Copies of the tree to build in. Sourced at the top of the tree.

# copy_tree FOLDER VARIANT...: what make needs, and these variants, in a folder of their own.
copy_tree() {
    to=$1
    shift
    mkdir -p "$to/tests" && cp -Rp Makefile config.mk bench common platform tools trace "$@" "$to" && cp -p tests/*.mk "$to/tests"
}
# copy_built FOLDER VARIANT...: what all programs share as it is built for the CPU, plain and traced, and these variants, to
# FOLDER/build. With the same flags make builds none of it again; with others, make -o FOLDER/build/cpu/flags.
copy_built() {
    for built in cpu cpu-trace; do
        [ -e "$bin/build/$built/libcommon.a" ] || continue # with a sanitizer it is elsewhere
        mkdir -p "$1/build/$built"
        for each in "$bin/build/$built"/*; do
            case " $* reduction_to_fix " in *" ${each##*/} "*) ;; *)
                case ${each##*/} in reduction_* | tests | library | exercises | files) continue ;; esac
                ;;
            esac
            cp -Rp "$each" "$1/build/$built"
        done
    done
}
