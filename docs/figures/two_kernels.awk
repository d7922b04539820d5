# Two launches: partials of the blocks, then one block for the partials.
BEGIN {
    n = 16
    blocks = 4
    size = n / blocks
    sum = data(value, n)
    figure_begin("Two kernel calls: the end of a kernel is the barrier", 1100, 584, \
        "In the first launch four blocks write one partial each. The second launch is one block that adds the partials.")
    first = 226
    pitch = 50
    gap = 16
    y = 84
    text(30, y + 26, "input", "text")
    for (b = 0; b < blocks; b++) {
        left = first + b * (size * pitch + gap)
        partial[b] = 0
        for (i = 0; i < size; i++) {
            cell(left + i * pitch, y, pitch - 6, 38, "value", value[b * size + i])
            arrow(left + i * pitch + 22, y + 40, left + 82 + 10 * i, y + 82, "line")
            partial[b] += value[b * size + i]
        }
        thread(left + 52, y + 84, 90, "block " b, b)
        arrow(left + 97, y + 109, first + 300 + b * 60, y + 168, "line")
    }
    text(30, y + 102, "launch 1", "bold")
    text(30, y + 126, "blocks in any order", "dim")
    y += 176
    box(first + 262, y - 6, 256, 50, "place")
    for (b = 0; b < blocks; b++) {
        cell(first + 274 + b * 60, y, 52, 38, "new", partial[b])
        arrow(first + 300 + b * 60, y + 46, first + 375 + b * 10, y + 116, "line")
    }
    text(30, y + 26, "partials", "text")
    text(first + 540, y + 26, "in global memory", "dim")
    line(30, y + 70, 1070, y + 70, "cut")
    text(1070, y + 98, "starts when launch 1 is done:", "dim end")
    text(1070, y + 121, "all partials are there", "dim end")
    total = 0
    for (b = 0; b < blocks; b++)
        total += partial[b]
    must_be(total, sum)
    thread(first + 345, y + 118, 90, "block 0", 0)
    text(30, y + 130, "launch 2", "bold")
    text(30, y + 154, "the same kernel, 1 block", "dim")
    arrow(first + 390, y + 143, first + 390, y + 178, "line")
    y += 180
    cell(first + 358, y, 64, 42, "result", total)
    text(30, y + 26, "result", "text")
    text(first + 440, y + 26, "one value is copied to the host", "dim")
    text(30, y + 92, "A grid of any size: the one block of launch 2 walks over the partials with a loop.", "text")
    text(30, y + 118, "The price is a second launch, and a device that is nearly idle while it runs.", "dim")
    figure_end()
}
