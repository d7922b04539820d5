# Reading the CSV of bench, compare and the programs: columns by name.
#
#   csv_header($0)           at the first line
#   csv_row($0)              at every other; then csv["name"] holds the field of that column
#   csv_variant()            the row's variant

# Splits a line into into[1...]; returns how many fields there are.
function csv_split(line, into,    count, field, c, i, quoted) {
    sub(/\r$/, "", line)
    if (index(line, "\"") == 0)
        return split(line, into, ",")
    count = 1
    into[1] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") {
            into[count] = into[count] c
            i++
        } else if (c == "\"") {
            quoted = !quoted
        } else if (c == "," && !quoted) {
            into[++count] = ""
        } else {
            into[count] = into[count] c
        }
    }
    return count
}

function csv_header(line) {
    csv_columns = csv_split(line, csv_names)
}

function csv_row(line,    i, fields) {
    csv_split(line, fields)
    for (i = 1; i <= csv_columns; i++)
        csv[csv_names[i]] = fields[i]
}

function csv_variant(    name) {
    if (csv["variant"] != "")
        return csv["variant"]
    name = csv["program"]
    sub(/^reduction_/, "", name)
    return name
}

# Sorts list[1...count] of numbers and returns the median.
function median(list, count,    i, k, value) {
    for (i = 2; i <= count; i++) {
        value = list[i] + 0
        for (k = i - 1; k >= 1 && list[k] > value; k--)
            list[k + 1] = list[k]
        list[k + 1] = value
    }
    return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}

# n elements as 64K, 1G
function size_text(n,    power) {
    for (power = 1; power < 5 && n >= 1024 && n % 1024 == 0; power++)
        n /= 1024
    return sprintf("%.0f%s", n, substr(" KMGT", power, power > 1))
}
