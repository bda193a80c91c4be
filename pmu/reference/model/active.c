/*
 * Which counters count now. Enabled in its own control register, in GLOBAL_CTRL (version 2 and later) and not frozen
 * (version 4): SDM 3B, "Architectural Performance Monitoring". Gathered when a register is written, so that a step
 * touches only what counts.
 */
#include "pmu/reference/model/model_state.h"

/* Architectural events by index in CPUID leaf 0AH EBX. SDM 3B, "Pre-defined Architectural Performance Events". */
static const struct {
    uint16_t encoding;
    uint8_t event;
} architectural[] = {
    {ARCH_EVENT_CORE_CYCLES, EVENT_CORE_CYCLES},     {ARCH_EVENT_INSTRUCTIONS, EVENT_INSTRUCTIONS},
    {ARCH_EVENT_REF_CYCLES, EVENT_REF_CLOCK},        {ARCH_EVENT_LLC_REFERENCE, EVENT_LLC_REFERENCE},
    {ARCH_EVENT_LLC_MISS, EVENT_LLC_MISS},           {ARCH_EVENT_BRANCHES, EVENT_BRANCHES},
    {ARCH_EVENT_BRANCH_MISSES, EVENT_BRANCH_MISSES}, {ARCH_EVENT_TOPDOWN_SLOTS, EVENT_SLOTS},
};

static const uint8_t fixed_events[FIXED_MAX] = {EVENT_INSTRUCTIONS, EVENT_CORE_CYCLES, EVENT_REF_TSC, EVENT_SLOTS};

static uint8_t selected_event(struct model *m, uint64_t evtsel)
{
    uint8_t event = EVENT_NONE;
    for (unsigned i = 0; i < ARRAY_SIZE(architectural) && i < m->p.event_length; i++)
        if (architectural[i].encoding == (evtsel & MASK(15, 0)))
            event = architectural[i].event;
    if (event == EVENT_CORE_CYCLES && deviates(m, DEV_ARCH_EVENT_CLAIMED_ABSENT))
        return EVENT_NONE;
    if (event == EVENT_BRANCHES && deviates(m, DEV_BRANCH_EVENT_CLAIMED_ABSENT))
        return EVENT_NONE;
    return event;
}

static void add(struct model *m, struct counting c)
{
    if (!c.rings || (c.event == EVENT_NONE && !c.invert))
        return; /* never counts: not worth a step */
    m->clocks |= c.by_cycles || c.event == EVENT_CORE_CYCLES || c.event == EVENT_REF_TSC ||
                 c.event == EVENT_REF_CLOCK || c.event == EVENT_SLOTS;
    m->rare |= c.event == EVENT_LLC_REFERENCE || c.event == EVENT_LLC_MISS || c.event == EVENT_BRANCH_MISSES;
    m->active_mask |= BIT(c.bit);
    m->active[m->active_count++] = c;
}

static void add_gp(struct model *m, unsigned n)
{
    uint64_t evtsel = m->evtsel[n];
    uint8_t threshold = (uint8_t)FIELD_GET(evtsel, 31, 24);
    if (!(evtsel & EVTSEL_EN) && !deviates(m, DEV_COUNTS_WITHOUT_EVENT_ENABLE))
        return;
    struct counting c = {
        .value = &m->pmc[n],
        .limit = width_mask(m->p.gp_width),
        .bit = (uint8_t)n,
        .slot = (uint8_t)n,
        .event = selected_event(m, evtsel),
        .rings = (evtsel & EVTSEL_OS ? RING_OS : 0) | (evtsel & EVTSEL_USR ? RING_USR : 0),
        .by_cycles = threshold || (evtsel & EVTSEL_EDGE),
        .invert = threshold && (evtsel & EVTSEL_INV), /* without a threshold there is nothing to invert */
        .edge = evtsel & EVTSEL_EDGE,
        .threshold = threshold ? threshold : 1,
    };
    if (!c.rings && deviates(m, DEV_COUNTS_WITHOUT_RING))
        c.rings = RING_OS | RING_USR;
    add(m, c);
}

static void add_fixed(struct model *m, unsigned i)
{
    uint64_t control = m->stored[STORED_FIXED_CTR_CTRL];
    struct counting c = {
        .value = &m->fixed[i],
        .limit = width_mask(m->p.fixed_width),
        .bit = (uint8_t)(32 + i),
        .slot = (uint8_t)(GP_MAX + i),
        .event = fixed_events[i],
        .rings = (control & FIXED_OS(i) ? RING_OS : 0) | (control & FIXED_USR(i) ? RING_USR : 0),
    };
    if (!c.rings && deviates(m, DEV_FIXED_COUNTS_DISABLED))
        c.rings = RING_OS | RING_USR;
    add(m, c);
}

/* GLOBAL_CTRL bits that let their counter run. */
static uint64_t enabled(struct model *m)
{
    uint64_t run = m->stored[STORED_GLOBAL_CTRL];
    bool frozen = m->p.freeze == FREEZE_STREAMLINED && (m->status & STATUS_CTR_FRZ);
    if (m->stays_frozen || (frozen && !deviates(m, DEV_CTR_FRZ_IGNORED)))
        return deviates(m, DEV_CTR_FRZ_SPARES_LAST_GP) ? run & GLOBAL_GP(m->p.gp_count - 1) : 0;
    if (m->p.version < 2 || deviates(m, DEV_COUNTS_WITHOUT_GLOBAL_ENABLE))
        return ~0ull;
    return run;
}

void model_gather_active(struct model *m)
{
    uint64_t run = enabled(m);
    m->active_count = 0;
    m->active_mask = 0;
    m->clocks = m->rare = false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        if (run & GLOBAL_GP(n))
            add_gp(m, n);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if ((m->p.fixed_bitmap >> i & 1) && (run & GLOBAL_FIXED(i)))
            add_fixed(m, i);
    m->plainly = !m->clocks && !m->rare && m->deviation < 0;
}
