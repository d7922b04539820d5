# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the commands in bin/: sees to it that what they need is built.
#
#   need plain|asan|traced WHO     sets and exports HIP_CPU_ROOT (this folder), NOGPU_BUILD, NOGPU_COMPILED; WHO speaks in messages
#   built plain|asan|traced WHO    the same, without NOGPU_COMPILED
#
# NOGPU_BUILD in the environment names a folder where that has been done. An installed nogpu is complete but for the compiled
# headers of GCC, which go into the user's cache once.
built() {
    if [ -z "$NOGPU_BUILD" ]; then
        NOGPU_BUILD=$HIP_CPU_ROOT/build
        [ ! -f "$HIP_CPU_ROOT/Makefile" ] || build "$1" "$2"
    fi
    [ -f "$NOGPU_BUILD/$1/words" ] || {
        echo "$2: $NOGPU_BUILD has no $1 runtime: make -C $HIP_CPU_ROOT $1 builds it (nogpu doctor says what is missing)" >&2
        exit 3
    }
    export HIP_CPU_ROOT NOGPU_BUILD
}
need() {
    built "$1" "$2"
    export NOGPU_COMPILED="$NOGPU_BUILD/$1/compiled"
    if ! [ -d "$NOGPU_COMPILED" ] && [ "$1" != asan ]; then
        NOGPU_COMPILED=${XDG_CACHE_HOME:-$HOME/.cache}/nogpu/$(find "$HIP_CPU_ROOT/include" -type f -exec cat "$NOGPU_BUILD/$1/words" {} + | cksum | cut -d ' ' -f 1)-$1
        [ -d "$NOGPU_COMPILED" ] || compile_headers "$1"
    fi
}

# When it is missing, or older than a source. One at a time; the make that calls this is another one, for another project.
build() {
    [ -f "$NOGPU_BUILD/$1/words" ] && { [ ! -w "$NOGPU_BUILD" ] || ! find "$HIP_CPU_ROOT" -path "$NOGPU_BUILD" -prune -o \
        '(' -name '*.[ch]' -o -name 'headers.*' -o -name 'flags.*' -o -name nogpu.mk ')' -newer "$NOGPU_BUILD/$1/words" -print | grep -q .; } && return
    mkdir -p "$NOGPU_BUILD" 2>/dev/null && [ -w "$NOGPU_BUILD" ] || {
        echo "$2: cannot write to $NOGPU_BUILD: install it, make -C $HIP_CPU_ROOT install PREFIX=~/.local N=/tmp/nogpu" >&2
        exit 3
    }
    flock "$NOGPU_BUILD" env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u CC -u CXX -u CFLAGS -u CXXFLAGS \
        -u CPPFLAGS -u LDFLAGS -u LDLIBS -u N -u V -u NOGPU_BUILD -u HIP_CPU_TRACE \
        make --no-print-directory -C "$HIP_CPU_ROOT" "$1" >&2 || {
        echo "$2: nogpu cannot be built: make -C $HIP_CPU_ROOT $1" >&2
        exit 3
    }
}

# Without a cache that can be written to, and for clang, programs compile without them.
compile_headers() {
    case $(head -n 1 "$NOGPU_BUILD/$1/words") in *clang*) return ;; esac
    mkdir -p "$NOGPU_COMPILED.$$/hip_cpu" 2>/dev/null || return
    echo "nogpu: compiling its headers, once, in ${NOGPU_COMPILED%/*}" >&2
    for header in hip_cpu/language.h cuda_runtime.h; do
        HIP_CPU_TRACE='' "$NOGPU_BUILD/hip_translate" --headers "$header" "$NOGPU_BUILD/$1/words" "$NOGPU_COMPILED.$$/$header" || {
            rm -rf "$NOGPU_COMPILED.$$"
            return
        }
    done
    mv -T "$NOGPU_COMPILED.$$" "$NOGPU_COMPILED" 2>/dev/null || rm -rf "$NOGPU_COMPILED.$$" # another one was first
}
