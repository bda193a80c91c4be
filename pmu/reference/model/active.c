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
    {ARCH_EVENT_CORE_CYCLES, EVENT_CORE_CYCLES},
    {ARCH_EVENT_INSTRUCTIONS, EVENT_INSTRUCTIONS},
    {ARCH_EVENT_REF_CYCLES, EVENT_REF_CLOCK},
    {ARCH_EVENT_LLC_REFERENCE, EVENT_LLC_REFERENCE},
    {ARCH_EVENT_LLC_MISS, EVENT_LLC_MISS},
    {ARCH_EVENT_BRANCHES, EVENT_BRANCHES},
    {ARCH_EVENT_BRANCH_MISSES, EVENT_BRANCH_MISSES},
    {ARCH_EVENT_TOPDOWN_SLOTS, EVENT_SLOTS},
    {ARCH_EVENT_TOPDOWN_BACKEND, EVENT_BACKEND_BOUND},
    {ARCH_EVENT_TOPDOWN_BAD_SPEC, EVENT_BAD_SPECULATION},
    {ARCH_EVENT_TOPDOWN_FRONTEND, EVENT_FRONTEND_BOUND},
    {ARCH_EVENT_TOPDOWN_RETIRING, EVENT_RETIRING},
    {ARCH_EVENT_LBR_INSERTS, EVENT_NONE}, /* no architectural branch records are modelled */
};

static const uint8_t fixed_events[FIXED_MAX] = {
    EVENT_INSTRUCTIONS,    EVENT_CORE_CYCLES,    EVENT_REF_TSC,  EVENT_SLOTS,
    EVENT_BAD_SPECULATION, EVENT_FRONTEND_BOUND, EVENT_RETIRING,
};

/* A second unit mask names further events, none of which is known here. */
static uint8_t architectural_event(const struct model *m, uint64_t evtsel)
{
    if (evtsel & MASK(47, 40))
        return EVENT_NONE;
    for (unsigned i = 0; i < ARRAY_SIZE(architectural) && i < m->p.event_length; i++)
        if (architectural[i].encoding == (evtsel & MASK(15, 0)))
            return m->p.events_dead >> i & 1 ? EVENT_NONE : architectural[i].event;
    return EVENT_NONE;
}

/* Loads by latency and precise stores count only where PEBS is set up to sample them. */
static uint8_t sampled_event(const struct model *m, unsigned n, uint8_t event)
{
    uint64_t enable = m->stored[STORED_PEBS_ENABLE];
    if (m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE)
        return event;
    uint64_t needs = event == EVENT_LOAD_LATENCY ? PEBS_LL(n) : PEBS_PS;
    return (m->p.pebs_latency_gp >> n & 1) && (enable & needs) ? event : EVENT_NONE;
}

/* Those of the generation. */
static uint8_t own_event(const struct model *m, unsigned n, uint64_t evtsel)
{
    uint64_t encoding = evtsel & (MASK(47, 40) | MASK(15, 0));
    if (!encoding)
        return EVENT_NONE;
    if (encoding == m->p.event_prec_dist)
        return EVENT_INSTRUCTIONS;
    if (encoding == m->p.event_branches)
        return EVENT_BRANCHES;
    if (encoding == m->p.event_loads)
        return EVENT_LOADS;
    if (encoding == m->p.event_stores)
        return EVENT_STORES;
    if (encoding == m->p.event_load_latency)
        return sampled_event(m, n, EVENT_LOAD_LATENCY);
    return encoding == m->p.event_precise_store ? sampled_event(m, n, EVENT_PRECISE_STORE) : EVENT_NONE;
}

static uint8_t selected_event(struct model *m, unsigned n, uint64_t evtsel)
{
    uint8_t event = architectural_event(m, evtsel);
    if (event == EVENT_NONE)
        return own_event(m, n, evtsel);
    if (event == EVENT_CORE_CYCLES && deviates(m, DEV_ARCH_EVENT_CLAIMED_ABSENT))
        return EVENT_NONE;
    if (event == EVENT_BRANCHES && deviates(m, DEV_BRANCH_EVENT_CLAIMED_ABSENT))
        return EVENT_NONE;
    if (event == EVENT_BRANCH_MISSES && deviates(m, DEV_BRANCH_MISS_BOGUS))
        return EVENT_BRANCHES;
    if (event != EVENT_NONE && m->magic_left && deviates(m, DEV_COUNTS_CORE_CLOCK_UNTIL_MAGIC))
        return EVENT_CORE_CYCLES;
    return event;
}

static void add(struct model *m, struct counting c)
{
    if (!c.rings || (c.event == EVENT_NONE && !c.invert))
        return; /* never counts: not worth a step */
    m->clocks |= c.by_cycles || c.event == EVENT_CORE_CYCLES || c.event == EVENT_REF_TSC ||
                 c.event == EVENT_REF_CLOCK || (c.event >= EVENT_SLOTS && c.event <= EVENT_BACKEND_BOUND);
    m->by_cycles |= c.by_cycles;
    m->topdown |= c.event > EVENT_SLOTS && c.event <= EVENT_BACKEND_BOUND;
    m->memory |= c.event >= EVENT_LOADS;
    m->rare |= c.event == EVENT_LLC_REFERENCE || c.event == EVENT_LLC_MISS || c.event == EVENT_BRANCH_MISSES;
    m->active_mask |= BIT(c.bit);
    m->active[m->active_count++] = c;
}

static void add_gp(struct model *m, unsigned n)
{
    uint64_t evtsel = m->evtsel[n];
    uint8_t threshold = deviates(m, DEV_CMASK_IGNORED) ? 0 : (uint8_t)FIELD_GET(evtsel, 31, 24);
    bool on = (evtsel & EVTSEL_EN) || (!evtsel && m->deviation == DEV_PEBS_WITHOUT_EVENT);
    if (!on && !deviates(m, DEV_COUNTS_WITHOUT_EVENT_ENABLE))
        return;
    struct counting c = {
        .value = &m->pmc[n],
        .limit = width_mask(m->p.gp_width),
        .bit = (uint8_t)n,
        .slot = (uint8_t)n,
        .event = selected_event(m, n, evtsel),
        .rings = (evtsel & EVTSEL_OS ? RING_OS : 0) | (evtsel & EVTSEL_USR ? RING_USR : 0),
        .by_cycles = threshold || (evtsel & EVTSEL_EDGE),
        .invert = threshold && (evtsel & EVTSEL_INV), /* without a threshold there is nothing to invert */
        .edge = evtsel & EVTSEL_EDGE,
        .equal = threshold && (evtsel & EVTSEL_EQ),
        .any = evtsel & EVTSEL_ANY,
        .threshold = threshold ? threshold : 1,
    };
    if (!evtsel && (m->stored[STORED_PEBS_ENABLE] & PEBS_GP(n)) && deviates(m, DEV_PEBS_WITHOUT_EVENT)) {
        c.event = EVENT_INSTRUCTIONS;
        c.rings = RING_OS;
    }
    if (!c.rings && deviates(m, DEV_COUNTS_WITHOUT_RING))
        c.rings = RING_OS | RING_USR;
    if (c.any && c.rings && deviates(m, DEV_ANYTHREAD_ONE_CPL_WRONG))
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

/* PERF_METRICS is kept while fixed counter 3 counts and its own enable bit is set. */
static void add_metrics(struct model *m, uint64_t run)
{
    m->metrics = 0;
    if (!m->p.stored[STORED_PERF_METRICS].exists || !(run & GLOBAL_METRICS))
        return;
    for (unsigned i = 0; i < m->active_count; i++)
        if (m->active[i].bit == 32 + FIXED_TOPDOWN_SLOTS)
            m->metrics = m->active[i].rings;
    m->topdown |= m->metrics != 0;
}

/* Those that a freeze spares. */
static uint64_t spared(struct model *m)
{
    if (deviates(m, DEV_CTR_FRZ_SPARES_LAST_GP))
        return GLOBAL_GP(m->p.gp_count - 1);
    return deviates(m, DEV_CTR_FRZ_SPARES_PMC4_7) ? MASK(7, 4) : 0;
}

/* GLOBAL_CTRL bits that let their counter run. */
static uint64_t enabled(struct model *m)
{
    uint64_t run = m->stored[STORED_GLOBAL_CTRL];
    bool frozen = m->p.freeze == FREEZE_STREAMLINED && (m->status & STATUS_CTR_FRZ);
    if (m->stays_frozen || (frozen && !deviates(m, DEV_CTR_FRZ_IGNORED)))
        return run & spared(m);
    if (m->p.version < 2 || deviates(m, DEV_COUNTS_WITHOUT_GLOBAL_ENABLE))
        return ~0ull;
    return run;
}

void model_gather_active(struct model *m)
{
    uint64_t run = enabled(m);
    m->active_count = 0;
    m->active_mask = 0;
    m->clocks = m->rare = m->topdown = m->by_cycles = m->memory = false;
    if (m->p.netburst_count)
        model_netburst_gather(m, add);
    for (unsigned n = 0; n < m->p.gp_count; n++)
        if (run & GLOBAL_GP(n))
            add_gp(m, n);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if ((m->p.fixed_bitmap >> i & 1) && (run & GLOBAL_FIXED(i)))
            add_fixed(m, i);
    add_metrics(m, run);
    m->recording = model_lbr_recording(m);
    model_pebs_gather(m);
    bool simply = !m->rare && !m->memory && !m->counts_differ && !m->shares;
    m->plainly = simply && !m->clocks && !m->pebs.sampling;
    m->steadily = simply && !m->topdown && !m->by_cycles && !m->recording && !m->p.throttled;
}
