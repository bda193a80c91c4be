# SPDX-License-Identifier: BSD-2-Clause
"""With QEMU's clocks driven by its count of instructions, a run's log must not depend on the machine's load: all
tests run twice on the reference PMU, the second time beside two busy processes for each core, and all lines must be
the same but for times. Would catch a result that depends on how busy the machine is."""

import difflib
import os
import re
import subprocess
import sys

from runner import serial

# Lines and parts of lines that depend on time. Heartbeats come by time, and change the log's check sums. Firmware and
# GRUB wait for a disk, so that the image reads its clocks and the date at another moment. A heartbeat within a repeat
# has the repeat made again, and a test makes as many repeats as its time allows: results of measurements are
# compared, not their number. The reference PMU's skid depends on the number of PMIs before, and so does the number of
# PMIs of a small period; its cache and branch misses depend on the number of instructions. A random walk that a
# wake-up interrupts is begun anew.
LEFT_OUT = re.compile(
    r"^ *# (date|heartbeat|sync|took|tsc) |^ *# measure .* unit=(ticks|us|permille-of-tsc|pmis) "
    r"|^ *# measure (pmi.skid|pmi.latency name=skid|gp.provoked) "
)
MEASURE = re.compile(r"^( *# measure .*)")


def lasting(log):
    """The lines of a log without the parts that depend on time."""
    lines = []
    for line in serial.text_of(log).split("\n"):
        if LEFT_OUT.search(line):
            continue
        if re.match(r" *# lockstep seed=", line):
            line = re.sub(r" steps=.* differences=", " differences=", line)
        if MEASURE.match(line):
            line = re.sub(r" hist=[^ ]*$", "", re.sub(r" n=[0-9]+", "", line, count=1))
        lines.append(re.sub(r" disagreement-ppm=[0-9]*$", "", re.sub(r" crc32=[0-9a-f]*$", "", line)))
    return lines


def run_again(trial, log, **settings):
    """Boots. With clocks of instructions QEMU once hung before the firmware printed anything: once more, then."""
    end = trial.run(LOG=log, **settings)
    return trial.run(LOG=log, **settings) if end == "silent" and not serial.size_of(log) else end


def expect_same(trial, one, other):
    difference = list(difflib.unified_diff(one, other, "one", "the other", lineterm=""))
    if difference:
        trial.wrong("the logs differ:\n" + "\n".join(difference))


def boot(trial, what):
    log = trial.log_of(what)
    end = run_again(trial, log, STEADY=1, CPUS=2, SILENCE=300, REFERENCE=trial.has["reference"],
                    OPTIONS=trial.case.options)
    lines = lasting(log)
    print(f"{what}: {end}, {len(lines)} lines", flush=True)
    if not serial.matching(lines, "^# end "):
        trial.fail("the run did not end")
    return lines


def try_case(trial):
    alone = boot(trial, "alone")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    try:
        expect_same(trial, alone, boot(trial, "beside-load"))
    finally:
        for process in busy:
            process.kill()
            process.wait()
