# The resources of a kernel, from the compiler: an AMD listing (-S), or PTX followed by the output of ptxas -v.
#
#   -v prefix=_ZN10double_sum  -v kernels="reduce_blocks ..."  -v variant=shfl  -v dynamic=1
# prints: variant name registers shared spilled barriers waves dynamic

BEGIN { count = split(kernels, name, " ") }

function kernel_of(text,    i) {
    for (i = 1; i <= count; i++)
        if (index(text, prefix length(name[i]) name[i])) return name[i]
    return ""
}

function number_before(text, word) {
    if (!match(text, "[0-9]+ " word)) return 0
    return substr(text, RSTART, RLENGTH) + 0
}

# PTX: one .entry each; a barrier in a loop counts once.
/^\.visible \.entry|^\.entry/ { now = kernel_of($0); next }
/^[ \t]*(@%?!?p[0-9]+ )?(bar|barrier)\.(cta\.)?sync/ { if (now != "") barriers[now]++ }

# ptxas -v
/Compiling entry function/ { now = kernel_of($0); next }
/bytes spill stores/ && now != "" { spilled[now] = number_before($0, "bytes spill stores") + number_before($0, "bytes spill loads") }
/ptxas info.*Used [0-9]+ registers/ && now != "" {
    registers[now] = number_before($0, "registers")
    shared[now] = number_before($0, "bytes smem")
    waves[now] = "-"
    now = ""
}

# AMD
/^_Z[A-Za-z0-9_]*:/ { now = kernel_of($1) }
/^[ \t]+s_barrier/ { if (now != "") barriers[now]++ }
/^; TotalNumVgprs:|^; NumVgprs:/ && now != "" { registers[now] = $3 }
/^; ScratchSize:/ && now != "" { spilled[now] = $3 }
/^; LDSByteSize:/ && now != "" { shared[now] = $3 }
/^; Occupancy:/ && now != "" { waves[now] = $3; now = "" }

END {
    for (i = 1; i <= count; i++)
        if (name[i] in registers)
            print variant, name[i], registers[name[i]], shared[name[i]] + 0, spilled[name[i]] + 0, \
                barriers[name[i]] + 0, waves[name[i]], dynamic
}
