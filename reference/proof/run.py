#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs a proof: reference/proof/run.py prove | prove-benign | prove-excuses | tests | mutants | noticed | soak
[DEFECT] | nightly. Their files, of which __init__.py tells, say what they do and by which variables."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0:1] = [os.path.dirname(HERE), os.path.join(HERE, "..", "..", "tools", "check")]
os.chdir(os.path.join(HERE, "..", ".."))

from proof import base, copies, mutants, nightly, parts, soak, walks  # by the path above

PROOFS = {"tests": copies.prove, "mutants": mutants.prove, "noticed": walks.prove, "soak": soak.prove,
          "nightly": nightly.prove}
PROOFS.update({what: parts.prove for what in ("prove", "prove-benign", "prove-excuses")})
if len(sys.argv) < 2 or sys.argv[1] not in PROOFS:
    sys.exit(__doc__)
os.makedirs(base.LOGS, exist_ok=True)
proof = PROOFS[sys.argv[1]]
sys.exit(proof(sys.argv[1]) if proof is parts.prove else proof(*sys.argv[2:]))
