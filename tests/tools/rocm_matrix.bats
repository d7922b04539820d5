#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# make rocm-matrix runs programs from its folder as root: root must own that folder.
# shellcheck disable=SC2154
load ../lib/check

refuses() { # refuses FOLDER
    CHROOTS=$1 try python3 tools/rocm/rocm_matrix.py --releases sid
    ends 3 "CHROOTS=$1 must be a folder that root owns"
    check 'one line' [ "$(wc -l <"$shown")" -eq 1 ]
}

@test 'a link, another user'\''s folder, and one that others can write to are refused' {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    command -v debootstrap >/dev/null || skip 'no debootstrap'
    mkdir "$work/own" "$work/other" "$work/open to all"
    ln -s "$work/own" "$work/link"
    chown 65534 "$work/other"
    chmod 777 "$work/open to all"
    refuses "$work/link"
    refuses "$work/other"
    refuses "$work/open to all"
}
@test 'without root: one line' {
    [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || skip 'needs root, to do without'
    python=$(setpriv --reuid=65534 --clear-groups sh -c 'command -v /usr/bin/python3') || skip 'no python3 for others'
    setpriv --reuid=65534 --clear-groups "$python" tools/rocm/rocm_matrix.py --releases sid >"$work/said" 2>&1 || status=$?
    ends 77 'sudo make rocm-matrix'
}
@test 'the exit code is that of this run; rows of earlier runs only stay in the table' {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    release=$work/root/sid
    mkdir -p "$release/usr/bin" "$release/out" "$work/bin"
    touch "$release/installed" "$release/usr/bin/python3" "$release/out/complaints" "$release/out/version"
    printf 'sid gfx942 shfl CODE 3\n' >"$work/root/matrix.txt"
    ln -s /bin/true "$work/bin/debootstrap"
    # What would run in the release: it leaves these rows.
    printf '#!/bin/sh\nprintf "$ROWS" >%s\n' "$release/out/rows" >"$work/bin/unshare"
    chmod +x "$work/bin/unshare"
    for case in 0:'gfx90a shfl ok 5\n' 1:'gfx90a shfl CODE 5\n' 1:'gfx90a shfl FAIL 5\n' 1: 0:'gfx942 shfl ok 5\n'; do
        ROWS=${case#*:} MIRROR=none PATH=$work/bin:$PATH CHROOTS=$work/root \
            try python3 tools/rocm/rocm_matrix.py --quick --releases sid --variants shfl
        ends "${case%%:*}" '| gfx942 |'
    done
    check 'the row of the last run replaces the older one' grep -q '^sid gfx942 shfl ok' "$work/root/matrix.txt"
}
