# SPDX-License-Identifier: BSD-2-Clause
"""A reader of the serial line that pauses in the middle of the run must get the whole log once it reads on, END
included. The line is a pipe, which QEMU cannot write to meanwhile; the log is twice as long as the pipe's buffer.
Would catch lines that are dropped when nobody reads."""

import subprocess
import time

from runner import machine, serial


def try_case(trial):
    words = ["-cpu", "max", "-m", "128", "-smp", "1", "-no-reboot", "-cdrom", f"{trial.build}/pmucheck.iso", "-boot",
             "d",
             "-chardev", "stdio,id=line,signal=off", "-serial", "chardev:line", *machine.EXIT,
             *machine.options(trial.case.options)]
    with machine.Qemu(trial.log, *words, output=subprocess.PIPE) as qemu, open(trial.log, "wb", buffering=0) as log:
        log.write(qemu.process.stdout.read(4000))
        time.sleep(6)
        while piece := qemu.process.stdout.read1(4096):
            log.write(piece)
    trial.pmucheck("report", trial.log)
    print("\n".join(serial.matching(trial.lines(), "^# end")))
