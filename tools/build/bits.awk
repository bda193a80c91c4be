# SPDX-License-Identifier: BSD-2-Clause
# Prints the bits of one register as rows of C, BITS(mask, "name"), from their definitions in the table of registers.
#
# usage: awk -v register=MSR_PERF_CAPABILITIES -v prefix=PERF_CAP_ -f tools/build/bits.awk pmu/registers.def

$1 == "#define" && $2 == register { inside = 1; next }
inside && $1 == "#define" && index($2, prefix) == 1 {
    printf "BITS(%s, \"%s\")\n", $2, substr($2, length(prefix) + 1)
    next
}
inside { exit }
