# SPDX-License-Identifier: BSD-2-Clause
"""The image without the reference PMU (make REFERENCE=no): on QEMU's own CPU, which has no PMU, it skips all tests and
says what it lacks, as the row's lines; asked for a profile, it says in one line that it has none; hosted on a PMU as if
that were hardware, it judges it. Would catch an instrument that needs its wing, and an option that is gone without a
word."""

import os
import re

from runner import serial

OF_WINGS = r"obj/(reference|hosting)/|gen/(profiles|dumps|[a-z]*\.sites)\."


def expect_alone(trial, place):
    """What the linker's map names, of ld and of lld, and what the sources of that include."""
    text = serial.text_of(f"{place}/gen/pmucheck.elf.map")
    objects = sorted(set(re.findall(r"[^ :()\n]+\.o\b", text)))
    if found := re.search(OF_WINGS, text):
        trial.wrong(f"an object of the reference PMU: {found[0]}")
    for path in objects:
        if found := re.search(r"(^| )(reference|hosting)/\S*", serial.text_of(path[:-1] + "d"), re.M):
            trial.wrong(f"{path} includes a file of the reference PMU: {found[0]}")
    if not objects:
        trial.wrong("the linker's map names no object")


def boot(trial, options, want):
    """Boots it on QEMU's own CPUs."""
    trial.expect(f"with {options}, it ends in",
                 trial.run(IMAGE=f"{trial.build}/without-reference/pmucheck.iso", REFERENCE="no", CPUS=2, SILENCE=60,
                           TIMEOUT=240, OPTIONS=options), want)


def expect_hosted(trial, place):
    log = trial.log.replace(".log", "-hosted.log")
    trial.call("hosting/tools/host.sh", LOG=log, KERNEL=f"{place}/pmucheck.elf", MEMORY=256, BOARD="Acme",
               ARGS="after=poweroff quick run=enum.*,gp.*")
    trial.expect_lines(["run pmu=hardware", "# end verdict=pass "], serial.lines_of(log))


def try_case(trial):
    place = f"{trial.build}/without-reference"
    trial.call("make", "--no-print-directory", "-j", os.environ.get("JOBS", "2"), "REFERENCE=no",
               f"BUILD={trial.build}", "iso")
    if trial.status:
        return
    expect_alone(trial, place)
    boot(trial, trial.case.options, "untested")
    trial.expect_lines()
    for lacking in re.findall(r"(?m)^# without .* options=(\S*)", "\n".join(trial.lines())):
        for option in lacking.split(","):
            boot(trial, f"{option}=skylake", "error")
            trial.expect_lines(
                [f"^not ok 1 start # ERROR option {option}: this image was built without the reference PMU"])
    if os.path.exists("hosting/tools/host.sh"):
        expect_hosted(trial, place)
    print("builds, boots, judges a PMU, and says of each option that it lacks the reference PMU")
