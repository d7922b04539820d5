BEGIN {
    addressing_draw("divergent",
        "Global memory, divergent: i = 2 * tid; if (i % (2 * stride) == 0)",
        "Neighbours are added first, with growing stride. Working threads thin out in all warps, and ever less of each cache line that moves is used.")
}
