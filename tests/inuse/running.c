/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_INUSE does not depend on what the counters do: it reads the same while claimed counters stand still,
 * run, are frozen by CTR_FRZ, or have all overflowed, and whatever values they hold. Bits that the manual does not
 * define are only counted: a CPU with more counters than it enumerates may show them.
 */
#include "harness/chapter/sharing.h"

static void unchanged(struct test *t, const char *label, u64 want)
{
    check_bits(t, label, MSR_PERF_GLOBAL_INUSE, inuse_named_bits(t) & ~INUSE_PMI, want);
}

static void count_others(struct test *t)
{
    u64 others = read_msr(t, MSR_PERF_GLOBAL_INUSE) & ~inuse_named_bits(t), ones = 0;
    for (; others; others &= others - 1)
        ones++;
    measure(t, "undefined", "bits-set", ones);
}

static bool in_every_state(struct test *t)
{
    u64 mask = setup_all(t, NULL), want = mask & inuse_named_bits(t);
    unchanged(t, "stopped", want);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    unchanged(t, "running", want);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    unchanged(t, "frozen", want);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, mask);
    unchanged(t, "overflowed", want);
    for_each_counter (t, c)
        counter_write(*c, 0x7fffffff);
    unchanged(t, "value", want);
    count_others(t);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, mask | STATUS_CTR_FRZ);
    return more_samples(t);
}

TEST("inuse.running", .title = "INUSE does not depend on counting, freezing, overflows or values",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-018,B-021",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .repeat = in_every_state, .measures = true,
     .aside = ASIDE_FIELDS);
