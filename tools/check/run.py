#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs all checks, and single ones: tools/check/run.py --help"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.chdir(os.path.join(HERE, "..", ".."))

from runner import main  # by the path above

main.begin()
