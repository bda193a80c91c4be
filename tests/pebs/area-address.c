/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_DS_AREA holds a linear address: writing one that is not canonical in any paging mode causes a #GP, and the
 * register keeps its value. Counters stand still and nothing samples.
 *
 * With a non-canonical DS area every record would fault in the middle of the assist.
 */
#include "harness/chapter/sampling.h"

static void area_address(struct test *t)
{
    struct ds_area area;
    if (!ds_area_get(t->caps, 0, &area))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    write_msr(t, MSR_DS_AREA, (u64)area.management);
    fault_t fault = wrmsr_try(MSR_DS_AREA, DS_AREA_NOWHERE);
    u64 kept = read_msr(t, MSR_DS_AREA);
    write_msr(t, MSR_DS_AREA, 0);
    check_fault(t, "accepted", fault, FAULT_GP, MSR_DS_AREA);
    check_equal(t, "changed", kept, (u64)area.management, MSR_DS_AREA);
}

TEST("pebs.area-address", .title = "IA32_DS_AREA accepts only canonical addresses",
     .spec = "SDM 2D, WRMSR - Write to Model Specific Register", .needs = {.pebs = true}, .scope = EACH_CPU,
     .run = area_address);
