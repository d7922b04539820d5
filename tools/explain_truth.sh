#!/bin/sh
# Compares the counts of make explain with the counters of an NVIDIA GPU, for the first kernel of each variant.
#
#   tools/explain_truth.sh count >COUNTED                 on the CPU: builds the traced programs
#   tools/explain_truth.sh measure FOLDER >MEASURED       on the GPU: FOLDER has the programs, ncu counts
#   tools/explain_truth.sh join COUNTED MEASURED          both side by side; exit code 1 if they differ
#
# Rows of COUNTED and MEASURED: variant, type, n, kernel, and the eight numbers named below.
set -u
variants='global_memory interleaved bank_conflicts no_striding first_add unroll_last_warp striding two_kernel_calls
          two_kernels_unroll shfl atomic cooperative single_pass'
types='float double'
sizes='262144 100003'
names='global_load_requests global_load_sectors global_store_requests global_store_sectors
       shared_load_passes shared_load_conflicts shared_store_passes shared_store_conflicts'
metrics='l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
         l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
         l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
         l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'

# The same shape on both: what depends on the device's size is given.
shape() {
    case $1 in
    striding | two_kernel_calls | two_kernels_unroll | shfl | atomic | cooperative | single_pass) echo '--grid=64 --block=256' ;;
    esac
}

count() {
    programs=
    for v in $variants; do programs="$programs reduction_$v"; done
    # shellcheck disable=SC2086  # programs are words
    make -s GPU=cpu TRACE=1 OUT="${OUT:-build/truth}" $programs >&2 || exit 3
    for v in $variants; do
        for type in $types; do
            for n in $sizes; do
                # shellcheck disable=SC2046
                HIP_CPU_WORKERS=64 HIP_CPU_WARP_SIZE=32 HIP_CPU_TRACE=explain HIP_CPU_EXPLAIN=json \
                    "${OUT:-build/truth}/reduction_$v/reduction_$v" -q -i 1 -w 0 --ceiling=1 -n "$n" -t "$type" $(shape "$v") |
                    awk -v row="$v $type $n" -v names="$names" '
                        /"kernel"/ && !/"global_load_requests": 0,/ && !seen++ {
                            split(names, name, " ")
                            match($0, /"kernel": "[^"]*"/)
                            printf "%s %s", row, substr($0, RSTART + 11, RLENGTH - 12)
                            for (k = 1; k in name; k++) {
                                match($0, "\"" name[k] "\": [0-9]+")
                                printf " %s", substr($0, RSTART + length(name[k]) + 4, RLENGTH - length(name[k]) - 4)
                            }
                            print ""
                        }'
            done
        done
    done
}

measure() {
    list=$(echo $metrics | tr ' ' ',')
    while read -r v type n kernel rest; do
        # shellcheck disable=SC2046
        ncu --csv --page raw --kernel-name "$kernel" --launch-count 1 --metrics "$list" \
            "$1/reduction_$v/reduction_$v" -q -i 1 -w 0 --ceiling=1 -n "$n" -t "$type" $(shape "$v") 2>/dev/null |
            awk -v row="$v $type $n $kernel" -v metrics="$metrics" '
                /^"ID"/ { n = split($0, column, /","/); next }
                /^"[0-9]+"/ { # numbers may have commas in them
                    split($0, value, /","/)
                    for (k = 1; k <= n; k++) {
                        gsub(/["]/, "", column[k])
                        gsub(/["",]/, "", value[k])
                        have[column[k]] = value[k]
                    }
                    split(metrics, name, " ")
                    printf "%s", row
                    for (k = 1; k in name; k++) printf " %s", have[name[k]] == "" ? "-" : have[name[k]] + 0
                    print ""
                }'
    done
}

join_both() {
    awk -v names="$names" '
    NR == FNR { counted[$1, $2, $3] = $0; next }
    !(($1, $2, $3) in counted) { next }
    {
        if (!rows++) {
            print "# First kernel of each variant: requests and 32-byte sectors of global memory, passes of shared memory"
            print "# and how many of them are bank conflicts; loads, then stores. Counted by make explain | measured by ncu"
        }
        split(counted[$1, $2, $3], c, " ")
        line = sprintf("%-19s %-6s %7d ", $1, $2, $3)
        bad = ""
        for (k = 5; k <= 12; k++) {
            line = line sprintf(" %s|%s", c[k], $k)
            if (c[k] != $k) bad = bad " " (k - 4)
            numbers++
            same += c[k] == $k
        }
        print line (bad == "" ? "" : "   differs:" bad)
    }
    END {
        printf "# %d of %d numbers are equal\n", same, numbers
        exit same != numbers || numbers == 0
    }' "$1" "$2"
}

case ${1-} in
count) count ;;
measure) measure "$2" ;;
join) join_both "$2" "$3" ;;
*) sed -n '2,8p' "$0" && exit 2 ;;
esac
