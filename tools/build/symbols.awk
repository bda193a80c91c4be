# SPDX-License-Identifier: BSD-2-Clause
# Turns "address name" lines, sorted by address, into the kernel's symbol table, up to the end of the code, which gets a
# row without a name. The first line is the start of the image; the rows are distances from it. Names and table share
# one section, so that linking them in moves nothing else.
BEGIN {
    print "/* Generated from the first link. */"
    print "#include \"kernel/core/image.h\""
}
NR == 1 {
    print "#define START 0x" $1
}
$2 == "rodata_start" {
    end = $1
    exit
}
{
    address[NR] = $1
    offset[NR] = total
    names = names "\n    \"" $2 "\\0\""
    total += length($2) + 1
    count = NR
}
END {
    print "const char symbol_names[] SYMBOLS_SECTION =" names ";"
    print "const struct symbol symbols[] SYMBOLS_SECTION = {"
    for (i = 1; i <= count; i++)
        printf "    {0x%s - START, %d},\n", address[i], offset[i]
    printf "    {0x%s - START, SYMBOL_NONE},\n};\n", end
    print "const unsigned symbol_count SYMBOLS_SECTION = " count + 1 ";"
}
