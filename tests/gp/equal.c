/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With EQ a counter mask of c counts the cycles in which the event occurred exactly c times. These are the cycles with
 * at least c minus the cycles with at least c + 1: three counters count the same block, one with each condition. Some
 * cycles are allowed for starting them. CPUID.23H.0:EBX[1] says whether event selects have the bit.
 */
#include "harness/test.h"

#define K 200
#define SLACK 8
#define COUNTERS 3

static const struct {
    u16 event, index; /* of leaves 0AH and 23H */
} events[] = {{ARCH_EVENT_INSTRUCTIONS, 1}, {ARCH_EVENT_CORE_CYCLES, 0}, {ARCH_EVENT_TOPDOWN_BACKEND, 8}};
static const u8 masks[] = {1, 2, 3, 4, 6};

static void need_eq(struct test *t)
{
    if (!(t->caps->leaf23_features & LEAF23_EQ))
        skip(t, "CPUID.23H.0:EBX=0x%x: bit 1 is clear or does not exist, no EQ", t->caps->leaf23_features);
    if (t->caps->gp_count < COUNTERS)
        skip(t, "CPUID.0AH:EAX=0x%08x: %u GP counters, three are needed", t->caps->leaf0a.eax, t->caps->gp_count);
}

static u32 select(struct test *t, unsigned n, u64 control)
{
    u32 index = caps_gp_index(t->caps, (t->turn + n) % t->caps->gp_count);
    write_msr(t, MSR_PERFEVTSEL(index), 0);
    write_msr(t, MSR_PMC(index), 0);
    write_msr(t, MSR_PERFEVTSEL(index), control | EVTSEL_OS | EVTSEL_EN);
    return index;
}

static void compare(struct test *t, u16 event, u8 mask)
{
    u64 control = EVTSEL_ENCODING(event);
    u32 equal = select(t, 0, control | EVTSEL_EQ | EVTSEL_CMASK(mask)),
        least = select(t, 1, control | EVTSEL_CMASK(mask)), more = select(t, 2, control | EVTSEL_CMASK(mask + 1));
    run_block(t, GLOBAL_GP(equal) | GLOBAL_GP(least) | GLOBAL_GP(more), K);
    u64 want = read_msr(t, MSR_PMC(least)) - read_msr(t, MSR_PMC(more));
    check_range(about(t, ASPECT_INSTRUCTIONS), "not-exactly", read_msr(t, MSR_PMC(equal)) + SLACK, want,
                want + 2 * SLACK, MSR_PMC(equal));
}

static bool equal(struct test *t)
{
    for_each_row (masks, mask)
        for_each_row (events, event)
            if (caps_event_available(t->caps, event->index))
                compare(t, event->event, *mask);
    return more_samples_of(t, t->caps->gp_count);
}

TEST("gp.equal", .title = "EQ counts the cycles in which an event occurred exactly as often as the mask says",
     .spec = "SDM 2A, CPUID-CPU Identification", .covers = "A-101", .needs = {.version = 5, .event = 2},
     .scope = EACH_CPU, .prepare = need_eq, .repeat = equal);
