# SPDX-License-Identifier: BSD-2-Clause
"""Commits, and what is made from a tree's history: versions, releases. Small git trees show them."""

import os
import re
import shutil
import subprocess
import tempfile

from . import base

MOST = 72  # columns of a commit's subject


def subjects(tree):
    """Subjects of commits have at most 72 columns: those that the upstream branch lacks, or else the last 20."""
    if subprocess.run(["git", "rev-parse", "-q", "--verify", "HEAD"], capture_output=True, check=False).returncode:
        raise base.Skip("no git history: there are no subjects")
    new = subprocess.run(["git", "rev-list", "--count", "@{upstream}..HEAD"], capture_output=True,
                         check=False).stdout.decode().strip()
    lines = base.output("git", "log", "--format=%h %s", "-n", new if new.strip("0") else "20").splitlines()
    yield from too_long(lines)
    tree.note = f"{len(lines)} subjects"


def too_long(lines):
    for line in lines:
        name, _, subject = line.partition(" ")
        if len(subject) > MOST:
            yield f"{name}: {len(subject)} columns, and at most {MOST} are allowed: {subject}"


class Small:
    """A small git tree with copies of some files, in a folder that is removed. Git reads nothing of the user's."""

    def __init__(self, *files):
        self.folder = tempfile.mkdtemp()
        self.tree = f"{self.folder}/tree"
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("GIT_DIR", "GIT_WORK_TREE")}
        self.environment.update(
            HOME=self.folder, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b.invalid",
            GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b.invalid", BUILD=f"{self.folder}/build")
        self.call("git", "init", "-q", "-b", "main", self.tree)
        for file in (".gitattributes", *files):
            os.makedirs(os.path.dirname(f"{self.tree}/{file}"), exist_ok=True)
            shutil.copy(file, f"{self.tree}/{file}")
        self.write("CHANGELOG.md", "# Changes\n\n")
        self.commit("first")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def call(self, *words, **settings):
        """(exit status, what a program prints on both streams)"""
        done = subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**self.environment, **settings}, check=False)
        return done.returncode, done.stdout.decode().rstrip("\n")

    def git(self, *words, where="tree"):
        return self.call("git", "-C", f"{self.folder}/{where}", *words)[1]

    def write(self, file, text, how="w"):
        with open(f"{self.tree}/{file}", how, encoding="ascii") as to:
            to.write(text)

    def commit(self, *names):
        """Changes a file for each subject, and commits all."""
        for name in names:
            self.write("file", name + "\n", "a")
            self.git("add", "-A")
            self.git("commit", "-q", "-m", name)

    def heading(self, version, date, text="- something\n", instead=None):
        """Commits this heading on top of CHANGELOG.md, or in the place of another version's."""
        with open(f"{self.tree}/CHANGELOG.md", encoding="ascii") as file:
            old = file.read().partition("\n\n")[2]
        if instead:
            old = re.sub(rf"(?s)^## {re.escape(instead)} .*?(?=^## |\Z)", "", old, count=1, flags=re.M)
        self.write("CHANGELOG.md", f"# Changes\n\n## {version} ({date})\n\n{text}{old}")
        self.commit("release " + version)


# ---- tools/version.sh


def told(small, seen, expected, where="tree", *option):
    """A version, or what an option prints, must be this; G stands for the commit's first seven digits."""
    found = small.call(f"{small.folder}/{where}/tools/version.sh", *option)[1]
    seen += [found] if re.match(r"[0-9]+\.[0-9]+\.[0-9]+(\+[0-9].*)?$", found) and found not in seen else []
    if found != expected.replace("G", small.git("rev-parse", "HEAD")[:7]):
        yield f"{where}: {found}, expected {expected}"


def releases_and_commits(small, seen):
    """Successive commits of a tree without tags, before and after a release."""
    yield from told(small, [], "0+0.gG")
    small.heading("0.1.0", "2026-01-01")
    yield from told(small, seen, "0.1.0")
    for number, count in ((1, 1), (2, 1), (10, 8)):
        small.commit(*("more",) * count)
        yield from told(small, seen, f"0.1.0+{number}.gG")
    small.write("file", "more\n", "a")
    yield from told(small, seen, "0.1.0+10.gG.dirty")
    small.commit("eleven")
    yield from told(small, seen, "0.1.0+11.gG")
    small.heading("0.2.0", "not yet released")
    yield from told(small, seen, "0.1.0+12.gG")
    small.heading("0.2.0", "2026-01-03", instead="0.2.0")
    for option in ((), ("--release",)):
        yield from told(small, seen, "0.2.0", "tree", *option)
    yield from told(small, seen, small.git("rev-parse", "HEAD")[:12], "tree", "--commit")


def clones(small, seen):
    """A tag changes nothing: a clone without it tells the same. A clone of the last commit alone does not make up a
    count; one that git does not read, as a stranger's, is told."""
    small.git("clone", "-q", ".", "../untagged")
    for tag in ("v0.2.0", "v9.0.0-test"):
        small.git("tag", tag)
    for where in ("tree", "untagged"):
        yield from told(small, seen, "0.2.0", where)
    small.commit("later")
    small.git("pull", "-q", "--no-tags", where="untagged")
    for where in ("tree", "untagged"):
        yield from told(small, seen, "0.2.0+1.gG", where)
    small.git("clone", "-q", "--depth", "1", "--no-tags", f"file://{small.tree}", "../shallow")
    yield from told(small, seen, "0.2.0+shallow.gG", "shallow")
    small.git("clone", "-q", ".", "../unread")
    os.remove(f"{small.folder}/unread/.git/HEAD")
    if "git cannot read this clone" not in small.call(f"{small.folder}/unread/tools/version.sh")[1]:
        yield "nothing tells that git cannot read a clone"


def archives(small, seen):
    """An archive, of a tagged tree and of another; a copy that is neither."""
    for name, expected in (("tree", "0.2.0+1.gG"), ("untagged", "0.2.0+archive.gG")):
        os.mkdir(f"{small.folder}/of-{name}")
        small.call("sh", "-c", f"git -C {name} archive HEAD | tar -C of-{name} -xf -")
        yield from told(small, seen, expected, f"of-{name}")
    yield from told(small, seen, small.git("log", "-1", "--format=%ct"), "of-tree", "--time")
    small.git("clone", "-q", ".", "../copy")
    shutil.rmtree(f"{small.folder}/copy/.git")
    yield from told(small, seen, "0.2.0+unknown", "copy")
    yield from told(small, seen, "unknown", "copy", "--commit")


def versions(tree):
    """What tools/version.sh prints, and that dpkg sorts the versions of successive commits and releases."""
    seen = []
    with Small("tools/version.sh", "tools/build/archive.txt") as small:
        for part in (releases_and_commits, clones, archives):
            yield from part(small, seen)
        small.heading("0.10.0", "2026-01-04")
        yield from told(small, seen, "0.10.0")
        for one, other in zip(seen, seen[1:]) if shutil.which("dpkg") else ():
            if small.call("dpkg", "--compare-versions", one, "lt", other)[0]:
                yield f"dpkg: {one} is not before {other}"
    tree.note = f"{len(seen)} versions, in this order: {' '.join(seen)}"


# ---- tools/release.sh


def results(small, total="9 passed, 0 failed, 0 skipped", nightly=""):
    """The results of make test, make prove and make nightly on this commit."""
    of = small.call(f"{small.tree}/tools/version.sh", "--commit")[1]
    os.makedirs(f"{small.folder}/build/logs", exist_ok=True)
    files = {"logs/test.txt": f"commit={of} {total}",
             "nightly.md": f"commit={of if nightly else 0} image=1a state={nightly or 'whole failed=0'}"}
    for what in ("prove", "prove-benign", "prove-excuses", "prove-labels"):
        files.update({f"{what}.txt": f"pmucheck commit={of}"})
    for file, text in files.items():
        small.write(f"../build/{file}", text + "\n")


def dry_run(small, status, text, **settings):
    """The checklist ends with this status, its first line has this text, and there is no other."""
    settings = {"SIGN_KEY": f"{small.folder}/key", **settings}
    found, lines = small.call(f"{small.tree}/tools/release.sh", "--dry-run", **settings)
    if found != status or text not in lines.split("\n")[0] or lines.count("\n") != status:
        yield f"expected, with status {status}: {text}; there is, with status {found}: {lines}"


def releases(tree):
    """The checklist of a release, tools/release.sh --dry-run: each thing that is missing is named, alone, and nothing
    is missing when all is there."""
    ready = "nothing is missing for release "
    with Small("tools/version.sh", "tools/build/archive.txt", "tools/release.sh", "tools/dist.sh") as small:
        small.write("../key", "key\n")
        small.heading("0.1.0", "2026-01-01")
        results(small)
        yield from dry_run(small, 0, "/build/nightly.md is not of this commit")
        for state in ("whole failed=0", "not-whole failed=2"):
            results(small, nightly=state)
            yield from dry_run(small, 0, f"make nightly: {state}")
        for key, text in (("", "SIGN_KEY names no key"), ("/no/such/key", "/no/such/key cannot be read"),
                          (small.folder, f"{small.folder} cannot be read")):
            yield from dry_run(small, 1, text, SIGN_KEY=key)
        status, text = small.call(f"{small.tree}/tools/release.sh", "--dryrun")
        if not status or not re.search("^usage: ", text, re.M):
            yield f"a misspelt option is not told, or makes a release: {text}"
        yield from of_results(small)
        yield from of_headings(small, ready)
        yield from of_tags(small, ready)
        yield from of_trees(small)
    tree.note = "each thing that is missing is named"


def of_results(small):
    results(small, "9 passed, 1 failed, 0 skipped")
    yield from dry_run(small, 1, "make test: 9 passed, 1 failed, 0 skipped: mend what failed")
    for file, text in (("logs/test.txt", "make test has not run on commit"),
                       ("prove-benign.txt", "prove-benign.txt is not of commit")):
        results(small)
        os.remove(f"{small.folder}/build/{file}")
        yield from dry_run(small, 1, text)
    results(small)
    small.git("switch", "-q", "-c", "other")
    yield from dry_run(small, 1, "this is other: a release is made on main")
    small.git("switch", "-q", "main")


def of_headings(small, ready):
    small.commit("later than the release")
    results(small)
    yield from dry_run(small, 1, "CHANGELOG.md: 0.1.0 (2026-01-01) is the newest entry, and this is 0.1.0+1.g")
    for date, text, status, line in (
            ("not yet released", "- something\n", 1, 'CHANGELOG.md: "0.2.0 (not yet released)" has no date'),
            ("2026-01-02", "", 1, 'CHANGELOG.md: the entry "0.2.0 (2026-01-02)" is empty'),
            ("2026-01-03", "- something\n", 0, ready + "0.2.0")):
        small.heading("0.2.0", date, text, instead="0.2.0")
        results(small)
        yield from dry_run(small, status, line)


def of_tags(small, ready):
    """A tag that someone moved: the version is told from it, and the heading contradicts it."""
    elsewhere = small.git("commit-tree", "-m", "elsewhere", "HEAD^{tree}")
    for at, status, text in (("HEAD", 0, ready + "0.2.0"), ("HEAD~1", 1, "and this is 0.2.0+1.g"),
                             (elsewhere, 1, "the tag v0.2.0 is another commit's")):
        small.git("tag", "-f", "v0.2.0", at)
        yield from dry_run(small, status, text)
    small.git("tag", "-d", "v0.2.0")


def of_trees(small):
    small.write("forgotten", "more\n")
    results(small)
    status, text = small.call(f"{small.tree}/tools/release.sh", "--dry-run")
    if not status or "there are changes that no commit has" not in text:
        yield f"a changed tree may be released: {text}"
    shutil.rmtree(f"{small.tree}/.git")
    status, text = small.call(f"{small.tree}/tools/release.sh", "--dry-run")
    if not status or text != "git reads no clone here: a release is made in one":
        yield f"sources without git may be released: {text}"
