/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether this machine, or what emulates it, traps as the stepper needs it. */
#pragma once

/* NULL: #DB by TF comes after each instruction, and #BP at each INT3; or what does not (one line). Boot CPU. */
const char *traps_tried(void);
