/*
 * Each IA32_PERFEVTSELn is a register of its own: all are given different unit masks, upwards and downwards, and each
 * then reads as it was written last. Nothing counts: the event selects are 0, the counters unclaimed.
 *
 * A stranger that writes them too (firmware in SMI mode, microcode) must do so in each of three rounds of a few
 * microseconds to be mistaken for this.
 */
#include "harness/test.h"
#include "pmu/cpu/class.h"

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

TEST("gp.neighbours", .title = "Writing one IA32_PERFEVTSELn leaves the others alone",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-008", .needs = NEEDS_VERSION(1),
     .scope = EACH_CPU, .run = neighbours);
