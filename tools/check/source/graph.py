# SPDX-License-Identifier: BSD-2-Clause
"""Which file uses which: rooms, circles, instructions, dead functions. By includes, and by symbols of the linker, which
do not depend on comments and includes: a file uses another if its object leaves a name undefined that the other's
object defines."""

import re

from . import base

ROOMS = "tools/check/source/rooms.txt"
UPWARD = "tools/check/source/upward.txt"
FREESTANDING = re.compile(r"std(arg|bool|def|int)\.h$|limits\.h$")

# Where what is made, and what is not below the tree's root, belongs.
MADE = {
    "cpu.inc": "boot/cpu.h", "rule_heads.h": "reference/model/rules.def", "perf_capabilities.def": "pmu/registers.def",
    "assertions.inc": "tests/host/assertions/", "evidence.def": "tests/harness/core/",
    "relied.def": "tests/harness/core/", "needs.def": "tests/harness/", "provers.def": "reference/mode/",
    "deviations.def": "reference/deviations/", "deviation_rows.h": "reference/deviations/",
    "members.def": "reference/deviations/", "profiles.c": "reference/model/", "dumps.c": "reference/dumps/",
    "version.c": "kernel/core/", "pmumodel.h": "reference/library/", "harness": "tests/harness", "host": "tests/host",
    "fuzz": "tests/fuzz",
}
GENERATED = ["gen/profiles.c.o", "gen/dumps.c.o", "gen/version.c.o"]

COMPILERS = {"memcpy", "memmove", "memset", "memcmp"}  # compilers call them

# Files with privileged instructions in C, each with its reason.
INSTRUCTIONS = {
    "kernel/register/instructions.h": "most of them",
    "kernel/register/msr.c": "the dump of a fault names the caller of rdmsr()",
    "kernel/register/wrmsr.h": "inlined into the two gates only",
    "reference/step/access.c": "repeats a write that came past its gate",
}

# Functions that may be unused, each with its reason.
KEPT = {
    "entry": "the boot loader jumps there",
    "pvh_entry": "so does QEMU's -kernel",
    "agent_release": "a call of the sharing library, for programs that this one is not",
    "skip_refused": "for tests that write a register by themselves",
}


def upward(tree):
    return {name for row in tree.rows(UPWARD) for name in row.partition(" :")[0].split()}


def place_of(name):
    """The path for a name in an include, or for a generated object."""
    first, slash, rest = name.partition("/")
    made = MADE.get(name) or (MADE.get(first) if slash else None)
    if not made:
        return name
    return made + name if made.endswith("/") else made + slash + rest


def uses(symbols, areas):
    """(file, user, name, definer) for each name that an object uses and another one of its kind of program defines.
    areas: the folders of the build with the programs' objects, each a kind."""
    wanted, home = set(), {}
    for path, kind, name in symbols:
        area = next((area for area in areas if path.startswith(area)), "")
        if kind == "U":
            wanted.add((area, path[len(area):], name))
        elif re.match("[A-TV-Z]$", kind):
            home[area, name] = path[len(area):]
    for area, user, name in sorted(wanted):
        if home.get((area, name), user) != user:
            yield user, name, home[area, name]


# ---- Rooms


def longest(paths, name, below):
    """The longest of the paths that is the name, or above it; below: what may stand behind it."""
    return max((path for path in paths if name == path or name.startswith(tuple(path + end for end in below))), key=len,
               default=None)


def may_use(words, file, target, system):
    if system:
        return "any" in words or ("freestanding" in words and bool(FREESTANDING.match(target)))
    paths = {word.lstrip("-"): word for word in words}
    best = longest(paths, target, "/.")
    return paths[best] == best if best else file.rpartition("/")[0] == target.rpartition("/")[0]


def included(tree, files):
    """(place, file, target, is it in <>) for each include."""
    for place, line, match in tree.matches(tree.paths(files), r"^[ \t]*[#%][ \t]*include[^<\"]*([<\"])([^>\"]*)"):
        yield place, place.rpartition(":")[0], place_of(match[2]), match[1] == "<"


def layers(tree):
    """Which room uses which, from the machine upwards. A lower room never includes a header of an upper one, nor uses a
    symbol of one, for instance a function that is declared by hand: symbols are measured on the image's objects. The
    instrument (boot, kernel, pmu, tests) knows no file of the wings reference/ and hosting/, so that it also links
    alone."""
    rooms = {words[0]: words[1:] for words in map(str.split, tree.rows(ROOMS))}
    found = list(included(tree, r"^(boot|kernel|pmu|reference|hosting|tests|tools)/.*\.(c|h|asm|inc|def)$"))
    left_out = upward(tree) | COMPILERS
    objects = [(path.replace("gen/", "obj/"), kind, name) for path, kind, name in tree.symbols("obj", *GENERATED)
               if path.startswith("gen/") or path[len("obj/"):] in tree.known]
    found += [(f"{place_of(user)}:{name}", place_of(user), place_of(definer), False)
              for user, name, definer in uses(objects, ["obj/"]) if name not in left_out]
    for place, file, target, system in found:
        room = longest(rooms, file, "/")
        if not may_use(rooms[room], file, target, system):
            yield f"{place}: {room}/ must not include {target}"
    tree.note = f"{len(found)} includes and symbols keep to their rooms"


# ---- Circles


def groups(edges):
    """Tarjan: for each node its group of nodes that reach each other. edges: node: nodes."""
    number, low, stack, group = {}, {}, [], {}

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in number:
                visit(other)
            if other not in group:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            members = stack[stack.index(node):]
            del stack[-len(members):]
            group.update((member, members) for member in members)

    for node in list(edges):
        if node not in number:
            visit(node)
    return group


def circles(tree):
    """Files do not use each other in circles: they form a ladder, and so do the folders."""
    objects = [(path, kind, name) for path, kind, name in tree.symbols("obj", "tools/obj")
               if re.sub("^(tools/)?obj/", "", path) in tree.known]
    found, up = list(uses(objects, ["obj/", "tools/obj/"])), upward(tree)
    for name in sorted(up - {name for _, name, _ in found}):
        yield f"nobody uses {name} any more: take it off the table"
    found = [use for use in found if use[1] not in up]
    for what, node in (("files", str), ("folders", lambda file: file.rpartition("/")[0] + "/")):
        edges = {}
        for user, name, definer in found:
            if node(user) != node(definer):
                why = edges.setdefault(node(user), {}).setdefault(node(definer), [])
                why.append(name if why else f"{user}: {name}")
        group = groups(edges)
        for user in sorted(edges):
            for definer, why in sorted(edges[user].items()):
                if group[user] is group[definer]:
                    yield f"{what} in a circle of {len(group[user])}: {user} -> {definer}  ({', '.join(why[:5])})"
    tree.note = "no circle between files or folders"


# ---- Privileged instructions


def privileged(tree):
    """A privileged instruction in C is a function of kernel/register/instructions.h, in whose place programs of the
    build machine get tests/host/machine: so host tests can link any file, and a host program that comes to one does not
    link. Files with an instruction of their own have a reason, which a row that is no longer needed has not."""
    files = tree.paths(r"^(boot|kernel|pmu|reference|hosting|tests/harness|tools)/.*\.[ch]$",
                       r"^(reference|hosting)/test/")
    found = set()
    for place, line, _ in tree.matches(
            files, r'\b(rdmsr|wrmsr|rdpmc|cli|sti|hlt|vmrun|vmmcall|invlpg|l[gi]dt|ltr|in[bwl]|out[bwl]|'
            r'mov [^"\n]*cr[0-9])\b.*"'):
        path = place.rpartition(":")[0]
        if "__asm__" in line and path in INSTRUCTIONS:
            found.add(path)
        elif "__asm__" in line:
            yield f"{place}: a privileged instruction outside of kernel/register/instructions.h: {line.strip()}"
    for path in sorted(set(INSTRUCTIONS) - found):
        yield f"{path}: has no privileged instruction any more: take it off the list"
    tree.note = f"{len(files)} files, {len(found)} of them with instructions"


# ---- Functions


def dead(tree):
    """No function that no other file uses: nothing calls it, or only its own file does and it could be static. Measured
    on everything that is built, host tests and fuzz targets included; of fuzz targets that are not, by their text."""
    used, home = set(KEPT), {}
    for path in tree.paths(r"/fuzz_\w+\.c$"):
        used.update(re.findall(r"\w+", tree.text(path)))
    for path, kind, name in tree.symbols(""):
        source = re.sub("^(tools/)?obj/", "", path)
        if kind == "U":
            used.add(name)
        elif kind == "T" and source != path and source in tree.known:
            home[name] = source
    for name in sorted(set(home) - used, key=lambda name: (home[name], name)):
        yield f"{home[name]}: nobody else uses {name}()"
    tree.note = "every function is used, or static"


def starts(text):
    """(address, is it the model's) of each object with code in the linker's map; a long section's name is on a line of
    its own."""
    for address, path in re.findall(r"^ \.text\S*\s+(0x[0-9a-f]+) +0x[0-9a-f]+ (\S+\.o)$", text, re.M):
        yield int(address, 16), bool(re.search(r"/obj/reference/(model|deviations)/", path))


# What the compiler adds to the name of a part or a copy of a function; other names with a point are local labels.
SPLIT_OFF = r"\.(part|constprop|isra|cold)(\.\d+)?"


def code(kernel):
    """(address, label, operation, target) for each label and instruction of a kernel."""
    for line in base.output("objdump", "-d", "-w", "--no-show-raw-insn", kernel).split("\n"):
        label = re.match(r"([0-9a-f]+) <(.*)>:$", line)
        words = line.split()
        if label:
            yield int(label[1], 16), label[2], "", ""
        elif re.match(r" *[0-9a-f]+:", line):
            yield int(words[0][:-1], 16), "", *(words[1:3] + ["", ""])[:2]


def inside(tree):
    """No function that the stepper may call while it is inside has a site (reference/step/trap/sites.h): INT3 there
    would arrive on the stack that holds the program's registers. Followed are direct calls and jumps from the two
    functions in which events arrive, and everything of the model and its deviations, which is called by pointers."""
    kernel = f"{tree.build}/pmucheck.elf"
    symbols = {name: int(address, 16) for address, _, name in
               (line.split() for line in base.output("nm", kernel).split("\n") if line.count(" ") == 2)}
    begins, model = dict(starts(tree.text(f"{tree.build}/gen/pmucheck.elf.map"))), False
    roots, names, owner_of, edges, owner = [symbols["step_event"], symbols["sleep_event"]], {}, {}, {}, 0
    for at, label, operation, target in code(kernel):
        model = begins.get(at, model)
        if label and not label.startswith("..@") and "." not in re.sub(SPLIT_OFF, "", label):
            owner, names[at] = at, label
            roots += [at] if model else []
        if not label:
            owner_of[at] = owner
            if re.match(r"(call|j[a-z]+)$", operation) and re.match("[0-9a-f]+$", target):
                edges.setdefault(owner, []).append(int(target, 16))
    sites = [symbols["image_start"] + int(offset) for offset in
             re.findall(r"^    ([0-9]+),", tree.text(f"{tree.build}/gen/pmucheck.sites.c"), re.M)]
    with_site = {owner_of.get(site) for site in sites}
    by, waiting = dict.fromkeys(roots), list(roots)
    while waiting:
        here = waiting.pop(0)
        if here in with_site:
            way, up = [], by[here]
            while up:
                way, up = way + [names[up]], by[up]
            yield f"{names[here]}() has a site, and may be called inside: by {' '.join(way)}"
        for target in edges.get(here, ()):
            # fatal_fault() ends the run, with the text put back first.
            called = owner_of.get(target)
            if called and called not in by and names.get(called) != "fatal_fault":
                by[called] = here
                waiting.append(called)
    if not sites or len(by) < 300:
        yield f"too little was found: {len(sites)} sites, {len(by)} functions"
    tree.note = f"{len(by)} functions may run inside, none has one of the {len(sites)} sites"
