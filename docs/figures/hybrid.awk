# Warps, one value per warp, the first warp: a block of 16 threads in 4 warps.
BEGIN {
    n = 16
    size = 4
    warps = n / size
    sum = data(value, n)
    figure_begin("Hybrid: shuffles, shared memory, shuffles", 1100, 644, \
        "Each of four warps reduces its values with shuffles; one value per warp goes to shared memory; the first warp reduces those.")
    first = 230
    pitch = 50
    gap = 16
    y = 104
    for (w = 0; w < warps; w++) {
        box(first + w * (size * pitch + gap) - 8, y - 36, size * pitch + 10, 84, "place")
        text(first + w * (size * pitch + gap) + (size * pitch - 6) / 2, y - 14, "warp " w, "small mid")
        partial[w] = 0
        for (l = 0; l < size; l++) {
            x = first + w * (size * pitch + gap) + l * pitch
            cell(x, y, pitch - 6, 38, "value", value[w * size + l])
            partial[w] += value[w * size + l]
            arrow(x + 22, y + 40, first + w * (size * pitch + gap) + 14 + 6 * l, y + 112, "line")
        }
    }
    text(30, y + 12, "1. every warp", "bold")
    text(30, y + 36, "shuffles, no barrier", "dim")
    y += 140
    box(first - 8, y + 110, warps * pitch + 10, 50, "place")
    for (w = 0; w < warps; w++) {
        x = first + w * (size * pitch + gap)
        thread(x, y - 26, 64, "lane 0", w)
        cell(x, y, 64, 38, "new", partial[w])
        target = first + w * pitch + 22
        arrow(x + 32, y + 40, target, y + 109, "line")
    }
    text(30, y - 6, "2. lane 0 of each", "bold")
    text(30, y + 18, "warp writes its value", "dim")
    y += 116
    for (w = 0; w < warps; w++) {
        cell(first + w * pitch, y, pitch - 6, 38, "new", partial[w])
        arrow(first + w * pitch + 22, y + 98, first + 14 + 6 * w, y + 172, "line")
    }
    text(30, y + 24, "shared memory", "text")
    line(30, y + 62, 1070, y + 62, "cut")
    text(first + warps * pitch + 30, y + 24, "one value per warp, not one per thread", "text")
    text(first + warps * pitch + 30, y + 92, "__syncthreads(): the one barrier; a tree has one per step", "text")
    text(30, y + 102, "3. first warp", "bold")
    text(30, y + 126, "shuffles again", "dim")
    total = 0
    for (w = 0; w < warps; w++) {
        thread(first + w * pitch, y + 74, pitch - 6, w, 0)
        total += partial[w]
    }
    must_be(total, sum)
    y += 174
    cell(first, y, 64, 42, "result", total)
    text(first + 84, y + 27, "thread 0 has the result of the block", "text")
    text(30, y + 86, "4 warps of 4 lanes here. A block of 256 threads is 8 warps of 32 or 4 wavefronts of 64; of 1024: 32 or 16.", "dim")
    figure_end()
}
