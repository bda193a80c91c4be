#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks that need no machine: tools/check/static.py MODULE.FUNCTION..., as in static.cases. A check is a function of
tools/check/source that yields what is wrong; its comment says what it asks for."""

import importlib
import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.chdir(os.path.join(HERE, "..", ".."))

from source import base  # by the path above


def main():
    tree, status = base.Tree(), 0
    for name in sys.argv[1:]:
        module, _, function = name.partition(".")
        try:
            for finding in getattr(importlib.import_module("source." + module), function)(tree):
                print(finding, flush=True)
                status = 1
        except base.Skip as skip:
            print(skip)
            status = status or 77
        except subprocess.CalledProcessError as failed:  # it has said why
            print(f"{' '.join(failed.cmd[:5])}: exit status {failed.returncode}")
            status = 1
    if tree.note and not status:
        print(tree.note)
    sys.exit(status)


main()
