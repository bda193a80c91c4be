# SPDX-License-Identifier: BSD-2-Clause
"""A quick run of each N-th profile in one boot with three CPUs, and of Skylake: all tests must pass, and each profile
must be good for the uses that tests/boot/purposes.txt says. Would catch a false alarm on a CPU model, and a use that
a CPU model is said not to be good for. With WRITE=1 (and JOBS=1) the rows become those of the log: look at each changed
answer.

Words of the machine: part=K/N."""

import glob
import os
import re
import shutil

from runner import serial, table

PURPOSES = "tests/boot/purposes.txt"


def ids():
    """The ids of all tests, sorted."""
    chapters = [path for path in glob.glob("tests/*/*.c") if path.split("/")[1] not in ("harness", "host", "fuzz")]
    return sorted(".".join(path[:-2].split("/")[1:]) for path in chapters)


def not_passed(letters, tests):
    """The tests without a "p", "trace.*" if none of a chapter has one."""
    of, told = {}, []
    for letter, test in zip(letters, tests):
        of.setdefault(test.partition(".")[0], []).append((letter, test))
    for chapter, ends in of.items():
        others = [test for letter, test in ends if letter != "p"]
        told += [f"{chapter}.*"] if len(others) == len(ends) else others
    return " ".join(told)


def value(line, key):
    found = re.search(f" {key}=([^ ]*)", line)
    return found.group(1) if found else ""


def rows(lines):
    """A row of the table for each run of the log."""
    tests, found, name, kind, letters, answers = ids(), [], "", "", "", []
    for line in (line.strip() for line in lines):
        if line.startswith("# run pmu="):
            name, answers = value(line, "pmu").removeprefix("reference:"), []
        elif line.startswith("# core-type id=0 "):
            kind = value(line, "class")
        elif line.startswith("# outcomes "):
            runs = re.findall(r"([a-z-])([0-9]*)", value(line, "list"))
            letters = "".join(letter * int(count or 1) for letter, count in runs)
        elif line.startswith("# good-for "):
            answers.append(f"{line.split()[2]}={value(line, 'answer')}")
            if line.split()[2] == "guests":
                left_out = not_passed(letters, tests)
                found.append(f"{name} | {kind} | {letters.count('p')} | {' '.join(answers)} | {left_out}")
    return sorted(found)


def write(found):
    """Puts these rows in the place of those of the same profiles."""
    new = {row.partition(" ")[0]: row for row in found}
    lines = serial.text_of(PURPOSES).split("\n")
    with open(PURPOSES, "w", encoding="ascii") as file:
        file.write("\n".join(new.get(line.partition(" ")[0], line) for line in lines))


def try_case(trial):
    part, number = trial.has["part"].split("/")
    mine = [name for place, name in enumerate(table.profiles(), 1) if place % int(number) == int(part) % int(number)]
    mine += [] if "skylake" in mine else ["skylake"]  # fleets are made of its log and of a failing one
    end = trial.run(CPUS=3, OPTIONS=f"reference={','.join(mine)} quick after=exit", SILENCE=300)
    trial.expect_end(end)
    found = rows(trial.lines())
    if os.environ.get("WRITE") == "1":
        write(found)
    known = serial.lines_of(PURPOSES)
    for row in found:
        if row not in known:
            trial.wrong(f"{PURPOSES} has no such row: {row}")
    shutil.copyfile(trial.log, f"{trial.build}/logs/profiles.log")
