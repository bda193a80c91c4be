#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The known results of what others wrote for a PMU, hosting/test/witnesses.txt: which tests run on a profile, whether
their results are the known ones, and the tables of hosting/README.md.

A row of the table is `suite | test ; test ... | profiles | result | reason`; indented lines continue it. Of several
rows for a test on a profile the first one counts; "*" stands for all profiles, or all tests of a suite. A result is
pass, fail, skip (the test itself says that it does not apply), time (it does not end in time), or "a/b": either; out:
it is not run. All but pass have a reason: whose fault it is."""

import argparse
import re
import sys

TABLE = "hosting/test/witnesses.txt"
# By default, PROFILE[:CPUS]: generations that differ.
PROFILES = ("nehalem", "skylake", "ice-lake", "sapphire-rapids", "alder-lake:2", "lunar-lake")
RESULTS = ("pass", "fail", "skip", "time", "none", "out")
SUMS = ("pass", "fail", "skip", "time")
# A program or kernel that was handed over and has no row.
HANDED = ("programs", "kernels")


def lines():
    """(number, row) of the table; an indented line continues the one above it."""
    found = []
    with open(TABLE, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if line.startswith(" ") and found:
                found[-1][1] += " " + line.strip()
            elif line.strip() and not line.startswith("#"):
                found.append([number, line.strip()])
    return found


def rows():
    """(suite, tests, profiles, result, reason) of each row."""
    found = []
    for number, line in lines():
        columns = [column.strip() for column in line.split(" | ")]
        columns += [""] * (5 - len(columns))
        suite, tests, profiles, result, reason = columns[:5]
        if not set(result.split("/")) <= set(RESULTS) or (result != "pass") != bool(reason) or len(columns) > 5:
            sys.exit(f"{TABLE}:{number}: it must be `suite | test ; ... | profiles | result | reason`; "
                     f"results are {', '.join(RESULTS)}, and only pass has no reason")
        found.append((suite, [test.strip() for test in tests.split(" ; ")], profiles.split(), result, reason))
    return found


def known(profile):
    """{(suite, test): (result, reason)} on a profile."""
    found, all_rows = {}, rows()
    for suite, tests, profiles, result, reason in all_rows:
        if tests == ["*"]:
            tests = [test for row in all_rows for test in row[1] if row[0] == suite and test != "*"]
        if profiles == ["*"] or profile in profiles:
            for test in tests:
                found.setdefault((suite, test), (result, reason))
    return found


def tests_of(profile, suites, part):
    """What runs on a profile: of N parts the K-th. A part leaves out what may not end in time."""
    if not re.fullmatch("[1-9][0-9]*/[1-9][0-9]*", part):
        sys.exit(f"PART={part}: it must be K/N, the K-th of N parts")
    which, parts = (int(number) for number in part.split("/"))
    there = set(row[0] for row in rows()) - set(HANDED)
    for suite in set(suites) - there:
        sys.exit(f"SUITES: there is no suite {suite}; there are {', '.join(sorted(there))}")
    left_out = {"out"} if parts == 1 else {"out", "time"}
    all_of = [key for key, (result, _) in known(profile).items()
              if key[0] in suites and not left_out & set(result.split("/"))]
    return all_of[which - 1::parts]


def told(path):
    """{(suite, test): (result, seconds, output)} of a log."""
    found, output = {}, []
    with open(path, encoding="latin-1") as file:
        for line in file:
            line = line.strip("\r\n")
            match = re.match(r"witness (\w+) (\d+) ([\w-]+)\|(.*)", line)
            if line.startswith("witness begin "):
                output = []
            elif match:
                found[match[3], match[4]] = match[1], match[2], output
            else:
                output.append(line)
    return found


def compare(profile, wanted, log):
    """Prints what differs from the table. Is nothing different?"""
    table, results, bad = known(profile), told(log), 0
    counts = dict.fromkeys(SUMS, 0)
    for key in wanted:
        name = ": ".join(key)
        want, reason = table.get(key, ("pass/skip", ""))
        got, seconds, output = results.get(key, ("none", "0", []))
        counts[got] = counts.get(got, 0) + 1
        if got in want.split("/"):
            print(f"ok     {name}: {got} ({seconds} s){', as known: ' + reason if reason else ''}")
            continue
        bad += 1
        known_as = f", known to {want}: {reason}" if reason else f", not {want}"
        print(f"not ok {name}: {'no result' if got == 'none' else got} ({seconds} s){known_as}")
        if got != "pass":
            print("".join(f"       | {line}\n" for line in output[-15:] if line.strip()), end="")
    sums = ", ".join(f"{count} {result}" for result, count in counts.items() if count)
    print(f"{profile}: {sums or 'nothing ran'}; {bad} other than known")
    return not bad


def page():
    """The tables of the page: sums, and what does not pass."""
    profiles = [profile.partition(":")[0] for profile in PROFILES]
    print(f"| suite | {' | '.join(profiles)} |\n|---|{'---|' * len(profiles)}")
    for suite in dict.fromkeys(row[0] for row in rows() if row[0] not in HANDED):
        cells = []
        for profile in profiles:
            results = [result for (of, _), (result, _) in known(profile).items() if of == suite and result != "out"]
            counts = [(result, sum(found.startswith(result) for found in results)) for result in SUMS]
            cells.append(", ".join(f"{count} {result}" for result, count in counts if count) or "not run")
        print(f"| {suite} | {' | '.join(cells)} |")
    print("\n| suite | test | profiles | result | reason |\n|---|---|---|---|---|")
    for suite, tests, where, result, reason in rows():
        if result not in ("pass", "skip", "out"):
            names = "all" if tests == ["*"] else ", ".join(f"`{test}`" for test in tests)
            print(f"| {suite} | {names} | {'all' if where == ['*'] else ', '.join(where)} | {result} | {reason} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("profiles", "commands", "list", "compare", "page"))
    parser.add_argument("words", nargs="*", help="commands SUITE; list PROFILE K/N SUITE...; compare PROFILE LIST LOG")
    arguments = parser.parse_args()
    words = arguments.words
    if arguments.what == "commands":
        names = {test.split()[0] for suite, tests, *_ in rows() if suite == words[0] for test in tests}
        print("\n".join(sorted(names)))
    elif arguments.what == "list":
        print("".join("|".join(key) + "\n" for key in tests_of(words[0], words[2:], words[1])), end="")
    elif arguments.what == "profiles":
        print(" ".join(PROFILES))
    elif arguments.what == "page":
        page()
    else:
        with open(words[1], encoding="utf-8") as file:
            wanted = [tuple(line.rstrip("\n").split("|", 1)) for line in file]
        sys.exit(0 if compare(words[0], wanted, words[2]) else 1)


if __name__ == "__main__":
    main()
