/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter counts while three conditions hold: its own enable (IA32_PERFEVTSELn.EN, or the field of
 * IA32_FIXED_CTR_CTRL), its bit of IA32_PERF_GLOBAL_CTRL, and IA32_PERF_GLOBAL_STATUS.CTR_FRZ being 0. All eight
 * combinations are tried on every counter. CTR_FRZ is set by software here, so that no interrupt is needed.
 */
#include "harness/running.h"
#include "harness/samples.h"

#define K 4
#define ENABLED 1
#define GLOBAL 2
#define FROZEN 4

/* The most informative ones first. */
static const u32 combinations[] = {
    ENABLED | GLOBAL, ENABLED | GLOBAL | FROZEN, ENABLED, GLOBAL, 0, ENABLED | FROZEN, GLOBAL | FROZEN, FROZEN,
};

static void disable(struct test *t)
{
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PERFEVTSEL(n),
                  EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | (t->cell.user ? EVTSEL_USR : 0));
    if (t->caps->fixed_bitmap)
        write_msr(t, MSR_FIXED_CTR_CTRL, 0);
}

static const char *label_of(u32 which)
{
    if (which == (ENABLED | GLOBAL))
        return "does-not-count";
    return which & FROZEN ? "frozen-counts" : "disabled-counts";
}

static bool one_combination(struct test *t)
{
    u32 which = combinations[t->turn / 2 % ARRAY_SIZE(combinations)];
    bool counts = which == (ENABLED | GLOBAL);
    u64 mask = setup_all(t, NULL);
    if (!(which & ENABLED))
        disable(t);
    if (which & FROZEN)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    run_block(t, which & GLOBAL ? mask : 0, K);
    for_each_counter (t, c) {
        u64 counted = counter_read(*c);
        if (!counts || counts_exactly(*c))
            check_true(about(t, which & FROZEN ? ASPECT_STAYS_FROZEN : 0), label_of(which), (counted != 0) == counts,
                       counted, counts ? "a count" : "no count", c->msr);
    }
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    return more_samples_of(t, 2 * ARRAY_SIZE(combinations));
}

TEST("freeze.gating", .title = "A counter counts only if enabled, enabled globally and not frozen",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-025,B-059",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .repeat = one_combination, .cells = CELL_RINGS,
     .aside = ASIDE_FIELDS);
