# SPDX-License-Identifier: BSD-2-Clause
"""From a log to a profile and back: the log of a reference PMU becomes a profile, which is handed to the image. It must
behave as the PMU of the log: the same capabilities, results, bits and hand-off, but not measurements, which have noise.
Would catch a fact of a CPU that is lost between log and profile. Words: profile="""

import os


def run(trial, reference, log):
    """A verdict of fail or review is allowed: the copy only has to get the same one."""
    trial.pmucheck("run", "--cpus=2", "--timeout=3600", "--silence=200", "--quiet",
                   f"--image={trial.build}/pmucheck.iso",
                   f"--reference={reference}", "--options=quick", f"--log={log}", want=(0, 1, 2))


def try_case(trial):
    folder, profile = f"{trial.build}/round-trip", trial.has["profile"]
    os.makedirs(folder, exist_ok=True)
    one, other = f"{folder}/{profile}.log", f"{folder}/{profile}-copy.log"
    copy = f"{folder}/{profile}.copied"
    run(trial, profile, one)
    trial.pmucheck("profile", one, f"--name={profile}-copy", f"--output={copy}")
    run(trial, copy, other)
    for chapter in ("capabilities", "results", "bits", "hand-off"):
        text = trial.pmucheck("compare", one, other, f"--chapter={chapter}", want=None)
        if "\n    " in text:
            trial.wrong(f"{chapter} differ:\n{text}")
