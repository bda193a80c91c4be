# SPDX-License-Identifier: BSD-2-Clause
"""The screen, read back as text and compared with tests/screens/NAME.txt: would catch faults that only a person at the
machine sees. Parts that differ from boot to boot, such as times and the version, are left out on both sides. With
WRITE=1 the text is taken as the reference.

Words of the machine: text, the 80x25 of a BIOS, or size=WIDTHxHEIGHT, GRUB's gfxpayload under UEFI; cpus=; wait=SECONDS
after the first line that the pattern matches. With a debugger the machine has no serial port, and stands still at that
function, or goes on after the commands."""

import difflib
import os
import re
import time

from runner import machine, serial

SILENCE = 300
VARYING = (
    (r"^pmucheck [0-9]+\.[^ ]+ *", "pmucheck VERSION  "), (r", [0-9]+ s +", ", N s  "), (r" +$", ""),
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{5} *", "DATE TIME  "), (r" +$", ""),
    (r"(page [0-9]+) of [0-9]+$", r"\1 of N"), (r"code [0-9A-Z]{4}-[0-9A-Z]{4}", "code CODE"),
    (r"version=[^ ]* commit=[^ ]* sum=[0-9a-f]+", "version=VERSION commit=COMMIT sum=SUM"),
)


def lasting(text):
    """The lines of a screen without what varies."""
    lines = []
    for line in text.rstrip("\n").split("\n"):
        for pattern, words in VARYING:
            line = re.sub(pattern, words, line, count=1)
        if not re.match(r"# (sync|heartbeat|bits|took) ", line):
            lines.append(line)
    return lines


def take(trial, output, size, cpus, options, pattern="", wait=2, at="", change=""):
    """Boots the image and keeps a picture of the screen: OUTPUT.ppm and OUTPUT.png, for a text screen also
    OUTPUT.bin, its memory. Stops the trial if there is none."""
    log, image, socket = output + ".log", f"{trial.work}/screen.img", f"{trial.work}/gdb"
    for path in (log, output + ".ppm", output + ".png", output + ".bin"):
        if os.path.exists(path):
            os.remove(path)
    # pmucheck.cfg sets the size, as a user would.
    trial.settings("" if size == "text" else f"set gfxpayload={size}", image)
    words = ["-accel", "tcg", "-cpu", "max", "-smp", str(cpus), "-m", "256", "-vga", "none", "-device",
             "VGA,vgamem_mb=64",
             "-serial", "none" if at else f"file:{log}", *machine.options(options), *machine.stick(image),
             *machine.firmware("bios" if size == "text" else "uefi", variables=True),
             *([] if change else ["-no-reboot"]),
             *(machine.debugger(socket) if at else [])]
    with machine.Qemu(log, *words, monitor=True) as qemu:
        if at:
            there = change or f"set var *(unsigned short *){at} = 0xfeeb"
            machine.debug(socket, at, there, f"{trial.build}/pmucheck.elf", log)
        elif not qemu.await_line(pattern, SILENCE):
            trial.fail(f"the log never showed {pattern}")
        time.sleep(wait)
        qemu.tell(f"screendump {output}.ppm", f"screendump {output}.png -f png",
                  *([f'pmemsave 0xb8000 4000 "{output}.bin"'] if size == "text" else []), "quit")
        qemu.wait(SILENCE)
    if not os.path.exists(output + ".png"):
        trial.fail("QEMU kept no picture")


def try_case(trial):
    case, output = trial.case, trial.log[: -len(".log")]
    size = trial.has.get("size", "text")
    take(trial, output, size, trial.has["cpus"], case.options, (case.lines or [""])[0], int(trial.has.get("wait", 2)),
         case.at, case.change)
    text = trial.call(f"{trial.build}/tools/screen-text", f"{trial.build}/gen/font.psf",
                      output + (".bin" if size == "text" else ".ppm"),
                      output=output + ".txt")
    reference, now = f"tests/screens/{trial.name}.txt", lasting(text)
    if os.environ.get("WRITE") == "1":
        with open(reference, "w", encoding="latin-1") as file:
            file.write("\n".join(now) + "\n")
    difference = list(difflib.unified_diff(lasting(serial.text_of(reference)), now, reference, "the screen",
                                           lineterm=""))
    if difference:
        print("\n".join(difference))
        trial.wrong(f"the screen differs from {reference}")
    elif os.path.exists(output + ".ppm"):
        os.remove(output + ".ppm")
