# SPDX-License-Identifier: MIT
# Two runs of explain side by side, each as CSV: the totals of the first kernels.
BEGIN { FS = "," }
FNR == 1 { side++ }
FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
FNR == 2 { for (i = 1; i <= NF; i++) have[side, name[i]] = $i }
function over(side, a, b) { return have[side, b] > 0 ? have[side, a] / have[side, b] : 0 }
function row(text, format, a, b, word) {
    printf "  %-44s %14s %14s  %s\n", text, sprintf(format, a), sprintf(format, b), \
        a + 0 == b + 0 ? "the same" : a == 0 ? "" : sprintf("x %.2f", b / a)
}
END {
    printf "\n== %s and %s: first kernel, warps of %s, counted for %s\n\n", from, to, warp, have[1, "machine"]
    printf "  %-44s %14s %14s\n", "", from, to
    row("blocks", "%d", have[1, "blocks"], have[2, "blocks"])
    row("memory instructions of warps", "%d", have[1, "instructions"], have[2, "instructions"])
    row("lanes at work on average", "%.1f", over(1, "lanes", "instructions"), over(2, "lanes", "instructions"))
    row("global memory: sectors loaded", "%d", have[1, "global_load_sectors"], have[2, "global_load_sectors"])
    row("global memory: times that it is loaded", "%.2f", \
        over(1, "global_load_sectors", "global_load_once_bytes") * have[1, "sector_bytes"], \
        over(2, "global_load_sectors", "global_load_once_bytes") * have[2, "sector_bytes"])
    row("global memory: sectors stored", "%d", have[1, "global_store_sectors"], have[2, "global_store_sectors"])
    row("shared memory: passes of loads", "%d", have[1, "shared_load_passes"], have[2, "shared_load_passes"])
    row("shared memory: of them conflicts", "%d", have[1, "shared_load_conflicts"], have[2, "shared_load_conflicts"])
    row("shared memory: passes of stores", "%d", have[1, "shared_store_passes"], have[2, "shared_store_passes"])
    row("shared memory: of them conflicts", "%d", have[1, "shared_store_conflicts"], have[2, "shared_store_conflicts"])
    row("barriers, counted for each warp", "%d", have[1, "barriers"], have[2, "barriers"])
    row("of them reached without work", "%d", have[1, "idle_warps"], have[2, "idle_warps"])
    row("shuffles, votes, warp barriers", "%d", have[1, "warp_operations"], have[2, "warp_operations"])
    row("atomics", "%d", have[1, "atomics"], have[2, "atomics"])
}
