BEGIN {
    exchange_draw("xor", "Butterfly: __shfl_xor(value, distance)",
        "Eight lanes exchange values in pairs at distance four, two and one; every lane ends with the sum.",
        "Every lane gives and takes in every step: all of them have the sum.",
        "8 lanes here, 3 steps; a warp of 32 lanes takes 5 steps, a wavefront of 64 takes 6.")
}
