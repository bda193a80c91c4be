#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Draws the rooms of the tree as a house: docs/pictures/rooms.svg. The wings are framed; the rest is the instrument.
# Each room stands above those that it uses. Arrows show includes between rooms. `make pictures` calls it.
#
# usage: tools/docs/rooms.sh OUTPUT.svg
set -eu
cd "$(dirname "$0")/../.."

# room | x y width height | description. A file belongs to the room with the longest matching name.
rooms() {
    cat <<'TABLE'
boot|40 560 840 66|entry from GRUB, long mode, start of the other CPUs, numbers of the processor
kernel|40 450 840 70|log and its sinks, faults, memory, firmware tables, CPUs, time, screen
pmu|40 330 400 80|registers, the write gate, counters, PMI, sampling, sharing
reference/model|620 330 150 80|an Intel PMU in pure C
reference/deviations|480 330 120 80|deviations from it
reference/mode|480 210 120 80|options, proofs
reference/lockstep|620 210 120 80|random walks
reference/step|760 210 120 80|under a CPU
hosting|480 104 400 66|other kernels on the reference PMU, by SVM
tests/harness|40 210 400 80|declares, runs, judges and reports tests; main(); asks a backend
tests|40 104 260 66|a folder a chapter, a file a test
tests/host|310 104 130 66|host tests
reference/test|910 104 210 66|host tests, fuzzing
reference/proof|910 210 210 80|defects caught, no false alarms
reference/dumps|910 330 100 80|dumped CPUs
reference/handed|1020 330 100 80|given CPUs
tools|910 450 210 70|host program, checks
iso|910 560 210 66|recipes of the images
TABLE
}

uses() {
    find boot kernel pmu reference hosting tests tools -name '*.[ch]' | LC_ALL=C sort |
        xargs grep -E '^[ \t]*#[ \t]*include[ \t]*"' /dev/null | sed 's/^\([^:]*\):[^"]*"\([^"]*\)".*/\1 \2/'
}

uses | awk -v rooms="$(rooms)" '
    function room_of(path,    name, best) {
        best = ""
        for (name in x)
            if (index(path, name "/") == 1 && length(name) > length(best))
                best = name
        return best
    }
    BEGIN {
        n = split(rooms, line, "\n")
        for (i = 1; i <= n; i++) {
            split(line[i], part, "|")
            split(part[2], box, " ")
            order[i] = name = part[1]
            x[name] = box[1]; y[name] = box[2]; w[name] = box[3]; h[name] = box[4]; words[name] = part[3]
        }
    }
    {
        target = $2 ~ /^(harness|host)\// ? "tests/" $2 : $2
        from = room_of($1); to = room_of(target)
        if (from != to && from !~ /^(tests\/host|tools|(reference|hosting)\/(test|proof))$/ && to != "")
            uses[from "|" to]++
    }
    END {
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1160\" height=\"650\" viewBox=\"0 0 1160 650\"" \
            " font-family=\"system-ui,sans-serif\" font-size=\"14\">"
        print "<title>The rooms of pmucheck: each uses only rooms below it</title>"
        print "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\"" \
            " markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#666\"/></marker></defs>"
        print "<style>.room{fill:#f3f6fb;stroke:#5b7db1;stroke-width:1.5}.model{fill:#eef8f0;stroke:#0a7a3c;" \
            "stroke-width:1.5}.wing{fill:#f8fcf9;stroke:#0a7a3c;stroke-dasharray:6 4}.side{fill:#fff;stroke:#999;stroke-width:1.5}.way{fill:none;stroke:#666;" \
            "stroke-width:1.4;marker-end:url(#head)}.name{font-weight:bold}.small{font-size:11px;fill:#444}</style>"
        print "<rect width=\"1160\" height=\"650\" fill=\"#fff\"/>"
        print "<text class=\"name\" x=\"40\" y=\"40\" font-size=\"18\">Each room uses only rooms below it</text>"
        print "<text class=\"small\" x=\"40\" y=\"62\">The build checks every include and symbol. The instrument names no" \
            " file of the wings, and links without them.</text>"
        print "<rect class=\"wing\" x=\"466\" y=\"76\" width=\"668\" height=\"346\" rx=\"10\"/>"
        print "<text class=\"name\" x=\"480\" y=\"96\" fill=\"#0a7a3c\">the wings: reference/, the reference PMU, and hosting/</text>"
        print "<text class=\"name\" x=\"40\" y=\"96\" fill=\"#5b7db1\">The instrument</text>"
        for (i = 1; i <= n; i++) {
            name = order[i]
            class = name ~ /reference/ ? "model" : name ~ /^(tools|iso|tests\/host)/ ? "side" : "room"
            printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", class, x[name],
                y[name], w[name], h[name]
            shown = name
            if (class == "model")
                sub(/.*\//, "", shown)
            printf "<text class=\"name\" x=\"%d\" y=\"%d\">%s/</text>\n", x[name] + 12, y[name] + 22, shown
            printf "<text class=\"small\" x=\"%d\" y=\"%d\">%s</text>\n", x[name] + 12, y[name] + 40, words[name]
        }
        # Arrows are drawn only between neighbours in the picture.
        arrow("tests", "tests/harness", 240, 170, 240, 210)
        arrow("tests/harness", "pmu", 240, 290, 240, 330)
        arrow("pmu", "kernel", 240, 410, 240, 450)
        arrow("kernel", "boot", 460, 520, 460, 560)
        arrow("reference/mode", "tests/harness", 480, 250, 440, 250)
        arrow("hosting", "reference/step", 820, 170, 820, 210)
        arrow("reference/mode", "reference/lockstep", 600, 250, 620, 250)
        arrow("reference/mode", "reference/deviations", 540, 290, 540, 330)
        arrow("reference/lockstep", "reference/model", 680, 290, 680, 330)
        arrow("reference/step", "reference/model", 790, 290, 750, 330)
        arrow("reference/step", "kernel", 835, 290, 835, 450)
        arrow("reference/deviations", "reference/model", 600, 370, 620, 370)
        print "</svg>"
    }
    function arrow(from, to, x1, y1, x2, y2) {
        if (uses[from "|" to])
            printf "<path class=\"way\" d=\"M%d %dL%d %d\"/>\n", x1, y1, x2, y2
    }' >"$1"
