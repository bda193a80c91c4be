/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest that is moved to another host, or saved and loaded, finds its PMU as it left it: registers that nothing
 * changes hold what they held, and a counter that was counting goes on from there. A hypervisor that forgets one of
 * them gives a profiler in the guest a wrong count, or none any more.
 *
 * Counters, event selects, the controls of fixed counters, of sampling and of freezing, and LVTPC hold a pattern, an
 * overflow bit stands, and two counters count. Then the guest is moved (option migrate=; the reference PMU plays it).
 * Judged is that what stood still is the same, and that what counted is not behind and still counts. How much it
 * counted is not: a hypervisor may let the guest run for some time before and after.
 */
#include "harness/chapter/moving.h"

#define PATTERN 0x2a5a5a5aul
#define PATTERN_VECTOR 0x4aul
#define OTHERS 8 /* registers that are neither a counter's value nor its event select */

struct kept {
    u32 msr;
    u64 value, found;
};

struct scene {
    struct kept kept[2 * GP_COUNTERS_MAX + FIXED_COUNTERS_MAX + OTHERS];
    unsigned count;
    struct counter running[2];
    unsigned runs;
    u64 before[2], status, in_use;
    u32 entry;
};

/* Writes are in this order, and are undone in the other one. A register that does not take the value stays as it is. */
static void put(struct test *t, struct scene *s, u32 msr, u64 value)
{
    u64 found;
    if (rdmsr_try(msr, &found) != NO_FAULT || wrmsr_try(msr, value) != NO_FAULT)
        return;
    s->kept[s->count++] = (struct kept){msr, read_msr(t, msr), found};
}

/* The first GP counter stands still although its own control would let it count; others by their own control, too. */
static void put_counters(struct test *t, struct scene *s, unsigned runs)
{
    for_each_gp_counter (t, n) {
        u64 on = n == caps_gp_index(t->caps, 0) || n == runs ? EVTSEL_EN : 0;
        put(t, s, MSR_PMC(n), PATTERN + n);
        put(t, s, MSR_PERFEVTSEL(n), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | on);
    }
    u64 fixed = 0;
    for_each_fixed_counter (t, i) {
        put(t, s, MSR_FIXED_CTR(i), PATTERN + i);
        fixed |= FIXED_OS(i);
    }
    if (fixed)
        put(t, s, MSR_FIXED_CTR_CTRL, fixed);
}

/* Sampling is on for a counter that stands still: no record is written. */
static void put_sampling(struct test *t, struct scene *s)
{
    struct ds_area area;
    u64 counter = BIT(caps_gp_index(t->caps, 0)) & pebs_counter_bits(t->caps);
    if (!counter || !ds_area_get(t->caps, 0, &area))
        return;
    ds_area_fill(&area);
    put(t, s, MSR_DS_AREA, (u64)area.management);
    if (pebs_adaptive(t->caps))
        put(t, s, MSR_PEBS_DATA_CFG, PEBS_DATA_GPR);
    put(t, s, MSR_PEBS_ENABLE, counter);
}

static void put_others(struct test *t, struct scene *s)
{
    u64 freeze = gate_bits(t->caps, MSR_DEBUGCTL) & (DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM);
    if (freeze)
        put(t, s, MSR_DEBUGCTL, read_msr(t, MSR_DEBUGCTL) | freeze);
    if (gate_bits(t->caps, MSR_LBR_SELECT))
        put(t, s, MSR_LBR_SELECT, LBR_SELECT_CPL_0);
    if (!apic_present())
        return;
    s->entry = apic_read(APIC_LVT_PC);
    apic_write(APIC_LVT_PC, (u32)LVT_MASKED | PATTERN_VECTOR);
}

static u64 in_use(struct test *t)
{
    return t->caps->version >= 4 ? read_msr(t, MSR_PERF_GLOBAL_INUSE) : 0;
}

/* From the last write on they count. */
static void start(struct test *t, struct scene *s, unsigned runs)
{
    s->running[s->runs++] = gp_counter(t->caps, runs);
    if (t->caps->fixed_bitmap & BIT(FIXED_INSTRUCTIONS))
        s->running[s->runs++] = fixed_counter(t->caps, FIXED_INSTRUCTIONS);
    u64 on = 0;
    for (unsigned i = 0; i < s->runs; i++)
        on |= BIT(s->running[i].bit);
    put(t, s, MSR_PERF_GLOBAL_CTRL, on);
    s->status = read_msr(t, MSR_PERF_GLOBAL_STATUS);
    s->in_use = in_use(t);
    for (unsigned i = 0; i < s->runs; i++)
        s->before[i] = counter_read(s->running[i]);
}

static bool runs(const struct scene *s, u32 msr)
{
    for (unsigned i = 0; i < s->runs; i++)
        if (s->running[i].msr == msr || (!s->running[i].fixed && (u32)MSR_PMC(s->running[i].index) == msr))
            return true;
    return false;
}

static void compare(struct test *t, const struct scene *s)
{
    for (unsigned i = 0; i < s->runs; i++) {
        u64 now = counter_read(s->running[i]);
        check_true(t, "ran-back", now >= s->before[i], now, "no lower count than before the move", s->running[i].msr);
        u64 later = counter_read(s->running[i]);
        check_true(t, "stands-still", later > now, later, "a higher count at each look", s->running[i].msr);
    }
    for (unsigned i = 0; i < s->count; i++)
        if (!runs(s, s->kept[i].msr))
            check_equal(t, "changed", read_msr(t, s->kept[i].msr), s->kept[i].value, s->kept[i].msr);
    check_equal(t, "status-changed", read_msr(t, MSR_PERF_GLOBAL_STATUS), s->status, MSR_PERF_GLOBAL_STATUS);
    check_equal(t, "in-use-changed", in_use(t), s->in_use, MSR_PERF_GLOBAL_INUSE);
    if (apic_present())
        check_equal(t, "entry-changed", apic_read(APIC_LVT_PC), LVT_MASKED | PATTERN_VECTOR, REGISTER_LVTPC);
}

static void put_back(struct test *t, struct scene *s)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    while (s->count--)
        write_msr(t, s->kept[s->count].msr, s->kept[s->count].found);
    pmu_status_clear(s->status);
    if (apic_present())
        apic_write(APIC_LVT_PC, s->entry);
}

static void migrated(struct test *t)
{
    struct scene s = {0};
    unsigned last = caps_gp_index(t->caps, t->caps->gp_count - 1);
    provoke_overflow(t, gp_counter(t->caps, caps_gp_index(t->caps, 0)), COUNT_OS);
    put_counters(t, &s, last);
    put_sampling(t, &s);
    put_others(t, &s);
    barrier(t); /* nobody waits for long while its counters count: on the reference PMU that is slow */
    start(t, &s, last);
    guest_moves(t);
    compare(t, &s);
    put_back(t, &s);
}

static void prepare(struct test *t)
{
    need_move(t);
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX[15:8]=%u: two GP counters are needed", t->caps->gp_count);
}

TEST("access.migrated", .title = "A guest that is moved to another host finds its PMU as it left it",
     .spec = "SDM 3B, Architectural Performance Monitoring", .needs = {.version = 2, .event = 2}, .scope = ALL_TOGETHER,
     .prepare = prepare, .run = migrated,
     .alone = "its registers are to hold what it has written, and two counters count");
