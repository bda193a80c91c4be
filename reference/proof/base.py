# SPDX-License-Identifier: BSD-2-Clause
"""What all proofs use: boots and their logs, draws by a seed, the awk programs beside this file, several things at
once."""

import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys

from runner import serial

BUILD = os.environ.get("BUILD", "build")
LOGS = f"{BUILD}/logs"
NICE = ["nice", "-n", "5"]


def setting(name, default):
    """A variable of the environment, or if it is empty the default; of the default's type."""
    try:
        return type(default)(os.environ.get(name) or default)
    except ValueError:
        sys.exit(f"{name}={os.environ[name]} is no number")


JOBS = setting("JOBS", 2)  # at once


def share(text):
    """(k, n) of "k/n"."""
    k, _, n = text.partition("/")
    return int(k), int(n)


def output(*words, **how):
    """The lines that a program prints; it must succeed."""
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, **how).stdout.decode("latin-1").splitlines()


def awk(program, *files, **variables):
    """The lines that an awk program of this folder prints."""
    told = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
    return output("awk", *told, "-f", f"reference/proof/{program}.awk", *files)


def make(log, *words):
    """Makes targets, with what make prints in a log. Did it succeed?"""
    with open(log, "w", encoding="latin-1") as to:
        return not subprocess.run([*NICE, "make", "-s", "-j", str(JOBS), *words], stdout=to, stderr=to,
                                  check=False).returncode


def must_make(log, *words):
    if not make(log, *words):
        sys.exit(serial.text_of(log))


def boot(log, show=None, nice=True, **settings):
    """Boots by tools/run.sh, with its variables. Its exit status; its output goes to `show`, or to LOG.run. Once more,
    if QEMU printed nothing at all: with the clocks of a proof it once hung before the firmware printed anything."""
    settings = {"SUMMARY": 1 if show else 0, "LOG": log, **settings}
    environment = {**os.environ, **{name: str(value) for name, value in settings.items()}}
    for again in (True, False):
        with open(f"{log}.run", "wb") as to, subprocess.Popen(
                [*(NICE if nice else ()), "tools/run.sh"], stdin=subprocess.DEVNULL, env=environment,
                stdout=subprocess.PIPE if show else to, stderr=None if show else to) as process:
            for line in process.stdout or ():
                show(line.decode("latin-1"))
        if process.returncode != 124 or serial.text_of(log).strip() or not again:
            return process.returncode
        print("QEMU showed nothing at all; once more", file=sys.stderr)
    return None


def lines(log, pattern):
    """The lines of a log, or of several, in which the pattern is found."""
    wanted = re.compile(pattern)
    return [line for one in ([log] if isinstance(log, str) else log) for line in serial.text_of(one).split("\n")
            if wanted.search(line)]


def several(function, items, at_once=JOBS):
    """Calls a function for all of them, so many at once; what it returns for each."""
    with concurrent.futures.ThreadPoolExecutor(at_once) as at_once:
        return list(at_once.map(function, items))


def shuffled(rows, seed, name, *key):
    """The rows in an order that they, the seed and the name decide alone; key: options of sort."""
    source = f"{BUILD}/random-{name}"
    with open(source, "w", encoding="ascii") as file:
        file.write(f"{hashlib.sha1(f'{seed} {name}{chr(10)}'.encode()).hexdigest()}  -\n")
    text = "".join(row + "\n" for row in rows)
    rows = output("sort", *key, "-R", f"--random-source={source}", input=text.encode("latin-1"),
                  env={**os.environ, "LC_ALL": "C"})
    os.remove(source)
    return rows


def first_of_each(rows, key):
    """The first row for each key."""
    found = {}
    for row in rows:
        found.setdefault(key(row), row)
    return list(found.values())


def compiled(words, text, to):
    """Compiles C from a text. Did it compile?"""
    os.makedirs(os.path.dirname(to), exist_ok=True)
    return not subprocess.run([*words, "-w", "-x", "c", "-c", "-o", to, "-"], input=text.encode("latin-1"),
                              stderr=subprocess.DEVNULL, check=False).returncode


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, rows):
    with open(path, "w", encoding="latin-1") as file:
        file.writelines(row + "\n" for row in rows)
