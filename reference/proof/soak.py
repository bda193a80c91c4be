# SPDX-License-Identifier: BSD-2-Clause
"""Real CPUs have intermittent defects. Each defect that is intermittent on them (INTERMITTENT in its row) acts once in
RATE times, and a soak of MINUTES must fail or ask for a review: first of the tests that it failed in a proof, and if
these do not notice it, of all tests that it is meant for. Without a name: all such defects, JOBS at a time."""

import re

from . import base, labels

MINUTES = base.setting("MINUTES", 20)  # for each defect, by QEMU's clock
RATE = base.setting("RATE", 1000)  # a defect acts one time in RATE
SETTINGS = {"STEADY": 1, "CPUS": base.setting("CPUS", 2), "SILENCE": base.setting("SILENCE", 300)}


def intermittent():
    """(name, profile, the tests that it is meant for) of each such defect."""
    log = f"{base.LOGS}/soak-list.log"
    base.boot(log, REFERENCE="", OPTIONS="list", **SETTINGS)
    for line in base.lines(log, "^# deviation .* intermittent="):
        values = dict(re.findall(r' ([a-z]+)="?([^" ]*)', line))
        yield line.split()[2], values.get("profile") or "skylake", values["intermittent"]


def known(name):
    """The tests that it failed in a whole proof, by tests/labels.txt. If all tests that it is meant for took turns,
    each would run too seldom to notice a defect that acts once in a thousand times."""
    return ",".join(sorted({row.split()[0] for row in labels.rows_of(labels.LIST)
                            if re.match(rf"\S+ \S+ by=(\S*,)?{name}(,|\s|$)", row)}))


def soak(name, profile, tests):
    """(exit status, at most three tests that noticed the defect)"""
    log = f"{base.LOGS}/soak-{name}.log"
    status = base.boot(log, REFERENCE=profile, OPTIONS=f"soak={MINUTES} run={tests} defect={name}:{RATE}", **SETTINGS)
    found = [re.match(r"# soak test=(\S*)", line)[1] for line in
             base.lines(log, r"^# soak test=\S* .* failures=[1-9]")][:3]
    return status, found if status in (1, 2, 99) else []  # an error, if a test could not restore the machine


def one(row):
    """Prints whether the defect was noticed, and returns it."""
    name, profile, meant = row
    for tests in [known(name), meant]:
        status, found = soak(name, profile, tests) if tests else (None, [])
        if found:
            print(f"ok {name}:{RATE} noticed by {' '.join(found)}", flush=True)
            return True
    print(f"not ok {name}:{RATE} not noticed in {MINUTES} minutes, exit status {status}", flush=True)
    return False


def prove(*names):
    rows = [row for row in intermittent() if not names or row[0] in names]
    if not rows:
        return 99
    missed = base.several(one, rows).count(False)
    print(f"soak: {len(rows)} defects one time in {RATE}, {missed} not noticed")
    return 1 if missed else 0
