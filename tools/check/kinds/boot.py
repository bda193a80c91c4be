# SPDX-License-Identifier: BSD-2-Clause
"""The image, booted by the host program: a way to start, a machine, a profile, options. Cases with a deviation run with
clocks driven by instructions, without chance; plain boots have a thread for each CPU.

Words of the machine: bios, uefi, uefi32; cd, usb, stick, net, kernel; pc, q35, microvm, also with ",acpi=off"; cpu=,
cpus=, memory=, serial=, silence=, seconds= (all of it), steady."""

import os

from runner import trial as trials

FIRMWARE = ("bios", "uefi", "uefi32")
MEDIA = ("cd", "usb", "stick", "net", "kernel")
MACHINES = ("pc", "q35", "microvm")


def settings(trial):
    """The row as variables of tools/run.sh."""
    has, options = trial.has, trial.case.options
    steady = "steady" in has or "defect=" in options
    return {
        "FIRMWARE": trial.one_of(FIRMWARE, "bios"), "MEDIUM": trial.one_of(MEDIA, "cd"),
        "MACHINE": trial.one_of(MACHINES, "pc"), "SERIAL": has.get("serial", "isa"), "CPU": has.get("cpu", "max"),
        "CPUS": has.get("cpus", "2"), "MEMORY": has.get("memory", "256"), "OPTIONS": options,
        "SILENCE": has.get("silence", "300"), "TIMEOUT": has.get("seconds", "99999"), "STEADY": int(steady),
        "IMAGE": has.get("image", "").replace("{build}", trial.build),
    }


def is_current(image, kernel):
    """Is the image made from this kernel, and not from an older one?"""
    return not os.path.exists(image) or not os.path.exists(kernel) or \
        os.path.getmtime(image) >= os.path.getmtime(kernel)


def try_case(trial):
    image, kernel = f"{trial.build}/pmucheck.iso", f"{trial.build}/pmucheck.elf"
    if trial.one_of(MEDIA, "cd") in ("cd", "usb") and not trial.has.get("image") and not is_current(image, kernel):
        raise trials.Wrong(f"{image} is older than {kernel}: make iso")
    trial.expect_end(trial.run(**settings(trial)))
    trial.expect_lines()
