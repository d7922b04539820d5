#!/bin/sh
# Looks at the machine code of single_pass, every kernel of every type and operation: 8 loads of 16 bytes
# are in flight before anything waits for them, no local memory, and no more registers than two blocks of
# 512 threads can have on the smallest compute unit.
#
#   tests/check_code.sh amd CODE TARGET OBJDUMP READELF   CODE is for TARGET alone, the tools are LLVM's
#   tests/check_code.sh nvidia OBJECT                     OBJECT is for sm_90 or newer
#
# One line for each kernel that is not so, and one that counts. Exit code 1 if there is any, 77 without cuobjdump.
# shellcheck disable=SC2016  # $1 is for awk
registers=64 # per thread: 65536 registers of an SM, or 256 per lane of an AMD SIMD, for 1024 threads
loads=8

# Rows of loads: awk gives "kernel row" for each kernel, the longest row of loads without a wait.
rows_amd='
    function done() { if (kernel != "") print kernel, longest }
    /^[0-9a-f]+ <.*>:$/ { done(); kernel = $2; gsub(/[<>:]/, "", kernel); row = longest = 0 }
    /global_load_(dwordx4|b128)/ { row++; if (row > longest) longest = row }
    /s_waitcnt.*vmcnt|s_wait_loadcnt/ { row = 0 }
    END { done() }'
# On NVIDIA the first instruction that uses a loaded register waits.
rows_nvidia='
    function done() { if (kernel != "") print kernel, longest }
    /Function : / { done(); kernel = $3; row = longest = 0; split("", loaded) }
    /LDG\.E.*\.128/ {
        match($0, / R[0-9]+,/)
        loaded[substr($0, RSTART + 2, RLENGTH - 3) + 0]
        row++
        if (row > longest) longest = row
        next
    }
    row > 0 {
        for (first in loaded)
            for (k = first + 0; k < first + 4; k++)
                if ($0 ~ "[^0-9A-Z]R" k "[^0-9]") { row = 0; split("", loaded); next }
    }
    END { done() }'

work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
case $1 in
amd)
    target=$3
    "$4" --disassemble --mcpu="$target" "$2" >"$work/code" || exit 3
    awk "$rows_amd" "$work/code" >"$work/rows"
    # name, registers, bytes of local memory
    "$5" --notes "$2" | awk '
        $1 == ".name:" && $2 ~ /^_Z/ { name = $2 }
        $1 == ".private_segment_fixed_size:" { scratch = $2 }
        $1 == ".vgpr_count:" { vgpr = $2 }
        $1 == ".wavefront_size:" { print name, vgpr, scratch }' >"$work/used"
    ;;
nvidia)
    cuobjdump=$(PATH=$PATH:$(dirname "$(command -v nvcc)"):${CUDA_HOME:-/usr/local/cuda}/bin command -v cuobjdump) || {
        echo 'the machine code for NVIDIA is not checked: cuobjdump is not there (package cuda-cuobjdump of the CUDA toolkit)'
        exit 77
    }
    target=NVIDIA
    "$cuobjdump" -sass "$2" >"$work/code" || exit 3
    awk "$rows_nvidia" "$work/code" >"$work/rows"
    "$cuobjdump" -res-usage "$2" 2>&1 | awk '
        /Function / { name = $2; sub(/:$/, "", name) }
        /REG:/ { reg = local = $0; sub(/.*REG:/, "", reg); sub(/.*LOCAL:/, "", local)
                 stack = $0; sub(/.*STACK:/, "", stack); print name, reg + 0, local + stack }' >"$work/used"
    ;;
*)
    echo "tests/check_code.sh: the first word is amd or nvidia" >&2
    exit 2
    ;;
esac

awk -v target="$target" -v registers=$registers -v loads=$loads '
    NR == FNR { row[$1] = $2; next }
    /reduce_(small|single_pass|cluster)/ {
        kernels++
        if (row[$1] + 0 < loads) printf "        %s %s: only %d of %d loads before a wait\n", target, $1, row[$1], loads, bad++
        if ($2 > registers) printf "        %s %s: %d registers, more than %d\n", target, $1, $2, registers, bad++
        if ($3 > 0) printf "        %s %s: %d bytes of local memory\n", target, $1, $3, bad++
        if ($2 > most) most = $2
    }
    END {
        if (kernels < 24) printf "        %s: only %d kernels of single_pass found\n", target, kernels, bad++
        if (!bad) printf "check of the code for %s: %d kernels of single_pass, %d loads in a row, at most %d registers\n",
            target, kernels, loads, most
        exit bad > 0
    }' "$work/rows" "$work/used"
