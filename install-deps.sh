#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages for running, testing and developing on Debian, Ubuntu and related systems. See --help.
groups='run trace test develop amd mpi plot python course'

# Renders a page in a test; Ubuntu has no such package.
browser() { grep -qs "^ID=ubuntu" /etc/os-release || echo chromium; }

packages() {
    case $1 in
    run) echo gcc g++ make ;;
    trace) echo libdw-dev pkg-config ;;
    test) echo bats bubblewrap check patch time "$(packages python)" "$(packages trace)" ;;
    develop) echo buildah clang clang-format clang-tidy cmake debootstrap gfortran python3-numpy python3-pip shellcheck tidy "$(packages test)" "$(packages course)" "$(packages amd)" "$(packages mpi)" "$(packages plot)" "$(browser)" ;;
    amd) echo hipcc libamdhip64-dev librocprim-dev ;;
    mpi) echo libopenmpi-dev openmpi-bin ;;
    plot) echo gnuplot-nox "$(packages python)" ;;
    python) echo python3 ;;
    course) echo pandoc "$(packages python)" ;;
    esac
}
meaning() {
    case $1 in
    run) echo 'C and C++ compilers and make: all that make run needs on the CPU' ;;
    trace) echo "elfutils' libdw, for make race and make explain" ;;
    test) echo 'bats, bubblewrap (also for make grade), Check, patch, GNU time and Python, for make check' ;;
    develop) echo 'everything that .ci/run uses: a second compiler, format and script checkers, tools that users of libreduction have, and the groups test, amd, mpi, plot, course' ;;
    amd) echo "the distribution's hipcc, HIP and rocPRIM, for make GPU=gfx90a" ;;
    mpi) echo 'Open MPI, for reduction_multi_gpu; MPICH works as well' ;;
    plot) echo 'gnuplot and Python, for make plot' ;;
    python) echo 'Python 3, for the tools that analyze machine code and measurements' ;;
    course) echo 'pandoc, for the pages and slides that make course writes' ;;
    esac
}
list() { # list GROUP...
    for group; do
        printf '  %-7s %s\n          %s\n' "$group" "$(meaning "$group")" "$(packages "$group")"
    done
}
usage() {
    echo 'Usage: ./install-deps.sh [--dry-run] [GROUP]...'
    echo 'Installs packages with apt-get, as root or with sudo. Groups (default: run):'
    # shellcheck disable=SC2086  # groups are words
    list $groups
    echo '  all     every group'
    echo '--dry-run lists the packages and installs nothing.'
    echo 'For NVIDIA GPUs, install the CUDA toolkit from NVIDIA, or nvidia-cuda-toolkit from the distribution.'
}
found() { command -v "$1" >/dev/null 2>&1; }

dry=
wanted=
for argument; do
    case $argument in
    -h | --help)
        usage
        exit 0
        ;;
    -n | --dry-run) dry=yes ;;
    all) wanted=$groups ;;
    *)
        case " $groups " in
        *" $argument "*) wanted="$wanted $argument" ;;
        *)
            echo "install-deps.sh: unknown group '$argument'; the groups are: $groups all" >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
wanted=${wanted:-run}

# Any C and C++ compilers and make will do, however they were installed.
if found "${CC:-cc}" && found "${CXX:-c++}" && found make; then
    # shellcheck disable=SC2086
    wanted=$(printf '%s\n' $wanted | grep -vx run)
    if [ -z "$wanted" ]; then
        echo "Nothing to install for make run: found ${CC:-cc}, ${CXX:-c++} and make"
        exit 0
    fi
fi

if ! found apt-get; then
    echo 'apt-get not found. Install these packages; their names may differ on your system:'
    # shellcheck disable=SC2086
    list $wanted
    exit 0
fi

all=$(for group in $wanted; do packages "$group"; done | tr ' ' '\n' | awk 'NF && !seen[$0]++' | tr '\n' ' ')
missing=
unknown=
for package in $all; do
    if ! dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed'; then
        missing="$missing $package"
        apt-cache policy "$package" | grep -q 'Candidate: [0-9]' || unknown=yes
    fi
done
if [ -z "$missing" ]; then
    echo "Nothing to install; already installed: $all"
    exit 0
fi
echo "To be installed:$missing"
[ -z "$dry" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! found sudo; then
        echo 'install-deps.sh: this needs root, and sudo is not installed: ask your administrator for these packages.' >&2
        exit 1
    fi
    as_root=sudo
fi
[ -z "$unknown" ] || $as_root apt-get update || exit 1
# shellcheck disable=SC2086  # packages are words
exec $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
