/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An event that does not occur is not counted. Blocks at CPL 3 have integer instructions only, each store lies at a
 * multiple of its size, one has no store, one no prefetch, and extended page tables are off: so there is no SIMD
 * instruction (C7H), no misaligned store (05H), and so on. Some CPUs count other instructions as SIMD ones (AAJ8), too
 * many as misaligned (AAJ57), MFENCE as a store (AAJ86), misses in tables that do not exist (AAJ90), and locked
 * accesses as prefetches that hit (AAJ147). An event is asked where an event list of the CPU's class has it, or a
 * sheet; the last three where a sheet has them, as later event lists have other events or allow for it.
 */
#include "harness/chapter/probing.h"

PROBE_WORK(stores);
PROBE_WORK(fences);
PROBE_WORK(locked);

static const struct {
    enum erratum_fact_id fact;
    u64 classes;
    struct probe probe;
} events[] = {
    /* SSEX_UOPS_RETIRED on Nehalem, FP_ARITH_INST_RETIRED from Broadwell on: all kinds */
    {FACT_SIMD,
     BIT(CLASS_BROADWELL) | BIT(CLASS_SKYLAKE),
     {"simd", ASPECT_SIMD, stores_work, EVTSEL_EVENT(0xc7) | EVTSEL_UMASK(0x1f), 0}},
    /* MISALIGN_MEM_REF.STORES */
    {FACT_MISALIGNED,
     BIT(CLASS_NEHALEM) | BIT(CLASS_SANDY_BRIDGE) | BIT(CLASS_HASWELL) | BIT(CLASS_BROADWELL),
     {"misaligned", ASPECT_MISALIGNED, stores_work, EVTSEL_EVENT(0x05) | EVTSEL_UMASK(0x02), 0}},
    /* MEM_INST_RETIRED.STORES */
    {FACT_STORES, 0, {"stores", ASPECT_STORES, fences_work, EVTSEL_EVENT(0x0b) | EVTSEL_UMASK(0x02), 0}},
    /* EPT.EPDPE_MISS */
    {FACT_EPT_MISSES, 0, {"ept-misses", ASPECT_EPT_MISSES, stores_work, EVTSEL_EVENT(0x4f) | EVTSEL_UMASK(0x08), 0}},
    /* LOAD_HIT_PRE.SW_PREFETCH */
    {FACT_PREFETCH_HITS,
     0,
     {"prefetch-hits", ASPECT_PREFETCH_HITS, locked_work, EVTSEL_EVENT(0x4c) | EVTSEL_UMASK(0x01), 0}},
};

static bool is_tried(const struct test *t, unsigned which)
{
    const struct erratum_fact *fact = &erratum_facts[events[which].fact];
    bool listed = erratum_listed(fact, t->caps);
    return listed || (erratum_sheet_complete(t->caps) && events[which].classes >> cpu_class(t->caps) & 1);
}

static bool nothing(struct test *t)
{
    for (unsigned which = 0; which < ARRAY_SIZE(events); which++)
        if (is_tried(t, which))
            probe_work(t, &events[which].probe);
    return more_samples(t);
}

static void need_event(struct test *t)
{
    for (unsigned which = 0; which < ARRAY_SIZE(events); which++)
        if (is_tried(t, which))
            return;
    skip(t, "CPUID.1:EAX=0x%08x: no list of its events and errata is at hand", t->caps->signature);
}

TEST("errata.nothing-to-count", .title = "An event that does not occur is not counted",
     .spec = "SDM 3B, Performance Monitoring Events", .needs = {.version = 2, .event = 2}, .scope = EACH_CPU,
     .prepare = need_event, .repeat = nothing);
