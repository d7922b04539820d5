# What all figures share: one look, the data, and how to put shapes into an SVG.
#
# A figure is a small awk program with a BEGIN block that calls figure_begin(), draws, and calls
# figure_end(). The numbers in it are not typed: the figure walks the same steps as the kernel, and writes
# down what comes out.
#
# Lengths are in pixels of a picture 1100 wide; y grows downwards. A style is a class of the style sheet:
#   boxes  value (at rest), new (just computed), stale (no longer used), result, bad (a conflict),
#          place (a region: a block, a memory), w0 ... w3 (work of warp or block 0 ... 3)
#   lines  line (takes part), faint (does not matter for the result)
#   text   title, text, small, dim, number (in boxes), code; add " mid" to centre, " end" to end at x
# Colours are those of Okabe and Ito, which people with any colour vision can tell apart; what a colour
# says is also said by a number, a dash or a word.

function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function figure_begin(title, width, height, description) {
    WIDTH = width
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", width, height, width, height
    printf "<title>%s</title>\n<desc>%s</desc>\n", escape(title), escape(description)
    print "<style>"
    print "svg { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }"
    print ".code { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }"
    print "text { font-size: 19px; fill: #1a1a1a; }"
    print ".title { font-size: 26px; font-weight: bold; }"
    print ".bold { font-weight: bold; }"
    print ".small { font-size: 17px; }"
    print ".dim { fill: #5c5c5c; font-size: 17px; }"
    print ".number { font-size: 20px; text-anchor: middle; }"
    print ".gone { font-size: 20px; text-anchor: middle; fill: #767676; }"
    print ".thread { font-size: 16px; text-anchor: middle; fill: #000; }"
    print ".index { font-size: 14px; fill: #5c5c5c; }"
    print ".mid { text-anchor: middle; }"
    print ".end { text-anchor: end; }"
    print ".card { fill: #ffffff; stroke: #c4c4c4; stroke-width: 1; }"
    print ".value { fill: #f1f1f1; stroke: #6e6e6e; stroke-width: 1.5; }"
    print ".new { fill: #d3eafa; stroke: #0072b2; stroke-width: 2; }"
    print ".stale { fill: none; stroke: #9a9a9a; stroke-width: 1.5; stroke-dasharray: 4 4; }"
    print ".result { fill: #c5eadd; stroke: #009e73; stroke-width: 4; }"
    print ".bad { fill: #fbd9c3; stroke: #d55e00; stroke-width: 4; }"
    print ".place { fill: #f8f8f8; stroke: #8a8a8a; stroke-width: 1.5; }"
    print ".w0 { fill: #e69f00; stroke: none; }"
    print ".w1 { fill: #56b4e9; stroke: none; }"
    print ".w2 { fill: #2fb894; stroke: none; }"
    print ".w3 { fill: #dd93bb; stroke: none; }"
    print ".line { stroke: #3c3c3c; stroke-width: 2; fill: none; }"
    print ".faint { stroke: #a8a8a8; stroke-width: 1.5; fill: none; stroke-dasharray: 4 4; }"
    print ".cut { stroke: #d55e00; stroke-width: 3; fill: none; stroke-dasharray: 12 6; }"
    print ".line-head { fill: #3c3c3c; }"
    print ".faint-head { fill: #a8a8a8; }"
    print "@media (prefers-color-scheme: dark) {"
    print "text { fill: #f0f0f0; }"
    print ".index { fill: #b4b4b4; }"
    print ".dim { fill: #b4b4b4; }"
    print ".gone { fill: #909090; }"
    print ".thread { fill: #000; }"
    print ".card { fill: #181b20; stroke: #4a4f57; }"
    print ".value { fill: #30353c; stroke: #a0a0a0; }"
    print ".new { fill: #0b3f60; stroke: #56b4e9; }"
    print ".stale { stroke: #707070; }"
    print ".result { fill: #04503b; stroke: #20c497; }"
    print ".bad { fill: #6b3208; stroke: #f08030; }"
    print ".place { fill: #21252b; stroke: #868686; }"
    print ".line { stroke: #d0d0d0; }"
    print ".faint { stroke: #6a6a6a; }"
    print ".cut { stroke: #f08030; }"
    print ".line-head { fill: #d0d0d0; }"
    print ".faint-head { fill: #6a6a6a; }"
    print "}"
    print "</style>"
    printf "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"12\"/>\n", width - 1, height - 1
    text(30, 46, title, "title")
}

function figure_end() {
    print "</svg>"
}

function text(x, y, words, style) {
    printf "<text class=\"%s\" x=\"%g\" y=\"%g\">%s</text>\n", style, x, y, escape(words)
}

function box(x, y, width, height, style) {
    printf "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"4\"/>\n", style, x, y, width, height
}

# A box with something written in its middle.
function cell(x, y, width, height, style, words, text_style) {
    box(x, y, width, height, style)
    text(x + width / 2, y + height / 2 + 7, words, text_style == "" ? (style == "stale" ? "gone" : "number") : text_style)
}

# The thread that computes what is in the box below: its number on the colour of its warp.
function thread(x, y, width, number, warp) {
    box(x, y, width, 24, "w" warp)
    text(x + width / 2, y + 18, number, "thread")
}

function line(x1, y1, x2, y2, style) {
    printf "<line class=\"%s\" x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\"/>\n", style, x1, y1, x2, y2
}

# style: line or faint
function arrow(x1, y1, x2, y2, style,    length_, ux, uy) {
    length_ = sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
    ux = (x2 - x1) / length_
    uy = (y2 - y1) / length_
    line_rounded(x1, y1, x2 - 8 * ux, y2 - 8 * uy, style)
    printf "<path class=\"%s-head\" d=\"M%.1f %.1f L%.1f %.1f L%.1f %.1fZ\"/>\n", style, x2, y2, \
        x2 - 11 * ux - 4.5 * uy, y2 - 11 * uy + 4.5 * ux, x2 - 11 * ux + 4.5 * uy, y2 - 11 * uy - 4.5 * ux
}

function line_rounded(x1, y1, x2, y2, style) {
    printf "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style, x1, y1, x2, y2
}

# The same values in every figure: the digits of pi. Fills array[0 ... count - 1] and returns their sum.
function data(array, count,    i, sum) {
    split("3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 2 3 8 4", DIGITS, " ")
    for (i = 0; i < count; i++) {
        array[i] = DIGITS[i + 1] + 0
        sum += array[i]
    }
    return sum
}

# A figure that does not add up is not drawn.
function must_be(value, expected) {
    if (value != expected) {
        print "figure is wrong: " value " instead of " expected | "cat >&2"
        close("cat >&2")
        exit 1
    }
}
