# SPDX-License-Identifier: BSD-2-Clause
"""A picture of the screen for the pages, docs/pictures/NAME.png. Words and columns: those of screen.py."""

import shutil

from kinds import screen


def try_case(trial):
    case, output = trial.case, f"{trial.work}/picture"
    screen.take(trial, output, trial.has["size"], 2, case.options, (case.lines or [""])[0],
                int(trial.has.get("wait", 2)), case.at, case.change)
    shutil.copyfile(output + ".png", f"docs/pictures/{trial.name}.png")
