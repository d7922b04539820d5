BEGIN {
    addressing_draw("strided",
        "Strided addressing: i = 2 * stride * tid",
        "The same additions as with interleaved addressing, done by the first threads. Few warps work, but their lanes meet in the same banks.")
}
