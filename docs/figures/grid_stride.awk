# A grid of 2 blocks of 4 threads walks over 20 values.
BEGIN {
    n = 20
    blocks = 2
    threads = 4
    stride = blocks * threads
    sum = data(value, n)
    figure_begin("Grid stride: a fixed grid walks over any array", 1100, 522, \
        "Eight threads take the values with a stride of eight: thread zero takes the elements zero, eight and sixteen.")
    first = 250
    pitch = 100
    text(30, 92, "grid: 2 blocks of 4", "text")
    for (t = 0; t < stride; t++)
        thread(first + t * pitch, 74, pitch - 12, "b" int(t / threads) " t" t % threads, int(t / threads))
    y = 118
    for (start = 0; start < n; start += stride) {
        for (t = 0; t < stride; t++) {
            i = start + t
            if (i < n) {
                cell(first + t * pitch, y, pitch - 12, 42, "value", value[i])
                text(first + t * pitch + 6, y + 16, i, "index")
                register[t] += value[i]
            } else {
                box(first + t * pitch, y, pitch - 12, 42, "stale")
                text(first + (t + 0.44) * pitch, y + 27, "i >= n", "gone")
            }
            if (start > 0)
                arrow(first + (t + 0.44) * pitch, y - 40, first + (t + 0.44) * pitch, y - 2, "line")
        }
        text(30, y + 18, "round " start / stride + 1, "bold")
        text(30, y + 42, "i = " start " ... " (start + stride < n ? start + stride : n) - 1, "dim")
        y += 84
    }
    y += 10
    total = 0
    for (t = 0; t < stride; t++) {
        arrow(first + (t + 0.44) * pitch, y - 50, first + (t + 0.44) * pitch, y - 2, "line")
        cell(first + t * pitch, y, pitch - 12, 42, "new", register[t])
        total += register[t]
    }
    must_be(total, sum)
    text(30, y + 18, "a register each", "bold")
    text(30, y + 42, "then one tree per block", "dim")
    text(30, y + 92, "Neighbouring threads read neighbouring values in every round: whole cache lines, every one once.", "text")
    text(30, y + 118, "The tree with its barriers runs once per block, however long the array is.", "dim")
    figure_end()
}
