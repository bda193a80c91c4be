# SPDX-License-Identifier: BSD-2-Clause
"""pmucheck.cfg, written into the EFI partition of a copy of the image, as a user would on a stick: an entry of GRUB's
menu, or a file as editors leave it. Would catch an entry that does not do what it says, and a pmucheck.cfg that is
ignored without a word.

Words of the machine: bios, uefi; cpus=; profile=; entry=N of the menu; file=TEXT, bytes of pmucheck.cfg with Python's
escapes and "_" for a blank; utf-16: the file is in it."""

import subprocess


def content(trial):
    """The bytes of pmucheck.cfg."""
    if "entry" in trial.has:
        options = f"machine=from-entry-{trial.has['entry']} run=enum.* serial=com1"
        return f'set default={trial.has["entry"]}\nset pmucheck_options="{options}"\n'.encode()
    text = trial.has["file"].replace("_", " ").replace("pmucheck options", "pmucheck_options")
    raw = text.encode().decode("unicode_escape").encode("latin-1")
    return raw.decode().encode("utf-16") if "utf-16" in trial.has else raw


def try_case(trial):
    image = f"{trial.work}/menu.iso"
    subprocess.run(["tools/iso-settings.sh", image], input=content(trial), check=True)
    trial.expect_end(trial.run(IMAGE=image, FIRMWARE=trial.one_of(("bios", "uefi"), "bios"), MEDIUM="usb",
                               CPUS=trial.has.get("cpus", 1),
                               REFERENCE=trial.has.get("profile", ""), OPTIONS=trial.case.options))
    trial.expect_lines()
