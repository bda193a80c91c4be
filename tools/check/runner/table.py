# SPDX-License-Identifier: BSD-2-Clause
"""Reads tables of cases: what is booted or run, with what, and what must come of it.

A table is a text file. Lines with "@" set something: before the first row for the whole table, below a blank line for
the rows up to the next blank line. A comment begins with "#". A row has these columns, each with blanks around "|":

    name | machine | options | debugger | end | lines

    machine   words, behind those of @machine: NAME=VALUE, a word for yes, and from the first "-" on QEMU's arguments
    options   of the image; empty: those of @options
    debugger  "FUNCTION: COMMANDS": where a debugger stops, and what it does there (tools/check/machine.gdb)
    end       the verdict, or what else the kind of case has for an end; "a/b": either
    lines     patterns of lines that the log must have; " && " stands between two, "!" before one that no line may match

Or, of @kind command, and of @kind static with functions of tools/check/source as MODULE.FUNCTION for its command:

    name | command | what it would catch

{profile} in a row makes one of it for each profile of the reference PMU, {1-N} for each number up to N, {each} for each
file of @each, by its name without folder and ending. In a command {share:N} is the part of N that is its turn (N may be
"profiles"), {chosen:LABEL} the names of chosen rows, {build} the folder that everything is built in.

    @kind       which kind of case the rows are (tools/check/kinds)
    @label      what stands before the rows' names in results; by default the kind
    @machine    @options     what all rows begin with
    @share      N, or "profiles", as many as there are: make test runs each N-th row; which ones, is decided by the
                content of what concerns the table
    @always     rows that every make test runs, with ", " between their names, or all
    @check      rows that make check runs
    @apart      rows that only a command of their own runs
    @concerns   places in the tree. The table's: their content decides on the share. A group's: a change there runs it
    @limit      seconds for a row
    @phase      build, main, after (one by one, when main is over), alone (nothing else runs)
    @each       files, as patterns
    @program    a file: make check leaves the row out while this is older than its last pass
    @files      a pattern of paths; {files} in a command is a file with these, one a line; make check has only those in
                it that are newer than the row's last pass, and leaves it out if there are none
"""

import dataclasses
import glob
import os
import re
import sys

SETTINGS = {
    "kind", "label", "machine", "options", "share", "always", "check", "apart", "concerns", "limit", "phase", "each",
    "program", "files",
}
PHASES = ("build", "main", "after", "alone")


class Wrong(Exception):
    """A table that cannot be understood, with file and line."""


@dataclasses.dataclass
class Case:
    """A row, with what its table says of all."""

    name: str
    kind: str
    label: str
    table: str
    group: str  # the first row between two blank lines
    machine: list = dataclasses.field(default_factory=list)
    options: str = ""
    at: str = ""
    change: str = ""
    ends: list = dataclasses.field(default_factory=list)
    lines: list = dataclasses.field(default_factory=list)
    command: str = ""
    catches: str = ""
    program: str = ""
    files: str = ""
    share: int = 1
    always: bool = False
    check: bool = False
    apart: bool = False
    limit: int = 1800
    phase: str = "main"
    concerns: tuple = ()  # of the table
    touched_by: tuple = ()  # of the group

    @property
    def title(self):
        return f"{self.label}: {self.name}" if self.label else self.name

    def words(self):
        """The words of `machine`: a dictionary, and QEMU's arguments."""
        known, rest = {}, []
        for word in self.machine:
            if rest or word.startswith("-"):
                rest.append(word)
            else:
                name, equals, value = word.partition("=")
                known[name] = value if equals else "yes"
        return known, rest


def profiles():
    """The names of the reference PMU's profiles."""
    return stems("reference/model/profiles/*.profile")


def paths():
    """All tables: those of commands, of which builds come first, the instrument's and the wings'."""
    return [path for pattern in ("tools/check", "tests/boot", "*/test")
            for path in sorted(glob.glob(pattern + "/*.cases"))]


def setting(line, where, path, number):
    name, _, value = line[1:].partition(" ")
    if name not in SETTINGS:
        raise Wrong(f"{path}:{number}: there is no setting @{name}; there are @{', @'.join(sorted(SETTINGS))}")
    where[name] = (where[name] + " " if name in where and name == "concerns" else "") + value.strip()


def chosen_by(names, row):
    return names == "all" or row in names.split(", ")


def make(row, told, group, path, number):
    """A case of a row's columns and of what is told of it."""
    kind = told.get("kind")
    if not kind:
        raise Wrong(f"{path}:{number}: a row before @kind")
    want = 3 if kind in ("command", "static") else 6
    columns = [column.strip() for column in row.split("|", want - 1)]
    if kind == "command" and row.count("|") > 2:  # those between are of the command
        columns = [columns[0], *(column.strip() for column in row.partition("|")[2].rsplit("|", 1))]
    if len(columns) != want:
        raise Wrong(f"{path}:{number}: {len(columns)} columns instead of {want}")
    if kind == "static":
        kind, columns[1] = "command", f"{sys.executable} tools/check/static.py {columns[1]}"
    name = columns[0]
    share = str(len(profiles())) if told.get("share") == "profiles" else told.get("share", "1")
    if not share.isdigit() or share == "0":
        raise Wrong(f"{path}:{number}: @share {share} is no number")
    if told.get("phase", "main") not in PHASES:
        raise Wrong(f"{path}:{number}: @phase {told['phase']}: there are {', '.join(PHASES)}")
    case = Case(
        name, kind, told.get("label", "" if kind == "command" else kind), path, group,
        share=int(share), always=chosen_by(told.get("always", ""), name),
        check=chosen_by(told.get("check", ""), name), apart=chosen_by(told.get("apart", ""), name),
        limit=int(told.get("limit", "1800")), phase=told.get("phase", "main"),
        concerns=tuple(told.get("of table", "").split()), touched_by=tuple(told.get("concerns", "").split()),
    )
    if kind == "command":
        case.command, case.catches = columns[1:]
        case.program, case.files = told.get("program", "").replace("{each}", name), told.get("files", "")
        return case
    _, machine, options, debugger, end, lines = columns
    case.machine = told.get("machine", "").split() + machine.split()
    case.options = options or told.get("options", "")
    case.at, _, case.change = (part.strip() for part in debugger.partition(": "))
    case.ends = end.split("/") if end else []
    case.lines = lines.split(" && ") if lines else []
    return case


def stems(patterns):
    """The names of files, without folder and ending."""
    found = (path for pattern in patterns.split() for path in glob.glob(pattern))
    return sorted(os.path.basename(path).rpartition(".")[0] for path in found)


def expanded(row, each):
    """The row, or one for each profile, number or file."""
    numbers = re.search(r"\{1-([0-9]+)\}", row)
    if numbers:
        return [row.replace(numbers.group(0), str(number + 1)) for number in range(int(numbers.group(1)))]
    for mark, names in (("{profile}", profiles()), ("{each}", stems(each))):
        if mark in row:
            return [row.replace(mark, name) for name in names]
    return [row]


def read(path):
    """The cases of one table."""
    cases, table, here, group = [], {}, None, ""
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line:
                here, group = ({} if "kind" in table else None), ""
            elif line.startswith("@"):
                setting(line, table if here is None else here, path, number)
            elif not line.startswith("#"):
                told = {**table, "of table": table.get("concerns", ""), "concerns": "", **(here or {})}
                group = group or line.partition("|")[0].strip()
                cases += [make(row, told, group, path, number) for row in expanded(line, told.get("each", ""))]
    return cases


def read_all():
    """The cases of all tables; a name may stand once in a kind."""
    cases, seen = [], {}
    for path in paths():
        for case in read(path):
            if case.title in seen:
                raise Wrong(f"{path}: {case.title} is in {seen[case.title]}, too")
            seen[case.title] = path
            cases.append(case)
    return cases
