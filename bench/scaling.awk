# A summary of a CSV of reduction_multi_gpu with rows of several sizes: strong scaling, weak scaling, the peer, and the
# combination. With bench/csv.awk; name: a title.
FNR == 1 { csv_header($0); next }
{
    csv_row($0)
    if (!rows++) {
        printf "%s%s of %s, method %s, combined by %s, on %s\n", name ? name ": " : "", csv["op"], csv["type"], csv["method"],
            csv["combine"], csv["device"]
        line("ranks", "size", "one", "all", "speed-up", "limit", "alone", "slowest", "weak", "library", "ratio", "combine")
        line("", "", "us", "us", "", "", "us", "us", "", "us", "", "us")
    }
    line(csv["ranks"], size_text(csv["n"]), known(csv["one_device_us"], "%.2f"), known(csv["total_us"], "%.2f"),
        known(csv["speed_up"], "%.3f"), known(csv["speed_up_limit"], "%.3f"), known(csv["share_alone_us"], "%.2f"),
        known(csv["share_alone_slowest_us"], "%.2f"), known(csv["weak_efficiency"], "%.3f"), known(csv["peer_us"], "%.2f"),
        known(csv["total_us"] > 0 ? csv["peer_us"] / csv["total_us"] : 0, "%.2f"),
        known(csv["combination_us"], "%.2f") (csv["check"] == "OK" ? "" : "  " csv["check"]))
}

function line(ranks, size, one, all, speed_up, limit, alone, slowest, weak, library, ratio, combine) {
    printf "%5s %6s %8s %8s %8s %7s %8s %8s %6s %8s %6s %7s\n", ranks, size, one, all, speed_up, limit, alone, slowest,
        weak, library, ratio, combine
}
function known(value, format) {
    return value > 0 ? sprintf(format, value) : "-"
}
END { if (rows) print "" }
