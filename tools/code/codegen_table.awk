# The rows of codegen.awk as a table (-v format=table) or as JSON (-v format=json); -v type=, -v op= select rows.
BEGIN {
    FS = "\t"
    columns = split("variant target type op kernel vgpr agpr sgpr lds scratch spills waves width loads waits native cas bpermute dpp permlane readlane shuffle redux size turn widest", name, " ")
}
(type != "" && $3 != type) || (op != "" && $4 != op) { next }
{ rows++ }
format == "json" {
    printf "%s{", (rows == 1 ? "[\n" : ",\n")
    for (i = 1; i <= columns; i++)
        printf "%s\"%s\": %s", (i > 1 ? ", " : ""), name[i], ($i == "-" ? "null" : i <= 5 ? "\"" $i "\"" : $i)
    printf "}"
    next
}
{
    if ($2 != target) {
        target = $2
        nvidia = target ~ /^sm_/
        printf "%s# reduction_%s for %s\n", (rows > 1 ? "\n" : ""), $1, target
        printf "%-11s %-20s %-11s %5s %5s %4s %4s %4s %5s %5s %5s  %s\n", "", "", "registers", "LDS", "local", "", "wide", "in", "waits", "instr", "code", ""
        printf "%-11s %-20s %-11s %5s %5s %4s %4s %4s %5s %5s %5s  %s\n", "instance", "kernel", (nvidia ? "" : "v + a, s"), "bytes", "bytes", \
            "wave", "load", "row", "loop", "loop", "bytes", "lanes exchange by; atomics"
    }
    how = ""
    if ($18) how = how " bpermute:" $18
    if ($19) how = how " DPP:" $19
    if ($20) how = how " permlane:" $20
    if ($21) how = how " readlane:" $21
    if ($22) how = how " SHFL:" $22
    if ($23) how = how " REDUX:" $23
    if ($16) how = how " atomic:" $16
    if ($17) how = how " CAS:" $17
    if ($11) how = how " SPILLS:" $11
    printf "%-11s %-20s %-11s %5d %5d %4d %4d %4d %5s %5d %5d %s\n", $3 " " $4, $5, (nvidia ? $6 : $6 " + " $7 ", " $8), $9, $10, $12, $13, $14, $15, $25, $24, how
}
END {
    if (format == "json") print rows ? "\n]" : "[]"
    else if (rows) print "# wave: wavefronts (warps) per SIMD by registers; row: loads of that width before the first wait"
    else { print "codegen: no kernel of this TYPE and OP" > "/dev/stderr"; exit 2 }
}
