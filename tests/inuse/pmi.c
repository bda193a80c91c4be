/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bit 63 of IA32_PERF_GLOBAL_INUSE says that somebody uses the performance monitoring interrupt: it is set while an
 * IA32_PERFEVTSELn or a field of IA32_FIXED_CTR_CTRL has its interrupt bit set, whether or not the counter is enabled,
 * or while IA32_PEBS_ENABLE selects a counter for sampling. (One sentence of the manual calls it bit 32; the manual's
 * figure and all known CPUs have it at 63. Bit 32 is fixed counter 0, which is off here.) The manual lists fixed
 * counters 0 to 2 only.
 *
 * "Any one of" also means that with two users the bit stays set when one of them stops and clears with the last: pairs
 * of them are set, and cleared in either order. If the first to stop cleared the bit, a newcomer would take the
 * interrupt while somebody still samples with it.
 */
#include "harness/test.h"

static void check_pmi(struct test *t, const char *label, bool in_use)
{
    check_bit(t, label, MSR_PERF_GLOBAL_INUSE, INUSE_PMI, in_use);
    check_bit(t, "fixed-0-in-use", MSR_PERF_GLOBAL_INUSE, INUSE_FIXED(0), false);
}

/* A user of the interrupt: bits of a register that is otherwise 0. */
struct source {
    const char *label;
    u32 msr;
    u64 bits;
};
#define SOURCES_MOST (GP_COUNTERS_MAX + INUSE_FIXED_NAMED + 64)

/*
 * No record can be written while they are set: counters stand still, nothing is programmed. Only bits that select a
 * counter are tried: bits 32 and up are fixed counters on CPUs where these sample, and something else on others.
 */
static unsigned sampling_sources(const struct test *t, struct source *list)
{
    u64 bits = pebs_counter_bits(t->caps);
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        list[n++] = (struct source){"by-pebs-enable", MSR_PEBS_ENABLE, bits & -bits};
    return n;
}

static unsigned sources(const struct test *t, struct source list[SOURCES_MOST])
{
    unsigned count = 0;
    for_each_gp_counter (t, n)
        list[count++] = (struct source){"by-event-select", MSR_PERFEVTSEL(n), EVTSEL_INT};
    for_each_fixed_counter (t, i)
        if (i < INUSE_FIXED_NAMED)
            list[count++] = (struct source){"by-fixed-control", MSR_FIXED_CTR_CTRL, FIXED_PMI(i)};
    return count + sampling_sources(t, list + count);
}

static void both_and_one(struct test *t, const struct source *goes, const struct source *stays)
{
    u64 left = goes->msr == stays->msr ? stays->bits : 0;
    write_msr(t, stays->msr, stays->bits);
    write_msr(t, goes->msr, goes->bits | left);
    check_pmi(t, "two-users", true);
    write_msr(t, goes->msr, left);
    check_pmi(t, "one-user-left", true);
    write_msr(t, stays->msr, 0);
    check_pmi(t, "still-in-use", false);
}

/* The first and the last of a kind stand for the whole kind. */
static bool ends_a_kind(const struct source *list, unsigned count, unsigned n)
{
    return n == 0 || n == count - 1 || list[n].label != list[n - 1].label || list[n].label != list[n + 1].label;
}

/* Pairs of one kind and pairs of two kinds, in either order. */
static void pairs(struct test *t, const struct source *list, unsigned count)
{
    for (unsigned goes = 0; goes < count; goes++)
        for (unsigned stays = 0; stays < count; stays++)
            if (goes != stays && ends_a_kind(list, count, goes) && ends_a_kind(list, count, stays))
                both_and_one(t, &list[goes], &list[stays]);
}

static void pmi(struct test *t)
{
    struct source list[SOURCES_MOST];
    unsigned count = sources(t, list);
    check_pmi(t, "unused", false);
    for (unsigned n = 0; n < count; n++) {
        write_msr(t, list[n].msr, list[n].bits);
        check_pmi(t, list[n].label, true);
        write_msr(t, list[n].msr, 0);
        check_pmi(t, "still-in-use", false);
    }
    pairs(t, list, count);
}

TEST("inuse.pmi", .title = "INUSE bit 63 shows whether any counter has its interrupt bit set",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-017", .needs = NEEDS_VERSION(4),
     .scope = EACH_CPU, .run = pmi, .aside = ASIDE(AROUND_FROZEN) | ASIDE(AROUND_FREEZING));
