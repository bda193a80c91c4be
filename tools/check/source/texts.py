# SPDX-License-Identifier: BSD-2-Clause
"""House rules that no compiler knows: what no line may hold, how files open, what comments name, how long files are."""

import re
from collections import namedtuple

Rule = namedtuple("Rule", "what pattern paths besides", defaults=(None,))

SOURCES = r"^(boot|kernel|pmu|reference|hosting|tests|tools|iso)/.*(?<!\.txt)(?<!\.xz)$"
IMAGE = (r"^(?!tests/(host|fuzz)/|(reference|hosting)/(test|proof)/)(boot|kernel|pmu|reference|hosting|tests)/.*"
         r"\.(c|h|asm|inc|def)$")
CHAPTERS = r"^tests/(?!harness/|host/|fuzz/).*\.c$"
LONGEST = 80  # lines of a function; the aim is about 15

RULES = (
    Rule("unfinished work", r"\b(TOD[O]|FIXM[E]|XX[X])\b", SOURCES),
    Rule("blanks at a line's end", r"[ \t]+$", SOURCES),
    Rule("not 7-bit text", r"[^ -~\t\n]", SOURCES),
    Rule("prose of more than 120 columns", r"^([^-|<!# ]|- [^[]).{120,}", r"\.md$"),
    Rule("an MSR number outside its table", r"#[ \t]*define MSR_[A-Z0-9_]+(\([a-z, ]*\))? .*0x", IMAGE,
         r"^(pmu/registers\.def|boot/cpu\.h|hosting/monitor/run/enter\.c)$"),  # enter.c: ranges of the bitmap
    Rule("a number of the processor's outside boot/cpu.h",
         r"#[ \t]*define (RFLAGS|EFER|CR[0348]|DR[67]|LVT|ICR|APIC_[A-Z]*|VECTOR_(DB|NMI|UD|DF|GP|PF|MC))_?[A-Z]* +"
         r"(\(?1|0x|BIT|FIELD|MASK|[0-9])|^(RFLAGS|EFER|CR[0348])_[A-Z]+ +equ", IMAGE, r"^boot/cpu\.h$"),
    Rule("a question to CPUID past cpuid_has()", r"\bcpuid\([^()]*\)\.e[a-d]x +>> +[0-9]+( & 1|\)|;)", IMAGE),
    Rule("a bit of CPUID by number", r"(->|\.|leaf[0-9a-f_]*\.)e[abcd]x( >> [0-9]+)? & 1\b", IMAGE,
         r"^(reference|tests)/"),
    Rule("an MSR by number", r"\b(rd|wr|read_|write_)msr(_try)?\(((t|[a-z]+), *)?0x", IMAGE),
    Rule("a bit by number", r"\bcheck_bit\(.*[,:] (MSR_|netburst|cccr)[^,]*, ([0-9]+|BIT\([0-9]+\)), ", CHAPTERS),
    Rule("a WRMSR instruction that no gate sees", r'(^[ \t]*|__asm__.*"|MAY_FAULT )wrmsr([ \t]|"|$)', IMAGE,
         r"^(boot/|kernel/register/msr\.|pmu/gate|pmu/workload/|hosting/monitor/)"),
    Rule("a test that goes past the harness", r"(__asm__|\b(rd|wr)msr\()", CHAPTERS),
    Rule("an erratum's number with padding zeros",
         r"\b(A[A-Z]{1,2}|B[A-Z]{1,2}|HS[DM]|SK[LX]|KBL|CML|RKL|ADL|RPL|MTL|ARL|SRF|SPR)0+[1-9][0-9]*\b", SOURCES),
    Rule("a comment that goes on in the next one", r", \*/", SOURCES),  # it would be lost to grep
    Rule("a comment that says whoever, or nobody shall, and not who",
         r"(/\*|^ *\*|^ *[;#]).*([Ww]hoever|[Nn]obody shall)", SOURCES),
    Rule("a log that other rows of this kind write, too", r"/logs/", r"(^|/)kinds/.*\.py$",
         r"/profiles\.py$"),  # what later steps read
    Rule("a check without words for what is expected", r'\bcheck_true\(.*""', IMAGE),
    Rule("a skip that does not say what was read", r'\bskip(_for)?\(t, ([A-Z_]+, )?"[^"=%_]*"', CHAPTERS),
)

# What a line must have before a name, to be a comment with it.
COMMENTS = {"c": r"/\*|^[ \t]*\*", "asm": ";", "sh": r"^[ \t]*#", "py": r'"""|^[^"\']*$'}
COMMENTS.update(h=COMMENTS["c"], **{"def": COMMENTS["c"]}, inc=COMMENTS["asm"], awk=COMMENTS["sh"],
                cases=COMMENTS["sh"])
NAMED = re.compile(r"[\w./*-]*[\w*-]\.(?:c|h|asm|inc|def|sh|awk|py|ld|profile)(?=[^\w(]|$)", re.M | re.A)
# NAME and PROGRAM stand for any name; what is made has no file.
ANY = re.compile(r"\*|NAME|PROGRAM|^std|^pmumodel\.h$|^(cpu\.inc|deviations\.def)$|^arch/x86/")


def rules(tree):
    """No line matches the pattern of a rule."""
    for rule in RULES:
        for place, line, _ in tree.matches(tree.paths(rule.paths, rule.besides), rule.pattern):
            yield f"{place}: {rule.what}: {line.strip()}"


def named(tree):
    """Files that comments name exist, under that path or the end of one."""
    there = {"/".join(path.split("/")[at:]) for path in tree.known for at in range(path.count("/") + 1)}
    for path in tree.paths(SOURCES, r"(^|/)[^.]*$"):
        comment = COMMENTS.get(path.rpartition(".")[2])
        for match in NAMED.finditer(tree.text(path)) if comment is not None else ():
            name, before = re.sub(r"^(\.{0,2}/)+", "", match[0]), tree.text(path)[:match.start()]
            if name not in there and not ANY.search(name) and re.search(comment, before.rpartition("\n")[2]):
                yield f"{path}:{before.count(chr(10)) + 1}: a comment names {name}, which does not exist"


def opens_with_comment(text):
    lines = (line for line in text.split("\n") if line.strip() and not re.match("#pragma once", line)
             and "SPDX-License-Identifier" not in line)
    return next(lines, "").startswith("/*")


def openings(tree):
    """A C file or its header opens with a comment about its purpose. A header is read once."""
    opened = {path for path in tree.paths(IMAGE) if re.search(r"\.[ch]$", path) and opens_with_comment(tree.text(path))}
    for path in tree.paths(IMAGE):
        if path.endswith(".c") and not opened & {path, path[:-1] + "h"}:
            yield f"{path}: neither it nor its header begins with its purpose"
    for path in tree.paths(SOURCES):
        if path.endswith(".h") and not re.search("^#pragma once", tree.text(path), re.M):
            yield f"{path}: no #pragma once"


def tests(tree):
    """A test's id is its path; it opens with a comment and cites the manual."""
    for path in tree.paths(CHAPTERS):
        text, name = tree.text(path), re.sub(r"^tests/|\.c$", "", path).replace("/", ".", 1)
        if not text.split("\n")[1:2][0].startswith("/*"):
            yield f"{path}: does not open with a comment"
        if f'TEST("{name}"' not in text:
            yield f'{path}: does not declare TEST("{name}", ...)'
        if not re.search(r'\.spec *= *"(SDM [1-4][A-D]?|PMU Sharing Guide), [A-Z]', text):
            yield f"{path}: no .spec with volume and section title"


def words(tree, paths):
    return {word for path in paths for word in re.findall(r"\w+", tree.text(path), re.A)}


def names(tree):
    """clang-format knows the loops that are macros. Some code of the image gives each reason code: the advice of one
    that is never given would never be seen."""
    known, reasons = words(tree, tree.paths(r"^\.clang-format$")), "tests/harness/core/reason.def"
    for path in tree.paths(SOURCES, r"(?<!\.[ch])$"):
        for name in re.findall(r"^#define (for_each_\w+)", tree.text(path), re.M):
            if name not in known:
                yield f".clang-format: ForEachMacros lacks {name}"
    given = words(tree, tree.paths(IMAGE, r"^tests/harness/report/advice\.c$"))
    for path in tree.paths(f"^{reasons}$"):
        for name in re.findall(r"^REASON\(([A-Z_]*),", tree.text(path), re.M):
            if "REASON_" + name not in given:
                yield f"{reasons}: nothing gives {name}"


def functions(text):
    """(first line, number of lines) of each C function."""
    before, start = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("{") and before.endswith(")"):
            start = number
        elif line.startswith("}") and start:
            yield start, number - start + 1
            start = 0
        before = line


def spread(what, lengths, aim):
    at = sorted(lengths)
    return (f"{what}: {len(at)}, median {at[(len(at) - 1) // 2]}, p90 {at[(len(at) * 9 + 9) // 10 - 1]}, "
            f"longest {at[-1]} lines (aim {aim})") if at else ""


def lengths(tree):
    """No function is too long. A file is one subject, of any length, which is only told."""
    code, lines = tree.paths(SOURCES), []
    for path in code:
        for start, length in functions(tree.text(path)) if path.endswith(".c") else ():
            lines.append(length)
            if length > LONGEST:
                yield f"{path}:{start}: {length} lines; the limit for functions is {LONGEST}"
    files = [tree.text(path).count("\n") for path in code if re.search(r"\.(c|h|asm|inc|sh|py)$", path)]
    tree.note = "\n".join((spread("files", files, 150), spread("functions", lines, 15)))
