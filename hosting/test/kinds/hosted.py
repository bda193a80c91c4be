# SPDX-License-Identifier: BSD-2-Clause
"""A kernel of build/foreign that is hosted, or the image itself (kernel=pmucheck), whose log must also be whole:
would catch a monitor that disturbs its guest.

Words of the machine: kernel=; reference=; bios, uefi; pc, q35; cpus=, memory=; flip=N, a bit of the kernel's file on
the medium; module= and board= of hosting/tools/host.sh; skips=N: of the tests that could apply to the CPU at most N
percent are left out (hosting/tools/skips.py). Options of the image below, and behind "//" the kernel's arguments. The
end is QEMU's: pass, fail, error by the device for it, off: switched off. Processor time is bounded, so that the
machine's load does not matter."""

import re

from runner import machine, serial

PROCESSOR_SECONDS = 300


def options(case):
    """What stands before and behind "//"."""
    below, _, kernel = case.options.partition("//")
    return below.strip(), kernel.strip()


def host(trial, **more):
    """Hosts the case's kernel. How it ended."""
    has, (below, arguments) = trial.has, options(trial.case)
    name = has.get("kernel", "pmucheck")
    kernel = f"{trial.build}/{name if name == 'pmucheck' else 'foreign/' + name}.elf"
    told = {
        "KERNEL": kernel, "FLIP": has.get("flip", ""), "FIRMWARE": trial.one_of(("bios", "uefi"), "bios"),
        "MACHINE": trial.one_of(("pc", "q35"), "pc"), "CPUS": has.get("cpus", "1"), "MEMORY": has.get("memory", "256"),
        "REFERENCE": has.get("reference", "skylake"), "OPTIONS": below, "ARGS": arguments, "LOG": trial.log,
        "BOARD": has.get("board", ""), "SILENCE": has.get("silence", "900"), **more,
    }
    bound = f"ulimit -t {PROCESSOR_SECONDS} && exec hosting/tools/host.sh"
    output = trial.call("sh", "-c", bound, want=None, **told)
    if not serial.size_of(told["LOG"]):
        print(output)
    return {0: "off", **machine.ENDS}.get(trial.status, f"status {trial.status}")


def own_log(lines):
    """The hosted image's log in the output of the machine that hosts it: from the last "KTAP version 1" on, without the
    lines in which the monitor reports that its guest is silent, and the sums over these."""
    hosted, own = [], False
    for line in lines:
        if re.match(r"# host cpu=[0-9]+ silent-seconds=", line):
            own = True
            continue
        if own and line.startswith("# sync "):
            continue
        own = False
        if line.startswith("KTAP version 1"):
            hosted = []
        hosted.append(line)
    return hosted


def write_own_log(trial, path):
    with open(path, "w", encoding="latin-1") as file:
        file.write("\n".join(own_log(trial.lines())))


def expect_whole(trial):
    """The sums of the lines of the image's log, and the result code, which a QR code shows, say whether it is whole."""
    write_own_log(trial, trial.log + ".hosted")
    text = trial.pmucheck("report", trial.log + ".hosted", want=None, output=trial.log + ".report")
    if trial.status >= 99:
        trial.wrong(f"the hosted image's own log is not whole: {serial.matching(text.splitlines(), '^log  *')}")


def try_case(trial):
    trial.expect_end(host(trial))
    trial.expect_lines()
    if trial.has["kernel"] == "pmucheck":
        expect_whole(trial)
    if "skips" in trial.has:
        trial.call("hosting/tools/skips.py", "--reasons", f"--most={trial.has['skips']}", trial.log)
