# SPDX-License-Identifier: BSD-2-Clause
"""Lists for the pages, by their names in the markers."""

import re
import textwrap

from source import base, texts

MODEL = r"^reference/model/.*\.c$"


def made(tree, *words):
    """What a program of the build prints."""
    return base.output(*(word.replace("{build}", tree.build) for word in words))


def code(text):
    return f"```c\n{text.strip(chr(10))}\n```"


def hosted(tree):
    """Of a table of options those that hosting declares."""
    names = "|".join(name for path in tree.paths(r"^hosting/[^/]*\.c$")
                     for name in re.findall(r"^OPTION\(([a-z]*),", tree.text(path), re.M))
    rows = made(tree, "{build}/tools/option-list", "{build}/pmucheck-host.elf").splitlines()
    return "\n".join(rows[:2] + [row for row in rows if re.match(rf"\| `({names})[`=]", row)])


def forms(tree):
    """The checks of the header for tests, without attributes."""
    text = re.search(r"(?s) ---- Checks\..*?(?=\n[^\n]* ---- The judging)", "\n" + tree.text("tests/harness/test.h"))[0]
    text = re.sub(r"(?m)^__attribute__\(\(nonnull\)\) ", "", "/*\n *" + text)
    return code(re.sub(r"\n\n+", "\n\n", re.sub(r"\n/\*\s*$", "", text)))


def program(name):
    """A program of the library's without its opening comment, and what it prints."""
    def text(tree):
        source = tree.text(f"reference/test/model/{name}.c")
        source = source[source.index("#include"):]
        return f"```c\n{source}```\n\nIt prints\n\n```\n{tree.text(f'reference/test/model/{name}.txt')}```"
    return text


def keys(tree):
    """The keys of a profile. Values that many keys have are described once, behind the table."""
    table, legend = made(tree, "{build}/tools/profile-compile", "--keys"), []
    cells = [re.split(r"(?<!\\) \| ", row)[1] for row in table.rstrip("\n").split("\n") if row.count(" | ") > 1]
    for cell in dict.fromkeys(cell for cell in cells if len(cell) > 40 and cells.count(cell) > 3):
        name = "a rule" if "clauses" in cell else "bits"
        table = table.replace(f"| {cell} |", f"| *{name}* |").replace(f"and {cell} |", f"and *{name}* |")
        legend.append(f"*{name}*: " + cell.replace("\\|", "|"))
    return table.rstrip("\n") + "\n\n" + "\n\n".join(textwrap.fill(text, 120) for text in legend)


def profiles(tree):
    return "\n".join(
        f"- [{path[:-len('.profile')].rpartition('/')[2]}](../{path}): "
        f"{base.first_match(r'^brand *(.*[^ ]) *#.*', tree.text(path))}"
        for path in tree.paths(r"^reference/model/profiles/.*\.profile$"))


def rules(table):
    """The registers with their rules, or the rules with their promises. Fails if a rule has no promise or no section of
    the manual."""
    return lambda tree: base.output(
        "env", "LC_ALL=C", "awk", "-v", f"table={table}", "-f", "tools/docs/rules.awk", "boot/cpu.h",
        "pmu/registers.def", "reference/model/rules.def", *tree.paths(MODEL))


# Patterns for tests that ask for a promise: by its name, through a helper, or by the register that they check.
ASKS = {
    "INSTRUCTIONS": r"check_(counted|exact|slope|count|filters?)\(", "BRANCHES": r"check_exact\(.*BRANCHES",
    "ALL_AT_ONCE": r"CELL_NEIGHBOURS|setup_all\(|run_block\(t, mask", "USR_ALONE": r"check_filters\(",
    "STAYS_FROZEN": r"check_stopped\(", "STATUS_BIT": r"check_(equal|bits?)\(t, .*MSR_PERF_GLOBAL_STATUS\b",
    "IN_USE": r"check_(equal|bits?)\(t, .*MSR_PERF_GLOBAL_INUSE\b",
}


def errata(tree):
    """The table of errata, with the promises that they break and the tests that ask for these."""
    rows = []
    for name in re.findall(r"^ASPECT\(([A-Z0-9_]*),", tree.text("tests/harness/core/aspect.def"), re.M):
        asks = re.compile(rf"ASPECT_{name}\b" + (f"|{ASKS[name]}" if name in ASKS else ""))
        tests = [re.sub(r"tests/(.*)/(.*)\.c", r"\1.\2", path) for path in tree.paths(texts.CHAPTERS)
                 if asks.search(tree.text(path))]
        rows.append(f"{name}\t{' '.join(tests)}\n")
    return base.output(f"{tree.build}/tools/errata-list", input="".join(rows).encode())


def targets(*names):
    return lambda tree: made(tree, "tools/docs/help.sh", "--table", *names)


def evidence(tree):
    """Which chapters passed on which machines."""
    chapters = sorted({path.split("/")[1] for path in tree.paths(texts.CHAPTERS)})
    list_of_chapters = "".join(name + "\n" for name in chapters).encode()
    return base.output("awk", "-f", "tools/docs/evidence-page.awk", "/dev/stdin",
                       *tree.paths(r"^tests/evidence/[^/]*\.txt$"), input=list_of_chapters)


LISTS = {
    "options": lambda tree: made(tree, "{build}/tools/option-list", "{build}/pmucheck.elf"),
    "commands": lambda tree: made(tree, "{build}/tools/pmucheck", "help", "--table"),
    "advice": lambda tree: made(tree, "{build}/tools/advice-list"),
    "schema": lambda tree: made(tree, "{build}/tools/pmucheck", "export", "--schema"),
    "keys": keys,
    "events": lambda tree: made(tree, "{build}/tools/profile-compile", "--events"),
    "skeleton": lambda tree: code(made(tree, "tools/new-test.sh", "--print", "chapter.what-holds")),
    "targets": targets("all", "usb", "stick", "iso", "netboot", "signed", "dist", "lava"),
    "witnesses": lambda tree: made(tree, "hosting/tools/witnesses.py", "page"),
    "hostings": targets("host", "linux", "witnesses", "self", "foreign"),
    "registers": rules("registers"), "promises": rules("promises"),
    "rules": lambda tree: "\n".join(f"- {rule.what}" for rule in texts.RULES),
    "errata": errata, "hosted": hosted, "forms": forms, "profiles": profiles,
    "example": program("example"), "first": program("first"), "evidence": evidence,
    "manual": lambda tree: made(tree, "{build}/tools/pmucheck", "help", "--manual"),
    "judged": lambda tree: made(tree, "reference/proof/coverage.sh", "--page"),
    "relied": lambda tree: made(tree, "reference/proof/coverage.sh", "--relied"),
    "sentences": lambda tree: made(tree, "reference/proof/sentences.sh", "--page"),
}
