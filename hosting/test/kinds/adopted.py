# SPDX-License-Identifier: BSD-2-Clause
"""A lab from its first good machine to its first bad one. The image, hosted on a good reference PMU as if that were
hardware, gives a log. `pmucheck adopt` takes the log into a copy of the sources as evidence. The image built from
that copy is hosted on a PMU with a defect, and the check that asked for review without the evidence fails now. Would
catch evidence that is taken in but never turns a review into a failure, and a disk without room that leaves half of
it in the tree.

Word do=five: five machines of one class, hosted, agree against a check that is judged, and one of three does not: adopt
says which it is; the one line that it names is put into the table, and by it the logs are judged anew."""

import os
import re
import shutil

import hosted
from runner import serial

CHECK, DEFECT, NAME = "gp.halt", "defect=counts-in-halt", "acme-1"
JUDGED, BROKEN = "pmi.mask-set", "defect=lvtpc-not-masked"
PLACE = f"reference/model/profiles/{NAME}.profile"


def host(trial, what, kernel, defect, pattern):
    """Hosts a kernel; its own log must match. The log. The board's name is not a virtual machine's."""
    log = trial.log_of(what)
    end = hosted.host(trial, LOG=log, KERNEL=kernel, OPTIONS=defect, MEMORY=256, BOARD="Acme",
                      ARGS=f"quick prove-here=off after=poweroff run={CHECK}")
    if end != "off":
        trial.fail(f"{what} did not end: {end}")
    with open(log + ".hosted", "w", encoding="latin-1") as file:
        file.write("\n".join(hosted.own_log(serial.lines_of(log))))
    trial.expect_lines([pattern], serial.lines_of(log + ".hosted"))
    return log + ".hosted"


def adopt(trial, log, tree, before=""):
    """The command with which the host program takes the log in."""
    return f"{before} exec {trial.build}/tools/pmucheck adopt --tree={tree} --name={NAME} {log}"


def refuses_half(trial, log, tree):
    """A limit of 5 KB a file: the profile fits, a line of evidence at the end of its file does not."""
    before = f"{trial.work}/before"
    shutil.copytree(f"{tree}/tests/evidence", before)
    trial.call("sh", "-c", adopt(trial, log, tree, "trap '' XFSZ; ulimit -f 10;"), want=None)
    if trial.status == 0:
        trial.wrong("adopt says that it wrote what did not fit")
    trial.call("diff", "-r", before, f"{tree}/tests/evidence")
    if os.path.exists(f"{tree}/{PLACE}"):
        trial.wrong("adopt left a profile without evidence")


def build(trial, tree, what):
    """Builds it in a copy of the sources."""
    for name in ("BUILD", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"):
        os.environ.pop(name, None)
    trial.call("make", "-s", "-j", "2", "-C", tree, what, "BUILD=out", "COMMIT=unknown")


def built(trial, tree):
    """The kernel with the evidence."""
    build(trial, tree, "kernel")
    return f"{tree}/out/pmucheck.elf"


def machine(trial, name, defect):
    """The log of a machine of its own that makes a judged check."""
    log = trial.log_of(name)
    hosted.host(trial, LOG=log, KERNEL=f"{trial.build}/pmucheck.elf", OPTIONS=defect, MEMORY=256, BOARD="Acme",
                ARGS=f"quick prove-here=off lockstep=off surroundings=0 machine={name} after=poweroff run={JUDGED}")
    with open(log + ".hosted", "w", encoding="latin-1") as file:
        file.write("\n".join(hosted.own_log(serial.lines_of(log))))
    return log + ".hosted"


def says(trial, logs, pattern):
    """What adopt says of these machines, without taking one in."""
    text = trial.pmucheck("adopt", "--dry-run", "--tree=.", f"--name={NAME}", *logs)
    if not re.search(pattern, text):
        trial.wrong(f"adopt does not say {pattern}: {text[-600:]}")
    return text


def five(trial):
    """The first logs of a class, docs/lab.md."""
    bad = [machine(trial, f"bad-{i}", BROKEN) for i in range(5)]
    good = [machine(trial, f"good-{i}", "") for i in range(2)]
    says(trial, [*good, bad[0]], r"did not hold on 1 of 3 machines: this machine, \S*-bad-0")
    text = says(trial, bad, r"lvtpc-not-masked: did not hold on 5 of 5 machines: it is the class, and no machine")
    line = re.search(r"tests/relied\.txt:([0-9]+):", text)
    tree = f"{trial.work}/tree"
    os.mkdir(tree)
    trial.call("tools/check/copy-tree.sh", tree)
    with open(f"{tree}/tests/relied.txt", encoding="latin-1") as file:
        rows = file.read().splitlines()
    rows.insert(int(line[1]) - 1, f"measured | skylake | | {JUDGED}/lvtpc-not-masked* | five machines agree")
    with open(f"{tree}/tests/relied.txt", "w", encoding="latin-1") as file:
        file.write("\n".join(rows) + "\n")
    build(trial, tree, "tools")
    trial.pmucheck("judge", bad[0], want=1)
    trial.call(f"{tree}/out/tools/pmucheck", "judge", bad[0], good[0])


def try_case(trial):
    if trial.has.get("do") == "five":
        return five(trial)
    kernel, tree = f"{trial.build}/pmucheck.elf", f"{trial.work}/tree"
    host(trial, "bad-before", kernel, DEFECT, "^# end verdict=review")
    good = host(trial, "good", kernel, "", "^# end verdict=pass")
    os.mkdir(tree)
    trial.call("tools/check/copy-tree.sh", tree)
    refuses_half(trial, good, tree)
    trial.call("sh", "-c", adopt(trial, good, tree))
    trial.call("sh", "-c", f"grep -q '^machine={NAME} counts=yes .*{CHECK}:' {tree}/tests/evidence/*.txt")
    kernel = built(trial, tree)
    bad = host(trial, "bad", kernel, DEFECT, rf"^not ok [0-9]+ {CHECK}$")
    trial.expect_lines(["^# end verdict=fail .*fail=1 "], serial.lines_of(bad))
    trial.pmucheck("report", bad, want=1)
    host(trial, "good-again", kernel, "", "^# end verdict=pass")
