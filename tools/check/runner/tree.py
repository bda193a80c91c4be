# SPDX-License-Identifier: BSD-2-Clause
"""The tree's files: which there are, a sum of their content, and what a change touches."""

import fnmatch
import functools
import hashlib
import os
import subprocess

BUILT = ("build", ".git")


def git(*words):
    """Prints of a git command as a list of words that NUL or a newline ends; None: no git, or it failed."""
    try:
        done = subprocess.run(("git", *words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    text = done.stdout.decode("utf-8", "surrogateescape")
    return [word for word in text.replace("\0", "\n").split("\n") if word]


@functools.lru_cache(maxsize=None)
def files():
    """All paths of the tree, sorted: those that git tracks or would add; without git, all but what was built."""
    known = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    if known is None:
        known = []
        for folder, folders, names in os.walk("."):
            folders[:] = [name for name in folders if name not in BUILT and not name.startswith("build-")]
            known += [os.path.relpath(os.path.join(folder, name)) for name in names]
    return sorted(path for path in known if os.path.isfile(path))


def concerned(path, places):
    """Is the path one of these places: a file, a folder with all below it, or a pattern with "*"?"""
    return any(
        fnmatch.fnmatchcase(path, place) if "*" in place else path == place or path.startswith(place + "/")
        for place in places
    )


@functools.lru_cache(maxsize=None)
def _sum_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).digest()


@functools.lru_cache(maxsize=None)
def content(places):
    """A number that changes with the content of the files of these places (a tuple), and with nothing else."""
    total = hashlib.sha256()
    for path in files():
        if concerned(path, places):
            total.update(path.encode("utf-8", "surrogateescape") + b"\0" + _sum_of(path))
    return int.from_bytes(total.digest()[:8], "big")


@functools.lru_cache(maxsize=None)
def changed():
    """The paths that this tree changes: since it left origin/main, or else since the commit before; none, if no
    history tells."""
    head = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "origin/main")
    if base is None or base == head:
        base = git("rev-parse", "--verify", "HEAD^")
    if not base:
        return frozenset()
    touched = git("diff", "-z", "--name-only", base[0]) or []
    return frozenset(touched + (git("ls-files", "-z", "--others", "--exclude-standard") or []))
