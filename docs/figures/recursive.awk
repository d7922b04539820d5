# One kernel, launched on its own results until one value is left.
BEGIN {
    n = 20
    block = 4
    sum = data(value, n)
    figure_begin("Launch the same kernel again and again", 1100, 608, \
        "Twenty values become five, then two, then one; each launch has a quarter as many blocks.")
    first = 214
    pitch = 43
    y = 84
    for (i = 0; i < n; i++)
        x[i] = first + (i + 0.5) * pitch
    for (launch = 0; n > 1; launch++) {
        blocks = int((n + block - 1) / block)
        text(30, y + 24, n " values", "text")
        for (b = 0; b < blocks; b++) {
            left = b * block
            right = left + block < n ? left + block : n
            box(x[left] - 20, y - 5, x[right - 1] - x[left] + 40, 48, "place")
            middle = (x[left] + x[right - 1]) / 2
            partial = 0
            for (i = left; i < right; i++) {
                cell(x[i] - 16, y, 32, 38, launch == 0 ? "value" : "new", value[i])
                partial += value[i]
            }
            arrow(middle, y + 46, middle, y + 138, "line")
            thread(middle - 40, y + 74, 80, "block " b, b % 4)
            next_x[b] = middle
            value[b] = partial
        }
        text(30, y + 84, "launch " launch + 1, "text bold")
        text(30, y + 107, blocks " block" (blocks > 1 ? "s" : "") ", " block " values each", "dim")
        line(30, y + 124, 1070, y + 124, "cut")
        for (b = 0; b < blocks; b++)
            x[b] = next_x[b]
        n = blocks
        y += 144
    }
    must_be(value[0], sum)
    text(30, y + 24, "1 value", "text")
    cell(x[0] - 30, y - 2, 60, 42, "result", value[0])
    text(30, y + 72, "Dashed line: the end of a launch, where all blocks are done: the barrier between them. The last block takes what is left.", "dim")
    figure_end()
}
