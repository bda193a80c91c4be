/* What tests of frozen branch records share. All act on the calling CPU, with IA32_DEBUGCTL[0] set. */
#pragma once

#include "harness/running.h"
#include "pmu/lbr.h"

/* Skips the test unless there are branch records whose freezing IA32_PERF_GLOBAL_STATUS[58] tells. */
void need_lbr_freeze(struct test *t);
/* Takes branches; have the records moved? */
bool records_move(void);
