# SPDX-License-Identifier: BSD-2-Clause
"""Proves the tests against the reference PMU in several QEMUs at once, each with a part of the deviations, and joins
the parts: every defect must be caught, and every check label must be failed by a defect of some part. The results
become a matrix, as text and as a page for a browser, and a list of what was proven for each register and bit.
prove-excuses: a table of the defects that the errata of a CPU hide, in both forms, too.

QEMU's clocks go by the number of executed instructions, and its CPUs take turns, so that the load of the machine
changes no result (tools/run.sh). STEADY=0: they go by the machine's clock, and each CPU has a thread of its own.

SHARE=K/N: only every N-th deviation from the K-th on, each up to the first check that catches it, as in make test;
labels that no defect fails are not asked for then. PARTS=N: how many QEMUs.

A proof of all deviations leaves what failed each label in build/prove-labels.txt. BEFORE=FILE is such a list of an
earlier proof, as of a release: no label may have lost a defect, a register or a bit. A share takes it for what is
proven elsewhere."""

import os
import re
import subprocess

from . import base, labels

SHOWN = re.compile(r"^(not )?ok |^[^ #]+:[0-9]+: ")
WORST_FIRST = (1, 99, 2, 124, 130, 77)


def parts():
    """How many QEMUs. CPUs that take turns need one core for all of them. Each part also runs the proof's
    own profile without a deviation, twice, so more than eight parts are hardly faster."""
    cores = len(os.sched_getaffinity(0))
    return base.setting("PARTS", max(2, min(8, cores if base.setting("STEADY", "1") == "1" else cores // 2)))


def boot(what, part, count):
    """Boots one part, and shows its results as they come. Its exit status. A share has the same deviations for any
    number of parts. Two CPUs suffice for tests that need another CPU; more only cost time. However slow the machine is,
    the image prints at least every ten seconds that it goes on; each of its tests has a time limit of its own."""
    k, n = base.share(base.setting("SHARE", "1/1"))
    options = f"{what}={k + n * (part - 1)}/{n * count}{'' if n == 1 else ' failfast'} {os.environ.get('OPTIONS', '')}"
    settings = {name: base.setting(name, value) for name, value in (
        ("REFERENCE", ""), ("SILENCE", 300), ("CPUS", 2), ("STEADY", "1"))}
    return base.boot(f"{base.LOGS}/{what}-{part}.log", nice=False, OPTIONS=options.strip(), **settings,
                     show=lambda line: print(line, end="", flush=True) if SHOWN.search(line) else None)


def results(logs):
    """The results of all parts."""
    rows = {re.sub(r"ok [0-9]+ ", "ok  ", line) for line in base.lines(logs, "^(not )?ok ")}
    return sorted(row for row in rows if not row.startswith("ok  labels # SKIP"))


def unproven(logs):
    """The labels that some part has asked, and that no defect of any part fails."""
    proven = {tuple(line.split()[2:4]) for line in base.lines(logs, r"^# label .*[+](,|$)")}
    rows = set(base.lines(logs, "^# unproven "))
    return sorted(row for row in rows if (f"test={row.split()[2]}", row.split()[3]) not in proven)


def untried(logs):
    """The tests that no profile of any part could run."""
    each = [set(base.lines([log], "^# (unprovable|untried) ")) for log in logs]
    return sorted(set.intersection(*each))


def of_labels(what, logs, whole):
    """Keys that no defect meant for their test fails; and the labels against their permanent list. What is wrong."""
    rows, before = base.awk("keys", "tests/unproven.txt", *logs), os.environ.get("BEFORE")
    base.write(f"{base.BUILD}/{what}-keys.txt", rows)
    print(f"{what}: {rows[-1]}: {base.BUILD}/{what}-keys.txt")
    if os.environ.get("OPTIONS"):
        return []
    if not whole:  # a share can only be asked for less
        return labels.not_listed(logs) + (labels.left_open(logs, before) if before else [])
    base.write(f"{base.BUILD}/prove-labels.txt", labels.found(logs))
    return labels.not_proven(logs) + labels.not_asked(logs) + (labels.lost(logs, before) if before else [])


def matrix(what, logs):
    place = f"{base.BUILD}/{what}.txt"
    if not subprocess.run([f"{base.BUILD}/tools/matrix", what, place, *logs], check=False).returncode:
        with open(place, encoding="latin-1") as file:
            print(f"{what}: {file.read().splitlines()[1]}: {place}")


def join(what, logs, whole):
    """Joins the parts' logs; whole: they have all deviations. (results that are not ok, what else is wrong)"""
    rows, never = results(logs), unproven(logs) if whole else []
    base.write(f"{base.LOGS}/{what}-results.txt", rows)
    bad = [row for row in rows if row.startswith("not ok")]
    print("\n".join(never + untried(logs) + bad + [
        f"{what}: {len(rows) - len(bad)} ok, {len(bad)} not ok, {len(never)} labels unproven"]))
    wrong = of_labels(what, logs, whole) if what == "prove" else []
    print("\n".join(wrong), end="\n" if wrong else "")
    matrix(what, logs)
    return bad, never + wrong


def prove(what):
    """what: prove, prove-benign or prove-excuses. The exit status."""
    count, whole = parts(), base.share(base.setting("SHARE", "1/1"))[1] == 1 and not os.environ.get("REFERENCE")
    logs = [f"{base.LOGS}/{what}-{part}.log" for part in range(1, count + 1)]
    statuses = base.several(lambda part: boot(what, part, count), range(1, count + 1), count)
    wrong = join(what, logs, whole)[1]
    for log, status in zip(logs, statuses):
        if status not in (0, 1):
            print(f"{log}: the part ended with status {status}")
    return next((status for status in WORST_FIRST if status in statuses), 1 if wrong else 0)
