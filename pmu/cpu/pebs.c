/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/pebs.h"
#include "kernel/text/text.h"
#include "pmu/cpu/class.h"
#include "pmu/registers.h"

#define ALL MASK(63, 0)
#define FIXED_ALONE MASK(63, 32)

/*
 * SDM 3B, "Processor Event Based Sampling (PEBS)" of each microarchitecture. The older PDIR, up to Ice Lake, and
 * Tremont's reduced skid only claim to be less biased, not to be even. On Crestmont and Skymont drivers take PMC0 and
 * PMC1 for the precise distribution, too, and event lists fixed counter 0 alone. Classes with architectural PEBS, which
 * enumerates its counters, are not listed.
 */
static const struct class_row {
    enum cpu_class class;
    u64 gp, fixed;                 /* counters that can sample */
    u64 precise_gp, precise_fixed; /* counters with the precise distribution; reduced skid is not enough */
    u64 even;                      /* of these, counters whose records are equally far apart */
} classes[] = {
    {CLASS_CORE2, 0x1, 0, 0, 0, 0},
    {CLASS_BONNELL, 0x1, 0, 0, 0, 0},
    {CLASS_SILVERMONT, 0x1, 0, 0, 0, 0},
    {CLASS_KNIGHTS, 0x1, 0, 0, 0, 0},
    {CLASS_GOLDMONT, 0x1, 0, 0, 0, 0},
    {CLASS_NEHALEM, 0xf, 0, 0, 0, 0},
    {CLASS_SANDY_BRIDGE, 0xf, 0, 0x2, 0, 0},
    {CLASS_HASWELL, 0xf, 0, 0x2, 0, 0},
    {CLASS_BROADWELL, 0xf, 0, 0x2, 0, 0},
    {CLASS_SKYLAKE, 0xf, 0, 0x2, 0, 0},
    {CLASS_GOLDMONT_PLUS, 0xf, 7, 0, 0, 0},
    {CLASS_TREMONT, 0xf, 7, 0x1, 0x1, 0},
    {CLASS_GRACEMONT, 0x3f, 7, 0, 0x1, ALL},
    {CLASS_ICE_LAKE, 0xff, 0xf, 0, 0x1, 0},
    {CLASS_GOLDEN_COVE, 0xff, 0xf, 0, 1, ALL},
    {CLASS_REDWOOD_COVE, 0xff, 0xf, 0, 0x1, ALL},
    {CLASS_LION_COVE, 0x3ff, 0xf, 0x3, 0x1, ALL},
    {CLASS_SKYMONT, 0xff, 0x77, 0x3, 0x1, FIXED_ALONE},
    {CLASS_CRESTMONT, 0xff, 7, 0x3, 0x1, FIXED_ALONE},
};

/* Sandy Bridge below these revisions: enabling or disabling PEBS makes the whole system unpredictable (BJ106). */
static const struct {
    u32 signature, microcode;
} microcode_floors[] = {
    {0x206a7, 0x28},
    {0x206d6, 0x618},
    {0x206d7, 0x70c},
};

#define IS(name) BIT(CLASS_##name)
#define OLD_ATOM (IS(BONNELL) | IS(SILVERMONT) | IS(KNIGHTS))
#define NEW_ATOM (IS(GOLDMONT) | IS(GOLDMONT_PLUS) | IS(TREMONT) | IS(GRACEMONT) | IS(CRESTMONT) | IS(SKYMONT))
#define SNB_TO_SKL (IS(SANDY_BRIDGE) | IS(HASWELL) | IS(BROADWELL) | IS(SKYLAKE))
#define SINCE_GLC (IS(GOLDEN_COVE) | IS(REDWOOD_COVE))
#define SINCE_ICL (IS(ICE_LAKE) | SINCE_GLC | IS(LION_COVE))

/* No event list of Arctic Wolf has an event for loads. */
#define ARCHITECTURAL_LOADS (IS(COUGAR_COVE) | IS(PANTHER_COVE) | IS(COYOTE_COVE) | IS(DARKMONT))
#define ARCHITECTURAL (ARCHITECTURAL_LOADS | IS(ARCTIC_WOLF))

#define ANY_PMC MASK(31, 0)
#define PMC0_TO_3 MASK(3, 0)
#define NOT_PMC0 MASK(31, 1)
#define PMC2_UP MASK(31, 2)

/*
 * SDM 3B, tables of PEBS performance events. A sampling counter that a row leaves out cannot sample the row's event.
 * Unit mask 0 for instructions on Nehalem is taken from drivers: the event files have unit mask 1. For loads by latency
 * up to Broadwell the manual allows any counter, the event files only IA32_PMC3: this table has IA32_PMC3.
 */
static const struct event_row {
    u64 classes;
    struct pebs_event event;
} events[] = {
    {IS(CORE2) | IS(NEHALEM) | IS(BONNELL) | NEW_ATOM | IS(ICE_LAKE) | IS(LION_COVE) | ARCHITECTURAL,
     {"INST_RETIRED.ANY_P", PEBS_INSTRUCTIONS, ARCH_EVENT_INSTRUCTIONS, ANY_PMC, PEBS_ANY_TIME}},
    {IS(SILVERMONT), {"INST_RETIRED.ANY_P", PEBS_INSTRUCTIONS, ARCH_EVENT_INSTRUCTIONS, ANY_PMC, PEBS_UNLISTED}},
    {SINCE_GLC, {"INST_RETIRED.ANY_P", PEBS_INSTRUCTIONS, ARCH_EVENT_INSTRUCTIONS, NOT_PMC0, PEBS_ANY_TIME}},
    {SNB_TO_SKL, {"INST_RETIRED.PREC_DIST", PEBS_INSTRUCTIONS, EVENT_CODE_PREC_DIST, PEBS_GP(1), PEBS_ANY_TIME}},
    {IS(TREMONT) | IS(GRACEMONT) | IS(CRESTMONT) | IS(SKYMONT) | SINCE_ICL | ARCHITECTURAL,
     {"INST_RETIRED.PREC_DIST", PEBS_INSTRUCTIONS, 0, PEBS_FIXED(0), PEBS_ANY_TIME}},
    {IS(NEHALEM) | SNB_TO_SKL,
     {"BR_INST_RETIRED.ALL_BRANCHES", PEBS_BRANCHES, EVENT_CODE_ALL_BRANCHES_PEBS, ANY_PMC, PEBS_ANY_TIME}},
    {(OLD_ATOM & ~IS(BONNELL)) | NEW_ATOM | SINCE_ICL | ARCHITECTURAL,
     {"BR_INST_RETIRED.ALL_BRANCHES", PEBS_BRANCHES, ARCH_EVENT_BRANCHES, ANY_PMC, PEBS_ANY_TIME}},
    {SNB_TO_SKL | NEW_ATOM | SINCE_ICL | ARCHITECTURAL_LOADS,
     {"MEM_INST_RETIRED.ALL_LOADS", PEBS_LOADS, EVENT_CODE_ALL_LOADS, PMC0_TO_3, PEBS_ANY_TIME}},
    {IS(NEHALEM),
     {"MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD", PEBS_LATENCY, EVENT_CODE_LOAD_LATENCY_NHM, PEBS_GP(3),
      PEBS_ANY_TIME}},
    {SNB_TO_SKL & ~IS(SKYLAKE),
     {"MEM_TRANS_RETIRED.LOAD_LATENCY", PEBS_LATENCY, EVENT_CODE_LOAD_LATENCY, PEBS_GP(3), PEBS_ANY_TIME}},
    {IS(SANDY_BRIDGE),
     {"MEM_TRANS_RETIRED.PRECISE_STORE", PEBS_STORES, EVENT_CODE_PRECISE_STORE, PEBS_GP(3), PEBS_ANY_TIME}},
    {IS(SKYLAKE), {"MEM_TRANS_RETIRED.LOAD_LATENCY", PEBS_LATENCY, EVENT_CODE_LOAD_LATENCY, PMC0_TO_3, PEBS_ANY_TIME}},
    {IS(ICE_LAKE), {"MEM_TRANS_RETIRED.LOAD_LATENCY", PEBS_LATENCY, EVENT_CODE_LOAD_LATENCY, ANY_PMC, PEBS_ANY_TIME}},
    {SINCE_GLC, {"MEM_TRANS_RETIRED.LOAD_LATENCY", PEBS_LATENCY, EVENT_CODE_LOAD_LATENCY, NOT_PMC0, PEBS_IN_COMPANY}},
    {IS(LION_COVE), {"MEM_TRANS_RETIRED.LOAD_LATENCY", PEBS_LATENCY, EVENT_CODE_LOAD_LATENCY, PMC2_UP, PEBS_ANY_TIME}},
};

/* Kinds of events whose sampling needs more on some CPUs, by CPUID.1:EAX without the stepping. */
static const struct {
    u32 signature;
    enum pebs_kind kind;
    enum pebs_care care;
    bool smt; /* only if a second thread may share the core */
} cares[] = {
    /* SDM 3B, "Precise Distribution of Instructions Retired (PDIR)": the rest of the core's counters are quiesced. */
    {0x206a0, PEBS_INSTRUCTIONS, PEBS_CORE_QUIET, false},
    {0x206d0, PEBS_INSTRUCTIONS, PEBS_CORE_QUIET, false},
    /* BJ122, BK120, BV98, BU101, HSD29, HSM30: memory events of retirement. */
    {0x206a0, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x206d0, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x306a0, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x306e0, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x306c0, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x306f0, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x40650, PEBS_LOADS, PEBS_MAY_MISS, true},
    {0x40660, PEBS_LOADS, PEBS_MAY_MISS, true},
};
#define ANY_STEPPING 0x0fff0ff0

static const struct class_row *class_row(const struct pmu_caps *caps)
{
    enum cpu_class class = cpu_class(caps);
    for_each_row (classes, row)
        if (row->class == class)
            return row;
    return NULL;
}

static u32 microcode_floor(const struct pmu_caps *caps)
{
    for_each_row (microcode_floors, floor)
        if (caps->signature == floor->signature && caps->microcode < floor->microcode)
            return floor->microcode;
    return 0;
}

bool ds_usable(const struct pmu_caps *caps)
{
    return caps->present && caps->ds && caps->pdcm && !caps->pebs_unavailable && cpu_class(caps) != CLASS_UNKNOWN &&
           pebs_format(caps) != PEBS_FORMAT_ARCHITECTURAL && !microcode_floor(caps);
}

/* Bits 7 and 12 of IA32_MISC_ENABLE and the DS flag, which both columns of the table require. */
static enum pebs_lack misc_enable_says(const struct pmu_caps *caps, char *text)
{
    if (caps->pebs_unavailable) {
        format_text(text, PEBS_TEXT, "IA32_MISC_ENABLE[12]=1 (0x%lx): PEBS unavailable", caps->misc_enable);
        return PEBS_SWITCHED_OFF;
    }
    if (caps->misc_enable_unread)
        format_text(text, PEBS_TEXT, "IA32_MISC_ENABLE was not read: RDMSR faults");
    else if (!caps->perfmon_available)
        format_text(text, PEBS_TEXT, "IA32_MISC_ENABLE[7]=0 (0x%lx): performance monitoring unavailable",
                    caps->misc_enable);
    else if (!caps->ds)
        format_text(text, PEBS_TEXT, "CPUID.1:EDX[21]=0: no debug store");
    else
        return PEBS_USABLE;
    return PEBS_LACKING;
}

enum pebs_lack pebs_unavailable(const struct pmu_caps *caps, unsigned format, char *text)
{
    if (pebs_format(caps) == PEBS_FORMAT_ARCHITECTURAL) { /* IA32_MISC_ENABLE[12] does not apply to it */
        format_text(text, PEBS_TEXT, "IA32_PERF_CAPABILITIES[11:8]=15: architectural PEBS, not the debug store's");
        return PEBS_LACKING;
    }
    enum pebs_lack lack = misc_enable_says(caps, text);
    if (lack)
        return lack;
    if (caps->pdcm && microcode_floor(caps)) {
        format_text(text, PEBS_TEXT, "microcode 0x%x: PEBS is broken below 0x%x (BJ106)", caps->microcode,
                    microcode_floor(caps));
        return PEBS_BROKEN;
    }
    if (caps_no_capabilities(caps))
        format_text(text, PEBS_TEXT, "%s", caps_no_capabilities(caps));
    else if (!pebs_counter_bits(caps) || pebs_format(caps) > PEBS_FORMAT_LAST)
        format_text(text, PEBS_TEXT, "signature %08x, PEBS format %u: PEBS is not known for this class",
                    caps->signature, pebs_format(caps));
    else if (pebs_format(caps) < format)
        format_text(text, PEBS_TEXT, "IA32_PERF_CAPABILITIES[11:8]=%u: PEBS format %u is needed", pebs_format(caps),
                    format);
    else
        return PEBS_USABLE;
    return PEBS_LACKING;
}

enum pebs_lack netburst_pebs_unavailable(const struct pmu_caps *caps, char *text)
{
    if (cpu_class(caps) == CLASS_NETBURST)
        return misc_enable_says(caps, text);
    format_text(text, PEBS_TEXT, "CPUID.1:EAX=0x%08x: no NetBurst", caps->signature);
    return PEBS_LACKING;
}

/* Called by the PMI's handler when it stops the counters, and at each write through the gate. */
bool netburst_pebs_usable(const struct pmu_caps *caps)
{
    char text[PEBS_TEXT];
    return cpu_class(caps) == CLASS_NETBURST && misc_enable_says(caps, text) == PEBS_USABLE;
}

u64 pebs_counter_bits(const struct pmu_caps *caps)
{
    const struct class_row *row = class_row(caps);
    return row && ds_usable(caps) ? (row->gp | row->fixed << 32) & caps_counter_bits(caps) : 0;
}

u64 sampling_counter_bits(const struct pmu_caps *caps)
{
    return pebs_counter_bits(caps) | apebs_counter_bits(caps);
}

u64 pebs_precise_bits(const struct pmu_caps *caps)
{
    const struct class_row *row = class_row(caps);
    u64 by_class = row ? (row->precise_gp | row->precise_fixed << 32) & pebs_counter_bits(caps) : 0;
    return by_class | apebs_precise_bits(caps);
}

u64 pebs_even_bits(const struct pmu_caps *caps)
{
    const struct class_row *row = class_row(caps);
    return pebs_precise_bits(caps) & (row ? row->even : ALL);
}

unsigned pebs_format(const struct pmu_caps *caps)
{
    return (unsigned)FIELD_GET(caps->perf_capabilities, 11, 8);
}

bool pebs_adaptive(const struct pmu_caps *caps)
{
    return pebs_counter_bits(caps) && caps->perf_capabilities & PERF_CAP_PEBS_BASELINE &&
           pebs_format(caps) >= PEBS_FORMAT_ADAPTIVE;
}

bool pebs_names_instruction(const struct pmu_caps *caps)
{
    return pebs_adaptive(caps) || apebs_usable(caps);
}

u64 sampling_status_bit(const struct pmu_caps *caps)
{
    return apebs_usable(caps) ? STATUS_ARCH_PEBS : STATUS_OVF_BUFFER;
}

unsigned pebs_pages_most(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_CORE2 ? 1 : ~0u;
}

bool pebs_clears_while_counting(const struct pmu_caps *caps)
{
    return (IS(CORE2) | IS(NEHALEM) | OLD_ATOM) & BIT(cpu_class(caps));
}

bool pebs_load_address(const struct pmu_caps *caps)
{
    u64 known = SINCE_ICL | IS(COUGAR_COVE) | (SNB_TO_SKL & ~IS(SANDY_BRIDGE)) | IS(GOLDMONT) | IS(GOLDMONT_PLUS);
    return sampling_counter_bits(caps) && known & BIT(cpu_class(caps));
}

bool pebs_maximum_included(const struct pmu_caps *caps)
{
    return (NEW_ATOM | SINCE_ICL) & BIT(cpu_class(caps));
}

bool pebs_tells_skips(const struct pmu_caps *caps)
{
    return (IS(GOLDMONT) | IS(GOLDMONT_PLUS)) & BIT(cpu_class(caps));
}

u64 pebs_latency_bits(const struct pmu_caps *caps)
{
    struct pebs_event latency;
    return !pebs_adaptive(caps) && pebs_event_of(caps, PEBS_LATENCY, &latency) ? latency.counters << 32 : 0;
}

bool pebs_latency_exists(const struct pmu_caps *caps)
{
    struct pebs_event event;
    return pebs_event_of(caps, PEBS_LATENCY, &event);
}

u64 pebs_store_bits(const struct pmu_caps *caps)
{
    struct pebs_event event;
    return pebs_event_of(caps, PEBS_STORES, &event) ? PEBS_PS : 0;
}

static enum pebs_care care_of(const struct pmu_caps *caps, const struct pebs_event *event)
{
    for_each_row (cares, row)
        if ((caps->signature & ANY_STEPPING) == row->signature && event->kind == row->kind &&
            (!row->smt || class_may_share_core(caps)))
            return row->care;
    return event->care;
}

bool pebs_event(const struct pmu_caps *caps, unsigned index, struct pebs_event *event)
{
    u64 counters = sampling_counter_bits(caps), class = BIT(cpu_class(caps));
    for_each_row (events, row) {
        if (!(row->classes & class) || !(row->event.counters & counters) || index--)
            continue;
        *event = row->event;
        event->counters &= counters;
        event->care = care_of(caps, event);
        return true;
    }
    return false;
}

bool pebs_event_of(const struct pmu_caps *caps, enum pebs_kind kind, struct pebs_event *event)
{
    for (unsigned i = 0; pebs_event(caps, i, event); i++)
        if (event->kind == kind)
            return true;
    return false;
}

bool pebs_basic_event(const struct pmu_caps *caps, struct pebs_event *event)
{
    static const enum pebs_kind kinds[] = {PEBS_INSTRUCTIONS, PEBS_BRANCHES};
    for_each_row (kinds, kind)
        for (unsigned i = 0; pebs_event(caps, i, event); i++)
            if (event->kind == *kind && event->care == PEBS_ANY_TIME)
                return true;
    return false;
}
