# SPDX-License-Identifier: BSD-2-Clause
"""The runner of all checks: reads tables of cases, chooses among them, runs them and counts.

From the bottom: tree (files, their content, what changed), serial (lines of a log), table (cases), choose (which run
now), job (processes and their ends), results (lines, count, JUnit), machine (QEMU), trial (one case), main (commands).
"""
