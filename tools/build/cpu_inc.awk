# SPDX-License-Identifier: BSD-2-Clause
# Turns boot/cpu.h into the same definitions for NASM, without C's suffixes of numbers.
#
# usage: awk -f tools/build/cpu_inc.awk boot/cpu.h

BEGIN {
    print "; Generated from boot/cpu.h."
    print "%define BIT(n) (1 << (n))"
    print "%define MASK(hi, lo) ((-1 >> (63 - (hi))) & (-1 << (lo)))"
    print "%define FIELD(hi, lo, value) (((value) << (lo)) & MASK(hi, lo))"
}
/^ *#define/ {
    sub(/^ *#/, "%")
    sub(/[ \t]*\/\*.*/, "")
    print without_suffixes($0)
}

function without_suffixes(line,    out, word) {
    while (match(line, /[A-Za-z0-9_]+/)) {
        word = substr(line, RSTART, RLENGTH)
        if (word ~ /^[0-9]/)
            sub(/[ul]+$/, "", word)
        out = out substr(line, 1, RSTART - 1) word
        line = substr(line, RSTART + RLENGTH)
    }
    return out line
}
