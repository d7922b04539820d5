# The device resources that each variant uses, and how close it comes to the bound.
#
#   awk -f csv.awk -f roofline.awk -v resources=FILE [-v type= -v op= -v n=] CSV
#
# resources: lines "variant kernel registers shared spilled barriers waves dynamic" of kernels.sh.
# The bound is a time that no variant with that many launches can beat:
#   launches x the cheapest launch + bytes / read ceiling
# The cheapest launch is the smallest kernel time per launch at the smallest size of the CSV.

BEGIN {
    while ((getline line < resources) > 0) {
        split(line, word, " ")
        v = word[1]
        k = ++kernels[v]
        kernel[v, k] = word[2]; registers[v, k] = word[3]; shared[v, k] = word[4]
        spilled[v, k] = word[5]; barriers[v, k] = word[6]; waves[v, k] = word[7]; dynamic[v, k] = word[8]
    }
}

FNR == 1 { csv_header($0); next }
{
    csv_row($0)
    if (csv["check"] != "OK" || csv["kernel_median_us"] <= 0) next
    launches = csv["launches"] > 0 ? csv["launches"] : 1
    each = csv["kernel_min_us"] / launches
    if (smallest == "" || csv["n"] + 0 < smallest) { smallest = csv["n"] + 0; cheapest = each }
    if (csv["n"] + 0 == smallest && each < cheapest) cheapest = each
    if (csv["ceiling_gbps"] > ceiling) ceiling = csv["ceiling_gbps"] + 0
    if (device == "") { device = csv["device"]; arch = csv["arch"]; date = substr(csv["date"], 1, 10) }
    if (type == "") type = csv["type"]
    if (op == "") op = csv["op"]
    if (csv["type"] != type || csv["op"] != op) next
    if (want == "" && csv["n"] + 0 > n + 0) biggest[csv["n"]] = 1
    v = csv_variant()
    base = v
    sub(/ .*/, "", base) # "atomic atomics=warp" is compiled from atomic
    if (!(base in kernels)) next
    source[v] = base
    if (!(v in seen)) { seen[v] = 1; order[++count] = v }
    at = v SUBSEP csv["n"]
    i = ++rows[at]
    time[at, i] = csv["kernel_median_us"] + 0
    total[at, i] = csv["total_median_us"] + 0
    bytes[at] = csv["bytes"] + 0
    starts[at] = csv["launches"] + 0
    block[at] = csv["block"] + 0
}

# Limits of a multiprocessor: registers are 65536 on all; CUDA C++ Programming Guide, "Technical
# Specifications per Compute Capability".
function nvidia_occupancy(sm, block, registers, bytes,    threads, blocks, kib, warps, fit, by) {
    threads = sm == 75 ? 1024 : sm ~ /^(86|87|88|89|110|120|121)$/ ? 1536 : 2048
    blocks = sm ~ /^(75|86|87|88)$/ ? 16 : sm ~ /^(89|110|120|121)$/ ? 24 : 32
    kib = sm == 75 ? 64 : sm ~ /^(86|89|120|121)$/ ? 100 : sm ~ /^(80|87)$/ ? 164 : 228
    warps = int((block + 31) / 32)
    fit = int(threads / 32 / warps)
    by = int(65536 / (int((registers * 32 + 255) / 256) * 256) / warps)
    if (by < fit) fit = by
    if (blocks < fit) fit = blocks
    by = int(kib * 1024 / (bytes + 1024)) # the system takes 1 KiB of each block, from sm_80 on
    if (by < fit) fit = by
    return sprintf("%.0f %%", 100 * fit * warps * 32 / threads)
}

# Waves that a SIMD can hold: 8 from gfx90a to gfx950, 10 before, 16 from gfx10.3 on, 20 for gfx10.1.
function amd_occupancy(gfx, waves) {
    return sprintf("%.0f %%", 100 * waves / (gfx ~ /^gfx(90a|94|95)/ ? 8 : gfx ~ /^gfx9/ ? 10 : gfx ~ /^gfx101/ ? 20 : 16))
}

function occupancy(v, k, at) {
    if (registers[v, k] == "-") return "-"
    if (arch ~ /^sm_/) return nvidia_occupancy(substr(arch, 4), block[at], registers[v, k], \
                                               shared[v, k] + dynamic[v, k] * block[at] * bytes[at] / n)
    if (waves[v, k] != "-") return amd_occupancy(arch, waves[v, k])
    return "-"
}

function shared_text(v, k, at) {
    return dynamic[v, k] == 1 ? sprintf("<=%d", shared[v, k] + block[at] * bytes[at] / n) : shared[v, k]
}

END {
    if (count == 0) { print "roofline: no right results for " op " of " type " in the CSV" > "/dev/stderr"; exit 2 }
    if (n == "") for (size in biggest) if (size + 0 > n + 0) n = size
    printf "# %s of %ss, %s elements on %s%s\n", op, type, size_text(n), device, date == "" ? "" : ", " date
    printf "# bound: launches x %.2f us (cheapest launch, at %s elements) + bytes / %.1f GB/s (read ceiling)\n", cheapest, size_text(smallest), ceiling
    print "# shared: bytes of a block; <=: with one element for each thread, which is the most that a kernel takes"
    print "# barriers: in the code, those in a loop count once; occupancy: warps that can be resident, of the most\n#"
    width = 8
    for (i = 1; i <= count; i++) {
        if (length(order[i]) > width) width = length(order[i])
        b = source[order[i]]
        for (k = 1; k <= kernels[b]; k++)
            if (length(kernel[b, k]) + 2 > width) width = length(kernel[b, k]) + 2
    }
    form = "%-" width "s %9s %8s %8s %8s %9s %9s %10s %9s %9s %9s %6s\n"
    printf form, "variant", "registers", "shared", "spilled", "barriers", "occupancy", "launches", "bytes", "bound", "kernel", "total", "bound"
    printf form, "  kernel", "", "bytes", "bytes", "", "", "", "", "us", "us", "us", "%"
    for (i = 1; i <= count; i++) {
        v = order[i]
        at = v SUBSEP n
        if (!(at in rows)) continue
        for (k = 1; k <= rows[at]; k++) { list[k] = time[at, k]; other[k] = total[at, k] }
        t = median(list, rows[at])
        all = median(other, rows[at])
        bound = starts[at] * cheapest + bytes[at] / ceiling / 1e3
        printf form, v, "", "", "", "", "", (starts[at] > 0 ? starts[at] : "?"), sprintf("%.0f", bytes[at]), \
            sprintf("%.2f", bound), sprintf("%.2f", t), sprintf("%.2f", all), sprintf("%.0f", 100 * bound / t)
        b = source[v]
        for (k = 1; k <= kernels[b]; k++)
            printf form, "  " kernel[b, k], registers[b, k], shared_text(b, k, at), spilled[b, k], barriers[b, k], \
                occupancy(b, k, at), "", "", "", "", "", ""
    }
}
