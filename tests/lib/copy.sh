# SPDX-License-Identifier: MIT
# Copies of the tree to build in. Sourced at the top of the tree.

# copy_tree FOLDER VARIANT...: what make needs, and these variants, in a folder of their own.
copy_tree() {
    to=$1
    shift
    mkdir -p "$to/tests" && cp -Rp Makefile config.mk bench common platform tools trace "$@" "$to" && cp -p tests/*.mk "$to/tests"
}
# copy_built FOLDER VARIANT...: what all programs share as it is built for the CPU, and these variants, to
# FOLDER/build/cpu. With the same flags make builds none of it again; with others, make -o FOLDER/build/cpu/flags.
copy_built() {
    [ -e "$bin/build/cpu/libcommon.a" ] || return 0 # with a sanitizer it is elsewhere
    mkdir -p "$1/build/cpu" && to=$(cd "$1/build/cpu" && pwd)
    shift
    (cd "$bin/build/cpu" && cp -Rp bench common platform bin flags settings openmp hip_translate libcommon.a "$@" "$to")
}
