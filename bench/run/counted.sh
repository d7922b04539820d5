#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts with traced programs while make builds them, each as soon as it is there.
#
#   counted.sh "WORDS" "QUIET" RUN ARGUMENT...     WORDS: for make; QUIET is empty for make V=1; RUN is built first
words=$1 quiet=$2 run=$3
shift 3
[ -n "$quiet" ] || { # its commands are wanted
    # shellcheck disable=SC2086  # words of a command
    $MAKE $words counter counted && exec "$run" "$@"
    exit
}
# On a terminal the last line says what is being built; run goes on with that.
clear() { [ ! -t 2 ] || printf '\r\033[K' >&2; }
# shellcheck disable=SC2086
$MAKE $words counter counted | {
    while read -r line; do
        clear
        [ "$line" != "built $run" ] || exec "$run" --await "$@"
        [ ! -t 2 ] || printf '%.70s' "$line" >&2
    done
    clear
    exit 2
}
