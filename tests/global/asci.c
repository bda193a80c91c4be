/*
 * Bit 60 of IA32_PERF_GLOBAL_STATUS, ASCI, tells that an enclave has run unobserved while counters counted. It is there
 * where SGX is enumerated, and is set and cleared by software as the bits of counters are, alone.
 *
 * That an enclave sets it would need one, which this image does not build.
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
