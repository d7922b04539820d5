# Who updates the one result: every thread, one lane of each warp, one thread of each block.
function panel(x, heading, words, group,    i, updates, w, width, y, total, part) {
    text(x, 92, heading, "bold")
    text(x, 116, words, "dim")
    y = 136
    updates = n / group
    total = 0
    for (i = 0; i < n; i++) {
        w = int(i / 4)
        box(x + i * 20 + int(i / 8) * 8, y, 18, 24, "w" w)
    }
    text(x + 76, y + 46, "block 0", "dim mid")
    text(x + 244, y + 46, "block 1", "dim mid")
    for (i = 0; i < updates; i++) {
        part = 0
        for (w = i * group; w < (i + 1) * group; w++)
            part += value[w]
        width = group * 20 - 2
        left = x + i * group * 20 + int(i * group / 8) * 8
        if (group == 1)
            width = 18
        cell(left + width / 2 - (group == 1 ? 9 : 20), y + 62, group == 1 ? 18 : 40, 32, "new", part, group == 1 ? "small mid" : "number")
        arrow(left + width / 2, y + 96, x + 163 + (i - (updates - 1) / 2) * (group == 1 ? 3.4 : 12), y + 196, "line")
        total += part
    }
    must_be(total, sum)
    cell(x + 123, y + 198, 80, 44, "result", total)
    text(x + 163, y + 276, updates " updates", "bold mid")
    text(x + 163, y + 302, "one after another", "dim mid")
}
BEGIN {
    n = 16
    sum = data(value, n)
    figure_begin("Atomics: who updates the result?", 1100, 548, \
        "Sixteen threads in two blocks: sixteen updates when every thread does it, four with one lane per warp, two with one thread per block.")
    panel(30, "--atomics thread", "every thread", 1)
    panel(388, "--atomics warp", "one lane, after shuffles", 4)
    panel(746, "--atomics block", "one thread, after the tree", 8)
    text(30, 488, "2 blocks of 2 warps of 4 threads; a colour is a warp. All updates of one address take turns.", "text")
    text(30, 516, "With blocks of 256 threads: 256 updates, 8 (warps of 32) or 4 (wavefronts of 64), or 1 per block.", "dim")
    figure_end()
}
