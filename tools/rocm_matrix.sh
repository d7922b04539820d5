#!/bin/sh
# Compiles the programs with every ROCm that Debian has, for every target that each of them knows, without
# warnings; compares the machine code with tools/code/codegen.txt; starts the programs, which must say that there
# is no GPU (exit code 77). `make rocm-matrix` runs it.
#
#   rocm_matrix.sh [-r "bookworm trixie sid"] [-v "shfl prim"] [-t "gfx90a gfx942"] [-q]
#
#   -q   quick: without the other host compilers and the compressed binary
#
# CHROOTS=DIR  where the releases are installed and kept, about 2 GB each (/var/tmp/reduction-rocm)
# MIRROR=URL   of Debian (http://deb.debian.org/debian)
#
# One line "release target program word" for each in $CHROOTS/matrix.txt, where earlier runs leave theirs, and a
# table of all of them at the end: what takes too long at once can be done in parts.
# Exit code 1 if anything is wrong, 77 without root or debootstrap, or if a release cannot be installed.
releases='bookworm trixie sid' wanted= targets= quick=
while getopts r:v:t:q option; do
    case $option in
    r) releases=$OPTARG ;;
    v) wanted=$(echo "$OPTARG" | tr ',' ' ') ;;
    t) targets=$OPTARG ;;
    q) quick=yes ;;
    *) exit 2 ;;
    esac
done
targets=${targets:-gfx906 gfx908 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1201 gfx9-generic gfx9-4-generic gfx11-generic gfx12-generic gfx1250}
chroots=${CHROOTS:-/var/tmp/reduction-rocm} mirror=${MIRROR:-http://deb.debian.org/debian}
top=$(cd "$(dirname "$0")/.." && pwd)

skip() {
    echo "rocm-matrix: $1"
    exit 77
}
packages() {
    case $1 in
    bookworm) echo hipcc libamdhip64-dev rocm-device-libs librocprim-dev ;;
    trixie) echo hipcc libamdhip64-dev librocprim-dev librccl-dev ;;
    sid) echo hipcc libamdhip64-dev librocprim-dev rocm-device-libs-21 ;;
    *) echo "rocm-matrix: RELEASES: '$1' is none of bookworm, trixie and sid" >&2 && exit 2 ;;
    esac
}
for release in $releases; do packages "$release" >/dev/null || exit; done
[ "$(id -u)" -eq 0 ] || skip 'this installs Debian releases in folders of their own, and needs root for that: sudo make rocm-matrix'
command -v debootstrap >/dev/null || skip 'debootstrap is not there: apt-get install debootstrap'
mkdir -p "$chroots" && chroots=$(cd "$chroots" && pwd) || exit 3

# inside RELEASE COMMAND: with /dev and /proc, where hipcc looks itself up; unmounted when the command ends.
inside() {
    unshare --mount --propagation private sh -c '
        mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" || exit 3
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C HIP_PLATFORM=amd sh -c "$2"' \
        sh "$chroots/$1" "$2"
}
install_release() {
    [ -e "$chroots/$1/installed" ] && return
    echo "installing $1 in $chroots/$1 ..."
    debootstrap --variant=minbase --include=ca-certificates "$1" "$chroots/$1" "$mirror" >"$chroots/$1.log" 2>&1 &&
        echo 'Acquire::Check-Valid-Until "false";' >"$chroots/$1/etc/apt/apt.conf.d/90valid" &&
        inside "$1" "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc make $(packages "$1")" \
            >>"$chroots/$1.log" 2>&1 &&
        touch "$chroots/$1/installed"
}

# The script that runs inside: one line "target program word" for each in /out/rows.
cat >"$chroots/build.sh" <<'END'
cd /src || exit 3
jobs=$(nproc) wanted=$1 targets=$2 quick=$3 known=
mkdir -p /out && : >/out/rows && : >/out/complaints
printf '#include <hip/hip_runtime.h>\n__global__ void k(double *x) { x[threadIdx.x] += 1; }\n' >/out/k.hip
for target in $targets; do
    if hipcc --offload-arch=$target -c /out/k.hip -o /out/k.o >/out/k.log 2>&1; then
        known="$known $target"
    else
        grep -q 'device library' /out/k.log && word=no-device-library || word=unknown
        for v in $wanted; do echo "$target $v $word"; done >>/out/rows
    fi
done
hipcc --version 2>/dev/null | sed -n -e 's/^HIP version: \([0-9]*\.[0-9]*\).*/HIP \1/p' -e 's/.*clang version \([0-9.]*\).*/clang \1/p' |
    tr '\n' ' ' >/out/version
inspect() { # inspect PROGRAM FOLDER TARGET...; hello is compiled without instantiate.hip
    v=$1 object=$2/reduction_$1/reduction_$1.o
    [ -e "$object" ] || object=$2/reduction_$1/$1.o
    shift 2
    python3 tools/code/codegen.py --expect amd hipcc "$v" "$object" "$@" >/out/said 2>&1
    for target; do
        if grep -q "codegen $v .* met$" /out/said || ! grep -q -e "$v $target, " -e '^codegen: ' -e 'no kernel fits' /out/said; then
            word=ok
        else
            word=CODE
        fi
        echo "$target $v $word" >>/out/rows
    done
    grep -q "codegen $v .* met$" /out/said || cat /out/said >>/out/complaints
}
build() { make -j"$jobs" -k OUT=/out WERROR=1 "$@" >/out/log 2>&1; }
folder_of() { echo "/out/build/$(sh platform/target.sh "$1" | cut -d' ' -f2)"; }
# Programs that need rocPRIM are built for the targets for which rocPRIM compiles.
plain= users= library=
for v in $wanted; do
    if grep -qs rocprim/ "reduction_$v/prelude.h"; then users="$users reduction_$v"; else plain="$plain reduction_$v"; fi
done
for target in ${users:+$known}; do
    hipcc --offload-arch="$target" -std=c++17 -c platform/amd/rocprim_probe.hip -o /out/k.o >/out/k.log 2>&1 && library="$library $target"
done
[ -z "$plain" ] || build GPU="$known" $plain
[ -z "$users" ] || [ -z "$library" ] || build GPU="$library" $users
for v in $wanted; do
    p=reduction_$v having=$known
    case " $users " in *" $p "*)
        having=$library
        for target in $known; do
            case " $library " in *" $target "*) ;; *) echo "$target $v library" >>/out/rows ;; esac
        done
        ;;
    esac
    [ -n "$having" ] || continue
    folder=$(folder_of "$having")
    if [ -s "$folder/$p/$p" ]; then
        inspect "$v" "$folder" $having
        continue
    fi
    for target in $having; do # which of them is it?
        alone=/out/build/$target
        rm -f "$alone/$p/$p"
        build GPU="$target" $p
        if [ -s "$alone/$p/$p" ]; then
            inspect "$v" "$alone" "$target"
        else
            echo "$target $v FAIL" >>/out/rows
            grep -m 3 'error' /out/log >>/out/complaints
        fi
    done
done
# There is no GPU here, and the programs say so. The arguments of hello are numbers.
for v in $wanted; do
    p=/out/reduction_$v/reduction_$v
    [ -x "$p" ] || continue
    if [ "$v" = hello ]; then "$p" 1 2 >/out/said 2>&1; else "$p" -n 1K >/out/said 2>&1; fi
    status=$?
    [ $status -eq 77 ] && [ "$(wc -l </out/said)" -eq 1 ] || echo "$p without a GPU: exit code $status, $(head -n 1 /out/said)" >>/out/complaints
done
[ -z "$quick" ] || exit 0
first=$(echo $known | cut -d' ' -f1)
for cc in gcc "$(ls /usr/bin/clang-[0-9]* | head -n 1)"; do
    for standard in c11 c17; do
        build GPU="$first" CC="$cc" CFLAGS=-std=$standard VARIANTS=shfl all && echo "host part with $cc as $standard: ok" ||
            echo "host part with $cc as $standard: FAILED" >>/out/complaints
    done
done
if hipcc --offload-compress --offload-arch=$first -c /out/k.hip -o /out/k.o >/out/k.log 2>&1; then
    build GPU="$known" HIPFLAGS=--offload-compress reduction_shfl && echo "one binary for all targets, compressed: $(wc -c </out/reduction_shfl/reduction_shfl) bytes" ||
        echo 'one compressed binary for all targets: FAILED' >>/out/complaints
else
    echo 'compressed binaries: this hipcc has none'
fi
END

variants=$(cd "$top" && for d in reduction_*/; do [ -f "$d$(basename "${d#reduction_}").hip" ] && basename "${d#reduction_}"; done)
# shellcheck disable=SC2086  # names are words
wanted=$(echo ${wanted:-$variants} | sed 's/reduction_//g')
touch "$chroots/matrix.txt"
failed=0
for release in $releases; do
    install_release "$release" || skip "$release could not be installed: $(tail -n 1 "$chroots/$release.log") ($chroots/$release.log)"
    # The sources with their times, so that what has not changed is not compiled again.
    rm -rf "$chroots/$release/src" && mkdir -p "$chroots/$release/src"
    (cd "$top" && tar -cf - Makefile config.mk bench common platform trace reduction_*/*.[ch] reduction_*/*.hip reduction_*/Makefile reduction_*/*.mk tests tools) |
        tar -xf - -C "$chroots/$release/src" || exit 3
    cp "$chroots/build.sh" "$chroots/$release/build.sh"
    inside "$release" "sh /build.sh '$wanted' '$targets' '$quick'" >"$chroots/$release/said" 2>&1 || failed=1
    echo "$release: $(cat "$chroots/$release/out/version")"
    sed 's/^/    /' "$chroots/$release/said"
    if [ -s "$chroots/$release/out/complaints" ]; then
        failed=1
        sed 's/^/    /' "$chroots/$release/out/complaints"
    fi
    # What was done now replaces what was known of it.
    sed "s/^/$release /" "$chroots/$release/out/rows" >"$chroots/rows"
    awk 'NR == FNR { now[$1, $2, $3] = 1; print; next } !(($1, $2, $3) in now)' "$chroots/rows" "$chroots/matrix.txt" >"$chroots/merged" &&
        mv "$chroots/merged" "$chroots/matrix.txt"
done
grep -q ' \(FAIL\|CODE\)$' "$chroots/matrix.txt" && failed=1
[ -s "$chroots/matrix.txt" ] || failed=1
awk -v releases="$releases" -v targets="$targets" '
    { n[$1, $2]++; words[$1, $2, $4]++
      if ($4 == "library" || $4 == "FAIL" || $4 == "CODE") apart[$1, $2] = apart[$1, $2] " " $3 ":" $4 }
    END {
        columns = split(releases, r, " ")
        printf "| target |"
        for (i = 1; i <= columns; i++) printf " %s |", r[i]
        printf "\n|---|"
        for (i = 1; i <= columns; i++) printf "---|"
        rows = split(targets, t, " ")
        for (k = 1; k <= rows; k++) {
            printf "\n| %s |", t[k]
            for (i = 1; i <= columns; i++) {
                key = r[i] SUBSEP t[k]
                if (words[key, "unknown"]) cell = "unknown to it"
                else if (words[key, "no-device-library"]) cell = "no device library"
                else cell = (words[key, "ok"] + 0) " of " (n[key] + 0) (apart[key] != "" ? "," apart[key] : "")
                printf " %s |", cell
            }
        }
        print "\n(library: rocPRIM does not compile for this target, the build says so and skips the program)"
    }' "$chroots/matrix.txt"
exit $failed
