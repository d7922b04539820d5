#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# The container recipes in docs/cluster/course: their commands work, outside of a container and for one variant. image.sh
# builds the image.
load ../lib/check
. tests/lib/copy.sh
recipes=docs/cluster/course

# run_as_recipe GPU FILE: runs the commands in FILE in a copy of the tree; lists packages and does not install them; what
# programs share is already built
run_as_recipe() {
    copy_tree "$work/tree" reduction_hello reduction_shfl
    copy_built "$work/tree"
    cp install-deps.sh "$work/tree"
    sed 's/apt-get update && //; s/install-deps.sh /&--dry-run /; s/make clean && //; s/TRACED=all//' "$2" >"$work/commands"
    cd "$work/tree"
    try env VARIANT=shfl GPU="$1" sh -e "$work/commands"
    cd "$top"
}
setup() {
    unset OUT V SAN VARIANTS
    rm -rf "$work/tree"
}

@test "the Dockerfile's commands work" {
    check 'it has commands' [ "$(grep -c '^RUN ' $recipes/Dockerfile)" -ge 3 ]
    sed -n 's/^RUN //p' $recipes/Dockerfile >"$work/docker"
    run_as_recipe cpu "$work/docker"
    ends 0 'build/cpu-trace/commands'
    check 'the program is there' "$work/tree/reduction_shfl/reduction_shfl" -n 1K
}

@test "the Apptainer recipe runs the same commands" {
    sed -n '/^%post/,/^$/p' $recipes/course.def | sed '1d; s/^ *//; /^cd /d; /^chmod /d; /^$/d; s/{{ GPU }}/$GPU/g' >"$work/apptainer"
    diff <(sed -n 's/^RUN //p' $recipes/Dockerfile) "$work/apptainer"
}

@test "the job script starts a copy made by make copy" {
    bash -n $recipes/attendee.sbatch
    mkdir "$work/bin" && printf '#!/bin/sh\necho "make $*"\n' >"$work/bin/make" && chmod +x "$work/bin/make"
    COURSE=$work TARGET=gfx942 PATH=$work/bin:$PATH try bash -c 'module() { echo "module $*"; }; . docs/cluster/course/attendee.sbatch'
    ends 0 '^module load rocm' '^make run GPU=gfx942 SIZE=64M$'
}
