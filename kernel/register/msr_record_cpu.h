/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An access begins, which is announced if somebody asked for that (msr_access_begins), and has ended. The second takes
 * the first one's result.
 */
#pragma once

#include "boot/bits.h"

u64 msr_access_begin(u32 msr, bool write);
u64 msr_record_begin(u32 msr, bool write);
void msr_record_end(u64 outer);
