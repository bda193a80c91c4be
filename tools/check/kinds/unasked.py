# SPDX-License-Identifier: BSD-2-Clause
"""Events that no test provoked must be reported: QEMU's monitor sends NMIs and machine checks. The log must name CPU,
bank, status and address, and the verdict must be an error for a machine check. Would catch an interrupt that changes
a count but is not reported.

The debugger's column is "PATTERN: COMMANDS": these go to QEMU's monitor when a line of the log matches, and once more
each second with `again`; "//" stands between two of them. smp= is QEMU's -smp; times=N: so many lines
match the last pattern, more=N: more than so many do."""

import time

from runner import machine, serial

PAUSE = 1  # second: one machine check during the handling of another would be a reset, and the host may be busy
END = "^# end .* crc32=[0-9a-f]{8}$"


def again(trial, qemu, commands):
    """Tells the commands until the END line."""
    while qemu.alive() and not serial.matching(trial.lines(), END):
        qemu.tell(*commands)
        time.sleep(PAUSE)


def steps(case):
    """(pattern, commands) for each step."""
    for step in f"{case.at}: {case.change}".split("//"):
        pattern, _, commands = step.strip().partition(": ")
        yield pattern, [command.strip() for command in commands.split(";")]


def try_case(trial):
    words = [*machine.plain(trial.log, trial.has["smp"]), "-cdrom", f"{trial.build}/pmucheck.iso",
             *machine.options(trial.case.options)]
    with machine.Qemu(trial.log, *words, monitor=True) as qemu:
        for pattern, commands in steps(trial.case):
            if not qemu.await_line(pattern):
                trial.fail(f"no line matches {pattern}")
            if "again" in trial.has:
                again(trial, qemu, commands)
            else:
                qemu.tell(*commands)
        if not qemu.await_line(END):
            trial.wrong("no END line")
        qemu.tell("quit")
    trial.expect_lines()
    count = len(serial.matching(trial.lines(), trial.case.lines[-1]))
    if count != int(trial.has.get("times", count)) or count <= int(trial.has.get("more", 0)):
        trial.wrong(f"{count} lines match {trial.case.lines[-1]}")
    report = trial.pmucheck("report", trial.log, want=None).split("\n")
    if "reason" in trial.has and not serial.matching(report, "^reason     machine-check cpu=1 "):
        trial.wrong("its report has no reason")
