#!/bin/sh
# Installs what building and testing need, on Debian, Ubuntu and related systems. See --help.
groups='base test amd plot format'

packages() {
    case $1 in
    base) echo gcc g++ make ;;
    test) echo check ;;
    amd) echo hipcc libamdhip64-dev librocprim-dev ;;
    plot) echo gnuplot-nox ;;
    format) echo clang-format ;;
    esac
}
meaning() {
    case $1 in
    base) echo 'C and C++ compiler, make: all that make run needs on the CPU' ;;
    test) echo 'Check, for make check' ;;
    amd) echo 'the hipcc, HIP and rocPRIM of the distribution, for make GPU=gfx90a (hipcc brings rocm-device-libs)' ;;
    plot) echo 'gnuplot, for make plot' ;;
    format) echo 'clang-format, for make format' ;;
    esac
}
list() { # the groups $*
    for group; do
        printf '  %-7s %s\n          %s\n' "$group" "$(meaning "$group")" "$(packages "$group")"
    done
}
usage() {
    echo 'Usage: ./install-deps.sh [--dry-run] [GROUP]...'
    echo 'Installs packages with apt-get, as root or with sudo. Groups (default: base test):'
    # shellcheck disable=SC2086  # groups are words
    list $groups
    echo '  all     every group'
    echo 'For NVIDIA GPUs take the CUDA toolkit from NVIDIA, or nvidia-cuda-toolkit of the distribution.'
}

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
        if [ -z "$(packages "$argument")" ]; then
            echo "install-deps.sh: '$argument' is no group; there are: $groups all" >&2
            exit 2
        fi
        wanted="$wanted $argument"
        ;;
    esac
done
wanted=${wanted:-base test}

if ! command -v apt-get >/dev/null 2>&1; then
    echo 'There is no apt-get here. Please install these, under the names that your system has for them:'
    # shellcheck disable=SC2086
    list $wanted
    exit 0
fi

all=$(for group in $wanted; do packages "$group"; done | tr '\n' ' ')
missing=
unknown=
for package in $all; do
    if ! dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed'; then
        missing="$missing $package"
        apt-cache policy "$package" | grep -q 'Candidate: [0-9]' || unknown=yes
    fi
done
if [ -z "$missing" ]; then
    echo "Everything is there already: $all"
    exit 0
fi
echo "To be installed:$missing"
[ -z "$dry" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo 'install-deps.sh: that needs root, and there is no sudo. Please ask whoever has root for these packages.' >&2
        echo 'With a C and a C++ compiler and make, "make run" works on the CPU without them.' >&2
        exit 1
    fi
    as_root=sudo
fi
[ -z "$unknown" ] || $as_root apt-get update || exit 1
# shellcheck disable=SC2086  # packages are words
exec $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
