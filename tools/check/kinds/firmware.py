# SPDX-License-Identifier: BSD-2-Clause
"""Firmware that QEMU does not have: a GRUB of Debian changes what the firmware tells, by ACPI tables of this file and
a memory map with holes. Would catch a machine that is not switched off, a listed CPU whose absence nobody explains,
and memory that is lost.

Words of the machine: tables=NAME+..., of TABLES below, which stand for those of acpi=SIGNATURE; holes=N pages, every
second one from 128 MiB on (GRUB takes minutes for more than some hundred); kib=LEAST-MOST of memory that must be
found. The end is a verdict's name, of QEMU's exit, or off: switched off."""

import os
import struct

from runner import machine, serial


def table(signature, revision, checksum, name, body):
    """An ACPI table with a header of our own."""
    return struct.pack("<4sIBB6s8sI4sI", signature, 36 + len(body), revision, checksum, b"PMUCHK", name, 1, b"PMUC",
                       1) + body


# A DSDT without sleep states, Name (FOO_, Zero); an SSDT with Name (\_S5_, Package (4) {0, 0, 0, 0}); a MADT: the
# CPU, a second one that is not there, a third that may be plugged in, an I/O APIC.
TABLES = {
    "dsdt": table(b"DSDT", 2, 4, b"SLEEPING", b"\x08FOO_\x00"),
    "ssdt": table(b"SSDT", 2, 0x73, b"SLEEPING", b"\x08\\_S5_\x12\x06\x04\x00\x00\x00\x00"),
    "madt": table(b"APIC", 3, 0x5B, b"PHANTOMS", bytes.fromhex("0000e0fe01000000 0008000001000000 0008010101000000 "
                                                               "0008020202000000 010c00000000c0fe00000000")),
}


def commands(trial):
    """What GRUB does before the kernel."""
    has, told = trial.has, []
    if "tables" in has:
        told = [f"acpi --exclude={has['acpi']} " + " ".join(f"/{name}" for name in has["tables"].split("+"))]
    places = ((128 << 20) + 8192 * place for place in range(int(has.get("holes", 0))))
    return told + [f"cutmem {place:#x} {place + 4096:#x}" for place in places]


def image(trial):
    """A medium of grub-mkrescue with the kernel."""
    tree, medium = f"{trial.work}/tree", f"{trial.work}/image.iso"
    os.makedirs(f"{tree}/boot/grub")
    for name in trial.has.get("tables", "").split("+"):
        if name:
            with open(f"{tree}/{name}", "wb") as file:
                file.write(TABLES[name])
    trial.call("cp", f"{trial.build}/pmucheck.elf", f"{tree}/boot")
    with open(f"{tree}/boot/grub/grub.cfg", "w", encoding="ascii") as file:
        file.write("\n".join(["set timeout=0", *commands(trial), f"multiboot2 /boot/pmucheck.elf {trial.case.options}",
                              "boot\n"]))
    trial.call("grub-mkrescue", "--directory=/usr/lib/grub/i386-pc", "-o", medium, tree)
    return medium


def try_case(trial):
    words = [*machine.plain(trial.log), *machine.EXIT, "-cdrom", image(trial), "-boot", "d"]
    with machine.Qemu(trial.log, *words) as qemu:
        status = qemu.wait(seconds=120)
    trial.expect_end({0: "off", **machine.ENDS}.get(status, f"status {status}"))
    trial.expect_lines()
    if "kib" in trial.has:
        least, most = map(int, trial.has["kib"].split("-"))
        told = serial.matching(trial.lines(), "^# machine .* memory-kib=[0-9]")
        found = int((told or ["memory-kib=0"])[0].partition("memory-kib=")[2].split(" ")[0])
        if not least <= found <= most:
            trial.wrong(f"memory-kib={found}, not from {least} to {most}")
