# A summary of a CSV of reduction_multi_gpu with rows of several sizes: strong scaling, weak scaling, the peer, and the
# combination. With tools/csv.awk; name: a title.
FNR == 1 { csv_header($0); next }
{
    csv_row($0)
    if (!rows++) {
        printf "%s%s of %s, method %s, combined by %s, on %s\n", name ? name ": " : "", csv["op"], csv["type"], csv["method"],
            csv["combine"], csv["device"]
        printf "%5s %8s %10s %10s %9s %10s %8s %10s %8s %7s\n", "ranks", "size", "one", "all", "speed-up", "alone", "weak", "library",
            "ratio", "combine"
        printf "%5s %8s %10s %10s %9s %10s %8s %10s %8s %7s\n", "", "", "us", "us", "", "us", "", "us", "", "us"
    }
    printf "%5d %8s %10s %10s %9s %10s %8s %10s %8s %7s%s\n", csv["ranks"], size_text(csv["n"]), known(csv["one_device_us"], "%.2f"),
        known(csv["total_us"], "%.2f"), known(csv["speed_up"], "%.3f"), known(csv["share_alone_us"], "%.2f"),
        known(csv["weak_efficiency"], "%.3f"), known(csv["peer_us"], "%.2f"),
        known(csv["total_us"] > 0 ? csv["peer_us"] / csv["total_us"] : 0, "%.2f"), known(csv["combination_us"], "%.2f"),
        csv["check"] == "OK" ? "" : "  " csv["check"]
}

function known(value, format) {
    return value > 0 ? sprintf(format, value) : "-"
}
END { if (rows) print "" }
