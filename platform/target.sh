#!/bin/sh
# SPDX-License-Identifier: MIT
# Resolves GPU= for the Makefile, in one line.
#
#   target.sh auto                    cpu cpu            (platform, name of the build folder, targets)
#   target.sh "gfx942 gfx90a"         amd gfx90a+gfx942 gfx90a gfx942
#   target.sh sm_100,sm_90            nvidia sm_90+sm_100 sm_90 sm_100
#   target.sh hopper                  error unknown target ...
#
# Checks only the form; whether such a gfx or sm exists is for the compiler to say.
#
# shellcheck disable=SC2046,SC2048,SC2086  # lists of targets are words on purpose

export LC_ALL=C
forms='cpu, auto, gfx... (AMD, such as gfx90a), sm_... (NVIDIA, such as sm_90), or several of one vendor ("gfx90a gfx942")'

fail() {
    echo "error $*"
    exit 0
}

case $1 in
auto) targets=$(sh "${0%/*}/detect.sh") ;;
*) targets=$(printf %s "$1" | tr ',\n' '  ') ;;
esac
case $targets in
*[!\ ]*) ;;
*) fail "GPU= is empty; it takes $forms" ;;
esac

set -f # a * in a target is no pattern
platform=
for target in $targets; do
    case $target in
    cpu) this=cpu ;;
    amdgcnspirv) fail "GPU=amdgcnspirv: the kernels choose instructions by the GPU's generation (platform/amd/wave_reduce.h)," \
        'and SPIR-V is compiled for one only when a program starts; name targets, or generic ones, such as' \
        'GPU="gfx9-4-generic gfx11-generic"' ;;
    gfx*) this=amd form='gfx[1-9][0-9a-f]{2,3}(:(xnack|sramecc)[+-])*|gfx[0-9]+(-[0-9]+)*-generic' ;;
    sm_*) this=nvidia form='sm_[1-9][0-9]{1,2}[af]?' ;;
    *) this= ;;
    esac
    [ "$this" = cpu ] || printf '%s\n' "$target" | grep -Eqx "$form" || this=
    [ -n "$this" ] || fail "GPU=\"$target\" is not a target; GPU= takes $forms"
    [ "${platform:=$this}" = "$this" ] ||
        fail "GPU=\"$targets\" mixes platforms; one build is for one vendor, or for cpu alone"
done

case $platform in
cpu) echo 'cpu cpu' && exit ;;
nvidia) set -- $(printf '%s\n' $targets | sort -u -t_ -k2n -k2) ;; # sm_90 before sm_100
amd) set -- $(printf '%s\n' $targets | sort -u) ;;
esac
key=$(printf '%s\n' "$@" | tr ':' '.' | paste -s -d+ -)
echo "$platform $key $*"
