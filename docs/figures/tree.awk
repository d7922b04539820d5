# Seven additions, but only three of them after one another.
BEGIN {
    n = 8
    sum = data(value, n)
    figure_begin("Reduction as a tree", 1100, 560, \
        "Eight values are added in pairs, then the four sums, then the two: three steps instead of seven.")
    first = 230
    width = 100
    for (i = 0; i < n; i++) {
        x[i] = first + (i + 0.5) * width
        cell(x[i] - 32, 90, 64, 44, "value", value[i])
    }
    text(30, 118, "8 values", "text")
    additions = 0
    step = 0
    for (count = n; count > 1; count /= 2) {
        y = 90 + ++step * 112
        for (i = 0; i < count / 2; i++) {
            middle = (x[2 * i] + x[2 * i + 1]) / 2
            arrow(x[2 * i], y - 67, middle - 10, y - 2, "line")
            arrow(x[2 * i + 1], y - 67, middle + 10, y - 2, "line")
            x[i] = middle
            value[i] = value[2 * i] + value[2 * i + 1]
            cell(middle - 32, y, 64, 44, count == 2 ? "result" : "new", value[i])
            additions++
        }
        text(30, y + 18, "step " step, "text bold")
        text(30, y + 42, count / 2 (count == 2 ? " addition" : " additions"), "dim")
    }
    must_be(value[0], sum)
    must_be(additions, n - 1)
    text(30, 516, "A tree needs as many additions as a loop (" n " - 1 = " additions "), but only log2 " n " = " step " steps one after another.", "text")
    text(30, 542, "All additions of one step can happen at the same time.", "dim")
    figure_end()
}
