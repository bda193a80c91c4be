# SPDX-License-Identifier: BSD-2-Clause
"""Lists against what they are about: citations, owners of the model's state, names of bits, what git may track."""

import fnmatch
import os
import re
import subprocess

from . import base, texts

CITATIONS = "tests/citations.txt"
LABELS = "tests/labels.txt"
REGISTERS = "pmu/registers.def"
LICENCE = "SPDX-License-Identifier: BSD-2-Clause"
LARGEST = 200000  # bytes of a tracked file
TRACKED = "tools/check/source/tree.txt"


def citations(tree):
    """Each test's .spec names a volume and a section title that tests/citations.txt lists, with a column for whether
    the title was found in the manual; and a test cites each line of the list."""
    listed, yes = set(), 0
    for number, line in enumerate(tree.lines(CITATIONS), 1):
        part = re.split(r" *\| *", line)
        if line and not line.startswith("#"):
            if len(part) != 4 or part[2] not in ("yes", "no") or not part[3]:
                yield f"{CITATIONS}:{number}: no line of four parts: {line}"
            listed.add(", ".join(part[:2]))
            yes += "| yes |" in line
    cited = []
    for path in tree.paths(r"^(tests/(?!host/|fuzz/)|reference/mode/).*\.c$"):
        text = re.sub(r'"\s*"', "", tree.text(path))  # a text may continue on a second line
        for title in re.findall(r'\.spec *= *"([^"]*)"', text)[:1]:
            cited.append((title, path))
    for title, path in cited:
        if title not in listed:
            yield f'{path}: cites "{title}", which is no line of {CITATIONS}'
    for title in sorted(listed - {title for title, _ in cited}):
        yield f'{CITATIONS}: nothing cites "{title}"'
    tree.note = f"{len(listed)} titles, {yes} of them found in the manual"


def owners(tree):
    """Each member of struct model that holds state is written only by the file that the comment before its type names,
    and by the reset, which sets all of it. Deviations are faults, and may write all of it."""
    header = "reference/model/model_state.h"
    parts, file = [], ""
    for owner, member in re.findall(r"^/\* ([a-z_]+)\.c|^struct ([a-z_]+)_state \{", tree.text(header), re.M):
        parts += [(file, member)] if member else []
        file = owner or file
    for file, member in parts:
        field = rf"m->{member}\.[a-z_]+(\[[^]]*\])?"
        write = rf"{field} *([-|&^+]|<<|>>)?=[^=]|(\+\+|--)m->{member}\.|{field}(\+\+|--)"
        for place, line, _ in tree.matches(tree.paths(r"^reference/model/.*\.c$", rf"/({file}|reset)\.c$"), write):
            yield f"{place}: written outside of {file}.c: {line.strip()}"
    if len(parts) <= 10:
        yield f"{header} names no owners"
    tree.note = f"{len(parts)} parts of the model's state are written by their owners alone"


def bits_of_registers(text):
    """The words of each bit's name in the table of registers, behind those that all bits of its register begin with;
    of names with one word, none."""
    for register in re.split(r"^#define MSR_", text, flags=re.M)[1:]:
        found = [name.lower().split("_") for name in
                 re.findall(r"^  #define (\w+)(?:\([^)]*\))? .*(?:BIT\(|MASK\(|FIELD\()", register, re.M | re.A)]
        common = len(os.path.commonprefix(found)) if len(found) > 1 else 99
        yield from (words[common:] for words in found if len(words) > common + 1)


def bits(tree):
    """Names of registers' bits are typed once: no line of the host program has all words of a bit's name in a text, and
    a bare number beside it. Such a copy can be wrong where the table is right."""
    known = list(bits_of_registers(tree.text(REGISTERS)))
    number = re.compile(r"\b(0x[0-9a-f]+|[0-9]+)\b")
    for path in tree.paths(r"^tools/.*\.(c|h|def)$"):
        for at, line in enumerate(tree.lines(path), 1):
            if '"' not in line or re.search(r"^ *(/\*|\*)|FIELD_E[A-D]X", line):  # bits of CPUID are in no table
                continue
            piece = line.split('"')
            if number.search(re.sub(r"/\*.*", "", " ".join(piece[::2]))):
                said = set(re.split(r"[^a-z0-9]+", " ".join(piece[1::2]).lower()))
                for words in (words for words in known if said.issuperset(words)):
                    yield f"{path}:{at}: the bit {' '.join(words)} of {REGISTERS}, typed again"
                    break


def labels(tree):
    """Labels are permanent: each on the list tests/labels.txt is a text in its test or in the harness, unless it is
    retired."""
    text = re.compile(r'"([a-z0-9]+(?:-[a-z0-9]+)*)"')
    harness = {name for path in tree.paths(r"^(tests/harness/.*|reference/mode/walk_check)\.c$")
               for name in text.findall(tree.text(path))}
    own = {(path[len("tests/"):-len(".c")].replace("/", "."), name) for path in tree.paths(texts.CHAPTERS)
           for name in text.findall(tree.text(path))}
    for number, row in enumerate(tree.lines(LABELS), 1):
        words = row.split()
        if words and words[2:3] != ["-"] and tuple(words[:2]) not in own and words[1] not in harness:
            yield f"{LABELS}:{number}: {row}: the label is gone; labels are permanent"


# What the first bytes of a file are that git takes for binary. tar writes its name at byte 257.
KINDS = (("ELF", rb"\x7fELF"),
         ("archive", rb"\x1f\x8b|\xfd7zXZ\0|BZh|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|PK[\x03\x05\x07]|7z\xbc\xaf\x27\x1c"
                     rb"|!<arch>|07070[127]|\xc7\x71|hsqs|Rar!|(?s:.{257})ustar"))
SCRIPT = rb"#! */"
CODE = r"\.(c|h|S|s|cc|cpp|rs|go|py|pl|def|asm|inc|ld|mk|sh|awk|gdb|js|css)$|(^|/)Makefile$"


def allowed(tree):
    rows = [row.split()[:2] for row in tree.rows(TRACKED)]
    return lambda kind, path: any(kind == of and fnmatch.fnmatchcase(path, pattern) for of, pattern in rows)


def git(folder, *words):
    return os.fsdecode(subprocess.run(["git", "-C", folder, *words], stdout=subprocess.PIPE, check=True).stdout)


def tracked(tree, folder="."):
    """What is tracked, in all folders: no file is above 200 KB; none is binary, an archive, a core dump, a symbolic
    link or another repository, except what tools/check/source/tree.txt allows, with a reason; the root holds what that
    list names; each source file says under which licence it is. Sources go by their names, scripts by their first
    lines."""
    try:
        entries = git(folder, "ls-files", "-z", "-s", "--deduplicate").split("\0")[:-1]
    except subprocess.CalledProcessError as no_git:
        raise base.Skip("no git tree: nothing is tracked") from no_git
    may, paths = allowed(tree), [entry.partition("\t")[2] for entry in entries]
    for entry in sorted({path.partition("/")[0] for path in paths}):
        if not may("root", entry):
            yield f"{entry}: not an entry of the root that {TRACKED} allows"
    for entry in entries:
        link = {"120000": "a symbolic link", "160000": "another repository"}.get(entry[:6])
        if link:
            yield f"{entry.partition(chr(9))[2]}: {link}"
    binary = {line.partition("\t")[2] for line in git(folder, "ls-files", "-z", "--eol").split("\0")
              if line.startswith("i/-text")}
    for path in paths:
        if os.path.isfile(f"{folder}/{path}") and not os.path.islink(f"{folder}/{path}"):
            yield from faults(path, f"{folder}/{path}", path in binary, may)
    tree.note = f"{len(paths)} tracked files: none is out of place"


def faults(path, place, binary, may):
    """What is wrong with one tracked file."""
    size = os.path.getsize(place)
    if size > LARGEST:
        yield f"{path}: {size} bytes, and at most {LARGEST} are allowed"
    with open(place, "rb") as file:
        head = file.read(4000)
    kind = next((kind for kind, pattern in KINDS if re.match(pattern, head)), "binary")
    if (binary or head.startswith(b"!<arch>\n")) and not may(kind, path):  # ar makes text of texts
        yield f"{path}: {kind}, which {TRACKED} does not allow"
    said = b"\n".join(head.split(b"\n")[:2]).decode("latin-1")
    if (re.search(CODE, path) or re.match(SCRIPT, head)) and not re.search(rf"{LICENCE}( (?!(AND|OR|WITH) )|$)", said,
                                                                          re.M):
        yield f"{path}: its first two lines do not say {LICENCE}"


def prefixes(tree):
    """The library's headers give a program no name without their prefix: PMUMODEL_ for macros and enumerators,
    pmumodel_ for functions, tags and types; members of structs and parameters are no names of the program's. Each
    function is exported, and none is declared twice."""
    headers, functions = tree.paths(r"^reference/library/pmumodel.*\.h$"), []
    for path in headers:
        text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), tree.text(path), flags=re.S)
        for target in re.findall(r"^#include (.*)$", text, re.M):
            if not re.match(r"<std(bool|def|int)\.h>$|\"pmumodel\.h\"$", target):
                yield f"{path}: {target} brings names of its own"
        names = re.findall(r"^#define (\w+)", text, re.M)
        names += [name for body in re.findall(r"\benum \w* ?\{(.*?)\}", text, re.S)
                  for name in re.findall(r"(?:^|,)\s*(\w+)", body)]
        for name in names:
            if not name.startswith("PMUMODEL_"):
                yield f"{path}: {name} does not begin with PMUMODEL_"
        # What stands at the left margin, without the bodies of structs.
        outside = re.sub(r"(?ms)^#.*?[^\\]$|\{.*?^\}|\{[^\n]*\}", "", text.replace('extern "C" {', ""))
        declared = re.findall(r"(\w+)\s*\(", re.sub(r"__attribute__.*|extern \"C\"", "", outside))
        functions += declared
        for name in declared + re.findall(r"\b(?:struct|enum|union) (\w+)", text) + re.findall(
                r"^typedef .*?(\w+);", outside, re.M):
            if name != "pmumodel" and not name.startswith("pmumodel_"):
                yield f"{path}: {name} does not begin with pmumodel_"
        for line in outside.split("\n"):
            if re.match(r"[a-z].*\(", line) or re.match(r"static ", line):
                yield f"{path}: not exported: {line.strip()}"
    for name in sorted({name for name in functions if functions.count(name) > 1}):
        yield f"{name}() is declared twice"
    if not tree.planted and len(functions) < 50:
        yield "the headers declare too few functions"
    tree.note = f"{len(functions)} functions in {len(headers)} headers"
