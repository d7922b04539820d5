BEGIN {
    addressing_draw("sequential",
        "Sequential addressing: if (tid + half < count)",
        "The first half of the threads adds the second half of the values. Few warps work, and their lanes use different banks.")
}
