# SPDX-License-Identifier: BSD-2-Clause
"""GRUB before the image runs, on a machine that it does not recognise as QEMU, so that it shows its countdown: which
disks it reads, and how much of its own disk; which bytes of a serial line it takes for keys; its messages; where it
finds another kernel. Would catch a menu that waits for ever, takes noise for a key, or boots something else.

Words of the machine: bios, uefi; do=NAME, of DONE below; cfg=TEXT, pmucheck.cfg with "_" for a blank and "\\n";
maker=; throttle=BYTES a second; keys=BYTE+..., sent as a serial line's bytes (hex) when the countdown shows. In
"do=press" the patterns come one after the other; behind "!" is what must not come before the last of them."""

import os
import re
import subprocess
import threading
import time

from runner import machine, serial

MENU = 90  # seconds: nothing is silent for longer than the menu, which waits a minute


def drain(stream):
    while stream.read(65536):
        pass


class Loader(machine.Qemu):
    """A machine with a pipe for its serial line, and its monitor's answers in a file. The log begins with the output of
    firmware and GRUB."""

    def __init__(self, trial, image, *more):
        self.answers, self.pipe = f"{trial.work}/answers", f"{trial.work}/line"
        for end in (".in", ".out"):
            if not os.path.exists(self.pipe + end):
                os.mkfifo(self.pipe + end)
        throttle = f",throttling.bps-total={trial.has['throttle']}" if "throttle" in trial.has else ""
        words = ["-accel", "tcg", "-cpu", trial.has.get("cpu", "max"), "-m", "256", "-smp", "2", "-no-reboot",
                 "-smbios",
                 f"type=1,manufacturer={trial.has.get('maker', 'Maker')}", "-chardev",
                 f"pipe,id=line,path={self.pipe},logfile={trial.log}",
                 "-serial", "chardev:line", *more, *machine.stick(image + throttle),
                 *machine.options(trial.case.options),
                 *machine.firmware("uefi" if "uefi" in trial.has else "bios")]
        # QEMU stops when nobody reads its output; opened for both, so that neither end waits for the other.
        self.keys, line = os.open(self.pipe + ".in", os.O_RDWR), open(self.pipe + ".out", "r+b", buffering=0)
        threading.Thread(target=drain, args=(line,), daemon=True).start()
        with open(self.answers, "wb") as answers:
            super().__init__(trial.log, *words, monitor=True, output=answers)
        self.trial = trial

    def expect(self, pattern):
        if not self.await_line(pattern, MENU):
            self.trial.fail(f"the log never showed: {pattern}")

    def press(self, keys):
        """Sends bytes, one after the other with a pause, when the countdown shows."""
        self.expect("Esc: a menu")
        for key in keys.split("+"):
            os.write(self.keys, bytes.fromhex(key))
            time.sleep(0.2)

    def counts(self, what):
        """One of QEMU's counts of each disk, such as rd_operations."""
        self.tell("info blockstats")
        time.sleep(2)
        return {disk: int(number) for disk, number in re.findall(rf"(?m)^(medium|disk[0-9]).*? {what}=([0-9]+)",
                                                                 serial.text_of(self.answers))}


def image_of(trial):
    """A copy of the ISO, with the row's pmucheck.cfg."""
    image = f"{trial.work}/image.iso"
    trial.settings(trial.has.get("cfg", "").replace("\\n", "\n").replace("_", " ").replace("~", "_"), image)
    return image


def disks(trial):
    """QEMU's arguments for four more disks, each with a partition; the firmware shows them to GRUB, SCSI's before
    USB's."""
    words = []
    for number in range(1, 5):
        path = f"{trial.work}/disk{number}"
        with open(path, "wb") as file:
            file.truncate(16 << 20)
        trial.call("sh", "-c", f"echo 2048,,c | /sbin/sfdisk --quiet --no-reread --no-tell-kernel {path} 2>/dev/null")
        words += ["-drive", f"if=none,id=disk{number},format=raw,file={path}", "-device",
                  f"virtio-scsi-pci,id=scsi{number}",
                  "-device", f"scsi-hd,bus=scsi{number}.0,drive=disk{number},bootindex={number}"]
    return words


def reads_of(trial, image, more, pattern):
    with Loader(trial, image, *more) as loader:
        loader.expect(pattern)
        counts = loader.counts("rd_operations")
    return {disk: counts.get(disk, 0) for disk in ("disk1", "disk2", "disk3", "disk4")}


def other_disks(trial):
    """UEFI firmware reads every disk itself. Its own reads are measured with a GRUB that does nothing."""
    image, more, own = image_of(trial), disks(trial), dict.fromkeys(("disk1", "disk2", "disk3", "disk4"), 0)
    if "uefi" in trial.has:
        nothing = f"{trial.work}/nothing.efi"
        trial.call("grub-mkimage", "-O", "x86_64-efi", "-p", "/nowhere", "-o", nothing, "fat")
        with open(nothing, "rb") as file:
            subprocess.run(["tools/iso-settings.sh", f"{trial.work}/nothing.iso", "EFI/BOOT/BOOTX64.EFI"], stdin=file,
                           check=True)
        own = reads_of(trial, f"{trial.work}/nothing.iso", more, "grub rescue>")
        os.remove(trial.log)
    every = reads_of(trial, image, more, "^# end ")
    print(f"reads by the firmware alone: {own}; with the image: {every}")
    if own != every:
        trial.wrong("a disk that GRUB did not start from was read")


def own_disk(trial):
    """On a slow medium GRUB reads the kernel once, and no other."""
    kernel = f"{trial.work}/kernel"
    trial.call("objcopy", "--strip-all", f"{trial.build}/pmucheck.elf", kernel)
    with Loader(trial, image_of(trial)) as loader:
        loader.expect("Loading pmucheck")
        before = loader.counts("rd_bytes")["medium"]
        loader.expect("^# end ")
        after = loader.counts("rd_bytes")["medium"]
    print(f"{before} before the kernel of {os.path.getsize(kernel)} bytes, {after} after it")
    if after - before >= os.path.getsize(kernel) * 5 // 4:
        trial.wrong("GRUB read more than the kernel once")


def press(trial):
    with Loader(trial, image_of(trial)) as loader:
        if "keys" in trial.has:
            loader.press(trial.has["keys"])
        for pattern in trial.case.lines:
            if not pattern.startswith("!"):
                loader.expect(pattern)
    trial.expect_lines([pattern for pattern in trial.case.lines if pattern.startswith("!")])


def drill(trial):
    """In QEMU nobody waits, unless pmucheck.cfg asks for it: the drill of docs/first-boot.md, its second step."""
    with Loader(trial, image_of(trial)) as loader:
        loader.expect("Esc: a menu")
        loader.tell("sendkey esc")
        loader.expect("One CPU only")
        for key in ("down", "down", "down", "down", "ret"):
            loader.tell(f"sendkey {key}")
            time.sleep(0.3)
        for pattern in trial.case.lines:
            loader.expect(pattern)


def words(trial):
    """GRUB's text after it cleared the screen for the last time must hold no warning of GRUB's own."""
    with Loader(trial, image_of(trial)) as loader:
        loader.expect("^# end ")
    last = re.split(r"\x1b\[2?J", serial.text_of(trial.log).partition("\nKTAP")[0])[-1]
    if "pmucheck starts. If nothing else is seen" not in last.replace("\x1b", "\n") or "WARNING" in last:
        trial.wrong(f"no message in GRUB's last text, or a warning: {last}")


def no_cpuid(trial):
    """QEMU's UEFI does not start on a 32-bit CPU, so GRUB's test of the CPU is changed."""
    image = image_of(trial)
    with open(image, "rb") as file:
        data = file.read()
    with open(image, "wb") as file:
        file.write(data.replace(b"if cpuid -l;", b"if test '' ;"))
    with Loader(trial, image) as loader:
        for pattern in trial.case.lines[:1]:
            loader.expect(pattern)
        time.sleep(5)
    trial.expect_lines()


def another_kernel(trial):
    """On GRUB's own disk, which is searched by default."""
    kernel = trial.has["kernel"].replace("built:", trial.build + "/")
    image, cfg = f"{trial.work}/stick.img", f"{trial.work}/guest.cfg"
    with open(cfg, "w", encoding="ascii") as file:
        file.write("set default=host\nset guest_kernel=kernel\n")
    os.environ["MTOOLS_SKIP_CHECK"] = "1"
    trial.call("cp", f"{trial.build}/pmucheck.img", image)
    trial.call("mmd", "-i", f"{image}@@1M", "::/guest")
    trial.call("mcopy", "-i", f"{image}@@1M", kernel, "::/guest/kernel")
    trial.call("mcopy", "-i", f"{image}@@1M", cfg, "::/guest/guest.cfg")
    with Loader(trial, image) as loader:
        for pattern in trial.case.lines:
            loader.expect(pattern)


DONE = {"other-disks": other_disks, "own-disk": own_disk, "press": press, "drill": drill, "words": words,
        "no-cpuid": no_cpuid,
        "another-kernel": another_kernel}


def try_case(trial):
    DONE[trial.has["do"]](trial)
