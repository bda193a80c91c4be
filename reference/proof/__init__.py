# SPDX-License-Identifier: BSD-2-Clause
"""The proofs: parts (each defect is caught), labels (the permanent list against what a proof found), copies (weakened
tests are noticed), mutants (of the model), walks and soak (what else notices a defect), nightly (all of one commit, in
shares). From base they have boots, draws and compilers; what reads logs and sources line by line are the awk
programs."""
