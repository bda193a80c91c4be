/* For kernel/register/msr.c: an access begins, and has come back. What the first returns the second is given. */
#pragma once

#include "boot/bits.h"

u64 msr_record_begin(u32 msr, bool write);
void msr_record_end(u64 outer);
