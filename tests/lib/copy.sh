# SPDX-License-Identifier: MIT
# copy_tree FOLDER VARIANT...: what make needs, and these variants, in a folder of their own. Sourced at the top of the tree.
copy_tree() {
    to=$1
    shift
    mkdir -p "$to/tests" && cp -R Makefile config.mk bench common platform tools trace "$@" "$to" && cp tests/*.mk "$to/tests"
}
