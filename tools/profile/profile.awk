# One counter from the CSV of ncu, rocprofv3 or rocprof: for each kernel of the variant the value at its
# first launch, which has the most work, as "kernel <tab> value unit words". Exit code 1 if there is none.

function column(name,    i) {
    for (i = 1; i <= csv_columns; i++)
        if (csv_names[i] == name) return 1
    return 0
}

# "double_sum::reduce_blocks(const double *, ...)" and "_ZN10double_sum13reduce_blocksE..." as reduce_blocks
function short(name,    length_at) {
    sub(/ \[clone .*|\.kd$/, "", name)
    if (match(name, /^_ZN[0-9]+[a-z]+_[a-z]+/)) {
        name = substr(name, RSTART + RLENGTH)
        length_at = name + 0
        sub(/^[0-9]+/, "", name)
        return substr(name, 1, length_at)
    }
    sub(/^void /, "", name)
    sub(/\(.*/, "", name)
    sub(/<.*/, "", name)
    sub(/.*::/, "", name)
    return name
}

!head && (/"?Kernel Name"?,|"?Kernel_Name"?,|"?KernelName"?,/) { csv_header($0); head = 1; next }
!head || /^==/ { next }
{
    csv_row($0)
    name = csv["Kernel Name"] csv["Kernel_Name"] csv["KernelName"]
    value = column("Metric Value") ? csv["Metric Value"] : column("Counter_Value") ? csv["Counter_Value"] : csv[counter]
    if (column("Metric Name") && csv["Metric Name"] != counter) next
    if (column("Counter_Name") && csv["Counter_Name"] != counter) next
    gsub(/,/, "", value) # of thousands
    # The harness's own: fills the input, measures the ceiling, evicts caches.
    if (name == "" || name ~ /fill_(float|double|int|long)|read_(few|many)|[fF]illBuffer/ || value !~ /^-?[0-9.]/) next
    name = short(name)
    if (launches[name]++) next
    order[++count] = name
    first[name] = value
}

END {
    for (i = 1; i <= count; i++)
        printf "%s, the first of %d launches in two runs\t  %12.4g %-9s  %s\n",
            order[i], launches[order[i]], first[order[i]] * scale, unit, words
    exit count == 0
}
