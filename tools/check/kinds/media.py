# SPDX-License-Identifier: BSD-2-Clause
"""A medium that a person prepares: the stick's image, the files of the ISO copied to a FAT32 stick, the network. On
each, pmucheck.cfg is edited as on Windows, and its options must be in the log. Would catch a medium that starts only
where it was made, or loses the options on it.

Words of the machine: bios, uefi, uefi32; by=stick, copy (table=gpt or dos), net."""

import os
import re
import shutil

TYPES = {"gpt": "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7", "dos": "c"}


def make_stick(trial, medium, settings):
    """The host program writes the image to a stick that is larger than it."""
    part = f"{trial.work}/partition"
    with open(medium, "wb") as file:
        file.truncate(48 << 20)
    trial.pmucheck("usb", f"--image={trial.build}/pmucheck.img", medium)
    with open(medium, "rb") as whole, open(part, "wb") as file:
        whole.seek(1 << 20)
        file.write(whole.read(39 << 20))
    trial.call("/sbin/fsck.fat", "-n", part)
    if "starts from its own disk" not in trial.call("mtype", "-i", part, "::/SECURE-BOOT.txt"):
        trial.wrong("SECURE-BOOT.txt does not say what to do")
    trial.call("mcopy", "-o", "-i", f"{medium}@@1M", settings, "::/pmucheck.cfg")


def make_copy(trial, medium, settings):
    """A stick as Windows formats it, with a volume name of its own and the ISO's files."""
    label, fat, files = trial.has["table"], f"{medium}@@1M", f"{trial.work}/files"
    with open(medium, "wb") as file:
        file.truncate(64 << 20)
    sfdisk = f"/sbin/sfdisk --quiet --no-reread --no-tell-kernel {medium}"
    trial.call("sh", "-c", f"printf 'label: {label}\\n2048,120000,{TYPES[label]}\\n' | {sfdisk}")
    trial.call("mformat", "-F", "-c", "1", "-T", "120000", "-h", "255", "-s", "63", "-H", "2048", "-v", "MY_STICK",
               "-i", fat, "::")
    trial.call("xorriso", "-osirrox", "on", "-indev", f"{trial.build}/pmucheck.iso", "-extract", "/", files)
    trial.call("chmod", "-R", "u+w", files)
    shutil.copy(settings, f"{files}/pmucheck.cfg")
    trial.call("mcopy", "-s", "-i", fat, *(f"{files}/{name}" for name in os.listdir(files)), "::/")


def make_net(trial, medium, settings):
    shutil.copytree(f"{trial.build}/netboot", medium)
    shutil.copy(settings, f"{medium}/pmucheck.cfg")


def try_case(trial):
    os.environ["MTOOLS_SKIP_CHECK"] = "1"
    medium, settings = f"{trial.work}/medium", f"{trial.work}/pmucheck.cfg"
    with open(settings, "w", encoding="ascii", newline="") as file:
        # A UART that is missing: the log must come all the same.
        options = f"machine=from-{trial.name} {trial.case.options} serial=pci:9"
        file.write(f'# edited on Windows\r\n\r\nset pmucheck_options="{options}"\r\n')
    {"stick": make_stick, "copy": make_copy, "net": make_net}[trial.has["by"]](trial, medium, settings)
    firmware = trial.one_of(("bios", "uefi", "uefi32"), "uefi")
    end = trial.run(IMAGE=medium, FIRMWARE=firmware, MEDIUM="net" if trial.has["by"] == "net" else "usb",
                    MACHINE="q35" if firmware == "uefi32" else "pc", REFERENCE="skylake", CPUS=2)
    trial.expect_end(end)
    trial.expect_lines([f" name={re.escape('from-' + trial.name)}$", *trial.case.lines])
