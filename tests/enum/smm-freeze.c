/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_CAPABILITIES[12] says that the counters can be frozen in system management mode: IA32_DEBUGCTL[14] then
 * keeps what is written to it. On a CPU that claims the one without the other, firmware's work leaks into every
 * measurement.
 */
#include "harness/need.h"

static bool set_and_clear(struct test *t)
{
    u64 found = read_msr(t, MSR_DEBUGCTL);
    write_msr(t, MSR_DEBUGCTL, found | DEBUGCTL_FREEZE_WHILE_SMM);
    check_bit(t, "not-kept", MSR_DEBUGCTL, DEBUGCTL_FREEZE_WHILE_SMM, true);
    write_msr(t, MSR_DEBUGCTL, found);
    return true;
}

static void need_smm_freeze(struct test *t)
{
    need_capabilities(t);
    if (!(t->caps->perf_capabilities & PERF_CAP_FREEZE_WHILE_SMM))
        skip(t, "IA32_PERF_CAPABILITIES[12]=0 (0x%lx): no freeze in SMM", t->caps->perf_capabilities);
}

TEST("enum.smm-freeze", .title = "The enumerated freeze in SMM can be switched on", .spec = "SDM 3B, IA32_DEBUGCTL MSR",
     .covers = "B-006", .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .prepare = need_smm_freeze,
     .repeat = set_and_clear);
