# SPDX-License-Identifier: BSD-2-Clause
"""Checks of the sources and of what is built from them: base (a tree), texts (lines of files), lists (tables against
what they are about), graph (which file uses which), history (commits, versions, releases), gate (ways around the write
gate), programs (other programs' opinions). planted.py shows each of them faults."""
