/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bit 60 of IA32_PERF_GLOBAL_STATUS, ASCI, says that an enclave has run unobserved while counters counted. It exists if
 * SGX is enumerated; software sets and clears it like the bits of counters, without effect on other bits.
 *
 * Whether an enclave sets it is not tested: this image does not create one.
 */
#include "harness/test.h"

static void prepare(struct test *t)
{
    if (!t->caps->sgx)
        skip(t, "CPUID.7.0:EBX[2]=0: no SGX, and so no ASCI");
}

static void asci(struct test *t)
{
    u64 others = caps_counter_bits(t->caps);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, others | STATUS_ASCI);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_ASCI);
    check_bits(t, "not-alone-set", MSR_PERF_GLOBAL_STATUS, others | STATUS_ASCI, STATUS_ASCI);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, others);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_ASCI);
    check_bits(t, "not-alone-cleared", MSR_PERF_GLOBAL_STATUS, others | STATUS_ASCI, others);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, others);
}

TEST("global.asci", .title = "STATUS bit 60 is set and cleared alone",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-023", .needs = NEEDS_VERSION(4),
     .scope = EACH_CPU, .prepare = prepare, .run = asci);
