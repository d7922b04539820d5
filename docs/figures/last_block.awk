# One launch: every block takes a ticket when its partial is written; the last ticket finishes.
BEGIN {
    blocks = 4
    size = 4
    sum = data(value, blocks * size)
    split("1 3 0 2", ticket, " ") # of blocks 0 ... 3: an order that no program decides
    split("250 560 120 400", ends, " ")
    figure_begin("Last block finishes: a ticket instead of a second launch", 1100, 560, \
        "Four blocks finish in any order. Each writes its partial and takes a ticket; the block with the last ticket adds all partials.")
    first = 150
    for (b = 0; b < blocks; b++) {
        y = 92 + b * 78
        partial[b] = 0
        for (i = 0; i < size; i++)
            partial[b] += value[b * size + i]
        thread(30, y + 4, 90, "block " b, b)
        x = first + ends[b + 1]
        box(first, y, x - first, 34, "value")
        text(first + 12, y + 24, "reduce", "text")
        cell(x + 6, y - 2, 52, 38, "new", partial[b])
        text(x + 82, y + 24, "ticket " ticket[b + 1], ticket[b + 1] == blocks - 1 ? "bold" : "text")
        text(x + 6, y + 56, "partial, fence", "dim")
        if (ticket[b + 1] == blocks - 1) {
            last = b
            last_y = y
        } else {
            text(x + 172, y + 24, "done", "dim")
        }
    }
    total = 0
    for (b = 0; b < blocks; b++)
        total += partial[b]
    must_be(total, sum)
    x = first + ends[last + 1] + 172
    arrow(x - 4, last_y + 18, x + 22, last_y + 18, "line")
    cell(x + 26, last_y - 6, 82, 46, "result", total)
    text(1070, last_y + 64, "adds all partials", "dim end")
    y = 92 + blocks * 78
    arrow(first, y + 4, 1070, y + 4, "line")
    text(1070, y + 30, "time", "dim end")
    text(30, y + 70, "ticket = atomicAdd(&counter, 1); the one that gets gridDim.x - 1 = " blocks - 1 " knows that all others are done.", "text")
    text(30, y + 98, "The fence comes between partial and ticket: who sees the ticket must see the partial. Nobody waits for anybody,", "dim")
    text(30, y + 122, "so it works for any grid. The counter has to be 0 again before the next run.", "dim")
    figure_end()
}
