# SPDX-License-Identifier: BSD-2-Clause
"""Which defects do random walks notice, without any chapter of tests? Natively: a model with the defect plays the CPU,
in a program without sanitizers. build/logs/noticed.txt gets a line for each defect, and the reason if none noticed it.
Would show a grammar of walks that leaves out what the PMU can do.

With BOOTS=yes defects that no walk noticed are put under the image, too: there two CPUs make walks at the same time."""

import collections
import re
import sys

from . import base

WALKS = base.setting("WALKS", 2500)  # for each defect; 2,500: five seconds at 500 walks a second
BOOTS = base.setting("BOOTS", "no")  # yes: boots the image for defects that no walk has noticed


def boot(line):
    """The line as it is, or that the defect was noticed beside another CPU."""
    name, log = line.partition(":")[0], f"{base.LOGS}/noticed-{line.partition(':')[0]}.log"
    base.boot(log, REFERENCE=line.rpartition("on=")[2], CPUS=2, IMAGE=f"{base.BUILD}/pmucheck.iso", TIMEOUT=60,
              OPTIONS=f"lockstep=1:1000 defect={name} after=exit")
    return f"{name}: noticed beside another CPU" if base.lines(log, "^# lockstep .*differences=[1-9]") else line


def prove():
    program = f"{base.BUILD}/plain/host/noticed"
    if not base.make(f"{base.LOGS}/noticed-make.log", f"BUILD={base.BUILD}/plain", "SANITIZE=", program):
        sys.exit(f"the build failed: {base.LOGS}/noticed-make.log")
    parts = base.several(lambda k: base.output(program, "-w", str(WALKS), "-s", f"{k}/{base.JOBS}"),
                         range(1, base.JOBS + 1))
    found = sorted(line for part in parts for line in part)
    if BOOTS == "yes":
        found = [boot(line) if ": unnoticed " in line else line for line in found]
    base.write(f"{base.LOGS}/noticed.txt", found)
    fates = collections.Counter("noticed" if line.split()[1] == "noticed" else
                                re.sub(r"^\S*: ", "", line).partition(":")[0] for line in found)
    print(f"{len(found)} defects, {100 * fates['noticed'] / len(found):.1f} % noticed")
    for fate, count in fates.most_common():
        print(f"{count:5} {fate}")
    return 0
