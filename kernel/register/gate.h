/*
 * The write gate, as the runtime sees it: one question before each write, which the rooms above answer (pmu/gate). What
 * is linked without an answer does not link.
 */
#pragma once

#include "boot/bits.h"

/* True if `value` may be written to `msr` now, on the calling CPU; else *rule names what forbids it. */
bool gate_asked(u32 msr, u64 value, const char **rule);
