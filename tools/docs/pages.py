#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Pages that are made from programs and sources.

    tools/docs/pages.py [--check]            renews the pages that are lists, and the lists in README.md and the guides,
                                             between the markers "<!-- NAME begin -->" and "<!-- NAME end -->"; or
                                             checks that they are up to date, and that all links lead somewhere
    tools/docs/pages.py labels ROOT          prints a table from labels to their files; ROOT leads to the sources
    tools/docs/pages.py licences DIRECTORY   what of the published files comes from other projects
    tools/docs/pages.py rooms OUTPUT.svg     draws the rooms of the tree
"""

import difflib
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0:1] = [os.path.dirname(HERE), os.path.join(HERE, "..", "check")]
os.chdir(os.path.join(HERE, "..", ".."))

from docs import labels, licences, lists, rooms  # by the path above
from source import base

MADE = r"^(README\.md|docs/[^/]*\.md|hosting/README\.md)$"
LINKING = r"^((README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|docs/[^/]*\.md|(hosting|tools/lava)/README\.md)$"


def filled(tree, text):
    """A text with its lists made anew."""
    for name in re.findall(r"^<!-- ([a-z]*) begin -->$", text, re.M):
        new = lists.LISTS[name](tree).rstrip("\n")
        text = re.sub(rf"(?ms)(^<!-- {name} begin -->\n).*?(^<!-- {name} end -->$)",
                      lambda found, new=new: f"{found[1]}{new}\n{found[2]}", text)
    return text


def settle(tree, path, new, check):
    """Checks or renews one file. False: it is old."""
    if tree.text(path) == new:
        return True
    if check:
        print("\n".join(difflib.unified_diff(tree.lines(path), new.split("\n"), path, "now", lineterm="")))
        print(f"{path} is old; 'make docs' renews it")
        return False
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(new)
    print(f"{path}: renewed")
    return True


def dead_links(tree):
    """Every file that the texts link to must exist; ../../actions is a page of the public host."""
    for path in tree.paths(LINKING):
        for target in re.findall(r'\]\(([^)#]+)|src="([^"]+)', tree.text(path)):
            target = "".join(target)
            if not re.match(r"https?:|\.\./\.\./actions/", target) and not os.path.exists(
                    os.path.join(os.path.dirname(path), target)):
                yield f"{path}: there is no {target}"


def main(words):
    tree = base.Tree()
    if words[:1] == ["labels"]:
        print(labels.page(tree, words[1]))
    elif words[:1] == ["licences"]:
        licences.write(words[1])
    elif words[:1] == ["rooms"]:
        with open(words[1], "w", encoding="ascii") as file:
            file.write(rooms.picture(tree))
    elif words in ([], ["--check"]):
        made = [(path, filled(tree, tree.text(path))) for path in tree.paths(MADE, "|".join(lists.PAGES))]
        made += [(path, page(tree)) for path, page in lists.PAGES.items()]
        good = [settle(tree, path, new, bool(words)) for path, new in made]
        links = list(dead_links(base.Tree()))
        print("\n".join(links), end="\n" if links else "")
        return 0 if all(good) and not links else 1
    else:
        sys.exit(__doc__)
    return 0


sys.exit(main(sys.argv[1:]))
