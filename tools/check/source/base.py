# SPDX-License-Identifier: BSD-2-Clause
"""A tree of sources, whose files are read once, and what its objects define and use."""

import os
import re
import subprocess

from runner import tree


class Skip(Exception):
    """A check cannot be made here, and why."""


def output(*words, **how):
    """What a program prints; it must succeed."""
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, **how).stdout.decode("latin-1")


def first_match(pattern, text, default=""):
    """The first group of the first match."""
    found = re.search(pattern, text, re.M)
    return found.group(1) if found else default


class Tree:
    """The project's tree. With texts (path: text) and objects (path below the build: what nm prints) a planted one.
    note: what a check found in order, for people."""

    def __init__(self, texts=None, objects=None):
        self.planted, self.texts, self.objects = texts is not None, dict(texts or {}), objects
        self.known = tree.files() if texts is None else sorted(texts)
        self.build, self.note = os.environ.get("BUILD", "build"), ""

    def paths(self, pattern, besides=None):
        """The paths that match a pattern, and not the other one."""
        return [path for path in self.known if re.search(pattern, path) and not (besides and re.search(besides, path))]

    def text(self, path):
        if path not in self.texts:
            with open(path, encoding="latin-1", newline="") as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def lines(self, path):
        return self.text(path).split("\n")

    def rows(self, path):
        """The lines of a list that are no comments."""
        return [line for line in self.lines(path) if line and not line.startswith("#")]

    def matches(self, paths, pattern):
        """(place, line, match) for each line that matches; a place is FILE:LINE."""
        wanted = re.compile(pattern, re.M)
        for path in paths:
            if wanted.search(self.text(path)):
                for number, line in enumerate(self.lines(path), 1):
                    for match in wanted.finditer(line):
                        yield f"{path}:{number}", line, match
                        break

    def built(self, places):
        """The objects below these places of the build."""
        for place in places:
            if place.endswith(".o"):
                yield place
            for folder, folders, names in os.walk(os.path.join(self.build, place)):
                folders[:] = [name for name in folders if os.path.join(folder, name) != f"{self.build}/clang"]
                yield from (os.path.relpath(os.path.join(folder, name), self.build) for name in names
                            if name.endswith(".o"))

    def symbols(self, *places):
        """(object without its .o, kind, name) of each global symbol, as of nm, below these places of the build."""
        if self.objects is None:
            found = [path for path in sorted(self.built(places)) if os.path.exists(os.path.join(self.build, path))]
            text = output("nm", "-gA", *found, cwd=self.build, stderr=subprocess.DEVNULL) if found else ""
        else:
            text = "".join(f"{path}.o:: {line}\n" for path, names in self.objects.items() for line in names.split("\n"))
        return re.findall(r"^(.*)\.o:.* (\w) (\S+)$", text, re.M)
