# SPDX-License-Identifier: BSD-2-Clause
# Turns `nm` and `readelf -rW` of a kernel that was linked with its relocations kept into the table for moving it
# (kernel/core/image.h): where addresses stand in the image. Fails on a relocation that cannot be moved.
#
# usage: awk -f tools/build/moves.awk NAMES RELOCATIONS
function number(hex, i, n) {
    n = 0
    for (i = 1; i <= length(hex); i++)
        n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return n
}
FNR == NR {
    at[$3] = number($1)
    absolute[$3] = $2 ~ /^[Aa]$/
    next
}
FNR == 1 {
    print "/* Generated from the first link. */"
    print "#include \"kernel/core/image.h\""
    printf "const u32 move_linked MOVE_SECTION = %d;\n", at["image_start"]
    print "const u32 move_rows[] MOVE_SECTION = {"
}
/^Relocation section/ {
    loaded = $3 !~ /^'\.rela\.debug/
    next
}
!loaded || $3 !~ /^R_/ {
    next
}
{
    target = number($4)
    distance = $3 ~ /^R_X86_64_(PC32|PLT32|PC64|GOTPCRELX|REX_GOTPCRELX)$/
    # Unchanged by a move: absolute symbols, which are numbers and not addresses, and distances between two addresses.
    if (absolute[$5] ? !distance : distance)
        next
    if (absolute[$5] || ($3 != "R_X86_64_64" && $3 != "R_X86_64_32") || target < at["image_start"] ||
        target > at["image_end"]) {
        print "an image with this cannot be moved: " $0 >"/dev/stderr"
        failed = 1
        exit
    }
    place = number($1)
    data = place >= at["data_start"]
    printf "    %s%s%d,\n", data ? "MOVE_DATA | " : "", $3 == "R_X86_64_32" ? "MOVE_NARROW | " : "",
        place - (data ? at["data_start"] : at["image_start"])
    rows++
}
END {
    print "};"
    printf "const unsigned move_count MOVE_SECTION = %d;\n", rows
    exit failed
}
