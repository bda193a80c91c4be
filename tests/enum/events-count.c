/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An architectural event that CPUID leaf 0AH shows as available counts. Core cycles, retired instructions and retired
 * branches occur in any code, so these must count; how often the others occur is not known (no last-level cache, no
 * misprediction, another clock), so they are only measured.
 *
 * An event that is not available can still be written to an event select; what it then counts does not matter.
 */
#include "harness/test.h"

#define K 50

static const struct {
    const char *name; /* name of the measurement */
    u8 index;         /* bit in leaf 0AH EBX */
    u16 event;
    bool certain;
} events[] = {
    {"core-cycles", 0, ARCH_EVENT_CORE_CYCLES, true},      {"instructions", 1, ARCH_EVENT_INSTRUCTIONS, true},
    {"ref-cycles", 2, ARCH_EVENT_REF_CYCLES, false},       {"llc-references", 3, ARCH_EVENT_LLC_REFERENCE, false},
    {"llc-misses", 4, ARCH_EVENT_LLC_MISS, false},         {"branches", 5, ARCH_EVENT_BRANCHES, true},
    {"branch-misses", 6, ARCH_EVENT_BRANCH_MISSES, false}, {"topdown-slots", 7, ARCH_EVENT_TOPDOWN_SLOTS, false},
};

static u64 count(struct test *t, u16 event)
{
    struct counter c = gp_counter(t->caps, 0);
    counter_setup(c, event, COUNT_OS, 0);
    run_block(t, BIT(c.bit), K);
    u64 value = counter_read(c);
    counter_clear(c);
    return value;
}

/* Writes the events that are not available. Not enabled, so that nothing counts. */
static void check_writable(struct test *t)
{
    for_each_row (events, row) {
        if (caps_event_available(t->caps, row->index))
            continue;
        fault_t fault = wrmsr_try(MSR_PERFEVTSEL(0), EVTSEL_ENCODING(row->event) | EVTSEL_OS);
        check_fault(t, "unavailable-faults", fault, NO_FAULT, MSR_PERFEVTSEL(0));
    }
    write_msr(t, MSR_PERFEVTSEL(0), 0);
}

static bool each_event(struct test *t)
{
    unsigned row = t->turn % ARRAY_SIZE(events);
    check_writable(t);
    if (!caps_event_available(t->caps, events[row].index))
        return true;
    u64 value = count(t, events[row].event);
    measure(t, events[row].name, "events", value);
    if (events[row].certain)
        check_true(t, "available-and-silent", value > 0, events[row].event, "this event counts something",
                   MSR_PERFEVTSEL(0));
    return true;
}

TEST("enum.events-count", .title = "Architectural events that are shown available count, and others can be programmed",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-005,A-070,B-069",
     .needs = NEEDS_VERSION(1), .scope = EACH_CPU, .repeat = each_event, .measures = true);
