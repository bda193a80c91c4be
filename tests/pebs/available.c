/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * On CPUs with sampling (IA32_MISC_ENABLE[12] clear, debug store, a known record format), IA32_DS_AREA keeps the linear
 * address that is written to it, and IA32_PEBS_ENABLE can be cleared. Which bits the latter and MSR_PEBS_DATA_CFG keep
 * differs between CPUs: they are noted, with format and record size.
 *
 * If the DS area is not where software put it, records go to somebody else's memory. Nothing counts in this test.
 */
#include "harness/chapter/sampling.h"

static u64 kept(struct test *t, u32 msr, u64 bits)
{
    write_msr(t, msr, bits);
    u64 read = read_msr(t, msr);
    write_msr(t, msr, 0);
    check_equal(t, "not-cleared", read_msr(t, msr), 0, msr);
    return read;
}

static void available(struct test *t)
{
    char subject[32];
    struct ds_area area;
    u64 groups = 0;
    for (unsigned which = 0; which < DS_AREAS; which++) {
        if (!ds_area_get(t->caps, which, &area))
            error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
        write_msr(t, MSR_DS_AREA, (u64)area.management);
        check_equal(t, "area-not-kept", read_msr(t, MSR_DS_AREA), (u64)area.management, MSR_DS_AREA);
    }
    u64 counters = kept(t, MSR_PEBS_ENABLE, pebs_counter_bits(t->caps));
    if (pebs_adaptive(t->caps))
        groups = kept(t, MSR_PEBS_DATA_CFG, PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM | PEBS_DATA_LBR);
    write_msr(t, MSR_DS_AREA, 0);
    format_text(subject, sizeof(subject), "format=%u", pebs_format(t->caps));
    note(t, "pebs", subject, "", "record-bytes=%u trap=%d counters=0x%lx groups=0x%lx",
         pebs_record_size(pebs_format(t->caps), 0), !!(t->caps->perf_capabilities & PERF_CAP_PEBS_TRAP), counters,
         groups);
}

TEST("pebs.available", .title = "IA32_DS_AREA and IA32_PEBS_ENABLE keep what is written to them",
     .spec = "SDM 3B, Debug Store (DS) Mechanism", .covers = "A-024,A-025", .needs = {.pebs = true}, .scope = EACH_CPU,
     .run = available);
