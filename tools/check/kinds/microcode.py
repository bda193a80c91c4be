# SPDX-License-Identifier: BSD-2-Clause
"""The tests before and after an update of microcode, which the loader gives as a module: would catch an update that
is loaded where it must not be, one that is not loaded where it fits, and changes that are not reported.

Words of the machine: kernel, by QEMU's own loader, or cd, beside pmucheck.cfg, which asks for it; cpus= as QEMU's
-smp; updates=SIGNATURE:PLATFORMS:REVISION[:FAULT]+..., in hex; FAULT: damaged, its checksum is wrong; unsealed, the
CPU refuses it; late, for CPUs of that revision only."""

import struct

DATE, DATA, TOTAL, SEAL = 0x06182026, 2000, 2048, 0x65646F63


def update(text):
    """An update in the format that Intel publishes. The reference PMU accepts its data (its model's microcode.c), but
    no CPU does."""
    signature, platforms, revision, fault = (text.split(":") + [""])[:4]
    signature, platforms, revision = (int(number, 16) for number in (signature, platforms, revision))
    least = revision if fault == "late" else 0
    seal = 0 if fault == "unsealed" else SEAL ^ signature ^ platforms ^ revision
    fields = (signature, platforms, revision)
    words = [1, revision, DATE, signature, 0, 1, platforms, DATA, TOTAL, 0, least, 0, seal, *fields]
    words[4] = (fault == "damaged") - sum(words)
    return struct.pack("<16I", *(word & 0xFFFFFFFF for word in words)) + bytes(DATA - 16)


def write(trial):
    """The case's updates, one behind the other, as a file; None: it has none."""
    if "updates" not in trial.has:
        return None
    path = f"{trial.work}/updates"
    with open(path, "wb") as file:
        for text in trial.has["updates"].split("+"):
            file.write(update(text))
    return path


def settings(trial, updates):
    """Variables of tools/run.sh, and words for it: as a module of QEMU's loader, or on the medium."""
    told = {"CPUS": trial.has["cpus"], "SILENCE": 300, "STEADY": 1, "OPTIONS": trial.case.options}
    if "kernel" in trial.has:
        words = ["--", "-smp", trial.has["cpus"]] + (["-initrd", updates] if updates else [])
        return {**told, "CPUS": trial.has["cpus"].partition(",")[0], "MEDIUM": "kernel",
                "OPTIONS": "microcode " + trial.case.options}, words
    trial.settings("set microcode=updates", f"{trial.work}/image.iso", *([updates] if updates else []))
    return {**told, "MEDIUM": "cd", "IMAGE": f"{trial.work}/image.iso"}, []


def try_case(trial):
    told, words = settings(trial, write(trial))
    trial.expect_end(trial.run(*words, **told))
    trial.expect_lines()
