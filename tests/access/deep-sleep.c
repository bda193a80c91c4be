/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PMU's registers keep their contents while a CPU sleeps, however deep the sleep: a core that loses its power saves
 * and restores them. Counters, event selects, the fixed counters' control, the freeze bits, the debug store's address
 * and LVTPC hold a pattern, nothing counts, and the CPU sleeps by MWAIT, as deeply as CPUID.05H offers, for some
 * milliseconds, until the local APIC's timer wakes it.
 *
 * The machine decides how deep the sleep really is, so only a difference is meaningful. Some CPUs lose PMIs or hang in
 * C6 (AAJ134, AAT79), so this runs only on machines that may hang.
 */
#include "harness/test.h"

#define PATTERN 0x2a5a5a5aul
#define SLEEPS 4
#define SLEEP_US 2000
#define C_STATES 8
#define PATTERN_VECTOR 0x4aul
#define EVENT_CYCLES 0x3c

#define CPUID_1_ECX_MONITOR BIT(3) /* MISC_ENABLE can clear it; then the instruction does not exist */
#define CPUID_5_ECX_STATES BIT(0)  /* EDX enumerates the states */

static bool offered(void)
{
    return cpuid_has_leaf(5) && cpuid(1, 0).ecx & CPUID_1_ECX_MONITOR && cpuid(5, 0).ecx & CPUID_5_ECX_STATES;
}

/* The hint for the deepest state: its number minus one in bits 7:4; 0: none below C1. CPUID.05H:EDX. */
static u32 deepest(void)
{
    u32 states = offered() ? cpuid(5, 0).edx : 0, hint = 0;
    for (u32 state = 2; state < C_STATES; state++)
        if (states >> 4 * state & 0xf)
            hint = (state - 1) << 4;
    return hint;
}

static void need_deep_sleep(struct test *t)
{
    if (!deepest())
        skip(t, "CPUID.05H:EDX=%#x: MWAIT offers no sleep below C1", offered() ? cpuid(5, 0).edx : 0);
    if (!dangerous_allowed("sleep"))
        skip(t, "dangerous=sleep is not given: some CPUs hang in deep sleeps");
}

static void sleep(void)
{
    static volatile u64 watched; /* nobody writes to it */
    for (unsigned n = 0; n < SLEEPS; n++) {
        struct deadline deadline = deadline_us(SLEEP_US);
        u64 flags = interrupts_off();
        do {
            apic_tick_after(apic_timer_ticks(SLEEP_US / 2));
            sti_mwait(&watched, deepest());
        } while (!deadline_passed(&deadline));
        apic_tick(false);
        interrupts_restore(flags);
    }
}

struct kept {
    u32 msr;
    u64 value, found;
};

static void put(struct test *t, struct kept *list, unsigned *count, u32 msr, u64 value)
{
    u64 found = read_msr(t, msr);
    write_msr(t, msr, value);
    list[(*count)++] = (struct kept){msr, read_msr(t, msr), found};
}

/* Sampling stays off, and no branches are recorded. */
static void put_others(struct test *t, struct kept *list, unsigned *count)
{
    struct ds_area area;
    u64 freeze = gate_bits(t->caps, MSR_DEBUGCTL) & (DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM);
    if (freeze)
        put(t, list, count, MSR_DEBUGCTL, read_msr(t, MSR_DEBUGCTL) | freeze);
    if (gate_bits(t->caps, MSR_LBR_SELECT))
        put(t, list, count, MSR_LBR_SELECT, LBR_SELECT_CPL_0);
    if (ds_area_get(t->caps, 0, &area) && wrmsr_try(MSR_DS_AREA, (u64)area.management) == NO_FAULT)
        list[(*count)++] = (struct kept){MSR_DS_AREA, (u64)area.management, 0}; /* not on CPUs without debug store */
}

static void deep_sleep(struct test *t)
{
    struct kept list[2 * GP_COUNTERS_MAX + 5];
    unsigned count = 0;
    for_each_gp_counter (t, n) {
        put(t, list, &count, MSR_PMC(n), PATTERN + n);
        put(t, list, &count, MSR_PERFEVTSEL(n), EVTSEL_EVENT(EVENT_CYCLES) | EVTSEL_OS);
    }
    if (t->caps->fixed_bitmap & 1) {
        put(t, list, &count, MSR_FIXED_CTR(0), PATTERN);
        put(t, list, &count, MSR_FIXED_CTR_CTRL, FIXED_OS(0));
    }
    put_others(t, list, &count);
    u32 entry = apic_read(APIC_LVT_PC);
    apic_write(APIC_LVT_PC, (u32)LVT_MASKED | PATTERN_VECTOR);
    sleep();
    check_equal(t, "entry-lost-in-sleep", apic_read(APIC_LVT_PC), LVT_MASKED | PATTERN_VECTOR, REGISTER_LVTPC);
    apic_write(APIC_LVT_PC, entry);
    for (unsigned i = 0; i < count; i++)
        check_equal(t, "lost-in-sleep", read_msr(t, list[i].msr), list[i].value, list[i].msr);
    while (count--)
        write_msr(t, list[count].msr, list[count].found);
}

TEST("access.deep-sleep", .title = "The PMU's registers keep their contents in a deep sleep",
     .spec = "SDM 2B, MWAIT-Monitor Wait", .needs = {.version = 2, .event = 1, .apic = true}, .scope = EACH_CPU,
     .prepare = need_deep_sleep, .run = deep_sleep);
