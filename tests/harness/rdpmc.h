/* SPDX-License-Identifier: BSD-2-Clause */
/* RDPMC at both privilege levels, with programs allowed to use it or not. All act on the calling CPU. */
#pragma once

#include "harness/test.h"

/* Sets CR4.PCE, which lets programs at CPL 3 execute RDPMC; returns what it was. */
bool set_pce(bool allowed);
/* RDPMC of `index` at CPL 3: the fault, or NO_FAULT with the value in *value (left alone on a fault). */
fault_t rdpmc_value_user(u32 index, u64 *value);
/* RDPMC of `index` at CPL 0 reads what RDMSR of the counter reads, in all its bits. Label "differs". */
void check_rdpmc(struct test *t, u32 index, u32 msr);
