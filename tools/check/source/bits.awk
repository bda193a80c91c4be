# SPDX-License-Identifier: BSD-2-Clause
# Finds names of registers' bits that are typed again, with their numbers: a text that has all words of a bit's name in
# the table of registers, on a line with a bare number. Such a copy can be wrong where the table is right.
#
# usage: awk -f tools/check/source/bits.awk pmu/registers.def FILE...

# The words of NAME behind those that all bits of its register begin with.
function words_of(name, skip,    part, count, i, words) {
    count = split(tolower(name), part, "_")
    for (i = skip + 1; i <= count; i++)
        words = words " " part[i]
    return words
}

function common(first, second,    a, b, count, i) {
    count = split(first, a, "_")
    split(second, b, "_")
    for (i = 1; i <= count && a[i] == b[i]; i++)
        ;
    return i - 1
}

# Takes the bits of the register that ends here.
function take(    i, skip, same) {
    skip = 99
    for (i = 2; i <= bits; i++)
        if ((same = common(bit[1], bit[i])) < skip)
            skip = same
    for (i = 1; i <= bits && bits > 1; i++)
        if (split(words_of(bit[i], skip), part, " ") > 1)
            names[++known] = words_of(bit[i], skip)
    bits = 0
}

FILENAME == ARGV[1] {
    if (/^#define MSR_/)
        take()
    else if (/^  #define/ && /BIT\(|MASK\(|FIELD\(/) {
        sub(/\(.*/, "", $2)
        bit[++bits] = $2
    }
    next
}
FNR == 1 && !taken { take(); taken = 1 }
!/"/ || /^ *(\/\*|\*)|FIELD_E[A-D]X/ { next } # bits of CPUID are in no table
{
    code = text = ""
    count = split($0, piece, "\"")
    for (i = 1; i <= count; i++)
        if (i % 2)
            code = code " " piece[i]
        else
            text = text " " piece[i]
    sub(/\/\*.*/, "", code)
    if (code !~ /(^|[^A-Za-z0-9_])(0x[0-9a-f]+|[0-9]+)([^A-Za-z0-9_]|$)/)
        next
    text = " " tolower(text) " "
    gsub(/[^a-z0-9]+/, " ", text)
    for (i = 1; i <= known; i++) {
        all = 1
        count = split(names[i], part, " ")
        for (k = 1; k <= count && all; k++)
            all = index(text, " " part[k] " ")
        if (all) {
            print FILENAME ":" FNR ": the bit" names[i] " of pmu/registers.def, typed again"
            bad = 1
            next
        }
    }
}
END { exit bad }
