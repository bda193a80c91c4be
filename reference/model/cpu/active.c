/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which counters count now: those that are enabled in their own control register and in GLOBAL_CTRL (version 2 and
 * later), and not frozen (version 4). SDM 3B, "Architectural Performance Monitoring". Gathered when a register is
 * written, so that a step only deals with counters that count.
 */
#include "reference/model/model_state.h"

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
    {ARCH_EVENT_LBR_INSERTS, EVENT_LBR_INSERTS},
};

static const uint8_t fixed_events[FIXED_MAX] = {
    EVENT_INSTRUCTIONS,    EVENT_CORE_CYCLES,    EVENT_REF_TSC,  EVENT_SLOTS,
    EVENT_BAD_SPECULATION, EVENT_FRONTEND_BOUND, EVENT_RETIRING,
};

/* A second unit mask selects further events, none of which is modelled. */
uint8_t model_architectural_event(const struct model *m, uint64_t evtsel)
{
    if (evtsel & MASK(47, 40))
        return EVENT_NONE;
    for (unsigned i = 0; i < ARRAY_SIZE(architectural) && i < m->p.event_length; i++)
        if (architectural[i].encoding == (evtsel & MASK(15, 0)))
            return m->p.events_dead >> i & 1 ? EVENT_NONE : architectural[i].event;
    return EVENT_NONE;
}

/* Loads by latency and precise stores count only if PEBS is set up to sample them. */
static uint8_t sampled_event(const struct model *m, unsigned n, uint8_t event)
{
    uint64_t enable = m->controls.stored[STORED_PEBS_ENABLE];
    if ((m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE) || model_apebs(m))
        return event;
    uint64_t needs = event == EVENT_LOAD_LATENCY ? PEBS_LL(n) : PEBS_PS;
    return (m->p.pebs_latency_gp >> n & 1) && (enable & needs) ? event : EVENT_NONE;
}

/* Events of the generation, on the counters that have them. On others they count nothing here: no manual says. */
static uint8_t own_event(const struct model *m, unsigned n, uint64_t evtsel)
{
    uint32_t encoding = event_encoding(evtsel);
    if (!encoding)
        return EVENT_NONE;
    for (const struct profile_event *e = m->p.events; e < m->p.events + EVENTS_MAX && e->encoding; e++)
        if (e->encoding == encoding)
            return e->counters >> n & 1 ? e->event : EVENT_NONE;
    if (encoding == m->p.event_prec_dist)
        return EVENT_INSTRUCTIONS;
    if (encoding == m->p.event_load_latency)
        return sampled_event(m, n, EVENT_LOAD_LATENCY);
    return encoding == m->p.event_precise_store ? sampled_event(m, n, EVENT_PRECISE_STORE) : EVENT_NONE;
}

/* An architectural event is the same on each CPU that has it. SDM 3B, "Pre-defined Architectural Performance Events".
 * */
uint8_t good_selected_event(struct model *m, unsigned n, uint64_t evtsel)
{
    uint8_t event = model_architectural_event(m, evtsel);
    return event == EVENT_NONE ? own_event(m, n, evtsel) : event;
}

/* Notes what this event of an active counter needs to know of each instruction. */
static void need(struct model *m, uint8_t event, uint8_t rings)
{
    bool topdown = event > EVENT_SLOTS && event <= EVENT_BACKEND_BOUND;
    bool missed = event == EVENT_BRANCH_MISSES || (event >= EVENT_MISSED_KINDS && event <= EVENT_PREDICTED_NOT_TAKEN);
    m->active.clocks |= event == EVENT_CORE_CYCLES || event == EVENT_REF_TSC || event == EVENT_REF_CLOCK ||
                        (event >= EVENT_SLOTS && event <= EVENT_BACKEND_BOUND);
    m->active.topdown |= topdown;
    m->active.kinds |= event >= EVENT_CONDITIONAL && event <= EVENT_PREDICTED_NOT_TAKEN;
    m->active.missed |= topdown || missed ? rings : 0;
    m->active.memory |= event >= EVENT_UOPS;
    m->active.each_access |= event >= EVENT_LOAD_LATENCY;
    m->active.rare |= event == EVENT_LLC_REFERENCE || event == EVENT_LLC_MISS ||
                      (event >= EVENT_SLOTS_USED && event <= EVENT_OFFCORE_1);
}

static void add(struct model *m, struct counting c)
{
    if (!c.rings || (c.event == EVENT_NONE && !c.invert))
        return; /* never counts: not worth a step */
    need(m, c.event, m->counts_anew ? RING_OS | RING_USR : c.rings);
    m->active.clocks |= c.by_cycles;
    m->active.unevenly |= c.by_cycles && !model_counts_evenly(&c);
    m->active.interrupts |= c.event == EVENT_INTERRUPTS;
    m->active.inserts |= c.event == EVENT_LBR_INSERTS;
    m->active.logged |= c.logged;
    m->active.mask |= BIT(c.bit);
    m->active.list[m->active.count++] = c;
}

/* A GP counter counts only with its own enable bit; with IN_TX only in transactions. */
bool good_gp_enabled(struct model *m, uint64_t evtsel)
{
    return (evtsel & EVTSEL_EN) && (!(evtsel & EVTSEL_IN_TX) || m->transaction.open);
}

/* A GP counter counts in the rings that its event select names. */
uint8_t good_gp_rings(struct model *m, unsigned n, uint64_t evtsel)
{
    (void)m, (void)n;
    return (evtsel & EVTSEL_OS ? RING_OS : 0) | (evtsel & EVTSEL_USR ? RING_USR : 0);
}

/* With CMASK a counter counts the cycles in which the event happens at least so often; with 0 each occurrence. */
uint8_t good_gp_threshold(struct model *m, unsigned n, uint64_t evtsel)
{
    (void)m, (void)n;
    return (uint8_t)FIELD_GET(evtsel, 31, 24);
}

/* With EDGE a counter counts only the cycles in which the condition becomes true. */
bool good_gp_edge(struct model *m, uint64_t evtsel)
{
    (void)m;
    return evtsel & EVTSEL_EDGE;
}

/* With EQ the event has to happen exactly as often as CMASK says. CPUID.23H.0:EBX[1] enumerates it. */
bool good_gp_equal(struct model *m, uint64_t evtsel)
{
    (void)m;
    return evtsel & EVTSEL_EQ;
}

static void add_gp(struct model *m, unsigned n)
{
    uint64_t evtsel = m->controls.evtsel[n];
    uint8_t threshold = rule(m, gp_threshold)(m, n, evtsel);
    if (!rule(m, gp_enabled)(m, evtsel))
        return;
    struct counting c = {
        .value = &m->counters.pmc[n],
        .limit = width_mask(m->p.gp_width),
        .bit = (uint8_t)n,
        .slot = (uint8_t)n,
        .event = rule(m, selected_event)(m, n, evtsel),
        .rings = rule(m, gp_rings)(m, n, evtsel),
        .by_cycles = threshold || (evtsel & EVTSEL_EDGE),
        .invert = threshold && (evtsel & EVTSEL_INV), /* INV has no effect without a threshold */
        .edge = rule(m, gp_edge)(m, evtsel),
        .equal = threshold && rule(m, gp_equal)(m, evtsel),
        .any = evtsel & EVTSEL_ANY,
        .logged = model_lbr_logs(m, n, evtsel),
        .threshold = threshold ? threshold : 1,
    };
    add(m, c);
}

/* A fixed counter is enabled by the bits of its rings alone. */
uint8_t good_fixed_rings(struct model *m, unsigned i)
{
    uint64_t control = m->controls.stored[STORED_FIXED_CTR_CTRL];
    return (control & FIXED_OS(i) ? RING_OS : 0) | (control & FIXED_USR(i) ? RING_USR : 0);
}

static void add_fixed(struct model *m, unsigned i)
{
    struct counting c = {
        .value = &m->counters.fixed[i],
        .limit = width_mask(m->p.fixed_width),
        .bit = (uint8_t)(32 + i),
        .slot = (uint8_t)(GP_MAX + i),
        .event = fixed_events[i],
        .rings = rule(m, fixed_rings)(m, i),
    };
    add(m, c);
}

/* PERF_METRICS counts while fixed counter 3 counts and its own enable bit is set. */
static void add_metrics(struct model *m)
{
    m->active.metrics = 0;
    if (!m->p.stored[STORED_PERF_METRICS].exists || !rule(m, metrics_enabled)(m))
        return;
    for (unsigned i = 0; i < m->active.count; i++)
        if (m->active.list[i].bit == 32 + FIXED_TOPDOWN_SLOTS)
            m->active.metrics = rule(m, metrics_rings)(m, m->active.list[i].rings);
    m->active.topdown |= m->active.metrics != 0;
    m->active.missed |= m->active.metrics;
}

/* From version 2 on a counter also needs its bit of GLOBAL_CTRL. */
uint64_t good_globally_enabled(struct model *m)
{
    return m->p.version < 2 ? ~0ull : m->controls.stored[STORED_GLOBAL_CTRL];
}

/* From version 4 on counters are frozen while CTR_FRZ is set, by hardware or software. */
bool good_counters_frozen(struct model *m)
{
    return m->p.freeze == FREEZE_STREAMLINED && (m->status.bits & STATUS_CTR_FRZ);
}

/* CTR_FRZ stops every counter. */
uint64_t good_spared_by_freeze(struct model *m)
{
    (void)m;
    return 0;
}

/* The bits of GLOBAL_CTRL whose counters may run. */
static uint64_t enabled(struct model *m)
{
    if (rule(m, counters_frozen)(m))
        return m->controls.stored[STORED_GLOBAL_CTRL] & rule(m, spared_by_freeze)(m);
    return rule(m, globally_enabled)(m);
}

void model_settle(struct model *m)
{
    uint64_t run = enabled(m);
    m->active.stale = false;
    m->active.count = 0;
    m->active.mask = 0;
    m->active.clocks = m->active.rare = m->active.kinds = m->active.topdown = m->active.unevenly = false;
    m->active.memory = m->active.each_access = m->active.interrupts = false;
    m->active.missed = 0;
    m->active.inserts = m->active.logged = false;
    if (m->p.netburst_count)
        model_netburst_gather(m, add);
    for (unsigned n = 0; n < m->p.gp_count; n++)
        if (run & GLOBAL_GP(n))
            add_gp(m, n);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if ((m->p.fixed_bitmap >> i & 1) && (run & GLOBAL_FIXED(i)))
            add_fixed(m, i);
    add_metrics(m);
    model_predictor_follow(m, m->active.missed);
    model_rare_follow(m);
    m->active.recording = model_lbr_recording(m);
    model_pebs_gather(m);
    model_core_counts(m);
    bool simply = !m->counts_anew && !m->p.netburst_count;
    m->active.plainly = simply && !m->active.missed && !m->active.rare && !m->active.kinds && !m->active.memory &&
                        !m->active.clocks && !m->active.logged && !m->pebs.sampling;
    m->active.steadily =
        simply && !m->active.each_access && !m->active.unevenly && !m->active.logged && !m->p.throttled;
}
