# Converts the CSV of make bench into the input of the gnuplot scripts, for one type and operation.
#
#   awk -f bench/csv.awk -f bench/plot/plot.awk -v dir=DIR -v type=double -v op=sum -v clock=total [-v bar_n=N] FILE
#
# writes into DIR:
#   curves.dat                one block for each variant: n, time in us, GB/s, speed-up over the library
#   bars.dat                  row, GB/s, colour, text
#   FIGURE.set                title, axes, styles and the labels at the ends of the lines
# and prints the names of the figures that can be drawn.

BEGIN {
    # One hue for the steps of a chapter, after Okabe and Ito, whose colours are told apart with any colour vision;
    # inside a chapter the lightness and the marks differ.
    family("#C98A00 #8F5F00 #E0AC3C #5E3F00", "no_striding global_memory interleaved bank_conflicts")
    family("#CC79A7 #94456F #DDA3C4", "first_add unroll_last_warp recursive")
    family("#009E73 #5CC2A3 #00644A", "striding two_kernel_calls two_kernels_unroll")
    family("#0072B2 #56B4E9 #004266", "shfl atomic cooperative")
    family("#8A8A1C #5F5F00 #B3B34D #3F3F00 #A1A100", "statistics segmented custom head_flags reproducible")
    family("#D55E00", "single_pass")
    family("#000000", "prim")
    split("#555555 #777777 #999999 #666666", others, " ") # variants that are not known here
    split("no_striding striding shfl atomic global_memory", list, " ")
    for (i in list) main[list[i]]
    gap = 0.037 # between labels, as a part of the height
}

# Colours and marks of the variants of one chapter.
function family(colours, names,    i, n, c, v) {
    split(colours, c, " ")
    n = split(names, v, " ")
    for (i = 1; i <= n; i++) {
        colour[v[i]] = c[i]
        mark[v[i]] = i
    }
}

FNR == 1 { csv_header($0); next }

{
    csv_row($0)
    if (csv["type"] != type || csv["op"] != op || csv["check"] != "OK")
        next
    v = csv_variant()
    n = csv["n"] # a string: as a number it would be a key with six digits
    if (n + 0 == 0 || csv[clock "_median_us"] <= 0)
        next
    if (!(v in seen)) { seen[v] = 1; variants[++variant_count] = v; place_of[v] = variant_count }
    if (!(n in seen_n)) { seen_n[n] = 1; sizes[++size_count] = n }
    samples[v, n, ++count[v, n]] = csv[clock "_median_us"] + 0
    bytes[n] = csv["bytes"] + 0
    if (csv["ceiling_gbps"] > ceiling) ceiling = csv["ceiling_gbps"] + 0
    if (csv["peak_gbps"] != "") peak = csv["peak_gbps"] + 0
    if (device == "") {
        device = csv["device"]
        date = substr(csv["date"], 1, 10)
        cache = csv["cache"]
    }
}

function log2(x) { return log(x) / log(2) }
function log10(x) { return log(x) / log(10) }
# "atomic atomics=warp" looks like atomic, with its lines broken and its marks open.
function base(v) { sub(/ .*/, "", v); return v }
function style_colour(v) { return base(v) in colour ? colour[base(v)] : others[(place_of[v] - 1) % 4 + 1] }
function style(v,    width, of) {
    width = base(v) == "single_pass" ? 5 : base(v) in main ? 3.5 : 2.5
    of = base(v) in mark ? mark[base(v)] : place_of[v] % 5 + 1
    if (v == "prim") return sprintf("lines lc rgb '%s' lw 3.5 dt (12,6)", style_colour(v))
    return sprintf("linespoints lc rgb '%s' lw %g dt %s pt %d ps %g", style_colour(v), width, v == base(v) ? "1" : "(8,4)",
                   substr("0705091311", 2 * of - 1, 2) - (v == base(v) ? 0 : 1), width > 3 ? 0.8 : 0.6)
}
function label(v) { return v == "prim" ? "prim (library)" : v }

# What a figure shows of a variant at n; "" if there is nothing.
function shown(figure, v, n) {
    if (!((v, n) in time)) return ""
    if (figure == "time") return time[v, n]
    if (figure == "bandwidth") return speed[v, n]
    return (("prim", n) in time) ? time["prim", n] / time[v, n] : ""
}

# Where a value is drawn, from 0 (bottom) to 1 (top).
function place(y) {
    return y_log ? log(y / y_low) / log(y_high / y_low) : (y - y_low) / (y_high - y_low)
}

# Moves labels apart until they have room: neighbours that are too close share the push.
function spread(at, order, count,    i, k, pass, lack, moved) {
    for (i = 2; i <= count; i++) {
        moved = order[i]
        for (k = i - 1; k >= 1 && at[order[k]] > at[moved]; k--)
            order[k + 1] = order[k]
        order[k + 1] = moved
    }
    for (pass = 0; pass < 2000; pass++) {
        for (i = 1; i < count; i++) {
            lack = gap - (at[order[i + 1]] - at[order[i]])
            if (lack > 0) {
                at[order[i]] -= lack / 2
                at[order[i + 1]] += lack / 2
            }
        }
        if (count > 0 && at[order[1]] < 0) at[order[1]] = 0
        if (count > 0 && at[order[count]] > 1) at[order[count]] = 1
    }
}

function x_tics(out, last,    k, step, first, tics) {
    first = sizes[1] + 0
    step = 1
    while (log2(last / first) / step > 8) step++
    for (k = 0; last / 2 ^ k >= first; k += step)
        tics = tics sprintf("%s\"%s\" %.10g", k ? ", " : "", size_text(last / 2 ^ k), last / 2 ^ k)
    printf "set logscale x 2\nset xrange [%.0f:%.0f]\nset xtics (%s)\n", first, last * 1.001, tics > out
}

# Tics of a logarithmic axis: the finest set of these that has room.
function y_tics(out, which,    set, sets, k, m, i, marks, count, mark, marked, tics) {
    sets = split("1 1.1 1.2 1.3 1.5 1.75 2 2.5 3 4 5 6 7 8 9;1 1.5 2 3 4 5 6 8;1 2 5;1 3;1", set, ";")
    for (i = 1; i <= sets; i++) {
        count = split(set[i], marks, " ")
        marked = 0
        tics = ""
        for (k = -30; k <= 30; k++)
            for (m = 1; m <= count; m++) {
                mark = marks[m] * 10 ^ k
                if (mark < y_low || mark > y_high) continue
                tics = tics sprintf("%s\"%s\" %.10g", marked++ ? ", " : "", which == "time" ? time_text(mark) : sprintf("%.3g", mark), mark)
            }
        if (marked <= 12) break
    }
    printf "set ytics (%s)\n", tics > out
}

function time_text(us) {
    return us < 1e3 ? sprintf("%g µs", us) : us < 1e6 ? sprintf("%g ms", us / 1e3) : sprintf("%g s", us / 1e6)
}

# The heading in the figure, and the same as the title of the SVG, for screen readers and for a browser's tab.
function title(which, heading,    out) {
    out = dir "/" which ".set"
    printf "set label \"%s\\n{/*0.9 %s}\" at screen 0.015,0.955 left\n", heading, plain(about) > out
    print heading ": " about > (dir "/" which ".title")
    close(dir "/" which ".title")
}

# Text without gnuplot's marks for indices and fonts.
function plain(text) {
    gsub(/[_^@&~{}\\]/, "\\\\\\\\&", text) # twice: for the string and for the text in it
    gsub(/"/, "\\\"", text)
    return text
}

function figure(which, heading, last,    out, i, k, n, v, y, x, count, at, order, where, end, line, width) {
    out = dir "/" which ".set"
    y_log = which != "bandwidth"
    y_low = y_log ? 1e30 : 0
    y_high = which == "bandwidth" ? (peak > ceiling ? peak : ceiling) : 0
    for (i = 1; i <= variant_count; i++)
        for (k = 1; k <= size_count && sizes[k] + 0 <= last + 0; k++) {
            y = shown(which, variants[i], sizes[k])
            if (y == "") continue
            if (y > y_high) y_high = y
            if (y < y_low) y_low = y
        }
    if (which == "speedup") {
        if (y_low < 1 / 32) y_low = 1 / 32 # what is slower than that is off the picture
        if (y_high < 1.2) y_high = 1.2
    }
    y_high *= y_log ? 1.15 : 1.07
    if (y_log) y_low /= 1.15

    title(which, heading)
    printf "set xlabel \"elements in the array\"\nset ylabel \"%s\"\n", \
        which == "bandwidth" ? "bandwidth in GB/s" : which == "time" ? "time of a reduction" : "speed-up over the library" > out
    printf "set yrange [%.10g:%.10g]\n", y_low, y_high > out
    x_tics(out, last)
    if (y_log) { print "set logscale y" > out; y_tics(out, which) }
    line = ""
    for (i = 1; i <= variant_count; i++) {
        v = variants[i]
        end = ""
        for (k = 1; k <= size_count && sizes[k] + 0 <= last + 0; k++) {
            y = shown(which, v, sizes[k])
            if (y != "") { end = y < y_low ? y_low : y; x = sizes[k] }
        }
        line = line sprintf("%s'%s/curves.dat' index %d using 1:%d with %s", i > 1 ? ", " : "", dir, i - 1,
                            which == "time" ? 2 : which == "bandwidth" ? 3 : 4, style(v))
        if (end != "") {
            order[++count] = v
            at[v] = where[v] = place(end)
            from[v] = log(x / sizes[1]) / log(last / sizes[1])
        }
    }
    y = ceiling > 0 ? bytes[last] / (ceiling * 1e3) : 0
    if (which == "time" && y / 8 > y_low) { # nothing is faster than reading at the ceiling; three steps of it are seen
        line = line sprintf(", x * %.10g with lines dt (6,6) lc rgb '#505050' lw 2", y / last)
        if (y > y_low && y < y_high) {
            v = "bytes / read ceiling"
            order[++count] = v
            at[v] = where[v] = place(y)
            from[v] = 1
        }
    }
    spread(at, order, count)
    for (i = 1; i <= count; i++) {
        v = order[i]
        printf "set arrow from graph %.4f,%.4f to graph 1.025,%.4f nohead lc rgb '%s' lw 1\n", \
            from[v], where[v], at[v], style_colour(v) > out
        printf "set label \"%s\" at graph 1.03,%.4f left noenhanced textcolor rgb '%s'\n", \
            label(v), at[v], style_colour(v) > out
    }
    if (which == "bandwidth" && ceiling > 0) {
        printf "set arrow from graph 0,first %g to graph 1,first %g nohead dt 2 lc rgb '#505050' lw 2\n", \
            ceiling, ceiling > out
        printf "set label \"measured read ceiling %.4g GB/s\" at graph 0.01,first %g offset 0,-0.7 left textcolor rgb '#505050'\n", \
            ceiling, ceiling > out
    }
    if (which == "bandwidth" && peak > 0) {
        printf "set arrow from graph 0,first %g to graph 1,first %g nohead dt 3 lc rgb '#505050' lw 2\n", peak, peak > out
        printf "set label \"peak of the memory %.4g GB/s\" at graph 0.01,first %g offset 0,0.6 left textcolor rgb '#505050'\n", \
            peak, peak > out
    }
    if (which == "speedup")
        print "set arrow from graph 0,first 1 to graph 1,first 1 nohead lc rgb '#000000' lw 1" > out
    printf "plot_command = \"plot %s\"\n", line > out
    close(out)
    print which
}

function bars(heading,    out, i, v, text, rows, most) {
    out = dir "/bars.dat"
    most = peak > ceiling ? peak : ceiling
    for (i = 1; i <= variant_count; i++) {
        v = variants[i]
        if (!((v, bar_n) in speed)) continue
        text = sprintf(speed[v, bar_n] < 100 ? "%.3g" : "%.0f", speed[v, bar_n])
        if (ceiling > 0) text = text sprintf("   %3.0f %%", 100 * speed[v, bar_n] / ceiling)
        if (speed[v, bar_n] > most) most = speed[v, bar_n]
        printf "%d %.6g %d \"%s\" \"%s\"\n", ++rows, speed[v, bar_n], hex(style_colour(v)), label(v), text > out
    }
    close(out)
    out = dir "/bars.set"
    title("bars", heading)
    printf "set yrange [%g:0.3]\nset xrange [0:%g]\nbar_text_x = %g\n", rows + 0.7, most * 1.25, most * 1.25 > out
    if (ceiling > 0) {
        printf "set arrow from first %g,graph 0 to first %g,graph 1 nohead dt 2 lc rgb '#505050' lw 2 front\n", \
            ceiling, ceiling > out
        printf "set label \"measured read ceiling %.4g GB/s\" at first %g,graph 1.03 center textcolor rgb '#505050' front\n", \
            ceiling, ceiling > out
    }
    close(out)
    if (rows > 0) print "bars"
}

function hex(text,    i, value) {
    for (i = 2; i <= 7; i++)
        value = value * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
    return value
}

END {
    if (size_count == 0) exit
    for (i = 2; i <= size_count; i++) {
        n = sizes[i]
        for (k = i - 1; k >= 1 && sizes[k] + 0 > n + 0; k--) sizes[k + 1] = sizes[k]
        sizes[k + 1] = n
    }
    for (i = 1; i <= variant_count; i++)
        for (k = 1; k <= size_count; k++) {
            v = variants[i]; n = sizes[k]
            if (!((v, n) in count)) continue
            for (s = 1; s <= count[v, n]; s++) list[s] = samples[v, n, s]
            time[v, n] = median(list, count[v, n])
            speed[v, n] = bytes[n] / time[v, n] / 1e3
        }
    for (i = 1; i <= variant_count; i++) {
        v = variants[i]
        for (k = 1; k <= size_count; k++)
            if ((v, sizes[k]) in time)
                print sizes[k], time[v, sizes[k]], speed[v, sizes[k]], \
                    shown("speedup", v, sizes[k]) == "" ? "NaN" : shown("speedup", v, sizes[k]) > (dir "/curves.dat")
        printf "\n\n" > (dir "/curves.dat")
    }
    close(dir "/curves.dat")

    what = sprintf("%s of %s", op, type == "int" || type == "long" ? type "s" : type "s")
    about = sprintf("%s, %s, %s caches, %s", device, date, cache, clock == "total" ? "clock of the host around the whole reduction" : "clock of the device around the launches")
    biggest = sizes[size_count]
    if (size_count > 1) {
        figure("bandwidth", "Bandwidth: " what, biggest)
        # The latency is over where reading takes longer than starting.
        small = biggest
        for (k = 1; k <= size_count; k++)
            if (sizes[k] + 0 <= 4194304 && k > 2) small = sizes[k]
        figure("time", "Time: " what, small)
        if ("prim" in seen) figure("speedup", "How many times faster than the library: " what, biggest)
    }
    if (bar_n == "" || bar_n == 0) bar_n = biggest
    bars("Bandwidth: " what ", " size_text(bar_n) " elements")
}
