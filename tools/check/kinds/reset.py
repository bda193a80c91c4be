# SPDX-License-Identifier: BSD-2-Clause
"""A machine that the chipset's timer resets, or that resets itself, followed over all its starts; the last one gives
the end. Would catch a start that does not report the hang before it, or that hangs again.

starts=N of the machine; of the two patterns one is for a line of the first start, the other for one of the last."""

from runner import machine, serial

BEGIN = r"^# pmucheck version=[^ ]* commit=[^ ]* sum="


def expect_series(trial):
    """A series that the image made itself is a whole log, and each way of its resets is reported."""
    log = trial.log
    text = trial.pmucheck("report", log, want=None, output=log + ".report")
    trial.expect("report: status", trial.status, {"pass": 0, "fail": 1, "error": 99}[trial.case.ends[0]])
    trial.expect("ways of resets in the report", len(serial.matching(text.split("\n"),
                                                                     "^resets     (acpi|keyboard|chipset): ")), 3)


def try_case(trial):
    arguments = ["-machine", trial.one_of(("pc", "q35"), "pc"), "-m", "256", "-smp", trial.has["cpus"],
                 "-global", "ICH9-LPC.noreboot=off"]
    with machine.broken(trial, *arguments) as qemu:
        status = qemu.wait(seconds=400)
    trial.expect_end(machine.ENDS.get(status, f"status {status}"))
    lines = trial.lines()
    begins = [number for number, line in enumerate(lines) if serial.matching([line], BEGIN)]
    trial.expect("starts", len(begins), int(trial.has["starts"]))
    trial.expect_lines(trial.case.lines[:1], lines)
    trial.expect_lines(trial.case.lines[1:], lines[begins[-1] if begins else 0:])
    if trial.case.options.startswith("resets="):
        expect_series(trial)
