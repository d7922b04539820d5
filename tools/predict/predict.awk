# Predicts the performance of a machine that has not been measured, from predict.txt: the table of make run for
# -v n=256M doubles, and single_pass over sizes. -v ladder=FILE (a table of make run on the H200) compares the
# prediction for the H200 with the measurement; exit code 1 if a program is off by more than 10 %.
#
# A program that has F bytes in flight on the whole device reads at
#     B = (read^-4 + (F / latency)^-4)^(-1/4)
# : at memory bandwidth if F is large, at F / latency if it is small (Little's law), and a little below both in
# between; the 4 is fitted on the H200 together with the latency. Then
#     kernel = first kernel + further kernels + bytes / B
#     total  = kernel + the transfer of the value to the host
BEGIN { FS = " *; *"; n = n ? n : 268435456 }
/^machine/ { m = $2; order[++machines] = m; units[m] = $3; threads[m] = $4; read[m] = $5; latency[m] = $6
             first[m] = $7; launch[m] = $8; copy[m] = $9; marks[m] = $10; source[m] = $11 }
/^program/ { p = $2; programs[++count] = p; flight[p] = $3; kernels[p] = $4; way[p] = $5; host[p] = $6 }
FILENAME == ladder && /^[a-z_]+ +[0-9.]+ +[0-9.]+ / { split($0, column, / +/); measured[column[1]] = column[2] }

function speed(m, f) { return ((1 / read[m]) ^ 4 + (latency[m] / f) ^ 4) ^ -0.25 } # bytes / ns = GB/s
function kernel(m, p, bytes) {
    return first[m] + (kernels[p] - 1) * launch[m] + bytes / speed(m, units[m] * threads[m] * flight[p]) / 1000
}
function total(m, p, bytes) { return kernel(m, p, bytes) + (way[p] == "marks" ? marks[m] : copy[m]) + host[p] }

END {
    for (i = 1; i <= machines; i++) {
        m = order[i]
        printf "%s# %s, 256M doubles: predicted, not measured\n# %s\n", (i > 1 ? "\n" : ""), m, source[m]
        printf "%-20s %9s %9s %8s%s\n", "program", "kernel us", "total us", "GB/s", (m == "H200" && ladder != "" ? "  measured us    off %" : "")
        for (k = 1; k <= count; k++) {
            p = programs[k]
            t = kernel(m, p, 8 * n)
            printf "%-20s %9.1f %9.1f %8.1f", p, t, total(m, p, 8 * n), 8 * n / total(m, p, 8 * n) / 1000
            if (m == "H200" && p in measured) {
                off = 100 * (t / measured[p] - 1)
                printf "  %11.1f  %7.1f", measured[p], off
                if (off > 10 || off < -10) bad++
                compared++
            }
            print ""
        }
        printf "single_pass, sizes   %9s %9s %8s\n", "kernel us", "total us", "GB/s"
        for (size = 4096; size <= 1073741824; size *= 8) {
            name = size >= 1073741824 ? size / 1073741824 "G" : size >= 1048576 ? size / 1048576 "M" : size / 1024 "K"
            t = total(m, "single_pass", 8 * size)
            printf "%-20s %9.1f %9.1f %8.1f\n", name, kernel(m, "single_pass", 8 * size), t, 8 * size / t / 1000
        }
    }
    if (ladder != "") exit bad > 0 || compared < count
}
