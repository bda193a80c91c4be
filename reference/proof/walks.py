# SPDX-License-Identifier: BSD-2-Clause
"""Which defects do random walks notice, without any chapter of tests? Natively: a model with the defect plays the CPU,
in a program without sanitizers; what it does not notice on a CPU alone it tries beside the core's other thread.
build/logs/noticed.txt gets a line for each defect, and the rules that it replaces if no walk noticed it.

Each defect that is not noticed has its reason in reference/proof/unnoticed.txt. One without a reason is wrong, and so
is a reason for one that is noticed, and a share below LEAST: would show a grammar of walks that leaves out what the PMU
can do."""

import collections
import re
import sys

from runner import serial

from . import base

WALKS = base.setting("WALKS", 2500)  # for each defect; 2,500: five seconds at 500 walks a second
SHARE = base.setting("SHARE", "1/1")  # K/N: every N-th defect from the K-th on
LEAST = 85  # percent of all defects
REASONS = "reference/proof/unnoticed.txt"


def reasons():
    """The reason for each defect: in the file a line with a colon and the reason begins each kind, names follow."""
    found, reason = {}, None
    for line in serial.text_of(REASONS).splitlines():
        if line.startswith(": "):
            reason = line[2:]
        elif line and not line.startswith("#"):
            found.update((name, reason) for name in line.split())
    return found


def look():
    """The program's lines, of a share of all defects or of all."""
    program = f"{base.BUILD}/plain/host/noticed"
    if not base.make(f"{base.LOGS}/noticed-make.log", f"BUILD={base.BUILD}/plain", "SANITIZE=", program):
        sys.exit(f"the build failed: {base.LOGS}/noticed-make.log")
    k, n = base.share(SHARE)
    parts = base.several(lambda job: base.output(*base.NICE, program, "-w", str(WALKS), "-s",
                                                 f"{k + n * job}/{n * base.JOBS}"), range(base.JOBS))
    return sorted(line for part in parts for line in part)


def prove():
    known, lines = reasons(), look()
    base.write(f"{base.LOGS}/noticed.txt", lines)
    found = {line.partition(":")[0]: re.match(r"\S*: (\w+)(.*beside)?", line) for line in lines}
    noticed = {name for name, fate in found.items() if fate[1] == "noticed"}
    beside = sum(bool(fate[2]) for fate in found.values())
    share = 100 * len(noticed) / len(found)
    print(f"{len(found)} defects, {share:.1f} % noticed, {beside} of them beside another thread")
    for reason, count in collections.Counter(known.get(name) for name in found if name not in noticed).most_common():
        print(f"{count:5} {reason}")
    wrong = [f"{name}: no walk notices it, and {REASONS} has no reason" for name in found
             if name not in noticed and name not in known]
    wrong += [f"{name}: it is noticed, so {REASONS} needs no reason for it" for name in noticed if name in known]
    if SHARE == "1/1":
        wrong += [f"{name}: in {REASONS}, and no defect" for name in known if name not in found]
        wrong += [f"{share:.1f} %, and not {LEAST}"] if share < LEAST else []
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)
