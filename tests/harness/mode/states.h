/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the registers of the PMU hold after a state of the machine in which a CPU forgets some of them (option states).
 * They are filled before and compared afterwards. Measured, never judged: SDM 3A, "Processor State After Reset", tells
 * which an INIT keeps, but firmware and trusted execution may be in the way.
 */
#pragma once

#include "boot/bits.h"

bool states_asked(void);
/* Not NULL: the option names a state that does not exist, this one. */
const char *states_unknown(char *text, u32 size);
/*
 * Goes through the states asked for, and logs what they kept. On the boot CPU, on the PMU of the run, before its tests.
 * Returns NULL, or why no test can follow.
 */
const char *states_make(void);
