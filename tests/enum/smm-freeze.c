/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_CAPABILITIES[12] says that the counters can be frozen in system management mode: IA32_DEBUGCTL[14] then
 * keeps what is written to it. On a CPU that claims the one without the other, firmware's work leaks into every
 * measurement.
 */
#include "harness/test.h"

static bool set_and_clear(struct test *t)
{
    u64 found = read_msr(t, MSR_DEBUGCTL);
    write_msr(t, MSR_DEBUGCTL, found | DEBUGCTL_FREEZE_WHILE_SMM);
    check_bit(t, "not-kept", MSR_DEBUGCTL, DEBUGCTL_FREEZE_WHILE_SMM, true);
    write_msr(t, MSR_DEBUGCTL, found);
    return true;
}

TEST("enum.smm-freeze", .title = "The enumerated freeze in SMM can be switched on", .spec = "SDM 3B, IA32_DEBUGCTL MSR",
     .covers = "B-006", .needs = {.version = 2, .smm_freeze = true}, .scope = EACH_CPU, .repeat = set_and_clear);
