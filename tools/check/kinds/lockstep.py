# SPDX-License-Identifier: BSD-2-Clause
"""WALKS random walks over a profile and the model at once, on two CPUs together, from SEED on; the log has each
difference as a small program. Would catch a difference that shows in one walk of a hundred thousand. Words of the
machine: reference="""

import os
import time

from runner import serial


def try_case(trial):
    walks, seed = int(os.environ.get("WALKS", "100000")), os.environ.get("SEED", str(int(time.time())))
    options = f"lockstep={seed}:{walks // 2} after=exit"
    end = trial.run(REFERENCE=trial.has["reference"], CPUS=2, OPTIONS=options, SILENCE=600)
    trial.expect_end(end)
    told = serial.matching(trial.lines(), "^# lockstep |^ok 1 lockstep # SKIP")
    print("\n".join(sorted(told, key=lambda line: "differences=" in line) or [f"no end: {trial.log}"]))
