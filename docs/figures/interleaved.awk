BEGIN {
    addressing_draw("interleaved",
        "Interleaved addressing: if (tid % (2 * stride) == 0)",
        "Sixteen values in shared memory are added in four steps. The working threads lie ever further apart: all warps stay busy with ever fewer of their lanes.")
}
