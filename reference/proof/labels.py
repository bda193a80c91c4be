# SPDX-License-Identifier: BSD-2-Clause
"""The permanent list of check labels, tests/labels.txt, which people write: a line for each test and label, with one to
four defects that were made to fail it (by=). Labels are permanent, as a lab's filters and baselines name them. A label
on the list that is no longer asked is an error, and so is one that is not on it. A check that turned out to be wrong
keeps its line, with "- retired:" and the reason after it, and its label is not used again.

All defects that fail a label, and the registers and bits for which some defect does, are what a proof finds."""

import glob
import re

from . import base

LIST = "tests/labels.txt"
# What the harness itself enters is asked only where it fails, and not in each proof: stray-pmi for PMIs that no test
# awaited, changed-unasked for what an access changed beside the register that it names, and what random walks find,
# which a proof does not make. Nor does it ask what only a hypervisor's guest is asked.
BY_HARNESS = re.compile(r" (stray-pmi|changed-unasked)$|^lockstep |^enum\.no-pmu |^gp\.emulated forced-")
OPEN = "neither proven nor in tests/unproven.txt"


def rows_of(path):
    with open(path, encoding="latin-1") as file:
        return file.read().splitlines()


def listed():
    return [row for row in rows_of(LIST) if " - retired: " not in row]


def living():
    return {" ".join(row.split()[:2]) for row in listed() if not BY_HARNESS.search(" ".join(row.split()[:2]))}


def one_each(field, rows):
    """The parts of that field of the rows, as "TEST LABEL PART"."""
    return {f"{words[0]} {words[1]} {part}" for words in map(str.split, rows) for word in words[2:]
            if word.startswith(field + "=") for part in word[len(field) + 1:].split(",")}


def asked(logs):
    found = (re.match(r"# label test=(\S+) label=(\S+) ", line) for line in base.lines(logs, "^# label test="))
    names = {f"{match[1]} {match[2]}" for match in found if match}
    return {name for name in names if not BY_HARNESS.search(name)}


def keys(logs):
    """What was found for each label's registers and bits."""
    return [row for row in base.awk("keys", "tests/unproven.txt", *logs) if not row.startswith("keys: ")]


def failing(most, logs):
    """ "TEST LABEL by=DEFECT,...", with at most so many defects that are meant for the test."""
    return base.awk("provers", *sorted(glob.glob("reference/deviations/*.c")), *logs, most=most)


def unproven(logs):
    """Keys that no defect meant for the test failed, and that have no reason."""
    return one_each("open", [re.sub(r" (by-others|never)=", " open=", row) for row in keys(logs)])


def found(logs):
    """What a proof found: whose it is, and "TEST LABEL by=DEFECT,... proven=KEY,..."."""
    rows = {}
    for row in sorted(failing(9999, logs) + [re.sub(r" (by-others|never|reason)=\S*", "", row) for row in keys(logs)]):
        name, label, *rest = row.split(" ")
        if rest:
            rows.setdefault(f"{name} {label}", []).extend(rest)
    return base.lines(logs, "^# pmucheck ")[:1] + [" ".join([name, *rest]) for name, rest in rows.items()]


# ---- What is wrong: each yields sentences


def complain(what, names):
    return [f"{what}: {name}" for name in sorted(names)]


def not_listed(logs):
    """A share of a proof asked no label that is not on the list; the rows that are missing, with defects that failed
    them. A label that the harness enters for any test has no row until a defect makes it."""
    rows = {" ".join(row.split()[:2]): row for row in failing(3, logs)}
    return complain(f"{LIST} lacks this row",
                    [rows.get(name, f"{name} by=(no defect failed it)") for name in asked(logs) - living()])


def not_asked(logs):
    """A proof of all tests asked each label on the list, and no other."""
    return not_listed(logs) + complain("never asked, though labels are permanent", living() - asked(logs))


def not_proven(logs):
    """Each defect of the list failed its label, and each register and bit was proven or has its reason."""
    return complain(f"{LIST} names a defect that did not fail the label",
                    one_each("by", listed()) - one_each("by", failing(9999, logs))) + complain(OPEN, unproven(logs))


def lost(logs, before):
    """A whole proof found all that an earlier one had found."""
    now = found(logs)
    return [text for field in ("by", "proven") for text in complain(
        f"{before} has it, {field}= no more", one_each(field, rows_of(before)) - one_each(field, now))]


def left_open(logs, before):
    """A share: each register and bit is proven by it, was in the earlier proof by either name of a counter, or has its
    reason."""
    once = one_each("proven", rows_of(before))
    return complain(OPEN, [key for key in unproven(logs)
                           if key not in once and key.replace(" IA32_PMC", " IA32_A_PMC", 1) not in once])
