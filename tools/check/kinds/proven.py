# SPDX-License-Identifier: BSD-2-Clause
"""The machine's own PMU after a proof on the same CPU: in Bochs, whose CPUs are "hardware" for the image, the log of
a boot with prove-here= must be the same as one without, but for the proof's own lines, times and dates. Would catch a
stepper that leaves something behind: a gate, a site, capabilities of the model, a register. Words: those of
bochs.py."""

import dataclasses

from kinds import bochs, steady
from runner import serial

OWN = r"^# (took|sync|heartbeat|clock|options|date|proven-here|result|end) "


def try_case(trial):
    case, logs, own = trial.case, {}, {how: trial.log_of(how) for how in ("on", "off")}
    for how, log in own.items():
        trial.case = dataclasses.replace(case, options=f"{case.options} prove-here={how}", lines=case.lines[:1])
        trial.log = log
        bochs.try_case(trial)
        logs[how] = [line for line in trial.lines() if not serial.matching([line], OWN)]
        if how == "on":
            trial.expect_lines(case.lines[1:])
    steady.expect_same(trial, logs["off"], logs["on"])
