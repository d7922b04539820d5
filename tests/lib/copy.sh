# SPDX-License-Identifier: MIT
# Copies the tree for builds. Source it at the top of the tree.

# copy_tree FOLDER VARIANT...: copies what make needs, and these variants.
copy_tree() {
    to=$1
    shift
    mkdir -p "$to/tests" && cp -Rp Makefile config.mk bench common nogpu platform tools "$@" "$to" && cp -p tests/*.mk "$to/tests"
}
# copy_built FOLDER VARIANT...: copies the objects that all programs share, built for the CPU, plain and traced, and those
# of these variants, to FOLDER/build. With the same flags make rebuilds none; with others use make -o FOLDER/build/cpu/flags.
copy_built() {
    for built in cpu cpu-trace; do
        [ -e "$bin/build/$built/libcommon.a" ] || continue # sanitizers have another folder
        mkdir -p "$1/build/$built"
        for each in "$bin/build/$built"/*; do
            case " $* reduction_to_fix " in *" ${each##*/} "*) ;; *)
                case ${each##*/} in reduction_* | compiled | instances | tests | library | exercises | files) continue ;; esac
                ;;
            esac
            cp -Rp "$each" "$1/build/$built"
        done
    done
}
