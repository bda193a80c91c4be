# SPDX-License-Identifier: BSD-2-Clause
"""Faults for the checks: each must tell those that are planted, and nothing of what is beside them in order."""

import collections
import importlib
import os
import re
import tempfile

from . import base, graph, history, lists, texts

LIST = "tools/check/source/planted.txt"
UPWARD = "\n".join(sorted(graph.upward(base.Tree({}))))
UP = {"obj/kernel/up.c": re.sub("^", "U ", UPWARD, flags=re.M), "obj/tests/up.c": re.sub("^", "T ", UPWARD, flags=re.M)}
UP_FILES = {"kernel/up.c": "", "tests/up.c": ""}
LONG = "void a(void)\n{\n" + "b;\n" * 78 + "}\nvoid c(void)\n{\n" + "b;\n" * 79 + "}\n"

MADE = (  # check, files, objects, what is told: what the list cannot hold
    (texts.lengths, {"pmu/a.c": LONG}, {}, ["pmu/a.c:83: 81 lines; the limit for functions is 80"]),
    (graph.circles, {**UP_FILES, "pmu/a/a.c": "", "pmu/b/b.c": "", "pmu/b/c.c": ""},
     {**UP, "obj/pmu/a/a.c": "U b\nT a", "obj/pmu/b/b.c": "T b\nU c", "obj/pmu/b/c.c": "T c\nU a"},
     ["files in a circle of 3: pmu/a/a.c -> pmu/b/b.c  (pmu/a/a.c: b)",
      "files in a circle of 3: pmu/b/b.c -> pmu/b/c.c  (pmu/b/b.c: c)",
      "files in a circle of 3: pmu/b/c.c -> pmu/a/a.c  (pmu/b/c.c: a)",
      "folders in a circle of 2: pmu/a/ -> pmu/b/  (pmu/a/a.c: b)",
      "folders in a circle of 2: pmu/b/ -> pmu/a/  (pmu/b/c.c: a)"]),
    (graph.circles, UP_FILES, {**UP, "obj/kernel/up.c": UP["obj/kernel/up.c"].replace("U main\n", "")},
     ["nobody uses main any more: take it off the table"]),
)

UNLICENSED = f"its first two lines do not say {lists.LICENCE}"
TRACKED = {  # what is committed, and what is told of it
    "tools/good.c": (b"/* SPDX-License-Identifier: BSD-2-Clause */\nint x;\n", ""),
    "tools/b=\xe4.c": (b"/* SPDX-License-Identifier: BSD-2-Clause */\nint x;\n", ""),
    "tools/boot.ipxe": (b"#!ipxe\nboot\n", ""),
    "docs/pictures/good.png": (b"\x89PNG\r\n\x1a\n\0\0", ""),
    "core": (b"\x7fELF\2\1\1\0", "ELF"),
    "tools/a folder/core": (b"\x7fELF\2\1\1\0", "ELF"),
    "pmu/large.txt": (b"x" * 200001, "200001 bytes, and at most 200000 are allowed"),
    "pmu/image.img": (b"\0\1\2", "binary"),
    "tools/packed.tgz": (b"\x1f\x8b\x08\0\0", "archive"),
    "tools/texts.a": (b"!<arch>\none.txt/\n", "archive"),
    "docs/pictures/tar.png": (b"a" + b"\0" * 256 + b"ustar", "archive"),
    "pmu/unlicensed.c": (b"int x;\n", UNLICENSED),
    "pmu/third.c": (b"\n\n/* SPDX-License-Identifier: BSD-2-Clause */\n", UNLICENSED),
    "pmu/other.c": (b"/* SPDX-License-Identifier: BSD-2-Clause-Patent */\n", UNLICENSED),
    "pmu/both.c": (b"/* SPDX-License-Identifier: BSD-2-Clause OR MIT */\n", UNLICENSED),
    "tools/snake": (b"#!/usr/bin/python3\n", UNLICENSED),
    "tools/unlicensed": (b"#!/bin/sh\n:\n", UNLICENSED),
    "-x.txt": (b"x\n", ""),  # no option of what reads the names
    "notes.txt": (b"x\n", ""),
}


def told(what, found, expected):
    """Complains if a check has told anything else than it must."""
    found, expected = collections.Counter(found), collections.Counter(expected)
    for text in sorted((found - expected).elements()):
        yield f"{what} tells too much: {text}"
    for text in sorted((expected - found).elements()):
        yield f"{what} does not tell: {text}"


def of_tracked(tree):
    """What lists.tracked() must tell of that tree, with a link and another repository in it."""
    expected = ["tools/link: a symbolic link", "tools/other: another repository"]
    for path, (_, what) in TRACKED.items():
        if what in ("ELF", "binary", "archive"):
            what += f", which {lists.TRACKED} does not allow"
        expected += [f"{path}: {what}"] if what else []
        expected += [] if "/" in path else [f"{path}: not an entry of the root that {lists.TRACKED} allows"]
    with tempfile.TemporaryDirectory() as work:
        lists.git(work, "init", "-q")
        for path, (data, _) in TRACKED.items():
            os.makedirs(os.path.dirname(f"{work}/{path}"), exist_ok=True)
            with open(f"{work}/{path}", "wb") as file:
                file.write(data)
        os.symlink("docs", f"{work}/tools/link")
        lists.git(work, "add", "-f", ".")
        lists.git(work, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},tools/other")
        yield from told("tracked()", lists.tracked(tree, work), expected)


def planted(text):
    """(check, files, objects, what is told) for each tree of the list."""
    for part in re.split(r"^@ ", text, flags=re.M)[1:]:
        name, *parts = re.split(r"^@(file|told) ", part, flags=re.M)
        module, function = name.strip().split(".")
        files, objects, expected = {}, {}, []
        for kind, words in zip(parts[::2], parts[1::2]):
            path, _, content = words.partition("\n")
            if kind == "told":
                expected.append(path)
            else:
                (objects if path.endswith(".o") else files)[path.removesuffix(".o")] = content.removesuffix("\n\n")
        yield getattr(importlib.import_module("source." + module), function), files, objects, expected


def faults(tree):
    """Each check tells what is planted."""
    rows = [*planted(tree.text(LIST)), *MADE]
    for check, files, objects, expected in rows:
        yield from told(f"{check.__name__}()", check(base.Tree(files, objects)), expected)
    shown = " ".join(text for check, _, _, expected in rows if check is texts.rules for text in expected)
    for rule in texts.RULES:
        if rule.what not in shown:
            yield f"no fault is planted for: {rule.what}"
    yield from told("subjects()", history.too_long(["a " + "x" * 72, "b " + "x" * 73]),
                    [f"b: 73 columns, and at most 72 are allowed: {'x' * 73}"])
    yield from of_tracked(tree)
    tree.note = f"{len(rows) + len(TRACKED)} trees: each fault is told"
