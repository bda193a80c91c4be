/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A full region with INT sets bit 55 of IA32_PERF_GLOBAL_STATUS and raises its PMI whatever else goes on: while a
 * counter's overflow bit stands, while counters are frozen by CTR_FRZ, while they count, and when it is code at CPL 3
 * that is traced. And nothing else sets the bit: not an overflow while a trace is on, nor a freeze.
 *
 * One after the other, each in a trace of its own. The PMI's handler only records.
 */
#include "harness/chapter/tracing.h"

#define USER_CONTROL (RTIT_CTL_TRACE_EN | RTIT_CTL_USER | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN)
#define USER_TURNS 64  /* with four bits or more for each */
#define USER_VISITS 32 /* together enough for the region's end, with six bits in a byte */

#define FEW 64 /* instructions up to the overflow */

/* What a scene prepares. Returns the counters that are on while the region fills. */
static u64 nothing(struct test *t)
{
    (void)t;
    return 0;
}

/* A trace that asks for no PMI, over the same pages again and again: for what could be mistaken for a full region. */
static void trace_in_a_ring(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    trace_put_region(&tracing.area, tracing.regions - 1, 0);
    trace_on(TRACE_CONTROL);
}

static u64 overflow(struct test *t)
{
    struct counter c = gp_in_turn(t, t->turn + t->position);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(c, FEW));
    trace_in_a_ring(t);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    spin(FEW);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    trace_off();
    check_bit(t, "set-by-overflow", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, false);
    return 0;
}

static u64 frozen(struct test *t)
{
    trace_in_a_ring(t);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    trace_off();
    check_bit(t, "set-by-freeze", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, false);
    return 0;
}

static u64 counting(struct test *t)
{
    return setup_all(t, NULL);
}

static void fill_at_cpl_0(void)
{
    trace_until(TRACE_REGION_BYTES);
}

/* Without pauses, as trace_until() near the end; the position read meanwhile may be old. */
static void fill_at_cpl_3(void)
{
    u64 flags = interrupts_off();
    interrupts_restore(flags); /* interrupts must come at CPL 3 */
    trace_on(USER_CONTROL);
    for (unsigned n = 0; n < USER_VISITS && tracing_bytes() < TRACE_REGION_BYTES; n++) {
        ring3_run(workload("branches")->user, USER_TURNS);
        interrupts_restore(flags);
    }
    trace_off();
}

static const struct scene {
    const char *no_pmi, *no_bit;
    u64 (*begin)(struct test *t);
    void (*fill)(void);
    unsigned version; /* the first that has it */
} scenes[] = {
    {"not-delivered-beside-overflow", "no-bit-beside-overflow", overflow, fill_at_cpl_0, 2},
    {"not-delivered-of-user", "no-bit-of-user", nothing, fill_at_cpl_3, 2},
    {"not-delivered-while-counting", "no-bit-while-counting", counting, fill_at_cpl_0, 2},
    {"not-delivered-while-frozen", "no-bit-while-frozen", frozen, fill_at_cpl_0, VERSION_STREAMLINED},
};

static const struct scene *in_turn(const struct test *t, u32 *count)
{
    *count = 0;
    for_each_row (scenes, scene)
        *count += t->caps->version >= scene->version;
    return &scenes[t->turn % *count];
}

static void end(struct test *t)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(pmu_status());
    pmi_close();
    tracing_end(t);
    for_each_counter (t, c)
        counter_clear(*c);
}

static bool one_scene(struct test *t)
{
    u32 count;
    const struct scene *scene = in_turn(t, &count);
    u64 mask = scene->begin(t);
    tracing_begin(t, TOPA_INT, 0);
    tracing_leave_little(t);
    pmi_listen(PMI_FIXED, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    scene->fill();
    u64 bytes = tracing_bytes();
    bool came = pmi_came();
    if (check_true(t, "not-filled", bytes >= TRACE_REGION_BYTES || trace_stopped(t), bytes, "a full region",
                   MSR_RTIT_OUTPUT_MASK_PTRS)) {
        check_bit(t, scene->no_bit, MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, true);
        check_true(t, scene->no_pmi, came, pmi_log()->count, "1 PMI or more", 0);
    }
    end(t);
    return more_samples_of(t, count);
}

TEST("trace.topa-beside", .title = "A full region sets its bit and raises its PMI whatever else goes on",
     .spec = "SDM 3C, Table of Physical Addresses (ToPA)", .covers = "B-028",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_trace, .repeat = one_scene,
     .alone = "bit 55 of STATUS, which could stand, is its subject");
