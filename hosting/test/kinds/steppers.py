# SPDX-License-Identifier: BSD-2-Clause
"""The two steppers count the same: all tests run on the reference PMU once under traps, in the image, and once under
SVM, in the kernel that hosts others, with QEMU's clocks driven by its count of instructions. All lines of both logs
must be the same, results of measurements included, but for times and for what follows from where code and data lie.
Would catch an instruction that one stepper retires too often or not at all, an event that it does not report, and a
test that one of them cannot run.

Words of the machine: profile=, or part=K/N of them; way=single, most code by the interpreter, or exit, each
instruction by a VM exit, some minutes a profile."""

import re

from kinds import steady
from runner import serial

# What follows from where data lie (the latency that the model gives a load) or from the number of instructions and
# branches before: the order in which branch records are written, which branches the model takes as mispredicted, when
# a reference clock ticks, and the largest skid that a summary tells.
LEFT_OUT = re.compile(
    r"^# options |^ *# measure (pebs.latency name=latency|topdown.levels|fixed.pairing name=fixed-2-of-event-2) "
    r"|^ *# good-for-fact (counting|rr) |^ *# access write reg=(MSR|IA32)_(LASTBRANCH|LBR)_"
)


def reference(trial):
    return trial.has.get("profile") or f"all:{trial.has['part']}"


def boot(trial, what, kernel, way):
    """The log's lasting lines, without the image's own sum and options."""
    log = trial.log_of(what)
    end = steady.run_again(trial, log, IMAGE=f"{trial.build}/{kernel}.elf", MEDIUM="kernel", STEADY=1, CPUS=1,
                           SILENCE=300,
                           OPTIONS=f"reference={reference(trial)} quick stepping={way}")
    print(f"{what}: {end}, {len(serial.matching(serial.lines_of(log), '^ *(not )?ok '))} results", flush=True)
    lines = [line for line in steady.lasting(log) if not LEFT_OUT.search(line)]
    return [re.sub(" sum=[0-9a-f]+", "", line) if re.match("# (pmucheck|image) ", line) else line for line in lines]


def try_case(trial):
    trap = boot(trial, "trap", "pmucheck", "trap")
    svm = boot(trial, "svm", "pmucheck-host", trial.has["way"])
    if not serial.matching([line for line in trap if line][-1:], "^# end verdict="):
        trial.fail("the run did not end")
    steady.expect_same(trial, trap, svm)
