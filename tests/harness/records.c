#include "harness/records.h"

#define BRANCHES 37 /* no multiple of how many records there are */

void need_lbr_freeze(struct test *t)
{
    if (!lbr_readable(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no LBRs that IA32_DEBUGCTL[11] freezes", t->caps->perf_capabilities);
}

bool records_move(void)
{
    struct branch_records before, after;
    lbr_read(&before);
    spin(BRANCHES);
    lbr_read(&after);
    return !lbr_same(&before, &after);
}
