# SPDX-License-Identifier: BSD-2-Clause
"""One case that is being tried: its log, its working folder, and what was found wrong."""

import os
import re
import shutil
import subprocess
import sys

from . import serial

VERDICTS = {0: "pass", 1: "fail", 2: "review", 77: "untested", 99: "error", 124: "silent"}


class Skip(Exception):
    """The case cannot be tried here, and why."""


class Wrong(Exception):
    """The case failed, and there is nothing more to try."""


class Trial:
    """A case, with what its kind needs: words and arguments of its machine, log, work (a folder that is removed)."""

    def __init__(self, case, build, work):
        self.case, self.build, self.work = case, build, work
        self.name = case.name
        self.has, self.arguments = case.words()
        name = re.sub(r"[^\w.,=+-]", "-", f"{case.label}-{case.name}")
        self.log = f"{build}/logs/{name}.log"
        self.problems = []
        os.makedirs(f"{build}/logs", exist_ok=True)
        if os.path.exists(self.log):
            os.remove(self.log)

    def log_of(self, what):
        """The log of one of several boots of this row: its own, as rows of one kind run at the same time."""
        return f"{self.log.removesuffix('.log')}-{what}.log"

    # ---- What the row says

    def one_of(self, words, default):
        """The last of these words that stands in the row's machine, with its additions: "pc,acpi=off" is a "pc"."""
        found = [word for word in self.case.machine if word.partition(",")[0].partition("+")[0] in words]
        return found[-1] if found else default

    # ---- What came of it

    def wrong(self, text):
        print(f"{self.name}: {text}", flush=True)
        self.problems.append(text)

    def fail(self, text):
        raise Wrong(text)

    def lines(self):
        return serial.lines_of(self.log)

    def expect(self, what, got, want):
        if got != want:
            self.wrong(f"{what} {got}, expected {want}")

    def expect_end(self, got):
        if got not in self.case.ends:
            self.wrong(f"it ends in {got}, expected {' or '.join(self.case.ends)}")

    def expect_lines(self, patterns=None, lines=None):
        """Each pattern must match some line, behind "!" none."""
        lines = self.lines() if lines is None else lines
        for pattern in self.case.lines if patterns is None else patterns:
            found = serial.matching(lines, pattern.removeprefix("!"))
            if pattern.startswith("!") and found:
                self.wrong(f"a line of the log matches {pattern[1:]}: {found[0]}")
            if not pattern.startswith("!") and not found:
                self.wrong(f"no line of the log matches: {pattern}")

    # ---- Programs

    def call(self, *words, want=0, output=None, **settings):
        """Runs a program. Its output, both streams, is returned, and goes into the file `output` if there is one. An
        exit status but `want` (a number, several, or None: any) is wrong. Settings are environment variables."""
        environment = {**os.environ, **{name: str(value) for name, value in settings.items()}}
        sys.stdout.flush()
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment, check=False)
        self.status, text = done.returncode, done.stdout.decode("latin-1")
        if output:
            with open(output, "w", encoding="latin-1") as file:
                file.write(text)
        if want is not None and done.returncode not in (want if isinstance(want, tuple) else (want,)):
            self.wrong(f"{' '.join(words)}: exit status {done.returncode}: {text.strip()[-400:]}")
        return text

    def pmucheck(self, *words, want=0, output=None):
        """Runs the host program."""
        return self.call(f"{self.build}/tools/pmucheck", *words, want=want, output=output)

    def settings(self, text, copy, *others):
        """A copy of the ISO whose pmucheck.cfg has this text, and with other files beside it; empty: without any."""
        if text or others:
            done = subprocess.run(["tools/iso-settings.sh", copy, "pmucheck.cfg", *others], input=text.encode() + b"\n",
                                  check=False)
            if done.returncode:
                self.fail(f"pmucheck.cfg could not be written into {copy}")
        else:
            shutil.copyfile(f"{self.build}/pmucheck.iso", copy)

    def copy_in(self, image, name, text):
        """Puts a file with this text on a stick's image."""
        path = f"{self.work}/{name}"
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        self.call("mcopy", "-o", "-i", f"{image}@@1M", path, f"::/{name}", MTOOLS_SKIP_CHECK=1)

    def run(self, *words, **settings):
        """Boots the image by the host program, with the variables of tools/run.sh. Returns the verdict's name."""
        told = {"REFERENCE": "", "SUMMARY": 0, "LOG": self.log, **settings}
        text = self.call("tools/run.sh", *words, want=None, **told)
        if text.strip():
            print(text.strip(), flush=True)
        return VERDICTS.get(self.status, str(self.status))
