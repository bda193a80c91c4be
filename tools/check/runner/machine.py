# SPDX-License-Identifier: BSD-2-Clause
"""QEMU, started here and not by the host program: with a monitor, a debugger, or media of the case's own."""

import os
import subprocess
import time

from . import serial

OVMF = "/usr/share/OVMF"
EXIT = ["-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
# QEMU's exit status by that device: what is written there, twice, and 1.
ENDS = {33: "pass", 35: "fail", 37: "untested", 39: "error", 41: "review"}
DEBUGGER_SECONDS = 500


def plain(log, cpus=1, memory=256, cpu="max"):
    """QEMU's arguments for a machine that ends at a reset, with its log."""
    return ["-accel", "tcg", "-cpu", cpu, "-smp", str(cpus), "-m", str(memory), "-no-reboot", "-serial", f"file:{log}"]


def firmware(name, variables=False):
    """QEMU's arguments for bios or uefi. UEFI's variables last as long as the machine."""
    if name == "bios":
        return []
    return ["-drive", f"if=pflash,format=raw,readonly=on,file={OVMF}/OVMF_CODE_4M.fd"] + (
        ["-drive", f"if=pflash,format=raw,snapshot=on,file={OVMF}/OVMF_VARS_4M.fd"] if variables else []
    )


def options(text):
    """QEMU's arguments for options of the image. QEMU takes two commas for one."""
    return ["-fw_cfg", "name=opt/org.pmucheck/options,string=" + text.replace(",", ",,")]


def stick(image):
    """A stick from which the machine starts."""
    return ["-drive", f"if=none,id=medium,format=raw,snapshot=on,file={image}", "-device", "qemu-xhci",
            "-device", "usb-storage,drive=medium,removable=on,bootindex=0"]


def debugger(socket):
    """A machine that waits for a debugger before its first instruction."""
    return ["-S", "-chardev", f"socket,path={socket},server=on,wait=off,id=debugger", "-gdb", "chardev:debugger"]


def stop(process):
    """Ends a process that was started here."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Qemu:
    """A running machine. It ends with the `with` that holds it. monitor: tell() gives commands to QEMU's monitor."""

    def __init__(self, log, *arguments, monitor=False, messages=os.devnull, output=subprocess.DEVNULL):
        words = ["qemu-system-x86_64", "-nic", "none", "-display", "none", *arguments]
        words += ["-monitor", "stdio" if monitor else "none"]
        self.log = log
        with open(messages, "ab") as errors:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE if monitor else subprocess.DEVNULL,
                                            stdout=output, stderr=errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def alive(self):
        return self.process.poll() is None

    def tell(self, *commands):
        """Commands for the monitor; a machine that is gone takes none."""
        try:
            for command in commands:
                self.process.stdin.write(command.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def await_line(self, pattern, silence=300):
        """Waits for a line of its log. False: it was silent for so many seconds, or ended."""
        return serial.await_line(self.log, pattern, silence, self.alive)

    def wait(self, silence=300, seconds=None):
        """Waits for its end. Its exit status, or 124: it was silent for too long, or took too long; then it is
        ended."""
        quiet, started = serial.Silence([self.log], silence), time.monotonic()
        while self.alive():
            if quiet.too_long() or (seconds and time.monotonic() - started > seconds):
                self.end()
                return 124
            time.sleep(serial.LOOK)
        return self.process.returncode

    def end(self):
        stop(self.process)


def debug(socket, at, commands, elf, log):
    """Lets the image run to the function `at`, runs gdb's commands there (";" between two), and detaches. True: all of
    them succeeded. An image that moves itself is at restart() on its way into its copy: the command `moved` takes all
    names for those of the copy from then on. The debugger's output goes to the file `log`."""
    until = time.monotonic() + 30
    while not os.path.exists(socket) and time.monotonic() < until:
        time.sleep(0.1)
    script = log + ".commands"
    with open(script, "w", encoding="ascii") as file:
        file.write(f"define moved\nadd-symbol-file {elf} -o $rdi-(long)&entry\nend\n")
        file.write(f"target remote {socket}\nhbreak {at}\ncontinue\ndelete\n")
        file.write("\n".join(command.strip() for command in commands.split(";")))
        file.write("\necho came to its end\\n\ndetach\n")  # it detaches after an error, too
    with open(log, "wb") as output:
        subprocess.run(["timeout", "--foreground", str(DEBUGGER_SECONDS), "gdb", "-q", "-batch", "-x",
                        "tools/check/machine.gdb", "-x", script, elf],
                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False)
    os.remove(script)
    return any(line.startswith("came to its end") for line in serial.lines_of(log))


def broken(trial, *arguments, seconds=600, elf=None):
    """The machine of a case with a debugger's commands, if it has them: the ISO, QEMU's own messages in work/qemu."""
    case, socket = trial.case, f"{trial.work}/gdb"
    words = ["-cpu", "max", "-m", "128", "-smp", "2", "-cdrom", f"{trial.build}/pmucheck.iso", "-boot", "d",
             "-serial", f"file:{trial.log}", *EXIT, *options("after=exit " + case.options), *arguments,
             *firmware("uefi" if "uefi" in trial.has else "bios")]
    machine = Qemu(trial.log, *words, *(debugger(socket) if case.at else []), messages=f"{trial.work}/qemu")
    if case.at:
        log = trial.log + ".gdb"
        if not debug(socket, case.at, case.change, elf or f"{trial.build}/pmucheck.elf", log):
            trial.wrong("the debugger did not come to its end: " + serial.text_of(log).strip().rpartition("\n")[2])
    return machine
