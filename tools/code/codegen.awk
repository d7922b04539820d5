# The machine code of the kernels of one variant, from AMD code objects (llvm-readelf --notes, then
# llvm-objdump --disassemble --mcpu=TARGET) or from NVIDIA's cubins (cuobjdump -res-usage, then -sass).
#
#   -v variant=shfl -v target=gfx90a
# prints one line for each of our kernels, separated by tabs:
#   variant target type op kernel vgpr agpr sgpr lds scratch spills waves width loads waits
#   native cas bpermute dpp permlane readlane shuffle redux size turn widest
#
#   vgpr agpr sgpr  registers: vector, accumulation (both together where they are one file), scalar
#   lds scratch     bytes of shared memory (static) and of local memory
#   spills          registers that did not fit; NVIDIA: bytes of local memory
#   waves           wavefronts (warps) that fit on a SIMD (an SM's quarter) by the registers alone
#   width loads     the sequence of loads from global memory of one width, before anything waits for one of
#                   them, that has the most bytes: bytes of a load, and how many
#   waits           waits in the main loop, which is the innermost one that loads most; - without a loop
#   native cas      atomic instructions: done by the memory; compare and swap
#   bpermute ... redux  how lanes exchange values: through the LDS; operands of other lanes; v_permlane*;
#                   v_readlane and v_readfirstlane; SHFL; REDUX
#   size            bytes of code
#   turn            instructions in the main loop
#   widest          bytes of the widest load from global memory

function hex(text,    value, i) {
    value = 0
    text = tolower(text)
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}

# "double sum reduce_blocks" of _ZN10double_sum13reduce_blocksE..., or "".
function kernel_of(symbol,    rest, instance, n) {
    if (!match(symbol, /^_ZN[0-9]+(double|float|int|long)_(sum|min|max)[0-9]+/))
        return symbol ~ /^_Z/ && symbol !~ /rocprim|hipcub|^_ZN3cub|thrust/ ? "- - " symbol : "" # of the harness; of a library
    rest = substr(symbol, RLENGTH + 1)
    instance = substr(symbol, 4, RLENGTH - 3)
    n = instance
    sub(/^[0-9]+[a-z]+_[a-z]+/, "", n)
    sub(/^[0-9]+/, "", instance)
    sub(/[0-9]+$/, "", instance)
    sub(/_/, " ", instance)
    return instance " " substr(rest, 1, n + 0)
}

function seen(key) {
    if (!(key in known)) {
        known[key] = 1
        order[++count] = key
    }
    return key
}

# Wavefronts per SIMD that this many vector registers allow: size of the file, granule, limit. (LLVM, User
# Guide for AMDGPU Backend; AMD, ISA documents.)
function waves_of(registers,    file, granule, limit, used) {
    if (target ~ /^sm_/) {
        used = int((registers + 7) / 8) * 8
        return used ? min(int(512 / used), target ~ /^sm_(86|87|89|120|121)/ ? 12 : target ~ /^sm_75/ ? 8 : 16) : 0
    }
    if (target ~ /^gfx9(0a|4|5)/ || target == "gfx9-4-generic") { file = 512; granule = 8; limit = 8 }
    else if (target ~ /^gfx9/) { file = 256; granule = 4; limit = 10 }
    else if (target ~ /^gfx103/) { file = 1024; granule = 8; limit = 16 }
    else if (target ~ /^gfx10/) { file = 1024; granule = 8; limit = 20 }
    else if (target ~ /^gfx11(00|01|51)$|^gfx12/) { file = 1536; granule = 24; limit = 16 }
    else { file = 1024; granule = 16; limit = 16 }
    used = int(((registers ? registers : 1) + granule - 1) / granule) * granule
    return min(int(file / used), limit)
}
function min(a, b) { return a < b ? a : b }

# ---- AMD: notes. The keys of a kernel come in alphabetical order, so .name is in the middle.
/^ +- \.agpr_count:/ { agpr_next = $3; next }
/^ +\.agpr_count:/ { agpr_next = $2; next }
/^ +\.group_segment_fixed_size:/ { lds_next = $2; next }
/^ +\.name: +_Z/ && !disassembly {
    name = kernel_of($2)
    now = name == "" ? "" : seen(name)
    if (now != "") { agpr[now] = agpr_next + 0; lds[now] = lds_next + 0 }
    agpr_next = lds_next = 0
    next
}
/^ +\.private_segment_fixed_size:/ && now != "" { scratch[now] = $2; next }
/^ +\.sgpr_count:/ && now != "" { sgpr[now] = $2; next }
/^ +\.sgpr_spill_count:/ && now != "" { spills[now] += $2; next }
/^ +\.vgpr_count:/ && now != "" { vgpr[now] = $2; next }
/^ +\.vgpr_spill_count:/ && now != "" { spills[now] += $2; next }

# ---- AMD: disassembly
/^[0-9a-f]+ <.*>:$/ {
    disassembly = 1
    finish()
    symbol = $2
    gsub(/[<>:]/, "", symbol)
    now = kernel_of(symbol)
    if (now != "") seen(now)
    next
}
function finish() {
    if (now != "" && lines > 0) main_loop()
    lines = loops = unused = 0
    no_row()
    split("", address); split("", bytes); split("", is_wait)
    now = ""
}
# The innermost loop with the most bytes loaded; two of them: the last.
function main_loop(    i, k, sum, wait, best, inner, j) {
    best = 0
    for (k = 1; k <= loops; k++) {
        inner = 1
        for (j = 1; j <= loops; j++)
            if (j != k && loop_from[j] >= loop_from[k] && loop_to[j] <= loop_to[k] && loop_to[j] - loop_from[j] < loop_to[k] - loop_from[k])
                inner = 0
        if (!inner) continue
        sum = wait = inside = 0
        for (i = 1; i <= lines; i++)
            if (address[i] >= loop_from[k] && address[i] <= loop_to[k]) { sum += bytes[i]; wait += is_wait[i]; inside++ }
        if (sum > 0 && sum >= best) { best = sum; waits[now] = wait; turn[now] = inside }
    }
}
function load(width,    w) {
    row[width]++
    if (width > widest[now]) widest[now] = width
    if (width * row[width] > most[now] || (width * row[width] == most[now] && width > most_by[now])) {
        most[now] = width * row[width]
        most_by[now] = width
        longest[now] = row[width]
    }
    bytes[lines] = width
}
function no_row() { row[4] = row[8] = row[16] = 0 }

now != "" && disassembly && /^\t/ && /\/\/ [0-9A-F]+:/ {
    match($0, /\/\/ [0-9A-F]+:/)
    here = hex(substr($0, RSTART + 3, RLENGTH - 4))
    code = substr($0, RSTART + RLENGTH)
    address[++lines] = here
    unused += 4 * split(code, word, / +[0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F]/) - 4
    op = $1
    if (op != "s_nop" && op != "s_code_end") { # else it may only fill up the end
        size[now] += unused
        unused = 0
    }
    if (op ~ /^(global|flat)_load_(dwordx4|b128)/) load(16)
    else if (op ~ /^(global|flat)_load_(dwordx2|b64)/) load(8)
    else if (op ~ /^(global|flat)_load_(dword|b32)/) load(4)
    else if ((op == "s_waitcnt" && /vmcnt/) || op ~ /^s_wait_loadcnt/) { no_row(); is_wait[lines] = 1 }
    else if (op ~ /^s_wait(cnt|_[a-z]+cnt)/) is_wait[lines] = 1
    else if (op ~ /^(global|flat)_atomic_(cmpswap|cmpst)/) cas[now]++
    else if (op ~ /^(global|flat)_atomic_/) native[now]++
    else if (op ~ /^ds_bpermute/) bpermute[now]++
    else if (op ~ /^v_permlane/) permlane[now]++
    else if (op ~ /^v_read(first)?lane/) readlane[now]++
    else if (op ~ /^s_c?branch/) {
        if ($2 >= 32768) { # backwards
            loop_to[++loops] = here
            loop_from[loops] = here + 4 + ($2 - 65536) * 4
        }
    }
    if (/ row_mask:0x| quad_perm:| row_(half_)?mirror| row_bcast/) dpp[now]++
    next
}

# ---- NVIDIA
/^ *Function [^ ]+:$/ { symbol = $2; sub(/:$/, "", symbol); name = kernel_of(symbol); resource = name == "" ? "" : seen(name); next }
/REG:[0-9]+ STACK:[0-9]+/ && resource != "" {
    vgpr[resource] = number_after("REG:")
    lds[resource] = number_after("SHARED:")
    scratch[resource] = number_after("STACK:") + number_after("LOCAL:")
    spills[resource] = number_after("LOCAL:")
    resource = ""
    next
}
function number_after(word) {
    return match($0, word "[0-9]+") ? substr($0, RSTART + length(word), RLENGTH - length(word)) + 0 : 0
}
/Function : / {
    finish_nvidia()
    now = kernel_of($3)
    if (now != "") seen(now)
    sass = 1
    split("", loaded)
    next
}
function finish_nvidia() {
    if (sass && now != "" && lines > 0) main_loop()
    lines = loops = 0
    no_row()
    split("", address); split("", bytes); split("", is_wait)
}
# The first instruction that uses a loaded register waits.
sass && now != "" && /^ +\/\*[0-9a-f]+\*\/ +[^ ]/ {
    match($0, /\/\*[0-9a-f]+\*\//)
    here = hex(substr($0, RSTART + 2, RLENGTH - 4))
    text = substr($0, RSTART + RLENGTH)
    sub(/\/\*.*/, "", text)
    address[++lines] = here
    size[now] += 16
    if (text ~ /LDG\./) {
        width = text ~ /LDG[A-Z.0-9]*\.128/ ? 16 : text ~ /LDG[A-Z.0-9]*\.64/ ? 8 : 4
        if (match(text, / R[0-9]+,/)) {
            first = substr(text, RSTART + 2, RLENGTH - 3) + 0
            for (k = first; k < first + width / 4; k++) loaded[k] = 1
        }
        load(width)
        next
    }
    if (text ~ /(ATOM|ATOMG|RED)\..*CAS/) cas[now]++
    else if (text ~ / (ATOM|ATOMG|RED|REDG)\./) native[now]++
    else if (text ~ / SHFL\./) shuffle[now]++
    else if (text ~ / C?REDUX/) redux[now]++
    if (text ~ / BRA / && match(text, /0x[0-9a-f]+/)) {
        there = hex(substr(text, RSTART + 2, RLENGTH - 2))
        if (there < here) { loop_from[++loops] = there; loop_to[loops] = here }
    }
    for (k in loaded)
        if (text ~ "[^0-9A-Z]R" k "[^0-9]") { is_wait[lines] = 1; no_row(); split("", loaded); break }
}

END {
    if (sass) finish_nvidia(); else finish()
    for (i = 1; i <= count; i++) {
        k = order[i]
        split(k, part, " ")
        printf "%s\t%s\t%s\t%s\t%s", variant, target, part[1], part[2], part[3]
        printf "\t%d\t%d\t%d\t%d\t%d\t%d\t%d", vgpr[k], agpr[k], sgpr[k], lds[k], scratch[k], spills[k], waves_of(vgpr[k])
        printf "\t%d\t%d\t%s", most_by[k], longest[k], (k in waits) ? waits[k] : "-"
        printf "\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", native[k], cas[k], bpermute[k], dpp[k], permlane[k], readlane[k], shuffle[k], redux[k], size[k], turn[k], widest[k]
    }
}
