/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/reload.h"
#include "harness/chapter/alias.h"
#include "harness/test.h"

unsigned exact_counters(const struct test *t, u64 which, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_counter (t, c)
        if (which >> c->bit & 1 && counts_exactly(*c))
            list[n++] = *c;
    return n;
}

void need_reload(struct test *t, u64 which, unsigned least)
{
    struct counter list[COUNTERS_MAX];
    if (!t->caps->reloads)
        skip(t, "CPUID.23H.2 enumerates no counter that can be reloaded (highest leaf 0x%x)", t->caps->max_leaf);
    unsigned exact = exact_counters(t, which, list);
    if (exact < least)
        skip(t, "CPUID.23H.2: counters 0x%lx can be reloaded, by 0x%lx: %u of them count instructions, %u needed",
             t->caps->reloads, t->caps->reload_causes, exact, least);
}

void reload_setup(struct test *t, struct counter counter, u64 events, u64 causes)
{
    pmu_status_clear(caps_counter_bits(t->caps));
    counter_setup(counter, ARCH_EVENT_INSTRUCTIONS, ring_flags(t), counter_preset(counter, events));
    write_msr(t, msr_cfg_c(counter), (u32)-RELOAD_PERIOD);
    write_msr(t, msr_cfg_b(counter), causes);
}

void reload_clear(struct test *t, struct counter counter)
{
    write_msr(t, msr_cfg_b(counter), 0);
    write_msr(t, msr_cfg_c(counter), 0);
    counter_clear(counter);
}

u64 counted_since_reload(struct counter counter)
{
    return (counter_read(counter) + RELOAD_PERIOD) & counter_mask(counter.width);
}

/* Far transfers may be counted more than once, and differently by two counters (SRF7 and its class). */
#define WAY_APART 16

void check_reloaded(struct test *t, struct counter counter, u64 since)
{
    u64 counted = counted_since_reload(counter), most = since + (t->cell.user ? WAY_APART : 0);
    if (check_range(t, "not-reloaded", counted, since / 2, most, counter.msr) && counted <= since)
        measure(t, "counts-lost", "instructions", since - counted);
}
