# SPDX-License-Identifier: BSD-2-Clause
"""The image shows its pages in QEMU; pictures of the screen are taken, their QR codes turned back into a log, and
that is compared with the log of the serial line: the same result code, the same outcome of every result, and the same
failures in each command's output. Would catch QR codes that lack results of the log or contradict it, and a failure
that a command does not see.

Words of the machine: bios, or uefi, which has no text mode. The end is fail, or review. The pattern is for the
failures' names, if only those are allowed."""

import glob
import os
import re
import shutil
import time

from runner import machine, serial, trial as trials

PAGES = 60  # seconds for all pages to turn, one second each
CODES = 6  # the summary, a page or more of findings and the codes are at most eight pages
END = "^# end .* crc32=[0-9a-f]{8}$"


def folder_of(trial):
    """An empty folder for the pictures."""
    folder = trial.log[: -len(".log")]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def keep_distinct(folder, seen):
    """The pictures without those of a screen that an earlier one shows: pages come round again, and reading a picture
    takes longer than taking it. The newest one may not be complete yet."""
    shots = sorted(glob.glob(f"{folder}/*.png"), key=lambda path: int(os.path.basename(path)[: -len(".png")]))
    for path in shots[:-1]:
        with open(path, "rb") as file:
            if seen.setdefault(file.read(), path) != path:
                os.remove(path)
    return list(seen.values())


def watch(trial, folder, tell):
    """Takes a picture each half second, until every code has been seen."""
    seen, read, text = {}, 0, "no picture"
    for shot in range(1, 2 * PAGES):
        tell(f"screendump {folder}/{shot}.png -f png")
        time.sleep(0.5)
        pictures = keep_distinct(folder, seen)
        if len(pictures) > read and shot % 4 == 0:
            read = len(pictures)
            text = trial.pmucheck("scan", f"--output={folder}/scan.log", *pictures, want=None)
            if trial.status == 0:
                return
    trial.fail(f"not all codes were seen: {text}")


def outcomes(path):
    """Numbers, outcomes and names of all results. The codes have no reasons of skips."""
    return [re.sub(r" # ([A-Z]*).*", r" # \1", line) for line in serial.matching(serial.lines_of(path), "^(not )?ok ")]


def failures(trial, log):
    """The names of what failed, by each output of the report."""
    forms = {name: trial.pmucheck("report", f"--format={name}", log, want=None)
             for name in ("text", "junit", "ktap", "expect")}
    with open(f"{log}.expect", "w", encoding="latin-1") as file:
        file.write(forms["expect"])
    trial.pmucheck("report", f"--expect={log}.expect", "--quiet", log)
    junit, names = "", []
    for name, failed in re.findall(r'<testcase [^>]*? name="([^"]*)"|(<failure )', forms["junit"]):
        junit = name or junit
        names += [junit] if failed else []
    return {
        "text": sorted(re.findall(r"(?m)^  (?:fail|review) +([^ ,:\n]+)", forms["text"])),
        "junit": sorted(names),
        "ktap": sorted(re.findall(r"(?m)^ +not ok [0-9]+ ([^ ]+)(?: # REVIEW.*)?$", forms["ktap"])),
        "expect": sorted(set(re.findall(r"(?m)^([^# ]+) ", forms["expect"]))),
    }


def expect_alike(trial, log, scan):
    """Both logs say the same, by each command."""
    want = next(status for status, name in trials.VERDICTS.items() if name == trial.case.ends[0])
    codes = [int(line.partition("=")[2]) for line in serial.matching(serial.lines_of(scan), "^# scan codes=[0-9]+$")]
    if not codes or codes[0] > CODES:
        trial.wrong(f"the results take {codes} codes, more than {CODES}")
    code = [line.partition(" code=")[2] for line in serial.matching(serial.lines_of(log), "^# result .* code=")]
    if not code:
        trial.fail("the log has no result code")
    trial.pmucheck("report", f"--code={code[0]}", log, scan, want=want)
    if outcomes(log) != outcomes(scan):
        trial.wrong("the results differ")
    if "outcome" in trial.pmucheck("compare", "--chapter=results", log, scan):
        trial.wrong("compare reports facts that the codes lack as differences")
    if f": 2 {trial.case.ends[0]}" not in trial.pmucheck("compare", log, scan).split("\n")[0]:
        trial.wrong("compare has another verdict")
    named = {f"{form} of {path}": names for path in (log, scan) for form, names in failures(trial, path).items()}
    first = named[f"text of {log}"]
    for where, names in named.items():
        if names != first or not names:
            trial.wrong(f"failures, {where}: {names}, not {first}")
    if any(not re.search(pattern, name) for pattern in trial.case.lines for name in first):
        trial.wrong(f"not only {trial.case.lines} failed: {first}")
    print(f"{len(outcomes(scan))} results, {len(first)} failures, result code {code[0]}")


def try_case(trial):
    folder = folder_of(trial)
    words = [*machine.plain(trial.log, 2), "-cdrom", f"{trial.build}/pmucheck.iso",
             *machine.options(trial.case.options),
             *machine.firmware("uefi" if "uefi" in trial.has else "bios", variables=True)]
    with machine.Qemu(trial.log, *words, monitor=True) as qemu:
        if not qemu.await_line(END):
            trial.fail("no END line")
        watch(trial, folder, qemu.tell)
    if not serial.matching([line for line in trial.lines() if line][-1:], "^# end "):
        trial.wrong("END is not the last line of the log")
    expect_alike(trial, trial.log, f"{folder}/scan.log")
