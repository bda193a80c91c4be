# SPDX-License-Identifier: BSD-2-Clause
"""Results: a line for each step, the count, and both as JUnit."""

import re
import time
import xml.etree.ElementTree as xml

from . import serial

SKIPPED = 77  # exit status of a step that could not be tried here; its last line says why
SHOWN = 15  # lines of a failed step
WIDTH = 240


def skipped_cases(lines):
    """The cases that a host test of cmocka left out."""
    found = {line[len("[  SKIPPED ] "):] for line in lines if line.startswith("[  SKIPPED ] ")}
    return sorted(name for name in found if "test(s)" not in name)


def why(lines):
    """The lines that say why a step failed, nested runs included: the output may be all that is kept of a run."""
    lines = [line for line in lines if line.strip()]
    failures = [line for line in lines if re.search(r"^ *(not ok |FAIL|# (fail|error) )", line)]
    return [line[:WIDTH] for line in failures[:SHOWN] or lines[-SHOWN:]]


class Results:
    """The results of a run; each is printed as it comes."""

    def __init__(self, folder, name, say=False):
        """say: a line that passes tells the last line of its output, too."""
        self.folder, self.name, self.say = folder, name, say
        self.rows, self.started, self.processor = [], time.monotonic(), 0.0

    def add(self, title, status, seconds, log, processor=0.0):
        """Takes in how a step ended, and how much processor time it took, and prints its line."""
        self.processor += processor
        lines = serial.lines_of(log)
        told = [line for line in lines if line.strip()]
        skipped = skipped_cases(lines)
        word = {0: "ok", SKIPPED: "skip"}.get(status, "FAIL")
        last = told[-1][:WIDTH] if told else ""
        passing = "skipped: " + " ".join(skipped) if skipped else last if self.say else ""
        detail = {"ok": passing, "skip": last}.get(word, log)
        line = f"{word:<5} {title:<44} {seconds:3.0f} s" + (f"  {detail}" if detail else "")
        failures = why(lines) if word == "FAIL" else []
        print("\n".join([line] + [f"      > {text}" for text in failures]), flush=True)
        self.rows.append((word, title, seconds, detail, len(skipped) if word == "ok" else 0, failures, line))

    def count(self, word):
        return sum(row[0] == word for row in self.rows)

    @property
    def failed(self):
        return self.count("FAIL")

    def total(self):
        skipped = self.count("skip") + sum(row[4] for row in self.rows)
        return f"{self.count('ok')} passed, {self.failed} failed, {skipped} skipped"

    def write(self):
        """Writes the lines, and the same for programs that read JUnit."""
        with open(f"{self.folder}/{self.name}-results.txt", "w", encoding="latin-1") as file:
            file.writelines(row[6] + "\n" for row in self.rows)
        suite = xml.Element("testsuite", name=f"make {self.name}", tests=str(len(self.rows)), failures=str(self.failed),
                            skipped=str(self.count("skip")), time=f"{time.monotonic() - self.started:.0f}")
        for word, title, seconds, detail, _, failures, _ in self.rows:
            case = xml.SubElement(suite, "testcase", classname=title.partition(":")[0], name=title,
                                  time=f"{seconds:.1f}")
            if word == "skip":
                xml.SubElement(case, "skipped", message=detail)
            if word == "FAIL":
                xml.SubElement(case, "failure", message=detail).text = "\n".join(failures)
        xml.ElementTree(suite).write(f"{self.folder}/{self.name}.xml", encoding="utf-8", xml_declaration=True)

    def end(self, remarks=()):
        """Prints what did not pass, the time, the remarks and the count. True: nothing failed."""
        self.write()
        print()
        for row in self.rows:
            if row[0] != "ok" or row[4]:
                print(row[6])
        print(f"{time.monotonic() - self.started:.0f} s, {self.processor:.0f} s of processors; logs: {self.folder}")
        for remark in remarks:
            print(remark)
        print(self.total(), flush=True)
        return not self.failed
