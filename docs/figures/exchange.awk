# Eight lanes of one warp exchange registers. exchange_draw(kind): xor, down or up, as __shfl_xor,
# __shfl_down and __shfl_up do. A lane without a partner keeps what it has.

function exchange_draw(kind, title, description, takeaway, where,    n, lane, step, distance, first, pitch, y, \
                       value, other, from, needed, sum, source, final) {
    n = 8
    first = 240
    pitch = 104
    sum = data(value, n)
    figure_begin(title, 1100, 596, description)

    # Which lanes matter for the result, from the last step backwards
    final = kind == "up" ? n - 1 : 0
    for (step = 3; step >= 0; step--)
        for (lane = 0; lane < n; lane++)
            needed[step, lane] = kind == "xor"
    needed[3, final] = 1
    for (step = 3; step > 0; step--) {
        distance = exchange_distance(kind, step)
        for (lane = 0; lane < n; lane++)
            if (needed[step, lane]) {
                needed[step - 1, lane] = 1
                source = exchange_source(kind, lane, distance)
                if (source >= 0 && source < n)
                    needed[step - 1, source] = 1
            }
    }

    y = 112
    for (lane = 0; lane < n; lane++) {
        thread(first + lane * pitch, y - 26, 64, "lane " lane, 1)
        cell(first + lane * pitch, y, 64, 40, "value", value[lane])
    }
    text(30, y + 27, "a register each", "text")
    for (step = 1; step <= 3; step++) {
        distance = exchange_distance(kind, step)
        y += 122
        # The unimportant ones first, so that they lie below
        for (k = 0; k <= 1; k++)
            for (lane = 0; lane < n; lane++) {
                source = exchange_source(kind, lane, distance)
                if (needed[step, lane] != k)
                    continue
                arrow(first + lane * pitch + 32, y - 81, first + lane * pitch + 32, y - 2, k ? "line" : "faint")
                if (source >= 0 && source < n)
                    arrow(first + source * pitch + 32, y - 81, first + lane * pitch + (source > lane ? 46 : 18), y - 2, k ? "line" : "faint")
            }
        for (lane = 0; lane < n; lane++) {
            source = exchange_source(kind, lane, distance)
            other[lane] = source >= 0 && source < n ? value[source] : 0
        }
        for (lane = 0; lane < n; lane++) {
            value[lane] += other[lane]
            cell(first + lane * pitch, y, 64, 40, !needed[step, lane] ? "stale" : step == 3 ? "result" : "new", value[lane])
        }
        text(30, y - 6, kind == "xor" ? "lane xor " distance : "from lane " (kind == "down" ? "+ " : "- ") distance, "text bold")
        text(30, y + 20, "step " step, "dim")
    }
    must_be(value[final], sum)
    if (kind == "xor")
        for (lane = 0; lane < n; lane++)
            must_be(value[lane], sum)
    text(30, y + 82, takeaway, "text")
    text(30, y + 108, where, "dim")
    figure_end()
}

function exchange_distance(kind, step) {
    return kind == "up" ? 2 ^ (step - 1) : 8 / 2 ^ step
}

# The lane whose value arrives; may not exist
function exchange_source(kind, lane, distance) {
    if (kind == "down")
        return lane + distance
    if (kind == "up")
        return lane - distance
    return int(lane / distance) % 2 == 0 ? lane + distance : lane - distance
}
