# SPDX-License-Identifier: BSD-2-Clause
"""With one CPU nothing can end an access that never returns: the log's last line must name the register. And on a CPU
that cannot run the image at all a line must say so. Would catch a machine that hangs without a line in the log about
where.

The end is "silent" or a verdict; the pattern is for the last words. Tried again where the machine was so busy that
the silence was the firmware's."""

from runner import serial


def try_case(trial):
    for silence in (20, 300):
        end = trial.run(CPUS=1, CPU=trial.has.get("cpu", "max"), SILENCE=silence, OPTIONS=trial.case.options)
        last = serial.matching(trial.lines(), r"^(# access |(Bail out! )?pmucheck: )")[-1:]
        print(f"{end}, last words: {last}")
        if end in trial.case.ends and serial.matching(last, trial.case.lines[0]):
            break
    else:
        trial.wrong("the last words are others")
    if "contradicts" in trial.pmucheck("report", trial.log, want=None):
        trial.wrong("the log contradicts itself")
