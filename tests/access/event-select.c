/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of IA32_PERFEVTSELn that every version has, event, unit mask, USR, OS, edge, INT, EN, INV and counter
 * mask, hold what is written to them, bit by bit. Pin control, AnyThread and the upper half may differ between
 * generations: the log shows for all 64 bits which are kept, dropped or fault. Judged are the fields above and those
 * that CPUID leaf 23H enumerates: the second unit mask, EQ, and the bit that hides a counter from RDPMC. Bits that no
 * version defines are reserved and fault, which is judged on classes of which a dump shows it.
 *
A write that faults claims no counter.
 *
 * GLOBAL_CTRL is 0, so the enable bit starts nothing.
 */
#include "harness/test.h"

#define NEVER_DEFINED MASK(63, 48)

static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_equal(t, "claimed-by-refused-write", walk->claimed, 0, msr);
    check_kept(about(t, ASPECT_EVENT_SELECT), "defined-bit-lost", msr, walk, EVTSEL_DEFINED);
    if (caps_evtsel_more(t->caps))
        check_kept(about(t, ASPECT_EVENT_SELECT), "enumerated-bit-lost", msr, walk, caps_evtsel_more(t->caps));
    if (reserved_bits_judged(t->caps))
        check_faulting(t, "reserved-accepted", msr, walk, NEVER_DEFINED);
}

static void event_select(struct test *t)
{
    walk_family(t, MSR_PERFEVTSEL(0), t->caps->gp_bitmap, 0, judge);
}

TEST("access.event-select", .title = "Every defined bit of IA32_PERFEVTSELn holds what is written",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-013,A-042,A-044,A-055,B-008",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .run = event_select, .measures = true);
