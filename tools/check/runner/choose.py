# SPDX-License-Identifier: BSD-2-Clause
"""Which cases a run takes. The same tree is tested in the same way everywhere: what is too long for every run is
taken by turns, and whose turn it is follows from the content of the files that concern it, so that a change elsewhere
moves nothing. What a change touches comes in addition, and first."""

import hashlib
import re

from . import table, tree

MORE = 3  # rows of a group that a change touches, beside those whose turn it is


def turn(name, concerns, parts):
    """Which of so many parts has its turn, from 0 on."""
    seed = f"{name} {tree.content(tuple(concerns))}"
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big") % parts


def touched(case):
    """Does this tree's change concern the case's group of rows?"""
    return any(tree.concerned(path, case.touched_by) for path in tree.changed()) if case.touched_by else False


def group_of(case):
    """What takes turns together: a table's rows; of commands, which are unlike each other, a group's."""
    return (case.table, case.group if case.kind == "command" or case.label != case.kind else "", case.label, case.share)


def in_turn(cases):
    """The cases whose turn it is."""
    places, found = {}, []
    for case in cases:
        key = group_of(case)
        places[key] = place = places.get(key, -1) + 1
        if case.always or place % case.share == turn(" ".join(map(str, key)), case.concerns, case.share):
            found.append(case)
    return found


def of_test(cases, whole):
    """(chosen, left out), both in the tables' order."""
    cases = [case for case in cases if not case.apart]
    chosen, more = {case.title for case in (cases if whole else in_turn(cases))}, {}
    for case in cases:
        key = (case.table, case.group)
        if case.title not in chosen and touched(case) and more.get(key, 0) < MORE:
            more[key] = more.get(key, 0) + 1
            chosen.add(case.title)
    return [case for case in cases if case.title in chosen], [case for case in cases if case.title not in chosen]


def in_order(cases):
    """As they should start: of the main phase first what the tree's change touches, and what may take longest."""
    return sorted(cases, key=lambda case: (not touched(case), -case.limit) if case.phase == "main" else (False, 0))


def command(case, build, whole, chosen=()):
    """The case's command, with its turn of what it has several of, and with names of other cases that were chosen."""

    def part(found):
        parts = len(table.profiles()) if found[1] == "profiles" else int(found[1])
        return "1/1" if whole else f"{turn(case.title, case.concerns, parts) + 1}/{parts}"

    def names(found):
        return " ".join(one.name for one in chosen if one.label == found[1])

    words = re.sub(r"\{share:(\w+)\}", part, case.command)
    return re.sub(r"\{chosen:(\w+)\}", names, words).replace("{build}", build)


def left_out(left):
    """One line on what was left out, and how to run it; empty: nothing was."""
    if not left:
        return ""
    counts = {}
    for case in left:
        counts[case.label or case.title] = counts.get(case.label or case.title, 0) + 1
    told = ", ".join(f"{count} {label}" if count > 1 or label in ("boot",) else label for label,
                     count in counts.items())
    return f"left out, {len(left)} steps (make test WHOLE=1 runs them, tools/check/run.py KIND NAME one): {told}"
