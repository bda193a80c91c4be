/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS_SET sets exactly the written bits of IA32_PERF_GLOBAL_STATUS, and
 * IA32_PERF_GLOBAL_STATUS_RESET clears exactly the written ones: judged for the overflow bits of all counters, each
 * alone, each left out, two by two, and in sets that are drawn, beside others that are set or clear.
 *
 * Bits of features can be set, cannot be set, or fault, depending on model, microcode and what firmware has enabled.
 * For each bit it is measured whether it could be set and cleared again, or faulted, and how many bits the two write
 * registers show when read. In any case such a bit belongs to no counter: judged is that none of them sets or clears an
 * overflow bit, and that a bit which can be set and cleared alone can be so among others. Otherwise a handler that
 * acknowledges a full buffer would lose a counter's overflow. Clearing other bits has set CTR_FRZ again on Skylake: of
 * that bit it is only judged that it can be set.
 */
#include "harness/test.h"

static const unsigned features[] = {48, 55, 58, 59, 60, 61, 62};

#define DRAWN 12

/* Sets some bits, and others beside them; then clears the first. */
static void exactly(struct test *t, u64 all, u64 some, u64 others)
{
    u64 judged = all & ~STATUS_CTR_FRZ;
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, some);
    check_bits(t, "not-exactly-set", MSR_PERF_GLOBAL_STATUS, judged, some & judged);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, others);
    check_bits(t, "not-exactly-set", MSR_PERF_GLOBAL_STATUS, judged, (some | others) & judged);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, some);
    check_bits(t, "not-exactly-cleared", MSR_PERF_GLOBAL_STATUS, judged, others & ~some & judged);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, all);
    check_bits(t, "not-exactly-cleared", MSR_PERF_GLOBAL_STATUS, judged, 0);
}

/* The written bits alone: each two of them, the others clear. */
static void pairs(struct test *t, u64 all)
{
    for (u64 left = all; left; left &= left - 1)
        for (u64 more = left & (left - 1); more; more &= more - 1) {
            u64 two = (left & -left) | (more & -more);
            write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, two);
            check_bits(t, "not-exactly-set", MSR_PERF_GLOBAL_STATUS, all & ~(STATUS_CTR_FRZ & ~two), two);
            write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, two);
            check_bits(t, "not-exactly-cleared", MSR_PERF_GLOBAL_STATUS, all & ~STATUS_CTR_FRZ, 0);
        }
}

static void sets_of_bits(struct test *t, u64 all)
{
    u64 random = random_begin(t->position);
    pairs(t, all);
    for (u64 left = all; left; left &= left - 1) {
        exactly(t, all, left & -left, all & ~left);
        exactly(t, all, left & -left, all);
        exactly(t, all, all & ~(left & -left), left & -left);
    }
    for (u32 n = 0; n < DRAWN; n++) {
        u64 some = random_next(&random) & all;
        exactly(t, all, some, random_next(&random) & all);
    }
}

/* Returns the bit if it can be set and cleared again. */
static u64 feature(struct test *t, unsigned bit, u64 overflows)
{
    fault_t fault = wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, BIT(bit));
    if (fault == FAULT_REFUSED)
        return 0;
    bool set = !fault && read_msr(t, MSR_PERF_GLOBAL_STATUS) & BIT(bit);
    if (fault)
        measure(t, "set-faults", "bit", bit);
    else if (set)
        measure(t, "settable", "bit", bit);
    check_bits(t, "feature-sets-overflow", MSR_PERF_GLOBAL_STATUS, overflows, 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, overflows);
    fault = wrmsr_try(MSR_PERF_GLOBAL_STATUS_RESET, BIT(bit));
    bool cleared = !fault && !(read_msr(t, MSR_PERF_GLOBAL_STATUS) & BIT(bit));
    if (fault)
        measure(t, "reset-faults", "bit", bit);
    else if (cleared)
        measure(t, "clearable", "bit", bit);
    check_bits(t, "feature-clears-overflow", MSR_PERF_GLOBAL_STATUS, overflows, overflows);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, overflows);
    return set && cleared ? BIT(bit) : 0;
}

static void measure_read(struct test *t, const char *name, u32 msr)
{
    u64 value = 0, ones = 0;
    if (rdmsr_try(msr, &value))
        return;
    for (; value; value &= value - 1)
        ones++;
    measure(t, name, "bits-set", ones);
}

static void status_bits(struct test *t)
{
    u64 all = caps_counter_bits(t->caps), others = 0;
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, all);
    sets_of_bits(t, all);
    for_each_row (features, bit)
        others |= feature(t, *bit, all);
    if (others)
        sets_of_bits(t, all | others);
    measure_read(t, "reset-reads", MSR_PERF_GLOBAL_STATUS_RESET);
    measure_read(t, "set-reads", MSR_PERF_GLOBAL_STATUS_SET);
}

TEST("global.status-bits", .title = "STATUS_SET and STATUS_RESET change exactly the written bits",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-023,B-026,B-027,B-028",
     .needs = NEEDS_VERSION(4), .scope = EACH_CPU, .run = status_bits, .measures = true,
     .aside = ASIDE(AROUND_SAMPLED));
