# SPDX-License-Identifier: BSD-2-Clause
"""The image, hosted with a file of updates as its module, the tests before and after it: would catch an update that
is not loaded, or not reported, where the PMU is taken for hardware. Words: those of hosted.py, and updates= as
tools/check/kinds has them for microcode.py."""

import hosted
from kinds import microcode


def try_case(trial):
    trial.expect_end(hosted.host(trial, MODULE=microcode.write(trial)))
    trial.expect_lines()
