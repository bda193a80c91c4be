# SPDX-License-Identifier: BSD-2-Clause
"""From a log's labels to the files in which they are defined: labels of checks, measurements and notes, by name. Every
word of that form in a test or in the harness is listed: some are no labels."""

import fnmatch
import re

HEAD = """\
# From a label to its file

A line of a log names a test and a label: `# fail pmi.mask-set label=lvtpc-not-masked`. The test's id is its path,
`tests/pmi/mask-set.c`; the label is written in one of the files here.

How much a failed check matters, and what to do about it, stands in
[severity.def]({root}/tools/pmucheck/log/severity.def): critical, where software is wrong without a sign, or memory and
secrets are at risk; high, where profiling or a watchdog breaks; medium, where software must work around it; low, what
is untidy or the firmware's. Of a label that several chapters use, each has its own; what only measures has none that
counts.

| label | severity | where |
|---|---|---|"""
SEVERITIES = "tools/pmucheck/log/severity.def"
SOURCES = r"^(tests/.*|reference/mode/(.*/)?walk_check)\.c$"
BESIDES = r"^tests/(host|fuzz|harness/report)/|^tests/.*/mode/"


def defined(tree):
    """(label, path). Labels of one word come from the list of all labels: other words of that form are no labels."""
    for path in tree.paths(SOURCES, BESIDES):
        for label in re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"|\(t, "([a-z0-9]+)"', tree.text(path)):
            yield "".join(label), path
    for row in tree.lines("tests/labels.txt"):
        found = re.match(r"([a-z0-9]*)\.(\S+) ([a-z0-9]+)( [bp].*)?$", row)
        if found and f'"{found[3]}"' in tree.text(f"tests/{found[1]}/{found[2]}.c"):
            yield found[3], f"tests/{found[1]}/{found[2]}.c"


def severity(rows, path, label):
    """The level of the first row SEVERITY("test", "label", LEVEL, ...) that fits."""
    test = "lockstep" if "walk_check" in path else path[len("tests/"):].replace("/", ".")
    if test.startswith("harness"):
        return "by its test"
    return next(level.lower() for of, name, level in rows
                if fnmatch.fnmatchcase(test, of) and fnmatch.fnmatchcase(label, name))


def page(tree, root):
    """The table as Markdown."""
    rows = re.findall(r'^SEVERITY\("([^"]*)", *"([^"]*)", *([A-Z]+)', tree.text(SEVERITIES), re.M)
    places = {}
    for label, path in sorted(set(defined(tree)), key=" ".join):
        places.setdefault(label, []).append(path)
    lines = [HEAD.format(root=root)]
    for label, paths in places.items():
        levels = ", ".join(dict.fromkeys(severity(rows, path, label) for path in paths))
        links = ", ".join(f"[{path[6:]}]({root}/{path})" for path in paths)
        lines.append(f'| <a id="{label}"></a>`{label}` | {levels} | {links} |')
    return "\n".join(lines)
