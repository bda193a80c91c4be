# SPDX-License-Identifier: BSD-2-Clause
"""An image with a single bit flipped, at a place drawn from the case's name, SEED and the sources, boots with a
defect in the reference PMU.

Of the kernel: the boot may end without a verdict, with "error", or with "fail", as the defect deserves: GRUB refuses
the file, the damaged image says so itself, or the bit does not matter. looks=no leaves out GRUB's look at the sum, as
if the medium were good and the memory bad. Would catch a pass of a program that is not what was built.

of=iso or of=img: of GRUB itself, and 2 KiB beside it, as a bad block of a stick would, of the part that its own first
part can repair: the image starts all the same and finds the defect. On a BIOS only; UEFI firmware checks its loader
by no more than a signature. Would catch a code that GRUB does not read, or that repairs too little."""

import os
import random
import re
import shutil

from runner import serial, tree

BLOCK = 2048
OPTIONS = "quick run=pmi.mask-set,pmi.masked,enum.leaf-0a defect=lvtpc-not-masked"
# What a log has that names how the boot ended.
WORDS = (
    ("pmucheck: the image is damaged", "GRUB refuses it: its sum"),
    ("pmucheck: GRUB could not load", "GRUB refuses it: no kernel"),
    ("error the image is damaged", "error: the image's sum"),
    ("pmucheck: this image is damaged", "error: the image's sum, and nothing after it"),
    ("# end verdict=fail", "fail: the defect is found"),
    ("# end verdict=error", "error: otherwise"),
    ("# end verdict=", "WRONG"),
)


def place_of(trial, image, path):
    """Where a file lies on the medium, and its length, in bytes."""
    text = trial.call("xorriso", "-indev", image, "-find", path, "-exec", "report_lba")
    first, length = re.search(r"File data lba: *\d+ *, *(\d+) *, *\d+ *, *(\d+)", text).groups()
    return int(first) * 2048, int(length)


def draw(trial):
    sources = tree.content(("boot", "kernel", "pmu", "tests", "iso"))
    return random.Random(f"{trial.case.title} {os.environ.get('SEED', sources)}")


def change(image, place, data):
    with open(image, "r+b") as file:
        file.seek(place)
        file.write(data)


def flip(image, bit):
    with open(image, "rb") as file:
        file.seek(bit // 8)
        byte = file.read(1)[0]
    change(image, bit // 8, bytes([byte ^ 1 << bit % 8]))


def outcome(log):
    """How a boot ended, in words, by its END line or the last message before it stopped."""
    text = serial.text_of(log)
    for words, end in WORDS:
        if words in text:
            return end
    started = re.findall(r"(?m)^# start (.*)", text)
    return f"stops, after: start {started[-1]}" if started else "silent"


def flip_kernel(trial, image):
    shutil.copyfile(f"{trial.build}/pmucheck.iso", image)
    if trial.has.get("looks") == "no":
        with open(image, "rb") as file:
            data = file.read()
        with open(image, "wb") as file:
            file.write(data.replace(b"if hashsum ", b"if echo    "))
    first, length = place_of(trial, image, "/boot/pmucheck.elf")
    bit = draw(trial).randrange(length * 8)
    flip(image, first * 8 + bit)
    return f"bit {bit}"


def damage_grub(trial, image):
    """Damages what stands behind the part of GRUB's startup code that is read as it is."""
    source = f"{trial.build}/pmucheck.{trial.has['of']}"
    shutil.copyfile(source, image)
    with open(source, "rb") as file:
        data = file.read(1 << 24)
    if trial.has["of"] == "iso":
        first, length = place_of(trial, source, "/boot/grub/bios.img")
        first, length = first + 2560, length - 2560
    else:  # the list of blocks in the core's first sector has the number of the others
        first, length = 1024, int.from_bytes(data[512 + 508 : 512 + 510], "little") * 512
    opens = int.from_bytes(data[first + 20 : first + 22], "little")
    drawn = draw(trial)
    hole, bit = (first + opens + drawn.randrange(length - opens - BLOCK) for _ in range(2))
    change(image, hole, b"\xff" * BLOCK)
    flip(image, bit * 8)
    return f"{BLOCK} bytes at {hole}, a bit at {bit}"


def try_case(trial):
    image = f"{trial.work}/image.{trial.has.get('of', 'iso')}"
    told = (damage_grub if "of" in trial.has else flip_kernel)(trial, image)
    trial.run(IMAGE=image, MEDIUM="usb" if trial.has.get("of") == "img" else "cd", CPUS=1, SILENCE=60, TIMEOUT=240,
              REFERENCE="skylake", OPTIONS=OPTIONS)
    end = outcome(trial.log)
    print(f"{told}: {end}")
    if end == "WRONG" or ("of" in trial.has and not end.startswith("fail")):
        trial.wrong(f"{told}: it ends so: {end}")
