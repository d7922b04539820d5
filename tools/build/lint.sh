#!/bin/sh
# Static checks: shellcheck on every script; clang-tidy (.clang-tidy) on the C sources for the CPU; the same version number
# everywhere, and a license line in each source.
#
#   lint.sh scripts|c|deep|texts     deep: like c, with clang's analysis across functions; takes four times as long
cd "$(dirname "$0")/../.." || exit 3
case $1 in
scripts)
    # Tests share variables with tests/lib, and lists are words; bats ends a test at the first error.
    find . -path ./build -prune -o -name tests -prune -o -name '*.sh' -print | sort | xargs shellcheck -S warning .ci/run &&
        find tests ./*/tests -name '*.sh' | sort | xargs shellcheck -S warning -s sh -e SC2010,SC2034,SC2154 &&
        find tests ./*/tests -name '*.bats' | sort | xargs shellcheck -S warning -s bash -e SC2034,SC2046,SC2128,SC2154,SC2164,SC2178,SC2261
    ;;
c | deep)
    shallow='-Xclang -analyzer-config -Xclang mode=shallow'
    [ "$1" = c ] || shallow=
    export shallow
    # Not what needs mpi.h: clang-tidy would not find it.
    find common bench library nogpu -name tests -prune -o -path library/mpi -prune -o -name '*.c' -print | sort | xargs -P "$(nproc)" -n 4 sh -c 'clang-tidy --quiet "$@" -- \
        -std=c11 -D_GNU_SOURCE -D__HIP_PLATFORM_CPU__ -DHIP_CPU_TRACE -DVARIANT_NAME=reduction_shfl \
        "-DLIBRARY_TARGETS=\"cpu\"" $shallow -I. -Icommon -Ilibrary -Iplatform/cpu -Inogpu -Inogpu/include 2>/dev/null' sh
    ;;
texts)
    version=$(sed -n 's/^#define REDUCTION_VERSION "\(.*\)"$/\1/p' common/version.h)
    grep -qx "version: $version" CITATION.cff && grep -qx "## $version" CHANGELOG.md || {
        echo "common/version.h has $version: CITATION.cff or CHANGELOG.md does not"
        exit 1
    }
    # People have patches for the exercises: their sources stay as they are.
    git ls-files '*.[ch]' '*.hip' '*.sh' '*.py' '*.mk' '*.bats' '*.bash' '*.awk' '*.gp' '*Makefile' .ci/run ':!reduction_to_fix/to_fix.hip' ':!reduction_to_fix/[0-9]*/*.hip' |
        xargs grep -L 'SPDX-License-Identifier: MIT' | sed 's/$/: no line SPDX-License-Identifier: MIT/' | grep . && exit 1
    exit 0
    ;;
*)
    echo "usage: lint.sh scripts|c|deep|texts" >&2
    exit 2
    ;;
esac
