/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each IA32_PERFEVTSELn is a separate register: all are written with different unit masks, in rising and falling order,
 * and each then reads as last written. Nothing counts: the event is 0, the counters unclaimed.
 *
 * Other agents that write them too (firmware in SMI mode, microcode) would have to do so in each of three rounds of a
 * few microseconds to be mistaken for a failure.
 */
#include "harness/test.h"

#define ROUNDS 3

struct mismatch {
    u32 msr;
    u64 got, want;
};

static u64 own(unsigned n)
{
    return EVTSEL_UMASK(n + 1);
}

static bool differs(struct test *t, struct mismatch *found)
{
    for_each_gp_counter (t, n) {
        if (!class_evtsel_reads_back(t->caps, n))
            continue;
        *found = (struct mismatch){MSR_PERFEVTSEL(n), read_msr(t, MSR_PERFEVTSEL(n)), own(n)};
        if (found->got != found->want)
            return true;
    }
    return false;
}

static bool one_round(struct test *t, struct mismatch *found)
{
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PERFEVTSEL(n), own(n));
    bool wrong = differs(t, found);
    for (unsigned i = t->caps->gp_count; i--;) {
        unsigned n = caps_gp_index(t->caps, i);
        write_msr(t, MSR_PERFEVTSEL(n), own(n));
    }
    return wrong || differs(t, found);
}

static void neighbours(struct test *t)
{
    struct mismatch found = {0};
    bool wrong = true;
    for (unsigned i = 0; wrong && i < ROUNDS; i++)
        wrong = one_round(t, &found);
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PERFEVTSEL(n), 0);
    check_equal(t, "another-written", found.got, found.want, found.msr);
}

TEST("gp.neighbours", .title = "Writing one IA32_PERFEVTSELn does not change the others",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-008", .needs = NEEDS_VERSION(1),
     .scope = EACH_CPU, .run = neighbours);
