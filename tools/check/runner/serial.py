# SPDX-License-Identifier: BSD-2-Clause
"""The log of a serial line, while it grows and when it is whole."""

import os
import re
import time

LOOK = 0.2  # seconds between two looks


def text_of(path):
    """The text of a log, any bytes, without carriage returns; empty if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read().decode("latin-1").replace("\r", "")
    except FileNotFoundError:
        return ""


def lines_of(path):
    """The lines of a log; a byte that is no printable character is "?"."""
    return [re.sub(r"[^\t -~\x80-\xff]", "?", line) for line in text_of(path).split("\n")]


def matching(lines, pattern):
    """The lines in which the pattern is found."""
    wanted = re.compile(pattern)
    return [line for line in lines if wanted.search(line)]


def size_of(path):
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return None


class Silence:
    """Tells when files have not grown for too long: on a busy machine a safer bound than one on the whole time."""

    def __init__(self, paths, seconds):
        self.paths, self.seconds = paths, seconds
        self.sizes, self.since = None, time.monotonic()

    def too_long(self):
        sizes = [size_of(path) for path in self.paths]
        if sizes != self.sizes:
            self.sizes, self.since = sizes, time.monotonic()
        return time.monotonic() - self.since > self.seconds


def await_line(path, pattern, seconds, alive=lambda: True):
    """Waits until a line of the log matches. False: none came for so many seconds, or it is no longer alive()."""
    silence = Silence([path], seconds)
    while True:
        living = alive()  # before the look: what ended may have written its last line after the look before
        if matching(lines_of(path), pattern):
            return True
        if not living or silence.too_long():
            return False
        time.sleep(LOOK)
