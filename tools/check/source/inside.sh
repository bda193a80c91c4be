#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# No function that the stepper may call while it is inside has a site (reference/step/trap/sites.h): INT3 there would
# arrive on the stack that holds the program's registers. Followed are direct calls and jumps from the two functions in
# which events arrive, and everything of the model and its deviations, which is called by pointers.
# Would catch a call of a kernel function that reads a register of the machine, from within the stepper.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
KERNEL=$BUILD/pmucheck.elf

{
    echo "@map"
    cat "$BUILD/gen/pmucheck.elf.map"
    echo "@sites"
    cat "$BUILD/gen/pmucheck.sites.c"
    echo "@symbols"
    nm "$KERNEL"
    echo "@code"
    objdump -d -w --no-show-raw-insn "$KERNEL"
} | awk '
function number(text,    i, value) {
    sub(/^0x/, "", text)
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
# An object of the map with code at `start`: a root room is the model or its deviations.
function place(start, object) {
    starts[number(start)] = object ~ /\/obj\/reference\/(model|deviations)\// ? "root" : "other"
}
/^@(map|sites|symbols|code)$/ { part = $1; next }
part == "@map" && /^ \.text.* 0x[0-9a-f]+ +0x[0-9a-f]+ [^ ]+\.o$/ { place($(NF - 2), $NF) }
part == "@map" && /^ \.text[^ ]*$/ { long = 1; next }
part == "@map" && long && /^ +0x[0-9a-f]+ +0x[0-9a-f]+ [^ ]+\.o$/ { place($(NF - 2), $NF) }
part == "@map" { long = 0 }
part == "@sites" && /^    [0-9]+,/ { site_offset[++sites] = $1 + 0 }
part == "@symbols" && $3 == "image_start" { start = number($1) }
part == "@symbols" && ($3 == "step_event" || $3 == "sleep_event") { roots[number($1)] = 1 }
part == "@symbols" && $3 == "fatal_fault" { ends[number($1)] = 1 } # it ends the run, with the text put back first
part == "@code" && /^[0-9a-f]+ <.*>:$/ {
    label = $2
    at = number($1)
    if (at in starts)
        room = starts[at]
    if (label !~ /^<\.\.@|\./) {
        owner = at
        name[at] = substr(label, 2, length(label) - 3)
        if (room == "root")
            roots[at] = 1
    }
    next
}
part == "@code" && /^ *[0-9a-f]+:/ {
    at = number(substr($1, 1, length($1) - 1))
    if (at in starts)
        room = starts[at]
    owner_of[at] = owner
    if ($2 ~ /^(call|jmp|j[a-z]+)$/ && $3 ~ /^[0-9a-f]+$/)
        edges[owner] = edges[owner] " " number($3)
}
END {
    for (i = 1; i <= sites; i++)
        has_site[owner_of[start + site_offset[i]]] = 1
    for (f in roots) {
        queue[++last] = f
        from[f] = 0
    }
    for (n = 1; n <= last; n++) {
        f = queue[n]
        if (f in has_site) {
            printf "%s() has a site, and may be called inside: by", name[f]
            for (up = from[f]; up && steps++ < 1000; up = from[up])
                printf " %s", name[up]
            print ""
            bad++
        }
        count = split(edges[f], to, " ")
        for (i = 1; i <= count; i++) {
            g = owner_of[to[i]]
            if (g != "" && !(g in from) && !(g in ends)) {
                from[g] = f
                queue[++last] = g
            }
        }
    }
    if (!sites || last < 300) {
        print "too little was found: " sites " sites, " last " functions"
        bad++
    }
    if (!bad)
        print last " functions may run inside, none has one of the " sites " sites"
    exit bad > 0
}'
