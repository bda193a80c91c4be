# SPDX-License-Identifier: BSD-2-Clause
"""The kinds of cases: a file for each, whose try_case(trial) boots or runs a case and says what is wrong."""
