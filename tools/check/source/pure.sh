#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Pure code can run on the build machine: it is in a folder that is pure as a whole, or its name ends in _pure.c. It
# holds no privileged instruction, and includes no header that does, directly or indirectly. Would catch code that host
# tests and fuzz targets cannot run.
set -eu
cd "$(dirname "$0")/../../.."

# A header is privileged if it has inline assembly: kernel/register/instructions.h, and any later one.
privileged=$(grep -lr '__asm__' --include='*.h' boot kernel pmu reference hosting tests/harness)
pure=$(${MAKE:-make} -s --no-print-directory print-PURE | tr ' ' '\n')

bad=0
# Inline assembly is allowed with unprivileged instructions only: the interpreter takes flags from the build machine's
# own arithmetic.
found=$(echo "$pure" | xargs grep -nE '\b(rdmsr|wrmsr|rdpmc|cli|sti|hlt|vmrun|vmmcall|invlpg|l[gi]dt|ltr|in[bwl]|out[bwl]|mov [^"]*cr[0-9])\b.*"' | grep __asm__ || true)
[ -z "$found" ] || { echo "privileged instructions in pure code:"; echo "$found"; bad=1; }

find boot kernel pmu reference hosting tests -name '*.[ch]' | LC_ALL=C sort | xargs grep -nE '^[ \t]*#[ \t]*include[ \t]*"' |
    awk -v pure="$pure" -v privileged="$privileged" '
    { split($0, part, ":"); split($0, quoted, "\""); uses[part[1]] = uses[part[1]] " " quoted[2] }
    END {
        split(privileged, list, "\n")
        for (i in list)
            forbidden[list[i]] = 1
        count = split(pure, file, "\n")
        for (i = 1; i <= count; i++) {
            split("", seen)
            bad += visit(file[i], file[i])
        }
        exit bad > 0
    }
    function visit(at, from,    name, names, i, n) {
        if (at in forbidden) {
            print from ": is pure, but includes " at
            return 1
        }
        seen[at] = 1
        n = split(uses[at], names, " ")
        for (i = 1; i <= n; i++) {
            name = names[i]
            if (name ~ /^(harness|host)\//)
                name = "tests/" name
            if (!(name in seen) && visit(name, from))
                return 1
        }
        return 0
    }' || bad=1

[ "$bad" = 0 ] && echo "$(echo "$pure" | wc -l) pure files"
