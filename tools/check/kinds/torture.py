# SPDX-License-Identifier: BSD-2-Clause
"""A machine that QEMU's arguments or a debugger have broken. It must end with the table's verdict, in "resets" or in
"hangs": would catch trust in wrong firmware and memory.

In QEMU's arguments "hex:BYTES" is a file with those bytes, and "built:FILE" one of the build's."""

import time

from runner import machine, serial


def argument(trial, word):
    """An argument of QEMU's; the debugger reads the file that is started."""
    if word.startswith("built:"):
        return f"{trial.build}/{word[len('built:'):]}"
    before, hexadecimal, digits = word.partition("hex:")
    if not hexadecimal:
        return word
    with open(f"{trial.work}/bytes", "wb") as file:
        file.write(bytes.fromhex(digits))
    return f"{before}{trial.work}/bytes"


def started(trial):
    """The kernel that is started without a loader, if there is one."""
    words = trial.arguments
    return [argument(trial, word) for word in words if word.startswith("built:")
            and words[words.index(word) - 1] == "-kernel"]


def ended(trial, qemu):
    """Waits for the end. Its word. Without ACPI or SMBIOS the image does not recognise QEMU, and cannot end it: it
    stops after its END line."""
    until = time.monotonic() + 600
    stopped = False
    while qemu.alive() and time.monotonic() < until:
        lines = trial.lines()
        hung = "hangs" in trial.case.ends and all(serial.matching(lines, pattern) for pattern in trial.case.lines)
        if serial.matching(lines, "^# end ") or hung:
            stopped = True
            time.sleep(2)
            break
        time.sleep(0.3)
    stopped = stopped or qemu.alive()
    qemu.end()
    verdicts = [line.partition("verdict=")[2].split(" ")[0] for line in serial.matching(trial.lines(),
                                                                                        "^# end .*verdict=[a-z]")]
    return verdicts[-1] if verdicts else "resets" if not stopped and qemu.process.returncode == 0 else "hangs"


def try_case(trial):
    words = [argument(trial, word) for word in trial.arguments]
    with machine.broken(trial, "-no-reboot", *words, elf=(started(trial) or [None])[-1]) as qemu:
        end = ended(trial, qemu)
    told = serial.lines_of(f"{trial.work}/qemu")
    print("\n".join(line for line in told if line and "memory_region_ops" not in line))
    lines = trial.lines() + told  # the log, then QEMU's own output, such as its traces
    trial.expect_end(end)
    trial.expect_lines(lines=lines)
    patterns = [pattern for pattern in trial.case.lines if not pattern.startswith("!")]
    shown = [line for pattern in patterns for line in serial.matching(lines, pattern)[:1]]
    shown = shown or serial.matching(lines, "^# start")[-1:]
    print(f"{end:<9} {' '.join(shown)[:90]}")
