BEGIN {
    addressing_draw("convergent",
        "Global memory, convergent: if (tid < half)",
        "Halves are added, with shrinking distance. Working threads and used values stay together: whole warps fall idle and whole cache lines are used.")
}
