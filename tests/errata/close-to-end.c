/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI comes when a counter overflows, not when software writes a large value to it. Fixed counter 2 has its interrupt
 * bit set, counts nothing as IA32_PERF_GLOBAL_CTRL is 0, and is written with a value of its last 63. On Sandy Bridge
 * and Ivy Bridge this may raise a PMI (BJ77).
 */
#include "harness/chapter/probing.h"

#define FROM_THE_END 32

static bool close_to_end(struct test *t)
{
    struct counter c = fixed_counter(t->caps, FIXED_REF_CYCLES);
    pmi_listen(PMI_FIXED, PMI_ACK);
    write_msr(t, MSR_FIXED_CTR_CTRL, FIXED_OS(FIXED_REF_CYCLES) | FIXED_PMI(FIXED_REF_CYCLES));
    write_msr(t, c.msr, counter_preset(c, FROM_THE_END));
    u32 came = pmi_settled();
    pmi_close();
    check_equal(about(t, ASPECT_WRITE_SILENT), "pmi", came, 0, c.msr);
    check_bits(t, "overflow-bit", MSR_PERF_GLOBAL_STATUS, STATUS_FIXED(FIXED_REF_CYCLES), 0);
    counter_clear(c);
    return more_slow_samples(t);
}

static void need_counter(struct test *t)
{
    if (!(t->caps->fixed_bitmap >> FIXED_REF_CYCLES & 1))
        skip(t, "CPUID.0AH:EDX=0x%08x: no fixed counter 2", t->caps->leaf0a.edx);
}

TEST("errata.close-to-end", .title = "A value close to its end, written to fixed counter 2, raises no PMI",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2",
     .needs = {.version = 2, .fixed = true, .apic = true, .probe = true, .told = 1 + FACT_WRITE_RAISES},
     .scope = EACH_CPU, .prepare = need_counter, .repeat = close_to_end);
