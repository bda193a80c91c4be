#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Pages that are made from programs and sources.

    tools/docs/pages.py [--check]            renews the short lists in README.md and the guides, between the markers
                                             "<!-- NAME begin -->" and "<!-- NAME end -->"; or checks that they are up
                                             to date, that the long ones can be made, and that all links lead somewhere
    tools/docs/pages.py made DIRECTORY       writes the pages that have long lists, for which the tree's copies have
                                             "<!-- NAME made -->", with these lists, in their places below DIRECTORY
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

LINKING = r"^((README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|docs/[^/]*\.md|(hosting|tools/(lava|pmucheck))/README\.md)$"


def filled(tree, text):
    """A text with its short lists made anew."""
    for name in re.findall(r"^<!-- ([a-z]*) begin -->$", text, re.M):
        new = lists.LISTS[name](tree).rstrip("\n")
        text = re.sub(rf"(?ms)(^<!-- {name} begin -->\n).*?(^<!-- {name} end -->$)",
                      lambda found, new=new: f"{found[1]}{new}\n{found[2]}", text)
    return text


def made(tree):
    """(path, text) of each page that has long lists, with them."""
    for path in tree.paths(LINKING):
        text = tree.text(path)
        if re.search(r"^<!-- [a-z]* made -->$", text, re.M):
            yield path, re.sub(r"(?m)^<!-- ([a-z]*) made -->$",
                               lambda found: lists.LISTS[found[1]](tree).rstrip("\n"), text)


def settle(tree, path, new, check):
    """Checks or renews one file. False: it is old."""
    if tree.text(path) == new:
        return True
    if check:
        print("\n".join(difflib.unified_diff(tree.lines(path), new.split("\n"), path, "now", lineterm="")))
        print(f"{path} is not what the build says; 'make docs' builds and renews it")
        return False
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(new)
    print(f"{path}: renewed")
    return True


def dead_links(path, text):
    """Every file that a page links to must exist; ../../actions is a page of the public host."""
    for target in re.findall(r'\]\(([^)#]+)|src="([^"]+)', text):
        target = "".join(target)
        if not re.match(r"https?:|\.\./\.\./actions/", target) and not os.path.exists(
                os.path.join(os.path.dirname(path), target)):
            print(f"{path}: there is no {target}")
            yield target


def renewed(tree, check):
    """Renews or checks the tree's pages. False: one is old, or has a link to nothing."""
    good = [settle(tree, path, filled(tree, tree.text(path)), check) for path in tree.paths(LINKING)]
    tree = base.Tree()
    pages = {**{path: tree.text(path) for path in tree.paths(LINKING)}, **dict(made(tree))}
    return all(good) and not [link for page in pages.items() for link in dead_links(*page)]


def main(words):
    tree = base.Tree()
    if words in ([], ["--check"]):
        return 0 if renewed(tree, bool(words)) else 1
    if words[:1] == ["made"]:
        for path, text in made(tree):
            os.makedirs(os.path.join(words[1], os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(words[1], path), "w", encoding="latin-1") as file:
                file.write(text)
    elif words[:1] == ["labels"]:
        print(labels.page(tree, words[1]))
    elif words[:1] == ["licences"]:
        licences.write(words[1])
    elif words[:1] == ["rooms"]:
        with open(words[1], "w", encoding="ascii") as file:
            file.write(rooms.picture(tree))
    else:
        sys.exit(__doc__)
    return 0


sys.exit(main(sys.argv[1:]))
