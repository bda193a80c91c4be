# SPDX-License-Identifier: BSD-2-Clause
"""Does the proof notice tests that have grown weak: by a bound that is far off, a loop that ends early, a check that is
gone? SEED draws TESTS of all tests, and of each up to EACH changes that mutate.awk knows. The changed copies of a test
are linked into a kernel beside it, as TEST~1, TEST~2 and so on, and an unchanged one as TEST~0. One boot shows all of
them the defects that are said to fail the test's labels (tests/labels.txt), in each of their places.

A copy is noticed if it fails without a defect on any profile, or on a legal variation; or if it misses a defect, or
loses a register or bit of a label, that the test and its unchanged copy find. What does not compile is drawn anew, and
what compiles to the same code is not counted. build/logs/prove-tests.txt gets a line for each: source, change, line,
and what noticed it. One that is not noticed is wrong, unless tests/unnoticed.txt has its reason: "SOURCE | CHANGE |
LINE | why", as for what is the same test in other words.

What is drawn depends on the changes and their lines alone: it stays when other lines and other tests change."""

import collections
import fnmatch
import glob
import re
import shutil
import sys

from runner import serial

from . import base

SEED = base.setting("SEED", "1")  # any text; the same one draws the same changes of the same lines
TESTS = base.setting("TESTS", 24)  # how many tests are drawn
EACH = base.setting("EACH", 5)  # how many changes of each, at most
SHARE = base.setting("SHARE", "1/1")  # K/N: every N-th of the drawn tests from the K-th on
ONLY = base.setting("ONLY", "*")  # only tests of these sources, as a pattern: tests/gp/*
# Where the defects for each label stand. The list that a whole proof leaves, build/prove-labels.txt, has all, and takes
# longer.
BEFORE = base.setting("BEFORE", "tests/labels.txt")
VARIATIONS = base.setting("VARIATIONS", 1)  # 0: what no defect shows weak is not shown good PMUs and variations
SECONDS_EACH = base.setting("SECONDS_EACH", 120)  # how long the copies of one test are shown some defects, at most
SECONDS_GOOD = base.setting("SECONDS_GOOD", 900)  # how long what is left is shown each of good PMUs and variations
LINKED = 210  # copies that one kernel has room for, beside all tests
WORK = f"{base.BUILD}/mutated"
RESULT = f"{base.LOGS}/prove-tests.txt"
REASONS = "tests/unnoticed.txt"


def id_of(source):
    return re.sub(r"^tests/|\.c$", "", source).replace("/", ".")


def sources():
    """Those that are drawn. Tests that no defect can fail, by their own reason, are left out."""
    found = [path for path in sorted(glob.glob("tests/*/**/*.c", recursive=True))
             if not re.match("tests/(host|fuzz|harness)/", path) and fnmatch.fnmatchcase(path, ONLY)
             and ".unproven" not in serial.text_of(path)]
    k, n = base.share(SHARE)
    return base.shuffled(found, SEED, "tests", "-t", "\t", "-k", "1,1")[:TESTS][k - 1::n]


class Test:
    """A test with its changed copies: "SOURCE | CHANGE | LINE" of each; and what noticed them, by numbers from 1 on."""

    def __init__(self, source):
        self.source, self.name = source, id_of(source)
        self.copies, self.noticed, self.cut = [], {}, False

    def changes(self):
        """(PLACE.CHANGE, "SOURCE | CHANGE | LINE") for one change of each place, in the order in which they are
        drawn."""
        lines, rows = serial.text_of(self.source).split("\n"), []
        for row in base.awk("mutate", self.source, of="tests"):
            where, place, what = row.split(" ", 2)
            line = lines[int(where.rpartition(":")[2]) - 1].lstrip(" ")
            rows.append(f"{self.source} | {what.lstrip(' ')} | {line}\t{place}")
        drawn = base.shuffled(rows, SEED, self.name, "-t", "\t", "-k", "1,1")
        for row in base.first_of_each(drawn, lambda row: row.rpartition("\t")[2].partition(".")[0]):
            yield row.rpartition("\t")[2], row.rpartition("\t")[0]

    def object(self, compiler, text, copy):
        renamed = re.sub(f'"{re.escape(self.name)}"', f'"{self.name}~{copy}"', text)
        return base.compiled(compiler, renamed, f"{WORK}/obj/{self.source[:-2]}~{copy}.c.o")

    def make(self, compiler):
        """Makes the objects of its copies."""
        text, plain, other = serial.text_of(self.source), f"{WORK}/{self.name}.o", f"{WORK}/{self.name}~.o"
        if not base.compiled(compiler, text, plain):
            sys.exit(f"{self.source} does not compile")
        drawn = 0
        for change, what in self.changes():
            if drawn == EACH:
                break
            changed = "\n".join(base.awk("mutate", self.source, of="tests", change=change)) + "\n"
            if not base.compiled(compiler, changed, other):
                continue
            drawn += 1
            if base.bytes_of(plain) != base.bytes_of(other):
                self.copies.append(what)
                self.object(compiler, changed, len(self.copies))
        self.object(compiler, text, 0)

    def unnoticed(self, reasons=()):
        """Its copies that nothing has noticed, and that have no reason, as "TEST~COPY"."""
        return [f"{self.name}~{copy}" for copy, what in enumerate(self.copies, 1) if copy not in self.noticed
                and not any(f"{what} | " in reason for reason in reasons)]

    def look(self, log):
        """Takes in what a log shows of its copies."""
        for row in base.awk("weaker", log, test=self.name):
            copy, _, what = row.partition(" ")
            self.noticed.setdefault(int(copy), what)

    def show(self, defects):
        """Shows them to what nothing has noticed of its copies, beside the test and its unchanged copy. One that ends
        the boot, or hangs in it, is noticed, and the others are shown the defects without it."""
        log = f"{base.LOGS}/prove-tests-{self.name}.log"
        while left := self.unnoticed():
            end = boot(f"log=full prove run={','.join([self.name, self.name + '~0', *left])} defect={defects}",
                       log, SECONDS_EACH)
            self.look(log)
            self.cut |= end == "cut"
            test, copy = (running(log)[0].split("~") + [""])[:2]
            if end != "gone":
                return
            if test in ("", self.name) and copy in ("", "0"):
                self.cut = True
            if test != self.name or copy in ("", "0"):
                return
            self.noticed.setdefault(int(copy), "ends the boot")  # nothing came from it for long, or the image is gone

    def prove(self):
        """Each profile is first, with a defect for each label; only copies that pass there are shown the others."""
        for defects in base.awk("defects", *sorted(glob.glob("reference/deviations/*.c")), BEFORE, test=self.name):
            self.show(defects)
        if self.cut:
            for name in self.unnoticed():
                self.noticed[int(name.rpartition("~")[2])] = f"cut: not shown all defects in {SECONDS_EACH} s"

    def lines(self, reasons):
        """ "SOURCE | CHANGE | LINE | what noticed it", or the reason why nothing does, or "unnoticed"."""
        for copy, what in enumerate(self.copies, 1):
            why = next((reason for reason in reasons if f"{what} | " in reason), None)
            same = re.sub(r".* \| ", "same: ", why) if why else "unnoticed"
            yield f"{what} | {self.noticed.get(copy, same)}"


def running(log):
    """The test in which a full log ends, and has it run for half a minute? Empty: it ends between two."""
    test, beats = "", 0
    for line in serial.text_of(log).split("\n"):
        if re.match(r" +# begin ", line):
            test, beats = line.split()[2], 0
        elif re.match(r" +(not )?ok ", line):
            test = ""
        beats += " heartbeat " in line
    return test, beats >= 4 and test != ""


def boot(options, log, seconds):
    """With the clocks of a proof. "ended", "cut" at the end of its time, or "gone": it hangs, or ended before its
    END."""
    status = base.boot(log, REFERENCE="", CPUS=2, MEDIUM="kernel", IMAGE=f"{base.BUILD}/pmucheck-mutated.elf", STEADY=1,
                       SILENCE=base.setting("SILENCE", 60), TIMEOUT=seconds, OPTIONS=options)
    if status != 124:
        return "ended" if base.lines(log, "^# end ") else "gone"
    return "gone" if "no line for" in serial.text_of(log + ".run") or running(log)[1] else "cut"


def vary(tests, reasons):
    """Shows all profiles, and then the legal variations, to what is left of the copies without a reason."""
    for options, name in (("reference=all quick lockstep=off", "lockstep=off"), ("prove-benign", "prove-benign")):
        left = [copy for test in tests for copy in test.unnoticed(reasons)]
        if not left:
            return
        log = f"{base.LOGS}/prove-tests-{name}.log"
        end = boot(f"{options} run={','.join(left)}", log, SECONDS_GOOD)
        for test in tests:
            test.look(log)
        if end != "ended":
            print(f"not all was shown to {','.join(left)}: {log}", file=sys.stderr)


def batch(tests, compiler, reasons):
    """Links the copies of these tests, and proves them."""
    shutil.rmtree(f"{WORK}/obj", ignore_errors=True)
    base.several(lambda test: test.make(compiler), tests)
    base.must_make(f"{base.LOGS}/prove-tests-make.log", f"{base.BUILD}/pmucheck-mutated.elf")
    for test in tests:
        test.prove()
    if VARIATIONS:
        vary(tests, reasons)


def prove():
    shutil.rmtree(WORK, ignore_errors=True)
    base.must_make(f"{base.LOGS}/prove-tests-make.log", "iso", "tools")
    compiler = " ".join(base.output("make", "-s", "print-CC", "print-IMAGE_CFLAGS")).split() + ["-g0"]
    tests, reasons = [Test(source) for source in sources()], serial.text_of(REASONS).split("\n")
    at_once = LINKED // (EACH + 1)
    for first in range(0, len(tests), at_once):
        batch(tests[first:first + at_once], compiler, reasons)
    lines = [line for test in tests for line in test.lines(reasons)]
    base.write(RESULT, lines)
    counts = collections.Counter(re.split("[ :]", line.rpartition(" | ")[2])[0] for line in lines)
    print(", ".join([f"{len(lines)} changed copies of tests, seed {SEED}"] + [
        f"{count} {how}" for how, count in counts.items()]) + f": {RESULT}")
    bad = [line for line in lines if line.endswith(" | unnoticed")]
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0
