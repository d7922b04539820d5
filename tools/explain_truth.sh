#!/bin/sh
# Compares the counts of make explain with the counters of an NVIDIA GPU, for the first kernel of each variant.
#
#   tools/explain_truth.sh count >COUNTED                  on the CPU: builds the traced programs
#   tools/explain_truth.sh measure FOLDER RAW <COUNTED     on the GPU: FOLDER has the programs; what ncu prints goes to RAW/
#   tools/explain_truth.sh join COUNTED RAW                both side by side, and why they differ; exit code 1 if
#                                                          explain_truth.txt has no cause for a variant
#
# Rows of COUNTED: variant, type, n, kernel, and the numbers named below. VARIANTS, TYPES and SIZES choose some.
set -u
variants=${VARIANTS:-global_memory interleaved bank_conflicts no_striding first_add unroll_last_warp striding
          two_kernel_calls two_kernels_unroll shfl atomic cooperative single_pass recursive reproducible
          statistics custom segmented head_flags}
types=${TYPES:-float double}
sizes=${SIZES:-262144 100003}
names='global_load_requests global_load_sectors global_store_requests global_store_sectors
       shared_load_passes shared_load_conflicts shared_store_passes shared_store_conflicts
       global_load_lanes global_store_lanes shared_load_lanes shared_store_lanes'
# In the order of the names. The last four, lanes with a true predicate, are in the table of machine instructions. No
# counter tells how many instructions on shared memory had a lane at work: smsp__inst_executed_op_shared_ld counts those
# whose lanes are all switched off, too, and with _pred_on_any it is up to 6 % more than there are passes. So lanes are
# averaged over the passes that are needed without conflicts: with floats, that is one for each instruction.
metrics='l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
         l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
         l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
         l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'

# The same shape on both: what depends on the device's size is given.
shape() {
    case $1 in
    global_memory | interleaved | bank_conflicts | no_striding | first_add | unroll_last_warp | recursive) ;;
    *) echo '--grid=64 --block=256' ;;
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

# RAW/VARIANT.TYPE.N.csv: the counters; .sass.csv: one row for each machine instruction; .log: what ncu says.
measure() {
    mkdir -p "$2" || exit 3
    ncu --version >"$2/version.log" 2>&1 || { echo 'explain_truth.sh: ncu is not here' >&2; exit 3; }
    # shellcheck disable=SC2086  # metrics are words
    list=$(echo $metrics | tr ' ' ',')
    while read -r v type n kernel rest; do
        to=$2/$v.$type.$n
        # shellcheck disable=SC2046
        ncu -f -o "$to" --kernel-name "$kernel" --launch-count 1 --section SourceCounters --metrics "$list" \
            "$1/reduction_$v/reduction_$v" -q -i 1 -w 0 --ceiling=1 -n "$n" -t "$type" $(shape "$v") >"$to.log" 2>&1 </dev/null
        { # reading a report needs no GPU
            ncu -i "$to.ncu-rep" --csv --page raw --print-units base >"$to.csv" 2>>"$to.log"
            ncu -i "$to.ncu-rep" --csv --page source --print-source sass >"$to.sass.csv" 2>>"$to.log"
            rm -f "$to.ncu-rep"
        } &
    done
    wait
}

# The rows of COUNTED with what was measured; "-" where ncu had nothing.
measured() {
    while read -r v type n kernel rest; do
        to=$2/$v.$type.$n
        [ -s "$to.csv" ] || continue
        cat "$to.csv" "$to.sass.csv" | awk -v row="$v $type $n $kernel" -v metrics="$metrics" '
            # One line of CSV into cell[1..]; numbers may have commas in them.
            function cut(line, cell,    count) {
                count = 0
                while (line != "") {
                    count++
                    if (match(line, /^"([^"]|"")*"/)) {
                        cell[count] = substr(line, 2, RLENGTH - 2)
                        line = substr(line, RLENGTH + 2)
                    } else {
                        match(line, /^[^,]*/)
                        cell[count] = substr(line, 1, RLENGTH)
                        line = substr(line, RLENGTH + 2)
                    }
                }
                return count
            }
            { sub(/\r$/, "") }
            /^"?ID"?,/ { columns = cut($0, column); next }
            columns && /^"?[0-9]+"?,/ && !source {
                cut($0, value)
                for (k = 1; k <= columns; k++) {
                    gsub(/,/, "", value[k])
                    have[column[k]] = value[k]
                }
            }
            /"?Source"?,/ && /Predicated-On Thread Instructions Executed/ {
                split("", at)
                source = cut($0, column)
                for (k = source; k > 0; k--) at[column[k]] = k
                next
            }
            source {
                cut($0, value)
                op = value[at["Source"]]
                sub(/^ */, "", op)
                sub(/^@!?U?P[0-9T]+ */, "", op)
                lanes = value[at["Predicated-On Thread Instructions Executed"]]
                gsub(/,/, "", lanes)
                if (op ~ /^LDGSTS/) { load += lanes; shared_store += lanes }
                else if (op ~ /^(LDG|LD)[. ]/) load += lanes
                else if (op ~ /^(STG|ST)[. ]/) store += lanes
                else if (op ~ /^LDS[. ]/) shared_load += lanes
                else if (op ~ /^STS[. ]/) shared_store += lanes
            }
            END {
                split(metrics, name, " ")
                printf "%s", row
                for (k = 1; k in name; k++) printf " %s", have[name[k]] == "" ? "-" : have[name[k]] + 0
                if (source) print "", load + 0, store + 0, shared_load + 0, shared_store + 0
                else print " - - - -"
            }'
    done <"$1"
}

join_both() {
    causes=$(dirname "$0")/explain_truth.txt
    rows=$(mktemp) || exit 3
    measured "$1" "$2" >"$rows"
    awk '
    # Numbers from..to side by side, and which of them differ.
    function pairs(from, to,    k, text, bad) {
        bad = text = ""
        for (k = from; k <= to; k++) {
            text = text " " c[k] "|" $k
            if (c[k] != $k) {
                bad = bad " " (k - from + 1)
                differs[$1] = 1
            }
            numbers++
            same += c[k] == $k
        }
        return text (bad == "" ? "" : "   differs:" bad)
    }
    # Lanes on average, counted and measured; "." where there is none.
    function mean(lanes, ours, theirs,    a, b, near1) {
        if (ours == 0 && theirs == 0) return sprintf(" %14s", ".")
        means++
        if ($lanes == "-" || ours == 0 || theirs == 0) return sprintf(" %14s", "-")
        a = c[lanes] / ours
        b = $lanes / theirs
        near1 = a - b <= b / 100 && b - a <= b / 100
        near += near1
        if (!near1) differs[$1] = 1
        return sprintf(" %14s", sprintf("%.2f|%.2f%s", a, b, near1 ? "" : " !"))
    }
    FILENAME == causes {
        if (/^[a-z]/) variant = $1
        if (variant != "") why[variant] = why[variant] "# " $0 "\n"
        next
    }
    FILENAME == ours { counted[$1, $2, $3] = $0; next }
    !(($1, $2, $3) in counted) { next }
    {
        split(counted[$1, $2, $3], c, " ")
        name = sprintf("%-19s %-6s %7d ", $1, $2, $3)
        first[++n] = name pairs(5, 12)
        second[n] = name pairs(13, 16)
        third[n] = name mean(13, c[5], $5) mean(14, c[7], $7) mean(15, c[9] - c[10], $9 - $10) mean(16, c[11] - c[12], $11 - $12)
    }
    END {
        print "# First kernel of each variant: requests and 32-byte sectors of global memory, passes of shared memory"
        print "# and how many of them are bank conflicts; loads, then stores. Counted by make explain | measured by ncu"
        for (k = 1; k <= n; k++) print first[k]
        print "#"
        print "# Lanes at work, added up: global loads and stores, shared loads and stores"
        for (k = 1; k <= n; k++) print second[k]
        printf "# %d of %d numbers are equal\n#\n", same, numbers
        print "# Lanes at work on average, in the same order: for each request, and for each pass of shared memory that is needed"
        print "# without conflicts (with floats: for each instruction); !: not within 1 %"
        for (k = 1; k <= n; k++) print third[k]
        printf "# %d of %d means are within 1 %%\n", near, means
        for (k = 1; k <= n; k++) {
            split(first[k], c, " ")
            if (!(c[1] in differs) || c[1] in told) continue
            told[c[1]] = 1
            if (!any++) print "#\n# Why they differ:"
            if (c[1] in why) printf "%s", why[c[1]]
            else {
                print "# " c[1] ": no cause is known"
                unknown = 1
            }
        }
        exit unknown || numbers == 0
    }' causes="$causes" ours="$1" "$causes" "$1" "$rows"
    status=$?
    rm -f "$rows"
    return $status
}

case ${1-}.$# in
count.1) count ;;
measure.3) measure "$2" "$3" ;;
join.3) join_both "$2" "$3" ;;
*) sed -n '2,9p' "$0" && exit 2 ;;
esac
