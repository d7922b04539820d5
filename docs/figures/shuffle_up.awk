BEGIN {
    exchange_draw("up", "Shuffle up: __shfl_up(value, distance)",
        "Each lane adds the value of the lane one, then two, then four below it; the last lane ends with the sum.",
        "The last lane has the sum. Each lane holds the sum of all lanes up to it: a prefix sum.",
        "Dashed: does not reach the sum of all. A lane with no partner keeps its value.")
}
