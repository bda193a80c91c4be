# SPDX-License-Identifier: BSD-2-Clause
"""The QR codes of the image while it is hosted (tools/check/kinds/codes.py). Before and after its log the reference
PMU's monitor, too, writes to the serial line. Words: those of hosted.py."""

import os
import threading

import hosted
from kinds import codes
from runner import serial


def try_case(trial):
    folder, pipe, shown = codes.folder_of(trial), f"{trial.work}/monitor", []
    for end in (".in", ".out"):
        os.mkfifo(pipe + end)
    # Opened for both, so that no end waits for a QEMU that never starts.
    commands, answers = open(pipe + ".in", "r+b", buffering=0), open(pipe + ".out", "r+b", buffering=0)
    threading.Thread(target=lambda: [None for _ in iter(lambda: answers.read(4096), b"")], daemon=True).start()
    running = threading.Thread(target=lambda: shown.append(hosted.host(trial, MONITOR=f"pipe:{pipe}")))
    running.start()
    if serial.await_line(trial.log, codes.END, 300, running.is_alive):
        codes.watch(trial, folder, lambda command: commands.write(command.encode() + b"\n"))
    commands.write(b"quit\n")
    running.join()
    lines = hosted.own_log(trial.lines())
    ends = [place for place, line in enumerate(lines) if line.startswith("# end ")]
    if not ends:
        trial.fail("END is not in the hosted image's log")
    with open(f"{folder}/hosted.log", "w", encoding="latin-1") as file:
        file.write("\n".join(lines[: ends[0] + 1]) + "\n")
    codes.expect_alike(trial, f"{folder}/hosted.log", f"{folder}/scan.log")
