# SPDX-License-Identifier: BSD-2-Clause
"""Draws the rooms of the tree as a house. The wings are framed; the rest is the instrument. Each room stands above
those that it uses. Arrows show includes between rooms."""

import re

from source import graph

# room | x y width height | description. A file belongs to the room with the longest matching name.
ROOMS = """
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
"""
# Arrows are drawn only between neighbours in the picture: from, to, where.
ARROWS = """
tests tests/harness M240 170L240 210
tests/harness pmu M240 290L240 330
pmu kernel M240 410L240 450
kernel boot M460 520L460 560
reference/mode tests/harness M480 250L440 250
hosting reference/step M820 170L820 210
reference/mode reference/lockstep M600 250L620 250
reference/mode reference/deviations M540 290L540 330
reference/lockstep reference/model M680 290L680 330
reference/step reference/model M790 290L750 330
reference/step kernel M835 290L835 450
reference/deviations reference/model M600 370L620 370
"""
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" width="1160" height="650" viewBox="0 0 1160 650" \
font-family="system-ui,sans-serif" font-size="14">
<title>The rooms of pmucheck: each uses only rooms below it</title>
<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">\
<path d="M0 0L10 5L0 10z" fill="#666"/></marker></defs>
<style>.room{fill:#f3f6fb;stroke:#5b7db1;stroke-width:1.5}.model{fill:#eef8f0;stroke:#0a7a3c;stroke-width:1.5}\
.wing{fill:#f8fcf9;stroke:#0a7a3c;stroke-dasharray:6 4}.side{fill:#fff;stroke:#999;stroke-width:1.5}\
.way{fill:none;stroke:#666;stroke-width:1.4;marker-end:url(#head)}.name{font-weight:bold}\
.small{font-size:11px;fill:#444}</style>
<rect width="1160" height="650" fill="#fff"/>
<text class="name" x="40" y="40" font-size="18">Each room uses only rooms below it</text>
<text class="small" x="40" y="62">The build checks every include and symbol. The instrument names no file of the \
wings, and links without them.</text>
<rect class="wing" x="466" y="76" width="668" height="346" rx="10"/>
<text class="name" x="480" y="96" fill="#0a7a3c">the wings: reference/, the reference PMU, and hosting/</text>
<text class="name" x="40" y="96" fill="#5b7db1">The instrument</text>
"""
ROOM = """\
<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>
<text class="name" x="{left}" y="{top}">{shown}/</text>
<text class="small" x="{left}" y="{below}">{words}</text>
"""


def box(name, place, words):
    x, y, width, height = map(int, place.split())
    kind = "model" if "reference" in name else "side" if re.match("tools|iso|tests/host", name) else "room"
    return ROOM.format(kind=kind, x=x, y=y, width=width, height=height, left=x + 12, top=y + 22, below=y + 40,
                       shown=name.rpartition("/")[2] if kind == "model" else name, words=words)


def picture(tree):
    """The picture as SVG."""
    rows = [row.split("|") for row in ROOMS.strip().split("\n")]
    names = [row[0] for row in rows]
    uses = {(graph.longest(names, file, "/"), graph.longest(names, target, "/"))
            for _, file, target, system in graph.included(tree, r"^[a-z]+/.*\.[ch]$") if not system}
    arrows = (line.split(" ", 2) for line in ARROWS.strip().split("\n"))
    return HEAD + "".join(box(*row) for row in rows) + "".join(
        f'<path class="way" d="{way}"/>\n' for user, used, way in arrows if (user, used) in uses) + "</svg>\n"
