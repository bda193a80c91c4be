/* Branch records that a PMI or software freezes. All act on the calling CPU, while IA32_DEBUGCTL[0] is set. */
#pragma once

#include "harness/test.h"

/* Skips the test unless there are branch records with a top, whose freezing IA32_PERF_GLOBAL_STATUS[58] tells. */
void need_lbr_freeze(struct test *t);
/* Does this class set that bit? */
bool lbr_frz_promised(const struct test *t);
/* Takes branches; have the records moved? */
bool records_move(const struct test *t);
