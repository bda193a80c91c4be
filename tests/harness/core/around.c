/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/around.h"
#include "harness/core/random.h"
#include "kernel/text/text.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "pmu/state/register.h"

/* Numbers that a drawing is made of: one for each purpose and subject. */
static u64 number(u64 seed, unsigned purpose, unsigned subject)
{
    u64 state = random_begin(seed * 0x2545f4914f6cdd1dull + purpose * 1009u + subject);
    random_next(&state);
    return random_next(&state) >> 8;
}

/* A trace is on or off: its part needs no number. */
enum purpose { SELECT = AROUND_TRACE, FIELD, OWN, ENTRY, TURN, CHOICE };

static bool can_trace(const struct pmu_caps *caps)
{
    char why[TRACE_TEXT];
    return !trace_unavailable(caps, why);
}

/* The bits that a part can have on this CPU. */
static u64 possible(const struct pmu_caps *caps, enum around_part part,
                    u64 (*legal)(const struct pmu_caps *caps, u32 msr))
{
    u64 counters = caps_counter_bits(caps);
    u64 set = caps->version >= 4 ? legal(caps, MSR_PERF_GLOBAL_STATUS_SET) : 0;
    switch (part) {
    case AROUND_STANDING:
        return set & (counters | STATUS_OVF_BUFFER);
    case AROUND_FEATURES:
        return set & (STATUS_TRACE_TOPA_PMI | STATUS_ASCI);
    case AROUND_FROZEN:
        return set & STATUS_CTR_FRZ;
    case AROUND_RECORDING:
        return legal(caps, MSR_DEBUGCTL) & DEBUGCTL_LBR;
    case AROUND_FREEZING:
        return legal(caps, MSR_DEBUGCTL) & (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    case AROUND_SMM:
        return legal(caps, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_WHILE_SMM;
    case AROUND_ENTRY:
        return 1;
    case AROUND_TRACE:
        return can_trace(caps);
    case AROUND_HISTORY:
        return MASK(HISTORY_KINDS - 1, 0);
    case AROUND_BASE:
    case AROUND_PLACE:
        return pebs_counter_bits(caps) ? MASK(7, 3) : 0;
    case AROUND_SAMPLED:
        return pebs_counter_bits(caps);
    case AROUND_SAMPLERS:
        return sampling_counter_bits(caps);
    case AROUND_EVENT:
        return caps_event_available(caps, 0) && caps_event_available(caps, 5) ? counters : 0;
    default:
        return caps->version >= 2 ? counters : 0;
    }
}

/* The reference PMU goes step by step while branches are recorded or traced: seldom. */
static bool chosen(u64 seed, enum around_part part, u32 draw)
{
    u64 chance = number(seed, CHOICE, part);
    if (part == AROUND_TRACE)
        return draw % 8 == 3;
    return part == AROUND_RECORDING ? !(chance & 7) : !draw || chance & 3;
}

/* Three of four parts, of a part half of its bits, and always something if there is anything to choose. */
struct surroundings around_draw(const struct pmu_caps *caps, unsigned parts, u64 seed, u32 draw,
                                u64 (*legal)(const struct pmu_caps *caps, u32 msr))
{
    struct surroundings around = {.seed = seed,
                                  .select_bits = legal(caps, MSR_PERFEVTSEL(caps_gp_index(caps, 0))),
                                  .field_bits = legal(caps, MSR_FIXED_CTR_CTRL)};
    u64 any = 0;
    for (unsigned part = 0; part < AROUND_PARTS; part++) {
        u64 bits = parts & ASIDE(part) ? possible(caps, part, legal) : 0;
        u64 some = bits & (bits & (bits - 1) ? number(seed, part, 0) : bits);
        around.part[part] = !chosen(seed, part, draw) ? 0 : draw ? some : bits;
        any |= around.part[part];
    }
    for (unsigned part = 0; part < AROUND_PARTS && !any; part++)
        around.part[part] = parts & ASIDE(part) ? possible(caps, part, legal) : 0;
    if (around.part[AROUND_RECORDING]) /* some CPUs do one or the other: SDM 3C, "Intel Processor Trace" */
        around.part[AROUND_TRACE] = 0;
    around.part[AROUND_NEIGHBOURS] |= around.part[AROUND_RUNNING] | around.part[AROUND_SAMPLERS];
    return around;
}

/* Events that a neighbour may count; with 0 it is not claimed, whatever else is set. */
u64 around_select(const struct surroundings *around, unsigned n)
{
    static const u16 events[] = {0x00c0, 0x003c, 0x00c4, 0x00c5, 0x412e, 0x4f2e, 0x013c, 0x0000};
    u64 r = number(around->seed, SELECT, n), fields = EVTSEL_OS | EVTSEL_USR | EVTSEL_EN | EVTSEL_INT | EVTSEL_EDGE;
    u64 select = EVTSEL_ENCODING(events[r & 7]) | ((r >> 8 << 16) & fields);
    select |= (r >> 40 & 3) == 3 ? EVTSEL_CMASK(1 + (r >> 42 & 3)) : 0;
    select |= (r >> 44 & 3) == 3 ? EVTSEL_INV : 0;
    return select & around->select_bits;
}

/* No PMI of reference cycles: their overflow bit may be set again after it was cleared (overflows_again()). */
u64 around_field(const struct surroundings *around, unsigned i)
{
    u64 r = number(around->seed, FIELD, i), pmi = r & 4 && i != FIXED_REF_CYCLES ? FIXED_PMI(i) : 0;
    return ((r & 1 ? FIXED_OS(i) : 0) | (r & 2 ? FIXED_USR(i) : 0) | pmi) & around->field_bits;
}

/* The rings of a control that counts at CPL 0 (os), also if all code that it is to count runs at CPL 3. */
static u64 own_rings(u64 control, u64 os, u64 usr, u64 r, bool user)
{
    if (!(control & os))
        return control;
    if (user && control & usr)
        return r & 1 ? control & ~os : control;
    return control | usr;
}

u64 around_own_select(const struct surroundings *around, unsigned n, u64 control, bool user)
{
    static const u16 events[] = {0x00c4, 0x003c};
    u64 r = number(around->seed, OWN, n);
    if (!(control & EVTSEL_EVENT(0xff)))
        return control;
    if (around->part[AROUND_EVENT] >> n & 1 && (control & 0xffff) == 0xc0)
        control = (control & ~0xfffful) | EVTSEL_ENCODING(events[r & 1]);
    if (around->part[AROUND_RINGS] >> n & 1)
        control = own_rings(control, EVTSEL_OS, EVTSEL_USR, r >> 1, user);
    return control | (around->part[AROUND_INT] >> n & 1 ? EVTSEL_INT : 0);
}

u64 around_own_field(const struct surroundings *around, unsigned i, u64 control, bool user)
{
    u64 r = number(around->seed, OWN, 32 + i);
    if (!(control & (FIXED_OS(i) | FIXED_USR(i))))
        return control;
    if (around->part[AROUND_RINGS] >> (32 + i) & 1)
        control = own_rings(control, FIXED_OS(i), FIXED_USR(i), r >> 1, user);
    return control | (around->part[AROUND_INT] >> (32 + i) & 1 ? FIXED_PMI(i) : 0);
}

u32 around_turn(const struct surroundings *around, u32 cells)
{
    return (u32)(number(around->seed, TURN, 0) % ((cells ? cells : 1) * AROUND_TURNS));
}

/* While bits of STATUS stand an NMI by anybody else would look like a PMI. */
u32 around_entry(const struct surroundings *around)
{
    u64 r = number(around->seed, ENTRY, 0);
    return (u32)(LVT_MASKED |
                 (r & 1 && !around->part[AROUND_STANDING] ? LVT_DELIVERY_NMI : LVT_VECTOR(32 + (r >> 8) % 224)));
}

/* ---- As text. */

struct writer {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (w->used + 1 < w->size)
        w->used += (size_t)format_args(w->text + w->used, w->size - w->used, format, args);
    va_end(args);
}

static const char *space(const struct writer *w)
{
    return w->used ? " " : "";
}

static void add_neighbours(struct writer *w, const struct surroundings *around, const struct pmu_caps *caps)
{
    char name[REGISTER_NAME_SIZE];
    u64 counters = around->part[AROUND_NEIGHBOURS];
    for_each_gp (caps, n)
        if (counters >> n & 1)
            add(w, "%s%s=0x%lx", space(w), register_name(caps, MSR_PERFEVTSEL(n), name), around_select(around, n));
    for_each_fixed (caps, i)
        if (counters >> (32 + i) & 1)
            add(w, "%sIA32_FIXED_CTR_CTRL[%u:%u]=%lxh", space(w), 4 * i + 3, 4 * i, around_field(around, i) >> (4 * i));
}

const char *around_text(const struct surroundings *around, const struct pmu_caps *caps, char *text, size_t size)
{
    static const char *const names[] = {[AROUND_STANDING] = "IA32_PERF_GLOBAL_STATUS",
                                        [AROUND_FEATURES] = "IA32_PERF_GLOBAL_STATUS",
                                        [AROUND_FROZEN] = "IA32_PERF_GLOBAL_STATUS",
                                        [AROUND_RECORDING] = "IA32_DEBUGCTL",
                                        [AROUND_FREEZING] = "IA32_DEBUGCTL",
                                        [AROUND_SMM] = "IA32_DEBUGCTL",
                                        [AROUND_HISTORY] = "uses-before",
                                        [AROUND_ENABLED] = "IA32_PERF_GLOBAL_CTRL",
                                        [AROUND_RUNNING] = "IA32_PERF_GLOBAL_CTRL",
                                        [AROUND_BASE] = "base",
                                        [AROUND_PLACE] = "ds-area",
                                        [AROUND_SAMPLED] = "IA32_PEBS_ENABLE",
                                        [AROUND_SAMPLERS] = "IA32_PEBS_ENABLE",
                                        [AROUND_EVENT] = "other-event-on",
                                        [AROUND_RINGS] = "other-rings-on",
                                        [AROUND_INT] = "pmi-bit-on",
                                        [AROUND_TRACE] = "IA32_RTIT_CTL"};
    struct writer w = {.text = text, .size = size};
    text[0] = 0;
    add_neighbours(&w, around, caps);
    if (around->part[AROUND_ENTRY])
        add(&w, "%sLVTPC=0x%x", space(&w), around_entry(around));
    for (unsigned part = 0; part < AROUND_PARTS; part++)
        if (names[part] && around->part[part])
            add(&w, "%s%s=0x%lx", space(&w), names[part], around->part[part]);
    return text;
}
