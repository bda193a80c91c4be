#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Finds functions that no other file uses: either nothing calls them, or only their own file does and they could be
# static. Measured on the linker symbols of everything that is built, host tests and fuzz targets included.
# Would catch dead code.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}

# Functions that may be unused, each with its reason.
kept() {
    sed 's/ .*//' <<'LIST'
entry               the boot loader jumps there
pvh_entry           so does QEMU's -kernel
agent_release       a call of the sharing library, for programs that this one is not
skip_refused        for tests that write a register by themselves
LIST
}

find "$BUILD" -path "$BUILD/clang" -prune -o -name '*.o' -print | LC_ALL=C sort | xargs nm -A |
    awk -v build="$BUILD" -v kept="$(kept)" '
    BEGIN {
        count = split(kept, names, "\n")
        for (i = 1; i <= count; i++)
            used[names[i]] = 1
    }
    {
        source = substr($1, length(build) + 2)
        sub(/\.o:.*/, "", source)
    }
    $(NF - 1) == "U" { used[$NF] = 1 }
    $(NF - 1) == "T" && source ~ /^(tools\/)?obj\// {
        sub(/^(tools\/)?obj\//, "", source)
        home[$NF] = source
    }
    END {
        for (name in home)
            if (!(name in used) && (getline line <home[name]) >= 0)
                print home[name] ": nobody else uses " name "()"
    }' | LC_ALL=C sort | awk '
    { print }
    END {
        if (NR)
            exit 1
        print "every function is used, or static"
    }'
