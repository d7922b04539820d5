BEGIN {
    exchange_draw("down", "Shuffle down: __shfl_down(value, distance)",
        "Each lane adds the value of the lane four, then two, then one above it; lane zero ends with the sum.",
        "Lane 0 has the sum. The others worked as well; what they hold is of no use.",
        "Dashed: does not reach the result. A lane with no partner keeps its value.")
}
