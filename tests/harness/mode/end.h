/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of the image's life: the machine as it was found, and the verdict. */
#pragma once

#include "harness/report/report.h"

/* Restores the machine's own PMU as far as each CPU can; registers that it cannot restore are listed, not judged.
 * Nothing is done while another PMU is in its place. */
void end_hand_back(void);
/* Adds what went wrong outside of tests to *totals, ends the log and the screen with the verdict, and leaves the
 * machine as the option after= says. */
_Noreturn void end_log(struct totals *totals);
