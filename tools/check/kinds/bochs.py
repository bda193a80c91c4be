# SPDX-License-Identifier: BSD-2-Clause
"""Bochs, an emulator of other makers than QEMU, whose CPUs have neither a PMU nor SVM; the log is judged by the host
program. Bochs shows its screen to nobody; the clocks of its machine follow the executed instructions. Would catch
what the image takes from QEMU alone, a hang or a wrong word on a machine whose registers answer otherwise, and a
reference PMU that needs more than the CPU has.

cpu= a model of Bochs; cpus=; unknown= what a register does that Bochs lacks: zero (it reads as 0) or fault (#GP)."""

import os
import shutil
import subprocess

from runner import machine, serial, trial as trials

SILENCE = 180  # seconds in which its log does not grow
MOMENTS = 3  # seconds after the END line
MODE = "ips=50000000, reset_on_triple_fault=0"  # instructions in a second of the machine's time


def configuration(trial):
    ignore = {"zero": 1, "fault": 0}[trial.has["unknown"]]
    return f"""config_interface: textconfig
display_library: term
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
cpu: model={trial.has["cpu"]}, count={trial.has["cpus"]}, {MODE}, ignore_bad_msrs={ignore}
memory: guest=256, host=256
ata0: enabled=1
ata0-master: type=cdrom, path={trial.work}/image.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev={trial.log}
log: {trial.log}.bochs
panic: action=fatal
"""


def boot(trial):
    """Runs until some moments after the END line, in which it may power off, or until nothing comes any more."""
    with open(f"{trial.work}/bochsrc", "w", encoding="ascii") as file:
        file.write(configuration(trial))
    with open(f"{trial.work}/screen", "wb") as screen:
        bochs = subprocess.Popen(["bochs", "-q", "-f", f"{trial.work}/bochsrc"], stdin=subprocess.PIPE, stdout=screen,
                                 stderr=subprocess.STDOUT, env={**os.environ, "TERM": "dumb"})
    try:
        bochs.stdin.write(b"continue\n")  # for a Bochs with a debugger
        bochs.stdin.close()
        if serial.await_line(trial.log, "^# end verdict=", SILENCE, lambda: bochs.poll() is None):
            bochs.wait(MOMENTS)
    except subprocess.TimeoutExpired:
        pass  # it does not power off
    finally:
        machine.stop(bochs)


def try_case(trial):
    if not shutil.which("bochs"):
        raise trials.Skip("there is no Bochs here; 'make dependencies' installs it")
    # The options go into the file that a user edits on a stick. At a power-off Bochs ends.
    trial.settings(f'set pmucheck_options="serial=com1 after=poweroff {trial.case.options}"\nset timeout=0',
                   f"{trial.work}/image.iso")
    boot(trial)
    if not serial.size_of(trial.log):
        trial.fail(f"no line came: {' '.join(serial.matching(serial.lines_of(trial.log + '.bochs'), 'PANIC'))}")
    if not serial.matching(trial.lines(), "^# end verdict="):
        trial.wrong(f"no END line and {SILENCE} s of silence, or it ended; the last line is: {trial.lines()[-1]}")
    report = trial.pmucheck("report", trial.log, want=None, output=trial.log + ".report")
    trial.expect_end(trials.VERDICTS.get(trial.status, f"status {trial.status}"))
    trial.expect_lines()
    if "contradicts" in serial.text_of(trial.log) + report:
        trial.wrong("the log contradicts itself")
    if trial.problems:
        print(report)
