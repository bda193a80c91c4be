# SPDX-License-Identifier: BSD-2-Clause
"""A machine that hangs and is reset must tell at its next start what it was doing: an access never returns, QEMU's
monitor resets the machine, and the image starts again. Would catch a hang that the next start does not report.

The first pattern is for the line before the reset, the others are for lines after it."""

from runner import machine, serial


def try_case(trial):
    uefi = "uefi" in trial.has
    words = ["-cpu", "max", "-m", "256", "-smp", "1", "-cdrom", f"{trial.build}/pmucheck.iso", "-boot", "d", "-serial",
             f"file:{trial.log}", *machine.options(trial.case.options), *(["-machine", "q35"] if uefi else []),
             *machine.firmware("uefi" if uefi else "bios")]
    with machine.Qemu(trial.log, *words, monitor=True) as qemu:
        for pattern in trial.case.lines:
            if not qemu.await_line(pattern):
                trial.fail(f"no line matches {pattern}")
            if pattern == trial.case.lines[0]:
                qemu.tell("system_reset")
    print("\n".join(serial.matching(trial.lines(), "^# previous-run")[-3:]))
