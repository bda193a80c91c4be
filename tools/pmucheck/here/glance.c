/* SPDX-License-Identifier: BSD-2-Clause */
/* A PMU at a glance, by the leaves 0AH, 23H, 1CH and 14H of CPUID and by what its class adds. */
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "tools/pmucheck/here/here.h"

/* SDM 3B, "Pre-defined Architectural Performance Events", in the order of leaf 0AH EBX. */
static const char *const events[] = {
    "core cycles",   "instructions",  "reference cycles", "LLC references", "LLC misses", "branches",   "branch misses",
    "topdown slots", "backend bound", "bad speculation",  "frontend bound", "retiring",   "LBR inserts"};

static const char *missing_events(struct arena *arena, const struct pmu_caps *caps)
{
    const char *text = "";
    for (unsigned i = 0; i < ARRAY_SIZE(events) && i < caps->event_length; i++)
        if (!caps_event_available(caps, i))
            text = arena_print(arena, "%s%s%s", text, text[0] ? ", " : "; without ", events[i]);
    return text;
}

const char *here_counting(struct arena *arena, const struct pmu_caps *caps)
{
    unsigned fixed = (unsigned)__builtin_popcount(caps->fixed_bitmap);
    if (!caps->present)
        return "NetBurst's own: 18 counters x 40 bits";
    const char *counters = arena_print(arena, "version %u, %u counters x %u bits, %u fixed x %u", caps->version,
                                       caps->gp_count, caps->gp_width, fixed, caps->fixed_width);
    return arena_print(arena, "%s%s%s%s", counters, caps->leaf23_counters ? ", by leaf 23H" : "",
                       caps->metrics ? ", PERF_METRICS" : "", missing_events(arena, caps));
}

const char *here_sampling(struct arena *arena, const struct pmu_caps *caps)
{
    char text[PEBS_TEXT];
    if (apebs_usable(caps))
        return arena_print(arena, "architectural PEBS on %s", here_counters(arena, apebs_counter_bits(caps)));
    if (caps->perf_capabilities_unread)
        return caps->pebs_unavailable ? "none: Linux offers no precise events"
                                      : "IA32_PERF_CAPABILITIES tells, which root can read with the driver msr";
    if (pebs_unavailable(caps, 0, text) != PEBS_USABLE)
        return arena_print(arena, "none: %s", text);
    return arena_print(arena, "PEBS format %u%s on %s", pebs_format(caps), pebs_adaptive(caps) ? ", adaptive" : "",
                       here_counters(arena, pebs_counter_bits(caps)));
}

const char *here_records(struct arena *arena, const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    if (!lbr_stack(caps, &stack))
        return "none that is known";
    return arena_print(arena, "%u%s%s%s", stack.depth, stack.architectural ? ", architectural" : "",
                       stack.call_stack ? ", call stack" : "", caps->lbr_types ? ", kinds of branches" : "");
}

/* CPUID.14H. Whether the trace's registers answer is not asked: an ordinary user cannot. */
const char *here_trace(struct arena *arena, const struct here_core *core)
{
    u32 features = core->dump.leaf14.ebx, outputs = core->dump.leaf14.ecx;
    if (!core->caps.pt)
        return "none";
    return arena_print(arena, "Processor Trace%s%s%s%s%s%s", outputs & TRACE_TO_TABLE ? ", table of regions" : "",
                       features & TRACE_CR3 ? ", by CR3" : "", features & TRACE_CYCLES ? ", cycles" : "",
                       features & TRACE_RANGES ? ", by address" : "", features & TRACE_PTWRITE ? ", PTWRITE" : "",
                       core->caps.tracing ? "; a trace is on" : "");
}
