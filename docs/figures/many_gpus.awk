# Many GPUs: each reduces its share, and writes its value with a mark into the host's memory, where all ranks read.
BEGIN {
    ranks = 4
    size = 4
    sum = data(value, ranks * size)
    figure_begin("Many GPUs: a share each, and one value each on the host", 1100, 620, \
        "Four ranks with one GPU each. Each GPU reduces its share of the array and writes its value, with a mark, into memory of the host. Each rank waits for the marks of all and adds the values in the order of the ranks.")
    first = 190
    pitch = 48
    gap = 26
    text(30, 110, "the array", "text")
    text(30, 134, "in four shares", "dim")
    for (r = 0; r < ranks; r++) {
        left = first + r * (size * pitch + gap)
        middle = left + size * pitch / 2 - 3
        part[r] = 0
        for (i = 0; i < size; i++) {
            cell(left + i * pitch, 90, pitch - 6, 38, "value", value[r * size + i])
            part[r] += value[r * size + i]
            arrow(left + i * pitch + 21, 130, middle - 27 + 18 * i, 172, "line")
        }
        box(left, 176, size * pitch - 6, 92, "place")
        thread(middle - 45, 184, 90, "GPU " r, r)
        cell(middle - 30, 222, 60, 38, "new", part[r])
        arrow(middle, 262, middle, 330, "line")
    }
    text(30, 212, "every rank", "text")
    text(30, 236, "its own GPU,", "dim")
    text(30, 258, "single_pass", "dim")
    box(first, 334, ranks * (size * pitch + gap) - gap - 6, 92, "place")
    text(30, 374, "memory", "text")
    text(30, 398, "of the host", "dim")
    total = 0
    for (r = 0; r < ranks; r++) {
        left = first + r * (size * pitch + gap)
        middle = left + size * pitch / 2 - 3
        cell(middle - 68, 360, 58, 38, "result", "mark")
        cell(middle - 6, 360, 60, 38, "new", part[r])
        arrow(middle, 400, first + 420 + 14 * (r - 1.5), 470, "line")
        total += part[r]
    }
    must_be(total, sum)
    cell(first + 376, 474, 88, 44, "result", total)
    text(30, 492, "the host", "text")
    text(30, 516, "adds four values", "dim")
    text(first + 490, 502, "all ranks, in the same order: the same bits", "dim")
    text(30, 566, "A mark is in the same word as its bits, so who sees the mark sees the value. No kernel waits for another GPU,", "text")
    text(30, 592, "and no message is sent. Between hosts MPI_Allreduce takes the place of the shared memory.", "dim")
    figure_end()
}
