# SPDX-License-Identifier: BSD-2-Clause
"""Do walks and tests notice mutants of the model's source? SEED draws MUTANTS of all changes that mutate.awk knows. A
mutant plays the CPU and the good model retells (reference/test/lockstep/mutant.c). Those that no walk notices are
shown to the model's host tests, and what is left gets an image each, whose tests run on several profiles in one boot,
up to the first that fails. build/logs/mutants.txt gets a
line for each mutant as soon as it is decided: its place and change, what noticed it, and the line of the source. Those
that nothing notices are for a reader: such a mutant has no visible effect, or it changes what no manual promises, or it
shows a gap. Another call with that seed, on that commit, goes on where the last one ended.

What does not compile, or to the same object code, is drawn anew and not counted."""

import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys

from runner import serial

from . import base

MUTANTS = base.setting("MUTANTS", 300)  # how many are drawn
WALKS = base.setting("WALKS", 200)  # on each kind of CPU of each profile
CHAPTERS = base.setting("CHAPTERS", "1")  # 0: no tests, only walks
HOST_CC = base.setting("HOST_CC", "gcc")
PLAIN = f"{base.BUILD}/plain"
WORK = f"{base.BUILD}/mutants"
TREE = f"{base.BUILD}/mutants-tree"
RESULT = f"{base.LOGS}/mutants.txt"
UNNOTICED = "unnoticed"
COMPILER = [HOST_CC, "-std=gnu17", "-O2", "-I.", "-Itests", f"-I{PLAIN}/gen"]
PLAYER = f"{PLAIN}/host/obj/reference/test/lockstep/mutant.c.o"
HOST_TESTS = [f"{PLAIN}/host/{os.path.basename(path)[:-2]}" for path in
              sorted(glob.glob("reference/test/model/test_*.c"))]
# What kernels need that are hosted, and no PMU: the local APIC's other registers, frequencies, profiles of guests; and
# what finds a profile by its name.
LEFT_OUT = r"/(profiles|virtual|lapic|clock)\.c$"

# The profiles whose rules the code of a source is for, among others; the first row that fits counts.
PROFILES = (
    ("*/netburst*", "prescott"), ("*/core.c", "prescott"), ("*/memory.c", "prescott,skylake,sandy-bridge"),
    ("*/apebs*", "panther-lake,nova-lake,clearwater-forest"), ("*/trace.c", "skylake,lunar-lake,broadwell"),
    ("*/topdown.c", "ice-lake,sapphire-rapids,lunar-lake"), ("*/alias.c", "lunar-lake,panther-lake,haswell"),
    ("*/pebs*", "nehalem,skylake,ice-lake,sandy-bridge,lunar-lake,penryn"),
    ("*", "skylake,panther-lake,lunar-lake,nehalem,sapphire-rapids,penryn"),
)


def sources():
    found = sorted(glob.glob("reference/model/**/*.c", recursive=True))
    return [path for path in found if not re.search(LEFT_OUT, path)]


def draw(seed):
    """All places, each with one of its changes, in the order in which they are drawn: "FILE:LINE PLACE.CHANGE WHAT"."""
    rows = [row for source in sources() for row in base.awk("mutate", source)]
    rows = base.first_of_each(base.shuffled(rows, seed, "changes"),
                              lambda row: re.match(r"(\S+ \S*?)(\.[0-9]*)?( |$)", row)[1])
    return base.shuffled(rows, seed, "places")


def same(source):
    """The object of the unchanged source."""
    return f"{WORK}/same/{os.path.basename(source)}.o"


def rename(object_file, to):
    subprocess.run(["objcopy", f"--redefine-syms={WORK}/names", object_file, to], check=True)


def copy():
    """The copy of the code that plays the CPU: the model, and the players of walks. Its names begin with mutated_."""
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(f"{WORK}/copy")
    base.must_make(f"{base.LOGS}/mutants-make.log", f"BUILD={PLAIN}", "SANITIZE=", f"{PLAIN}/host/libcode.a", PLAYER)
    parts = [*sources(), *(f"reference/lockstep/{name}.c" for name in
                           ("oracle", "oracle_around", "player", "player_kinds", "promises"))]
    for source in parts:
        if not base.compiled(COMPILER, serial.text_of(source), same(source)):
            sys.exit(f"{source} does not compile")
    symbols = base.output("nm", "--defined-only", "-g", *map(same, parts))
    base.write(f"{WORK}/names", [f"{words[2]} mutated_{words[2]}" for words in map(str.split, symbols)
                                 if len(words) == 3])
    for source in parts:
        rename(same(source), same(source).replace("/same/", "/copy/"))


class Mutant:
    """A change that was drawn, and what noticed it."""

    def __init__(self, number, row):
        self.place, self.change, self.what = row.split(" ", 2)
        self.source, _, self.line = self.place.rpartition(":")
        self.folder, self.noticed = f"{WORK}/{number}", ""
        self.object = f"{self.folder}/{os.path.basename(self.source)}.o"

    def make(self):
        """Compiles it. Does it change the object code?"""
        self.text = "\n".join(base.awk("mutate", self.source, change=self.change)) + "\n"
        return base.compiled(COMPILER, self.text, self.object) and \
            base.bytes_of(self.object) != base.bytes_of(same(self.source))

    def walk(self):
        """Shows it to walks."""
        rename(self.object, self.object)
        others = [path for path in sorted(glob.glob(f"{WORK}/copy/*.o"))
                  if os.path.basename(path) != os.path.basename(self.object)]
        program = f"{self.folder}/mutant"
        subprocess.run([HOST_CC, "-Wl,--gc-sections,-z,muldefs", "-o", program, PLAYER, self.object, *others,
                        f"{PLAIN}/host/libcode.a"], check=True)
        done = subprocess.run([*base.NICE, program, "-w", str(WALKS)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode in (0, 1):
            self.noticed = done.stdout.decode("latin-1").strip()
        else:
            self.noticed = "walks hang" if done.returncode in (142, -14) else "walks crash"
        os.remove(program)

    def test_here(self):
        """Shows it to the model's host tests."""
        there = f"{PLAIN}/host/obj/{self.source}.o"
        shutil.copyfile(there, f"{self.folder}/good.o")
        self.noticed = failed_host_test() if base.compiled(COMPILER, self.text, there) else ""
        shutil.copyfile(f"{self.folder}/good.o", there)

    def test(self):
        """Shows it to tests of the image."""
        shutil.copy(self.source, f"{self.folder}/good.c")
        with open(f"{TREE}/{self.source}", "w", encoding="latin-1") as file:
            file.write(self.text)
        profiles = next(names for pattern, names in PROFILES if fnmatch.fnmatchcase(self.source, pattern))
        # By a check of the link, such as that of instructions.
        self.noticed = failed_tests(profiles) if kernel() else "the build"
        shutil.copyfile(f"{self.folder}/good.c", f"{TREE}/{self.source}")

    def decide(self):
        with open(RESULT, "a", encoding="latin-1") as file:
            file.write(self.told() + "\n")

    def key(self):
        return f"{self.place} {self.change}"

    def told(self):
        line = serial.text_of(self.source).split("\n")[int(self.line) - 1].lstrip(" ")
        return f"{self.key()}: {self.noticed or UNNOTICED} | {self.what} | {line}"


def failed_host_test():
    if not base.make(f"{base.LOGS}/mutants-make.log", f"BUILD={PLAIN}", "SANITIZE=", *HOST_TESTS):
        return "the build of host tests"
    for program in HOST_TESTS:
        try:
            status = subprocess.run([*base.NICE, program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                    timeout=120, check=False).returncode
        except subprocess.TimeoutExpired:
            status = 1
        if status:
            return os.path.basename(program)
    return ""


def copy_tree():
    """A copy of the tree, in which the kernel is built with mutants. What was built is kept but for the model's
    objects, which may be older mutants'."""
    os.makedirs(f"{TREE}/build", exist_ok=True)
    subprocess.run(["tools/check/copy-tree.sh", TREE], check=True)
    shutil.rmtree(f"{TREE}/build/obj/reference/model", ignore_errors=True)


def kernel():
    return base.make(f"{base.LOGS}/mutants-make.log", "-C", TREE, "BUILD=build", "CFLAGS=-O2 -w", "build/pmucheck.elf")


def failed_tests(profiles):
    """What a boot of that kernel fails: "PROFILE TEST", or how the boot ended."""
    log = f"{base.LOGS}/mutants-boot.log"
    status = base.boot(log, REFERENCE="", CPUS=2, MEDIUM="kernel", IMAGE=f"{TREE}/build/pmucheck.elf", SILENCE=60,
                       TIMEOUT=600, OPTIONS=f"reference={profiles} quick failfast lockstep=off after=exit")
    profile = ""
    for line in serial.text_of(log).split("\n") if status else ():
        profile = (re.findall(r"# run pmu=reference:(\S*)", line) or [profile])[0]
        if re.match(" *not ok", line):
            return f"{profile} {line.split()[3]}"
    return f"{profile} ends with status {status}" if status else ""


def decided(head):
    """What is known of the mutants that an earlier call decided: what noticed each, by its key. Another seed's result
    is cleared."""
    lines = serial.lines_of(RESULT) if os.path.exists(RESULT) else []
    if lines[:1] != [head]:
        base.write(RESULT, [head])
    rows = [re.match(r"([^:]*:[^:]*): (.*?) \| ", line) for line in lines if lines[0] == head]
    return {row[1]: row[2].replace(UNNOTICED, "") for row in rows if row}


def tell(by, mutants):
    """Prints how many are noticed."""
    noticed = sum(bool(mutant.noticed) for mutant in mutants)
    print(f"{by}: {len(mutants)} mutants, {100 * noticed / len(mutants):.1f} % noticed", flush=True)


def prove():
    commit = base.output("git", "rev-parse", "HEAD")[0]
    seed = base.setting("SEED", "") or commit
    print(f"seed {seed}", flush=True)
    copy()
    drawn = [Mutant(number, row) for number, row in enumerate(draw(seed)[:2 * MUTANTS], 1)]
    changed = base.several(Mutant.make, drawn)
    mutants = [mutant for mutant, differs in zip(drawn, changed) if differs][:MUTANTS]
    known = decided(f"# seed {seed}, commit {commit}, {WALKS} walks, CHAPTERS={CHAPTERS}")
    for mutant in mutants:
        mutant.noticed = known.get(mutant.key(), "")
    left = [mutant for mutant in mutants if mutant.key() not in known]
    base.several(Mutant.walk, left)
    for mutant in left:
        if mutant.noticed or CHAPTERS == "0":
            mutant.decide()
    tell("by walks", mutants)
    if CHAPTERS != "0":
        test([mutant for mutant in left if not mutant.noticed])
        tell("by walks and tests", mutants)
    print("\n".join(mutant.told() for mutant in mutants if not mutant.noticed))
    return 0


def test(mutants):
    good = failed_host_test()
    if good:
        sys.exit(f"the model itself fails: {good}")
    for mutant in mutants:
        mutant.test_here()
        if mutant.noticed:
            mutant.decide()
    print(f"after host tests {sum(not mutant.noticed for mutant in mutants)} are left", flush=True)
    copy_tree()
    if not kernel():
        sys.exit(serial.text_of(f"{base.LOGS}/mutants-make.log"))
    failed = failed_tests("skylake,prescott")
    if failed:
        sys.exit(f"the model itself fails: {failed}")
    for mutant in mutants:
        if not mutant.noticed:
            mutant.test()
            mutant.decide()
