#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The host program as a user runs it: every command with a real log, its exit statuses, and what it must say, by the
rows of commands.txt. Would catch a command whose output, message or status contradicts its page.

usage: [PROGRAM=COMMAND] tools/check/program/program.py LOG
       LOG: of a boot that passed; COMMAND: another program, in a root without QEMU"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
TABLE = "tools/check/program/commands.txt"


def rows(qemu):
    """The rows with QEMU, or without; of {a,b} each."""
    part = None
    with open(TABLE, encoding="ascii") as file:
        for row in file.read().split("\n"):
            if row.startswith("---"):
                part = row == "--- with QEMU"
            elif row and not row.startswith("#") and part in (None, qemu):
                choice = re.search(r"\{([^{}]*,[^{}]*)\}", row) if not row.startswith("!") else None
                yield from [row.replace(choice[0], one) for one in choice[1].split(",")] if choice else [row]


def result_code(log):
    with open(log, encoding="latin-1") as file:
        return re.search(r"^# result .* code=(\S*)", file.read(), re.M)[1]


def wrong(row, words, environment):
    """What is wrong with a row: nothing, if it is empty."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, check=False)
    text = done.stdout.decode("latin-1")
    if row.startswith("!"):
        return text + f"exit status {done.returncode}" if done.returncode else ""
    status, *says = filled(row, environment).split(" | ")
    if done.returncode != int(status.split(" ")[0]):
        return f"{text}exit status {done.returncode}"
    return "".join(f"{text}it does not say: {words}\n" for words in says if words not in text)


def filled(row, values):
    return re.sub(r"\$(\w+)", lambda name: values[name[1]], row)


def words_of(row, values):
    """The command of a row."""
    if row.startswith("!"):
        return ["sh", "-c", row[1:]]
    return [values["program"], *(filled(word, values) for word in shlex.split(row.split(" | ")[0])[1:])]


def main(good):
    build, other = os.environ.get("BUILD", "build"), os.environ.get("PROGRAM")
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        values = {**os.environ, "BUILD": build, "good": good, "work": work, "code": result_code(good),
                  "program": other or f"{build}/tools/pmucheck"}
        for row in rows(not other):
            if problem := wrong(row, words_of(row, values), values):
                print(f"{row}\n{problem}\n", flush=True)
                bad = 1
    return bad


sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 2 else __doc__)
