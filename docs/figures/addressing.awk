# The same tree over 16 values, in five orders of work.
#
# addressing_draw(kind) walks the steps of the kernel and counts what a GPU would feel. A scale model: 4
# lanes in a warp, 4 banks of shared memory, 4 values in a cache line.
#   interleaved, strided, sequential   in shared memory: how many lanes of a warp want one bank at once
#   divergent, convergent              in global memory: how much of the cache lines that move is used

# The index that thread t adds to in this step, or -1 when it has nothing to do.
function addressing_target(kind, t, s, n) {
    if (kind == "interleaved")
        return t % (2 * s) == 0 ? t : -1
    if (kind == "strided")
        return 2 * s * t < n ? 2 * s * t : -1
    if (kind == "divergent")
        return 2 * t < n && 2 * t % (2 * s) == 0 ? 2 * t : -1
    return t < s ? t : -1 # sequential, convergent
}

function addressing_draw(kind, title, description,    n, global, i, t, s, step, y, first, cells, value, sum, \
                         target, works, warps, used, load, degree, places, pitch, k, active, lines, note, wasted) {
    n = 16
    global = kind == "divergent" || kind == "convergent"
    first = 276
    cells = 50
    pitch = 122
    sum = data(value, n)

    figure_begin(title, 1100, 712, description)
    text(first - 20, 78, "index", "dim end")
    text(first - 20, 100, global ? "cache line" : "bank", "dim end")
    for (i = 0; i < n; i++) {
        text(first + (i + 0.44) * cells, 78, i, "dim mid")
        text(first + (i + 0.44) * cells, 100, global ? int(i / 4) : i % 4, "dim mid")
    }
    y = 110
    for (i = 0; i < n; i++)
        cell(first + i * cells, y, cells - 6, 38, "value", value[i])
    text(30, y + 26, "16 values, " (global ? 8 : 16) " threads", "text")

    for (step = 0; step < 4; step++) {
        s = kind == "sequential" || kind == "convergent" ? n / 2 ^ (step + 1) : 2 ^ step
        y += pitch

        # Who does what: value[target[t]] += value[target[t] + s]
        active = warps = lines = 0
        degree = 1
        places = ""
        split("", used)
        for (i = 0; i < n; i++)
            works[i] = -1
        for (t = 0; t < n; t++) {
            target[t] = addressing_target(kind, t, s, n)
            if (target[t] < 0)
                continue
            works[target[t]] = t
            active++
            k = int(t / 4)
            if (!used["warp", k]++)
                warps++
            if (k == 0)
                places = places " " target[t] % 4
            load = ++used["bank", k, target[t] % 4]
            if (load > degree)
                degree = load
            if (!used["line", int(target[t] / 4)]++)
                lines++
            if (!used["line", int((target[t] + s) / 4)]++)
                lines++
        }
        if (global) {
            wasted = lines > 1 && 2 * active < 4 * lines
            note = lines " line" (lines > 1 ? "s" : "") ", " 2 * active " of " 4 * lines " used"
        } else {
            wasted = degree > 1
            note = (index(substr(places, 2), " ") ? "banks" : "bank") places (wasted ? ": conflict" : "")
        }

        # Lines first, so that they lie below
        for (t = 0; t < n; t++)
            if (target[t] >= 0) {
                i = first + (target[t] + 0.44) * cells
                arrow(i, y - pitch + 39, i, y - 25, "line")
                arrow(i + s * cells, y - pitch + 39, i + 8, y - 25, "line")
            }
        for (t = 0; t < n; t++)
            if (target[t] >= 0)
                value[target[t]] += value[target[t] + s]
        for (i = 0; i < n; i++) {
            if (works[i] >= 0)
                thread(first + i * cells, y - 24, cells - 6, "t" works[i], int(works[i] / 4))
            cell(first + i * cells, y, cells - 6, 38, \
                works[i] < 0 ? "stale" : active == 1 ? "result" : wasted ? "bad" : "new", value[i])
        }
        text(30, y - 30, (kind == "sequential" || kind == "convergent" ? "half = " : "stride = ") s, "bold code")
        text(30, y - 5, active == 1 ? "1 thread, 1 warp" : active " threads in " warps " warp" (warps > 1 ? "s" : ""), warps > int((active + 3) / 4) ? "bold" : "text")
        text(30, y + 20, note, wasted ? "small bold" : "dim")
    }
    must_be(value[0], sum)
    if (global) {
        text(30, y + 74, "t3 is thread 3; its colour is its warp. Scale model: 4 lanes in a warp, 4 values in a cache line.", "dim")
        text(30, y + 98, "Memory moves whole lines: what is not used of them has been moved for nothing. Dashed: not used any more.", "dim")
    } else {
        text(30, y + 74, "t3 is thread 3; its colour is its warp. Scale model: 4 lanes in a warp, 4 banks (GPUs: 32 or 64 of each).", "dim")
        text(30, y + 98, "Banks: what the first warp reads at once; the same bank twice takes two turns. Dashed: not used any more.", "dim")
    }
    figure_end()
}
