# SPDX-License-Identifier: BSD-2-Clause
"""What other programs read of the tree: commands for editors, the public host's forms and jobs."""

import json
import os
import re
import shutil
import subprocess
import tempfile

from . import base

COMMANDS = "compile_commands.json"
# The library's example, the examples for other programs, what only a static program has.
ON_THEIR_OWN = r"/(example|first)\.c$|/unicorn/|/left-out/|/foreign/linux/"


def commands(tree):
    """`make compile_commands.json` names every C file of the tree, except those that are built on their own; the
    command of one of them compiles it, as an editor would."""
    had = os.path.exists(COMMANDS)
    base.output("make", "-s", COMMANDS)
    with open(COMMANDS, encoding="utf-8") as file:
        rows = {row["file"]: row["command"] for row in reversed(json.load(file))}
    if not had:
        os.remove(COMMANDS)
    for path in tree.paths(r"^(boot|kernel|pmu|reference|hosting|tests|tools)/.*\.c$", ON_THEIR_OWN):
        if path not in rows:
            yield f"{path} has no command"
    one = "kernel/text/format.c"
    command = rows.get(one, "")
    if " -c -o " not in command:
        yield f"{one} has no command"
    elif subprocess.run(["sh", "-c", re.sub(r" -MMD -MP -c -o \S*", " -fsyntax-only", command)],
                        check=False).returncode:
        yield f"{one}: its command does not compile it"
    tree.note = f"{len(rows)} files"


def mutate(path, file, *change):
    """The lines that mutate.awk prints of a file of this path."""
    of = ["-v", "of=tests"] if path.startswith("tests/") else []
    return base.output("awk", *of, *change, "-f", "reference/proof/mutate.awk", file.name).split("\n")[:-1]


def mutations(tree):
    """The changes that reference/proof/mutate.awk finds in sources, and those that do not change their line alone: for
    planted.txt."""
    for path in tree.paths(r"\.c$"):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(tree.text(path))
            file.flush()
            for row in mutate(path, file):
                place, change, what = row.split(" ", 2)
                number = int(place.rpartition(":")[2])
                yield f"{path}:{number} {what}"
                lines = zip(tree.lines(path), mutate(path, file, "-v", f"change={change}"))
                changed = [at for at, (before, after) in enumerate(lines, 1) if before != after]
                # A statement that is left out of a test may have more lines.
                if changed[:1] != [number] or (len(changed) > 1 and not what.startswith("without")):
                    yield f"{path}:{number}: {what}: is no change of that line alone"


def run_lines(text):
    """The lines of each "run: |" of a job, which are deeper than it, without their blanks before."""
    depth, lines = None, []
    for line in text.split("\n"):
        blanks = len(line) - len(line.lstrip(" "))
        if depth is not None and line.strip() and blanks <= depth:
            depth = None
        if depth is not None:
            lines.append(line[depth + 2:])
        if re.match(r" *run: \|$", line):
            depth = blanks
    return lines


def workflow(tree):
    """The public host's forms and jobs, .github/: YAML without faults, commands that shellcheck knows, and make targets
    that exist. The README's badge names a job that is there."""
    if not shutil.which("yamllint"):
        raise base.Skip("no yamllint: the package of this name has it")
    files = tree.paths(r"^\.github/.*\.yml$")
    if subprocess.run(["yamllint", "-d", "{extends: relaxed, rules: {line-length: disable}}", *files],
                      check=False).returncode:
        yield "yamllint does not take .github"
    made = "\n".join(map(tree.text, tree.paths(r"^(Makefile|tools/build/.*\.mk)$")))
    for path in tree.paths(r"^\.github/workflows/.*\.yml$"):
        lines = run_lines(tree.text(path))
        if not any(lines):
            yield f"{path} runs nothing"
        if subprocess.run(["shellcheck", "-s", "sh", "-"], input="\n".join(lines).encode(), check=False).returncode:
            yield f"{path}: shellcheck does not take its commands"
        for target in re.findall(r"^make ([a-z-]+)", "\n".join(lines), re.M):
            if not re.search(f"^{target}:", made, re.M):
                yield f"{path}: there is no make {target}"
    badge = base.first_match(r"actions/(workflows/[a-z]*\.yml)/badge", tree.text("README.md"))
    if not badge or f".github/{badge}" not in files:
        yield "README.md has no badge of a job"
