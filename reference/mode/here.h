/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Proven here: before the machine's own PMU is judged, a PMU like it is put under this very CPU, with some dozens of
 * defects one after another, and the tests have to notice them. What a defect should make fail and did not is in doubt
 * on this machine, so its test is up for review. Nothing of the machine's own PMU is written meanwhile, but for
 * IA32_PERF_GLOBAL_CTRL, which is 0 and then as it was.
 */
#pragma once

#include "harness/mode/session.h"

/*
 * Does that by the option prove-here=, without which it is done on hardware alone, and logs
 *   # proven-here profile=skylake own=yes defects=40 caught=40 checks=310 left=120
 * with how many defects were shown and noticed, how many checks failed by them, and for how many other checks there was
 * a defect but no time; or why it could not be done. A line for each check that should have failed and did not.
 */
void here_prove(const struct session *session);
/* Raises the outcome of a test on the machine's own PMU, if a check of it was not seen to fail here. */
void here_doubt(const struct test_declaration *test, struct folded *folded);
