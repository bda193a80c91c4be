#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a machine's owner does not get: the tests that a log skips, by the kind of reason, and the share of those that
could apply to its CPU. A log of the image, or of a machine that hosts it: the last run in it counts.

Kinds of reasons: cpu (this CPU does not have it), machine (the CPU has it, this machine does not show it), documents
(none says how this CPU should behave), choice (this program does not do it unasked). The last two are what could be
done better."""

import argparse
import collections
import re

# The first pattern that is found decides; without one it is the CPU.
KINDS = (
    ("choice", r"is not given|write gate does not let"),
    ("documents", r"no sheet of its errata|no list of its events|no event list has|not known to|(is|are) not known"),
    ("machine", r"MWAIT|ACPI mode|CPUs? (is|are|in)\b|one CPU|hyper-threading|shares? a core|second thread|SMI"),
)
RESULT = re.compile(r"^ *(?:not )?ok [0-9]+ ([a-z0-9.-]+)(?: # SKIP (.*))?")


def kind_of(reason):
    return next((kind for kind, pattern in KINDS if re.search(pattern, reason)), "cpu")


def read(path):
    """The tests that ran, and the reasons of those that did not."""
    ran, skipped = set(), {}
    with open(path, encoding="latin-1") as file:
        for line in file:
            if line.startswith("KTAP version 1"):
                ran, skipped = set(), {}
            match = RESULT.match(line)
            if match and "." in match[1] and match[2]:
                skipped[match[1]] = match[2].strip()
            elif match and "." in match[1]:
                ran.add(match[1])
    return ran, skipped


def share(ran, skipped):
    """The percentage of tests that could apply to this CPU and were not made."""
    kinds = collections.Counter(map(kind_of, skipped.values()))
    left_out = kinds["choice"] + kinds["documents"]
    return kinds, 100 * left_out / max(1, left_out + len(ran))


def tell(path, reasons):
    ran, skipped = read(path)
    kinds, percent = share(ran, skipped)
    name = re.sub(r".*/|\.[a-z.]+$", "", path)
    print(f"{name:32} {len(ran):5} {kinds['cpu']:5} {kinds['machine']:8} {kinds['documents']:10} {kinds['choice']:7} "
          f"{percent:6.1f} %")
    for test, reason in sorted(skipped.items()):
        if reasons and kind_of(reason) != "cpu":
            print(f"    {kind_of(reason):10} {test}: {reason}")
    return percent if ran else 100


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float, default=100, help="fails if the share is larger, in percent")
    parser.add_argument("--reasons", action="store_true", help="each test that is not left out because of the CPU")
    parser.add_argument("log", nargs="+")
    asked = parser.parse_args()
    print(f"{'log':32} {'ran':>5} {'cpu':>5} {'machine':>8} {'documents':>10} {'choice':>7} {'share':>8}")
    return 1 if max([tell(path, asked.reasons) for path in asked.log]) > asked.most else 0


if __name__ == "__main__":
    raise SystemExit(main())
