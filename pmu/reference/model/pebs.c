/* The engine of PEBS: an overflow arms a counter, its next occurrence writes the record. The rules are in pebs.h. */
#include "pmu/reference/model/model_state.h"

#define WAY_MOST 4000

static bool fault_like(const struct model *m)
{
    return m->p.perf_capabilities && !(m->p.perf_capabilities & PERF_CAP_PEBS_TRAP);
}

static bool adaptive(const struct model *m, unsigned bit)
{
    if (bit < 32)
        return m->evtsel[bit] & EVTSEL_ADAPTIVE;
    return m->stored[STORED_FIXED_CTR_CTRL] & FIXED_ADAPTIVE(bit - 32);
}

/* Of `counters`, those whose records have the groups that MSR_PEBS_DATA_CFG asks for. */
static uint64_t adaptive_ones(struct model *m, uint64_t counters)
{
    uint64_t ones = 0;
    if (!(m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE))
        return 0;
    if (deviates(m, DEV_PEBS_ADAPTIVE_IGNORED))
        return counters;
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            ones |= adaptive(m, bit) ? BIT(bit) : 0;
    return ones;
}

/* ---- What a record leads to. */

static void reload(struct model *m, uint64_t area, unsigned bit)
{
    uint64_t value;
    if (deviates(m, DEV_PEBS_NO_RELOAD) || !model_pebs_reset_value(m, area, bit, &value))
        return;
    if (m->deviation >= 0)
        value = model_pebs_deviate_reset(m, bit, value);
    if (m->p.netburst_count)
        m->netburst[bit] = value & width_mask(m->p.netburst_width);
    else if (bit < 32)
        m->pmc[bit] = value & width_mask(m->p.gp_width);
    else
        m->fixed[bit - 32] = value & width_mask(m->p.fixed_width);
}

/* The PMI comes so many records later. */
static bool comes_late(struct model *m)
{
    struct pebs *p = &m->pebs;
    if (m->deviation < 0 || p->late_records)
        return p->late_records && --p->late_records;
    if (deviates(m, DEV_THRESHOLD_PMI_ONE_LATE))
        p->late_records = 1;
    return p->late_records;
}

/* The PMI's way takes periods, and the counter goes on meanwhile. */
static uint32_t further_way(struct model *m, const struct pebs_sample *sample)
{
    uint64_t reset = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (sample->counters >> bit & 1)
            model_pebs_reset_value(m, sample->area, bit, &reset);
    uint64_t way = -reset * (1 + m->pebs.records % 8);
    return way < WAY_MOST ? (uint32_t)way : WAY_MOST;
}

static void at_threshold(struct model *m, const struct pebs_sample *sample)
{
    bool freezes = m->stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    bool late = comes_late(m);
    bool silent = deviates(m, DEV_OVFBUF_MISSING) || (!freezes && deviates(m, DEV_OVFBUF_NEEDS_FREEZE));
    if (!m->p.netburst_count && !silent)
        m->status |= STATUS_OVF_BUFFER;
    if (late || deviates(m, DEV_THRESHOLD_PMI_LOST))
        return;
    if (m->p.netburst_count && !model_netburst_asks(m, sample->counters))
        return;
    bool on_its_way = m->pmi_countdown;
    model_pmi_raise(m);
    if (!on_its_way && m->pmi_countdown && deviates(m, DEV_PEBS_EXTRA_RECORDS))
        m->pmi_countdown += further_way(m, sample);
}

/* A skipped record is told of by newer CPUs, which then leave the counters as they are. */
static void write_record(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    enum pebs_stored stored = model_pebs_store(m, sample);
    bool tells = stored == PEBS_SKIPPED && m->p.pebs_tells_skips && !deviates(m, DEV_PEBS_SKIP_UNTOLD);
    if (!deviates(m, DEV_PEBS_STATUS_STAYS))
        m->status &= ~sample->counters;
    if (tells || (stored == PEBS_STORED && deviates(m, DEV_OVFBUF_EARLY)))
        m->status |= STATUS_OVF_BUFFER;
    for (unsigned bit = 0; bit < 64 && !tells && !stopped; bit++)
        if (sample->counters >> bit & 1)
            reload(m, sample->area, bit);
    if (stored == PEBS_AT_THRESHOLD || (stored == PEBS_STORED && deviates(m, DEV_THRESHOLD_EARLY)))
        at_threshold(m, sample);
    if (stored == PEBS_SKIPPED && deviates(m, DEV_PMI_AT_BUFFER_FULL))
        model_pmi_raise(m);
    if (stored >= PEBS_STORED && (m->stored[STORED_PEBS_ENABLE] & PEBS_PMI_AFTER_EACH) &&
        (m->p.perf_capabilities & PERF_CAP_PEBS_OUTPUT_PT))
        model_pmi_raise(m);
}

/* The last one before this counter was stopped; and so one, for CPUs that cannot leave it at that. */
static void write_one(struct model *m, const struct pebs_sample *sample)
{
    m->pebs.written_to = sample->area;
    write_record(m, sample, false);
    if (m->deviation >= 0 && model_pebs_twice(m, sample))
        write_record(m, sample, false);
}

/* ---- What a record is made of. */

/* Before Haswell only loads by latency and precise stores have their address in the record; on Atom nothing has. */
static bool shows_address(const struct model *m, uint8_t event)
{
    if (event < EVENT_LOADS || !m->p.pebs_latency_gp)
        return false;
    return event >= EVENT_LOAD_LATENCY || FIELD_GET(m->p.perf_capabilities, 11, 8) >= 2;
}

static bool counts_memory(const struct model *m, uint64_t counters)
{
    for (const struct counting *c = m->active; c < m->active + m->active_count; c++)
        if ((counters >> c->bit & 1) && shows_address(m, c->event))
            return true;
    return false;
}

static void capture(struct model *m, const struct retired *in, struct pebs_sample *sample)
{
    sample->status = m->status;
    sample->eventing_ip = in->rip;
    sample->tsc = m->host.time(m->host.context);
    sample->address = sample->source = sample->latency = 0;
    if (in->access && counts_memory(m, sample->counters)) {
        sample->address = in->address;
        sample->latency = in->access & ACCESS_LOAD ? model_load_latency(in->address) : 0;
        sample->source = model_data_source(in->address);
    }
    m->host.registers(m->host.context, &sample->registers);
    if (fault_like(m)) {
        struct model_registers after = sample->registers;
        sample->registers = m->pebs.before;
        m->pebs.before = after;
    }
    if (m->deviation >= 0)
        model_pebs_deviate_sample(m, in, sample);
}

static void fire(struct model *m, const struct retired *in, uint64_t counters)
{
    struct pebs_sample *sample = &m->pebs.sample;
    uint64_t with_groups = adaptive_ones(m, counters), without = counters & ~with_groups;
    sample->area = m->pebs.area;
    sample->counters = counters;
    capture(m, in, sample);
    if (with_groups) {
        sample->counters = with_groups;
        sample->groups = m->stored[STORED_PEBS_DATA_CFG];
        write_one(m, sample);
    }
    if (without) {
        sample->counters = without;
        sample->groups = 0;
        write_one(m, sample);
    }
}

/* ---- Residual records. */

static void leave_residual(struct model *m, uint64_t counters, uint32_t ticks)
{
    struct pebs *p = &m->pebs;
    if (p->waiting)
        return; /* one is on its way already */
    p->waiting = true;
    p->captured = false;
    p->due = m->host.time(m->host.context) + ticks;
    p->residual.area = p->area;
    p->residual.groups = p->groups;
    p->residual.counters = counters;
}

/* It shows the instruction that stopped the counter. */
static void pass_residual(struct model *m, const struct retired *in)
{
    struct pebs *p = &m->pebs;
    if (!p->captured)
        capture(m, in, &p->residual);
    p->captured = true;
    if (m->host.time(m->host.context) < p->due)
        return;
    p->waiting = false;
    write_record(m, &p->residual, true);
}

/* ---- Arming. */

/* How many instructions it takes: no constant, hence a pattern. */
static uint8_t shadow(struct model *m, unsigned bit)
{
    uint32_t mixed = ++m->pebs.arms * 2654435761u >> 16;
    bool precise = false;
    for (const struct counting *c = m->active; c < m->active + m->active_count; c++)
        precise |= c->bit == bit && model_pebs_precise(m, c);
    uint8_t instructions = precise ? 0 : (uint8_t)(mixed % (m->p.pebs_shadow + 1u));
    return m->deviation < 0 ? instructions : model_pebs_deviate_shadow(m, bit, precise, instructions);
}

static void arm(struct model *m, uint64_t counters)
{
    struct pebs *p = &m->pebs;
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            p->wait[bit] = shadow(m, bit);
    if (!counters || deviates(m, DEV_PEBS_NO_RECORD) || (p->groups_changed && deviates(m, DEV_DATA_CFG_STOPS_PEBS)))
        return;
    p->armed |= counters;
    p->area = m->stored[STORED_DS_AREA];
    p->groups = adaptive_ones(m, counters) ? m->stored[STORED_PEBS_DATA_CFG] : 0;
}

void model_pebs_arm(struct model *m, uint64_t wrapped)
{
    arm(m, wrapped & m->pebs.sampling);
    if (m->pebs.armed && fault_like(m))
        m->host.registers(m->host.context, &m->pebs.before);
}
/* Armed counters whose event the instruction was. */
static uint64_t due(struct pebs *p)
{
    uint64_t counters = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (!(p->armed >> bit & 1))
            continue;
        else if (p->wait[bit])
            p->wait[bit]--;
        else
            counters |= BIT(bit) & p->occurred;
    return counters;
}

void model_pebs_pass(struct model *m, const struct retired *in)
{
    struct pebs *p = &m->pebs;
    if (p->waiting)
        pass_residual(m, in);
    if (p->armed) {
        uint64_t counters = due(p), firing = counters;
        if (counters && m->deviation >= 0)
            firing = model_pebs_deviate_due(m, counters);
        p->armed &= ~counters;
        if (firing)
            fire(m, in, firing);
        else if (fault_like(m))
            m->host.registers(m->host.context, &p->before);
    }
    p->previous_rip = in->rip;
    p->occurred = 0;
}

/* ---- Which counters sample. */

static bool usable(const struct model *m)
{
    return (m->p.leaf1_edx & CPUID_1_EDX_DS) && !(m->stored[STORED_MISC_ENABLE] & MISC_ENABLE_PEBS_UNAVAILABLE) &&
           m->stored[STORED_DS_AREA] && m->host.memory_read && m->host.memory_write && m->host.registers;
}

/* CPUs that leave a record behind when they stop, which is written once sampling goes on with another DS area. */
static void stray(struct model *m, uint64_t was)
{
    struct pebs *p = &m->pebs;
    if (was && !p->sampling && p->written_to) {
        p->stray_from = p->written_to;
        p->written_to = 0;
    }
    if (!p->sampling || !p->stray_from || p->stray_from == m->stored[STORED_DS_AREA])
        return;
    p->area = p->stray_from;
    p->stray_from = 0;
    if (deviates(m, DEV_RECORD_AFTER_DISABLE_NEW_AREA))
        p->area = m->stored[STORED_DS_AREA];
    else if (!deviates(m, DEV_RECORD_AFTER_DISABLE))
        return;
    leave_residual(m, PEBS_GP(0), 0);
}

/* Counters that sample although they should not. */
static uint64_t sampling_anyway(struct model *m)
{
    struct pebs *p = &m->pebs;
    uint64_t again = p->sampled & m->active_mask & ~p->sampling;
    return again && !m->stored[STORED_PEBS_ENABLE] && deviates(m, DEV_PEBS_ENABLE_STICKY) ? again : 0;
}

static bool samples(struct model *m, struct counting *c)
{
    bool capable = model_pebs_capable(m, c);
    if (capable && deviates(m, DEV_PEBS_IGNORES_CPL))
        c->rings = RING_OS | RING_USR;
    return capable;
}

void model_pebs_gather(struct model *m)
{
    struct pebs *p = &m->pebs;
    uint64_t was = p->sampling;
    p->sampling = 0;
    if (usable(m))
        for (struct counting *c = m->active; c < m->active + m->active_count; c++)
            p->sampling |= samples(m, c) ? BIT(c->bit) : 0;
    p->sampling |= sampling_anyway(m);
    uint64_t stopped = was & ~p->sampling & p->armed, started = p->sampling & ~was;
    p->armed &= p->sampling;
    p->sampled |= p->sampling;
    p->left = p->sampled & ~p->sampling;
    if (stopped) {
        leave_residual(m, stopped, m->p.pebs_residual);
        p->written_to = p->area;
    }
    if (started && deviates(m, DEV_PEBS_RECORD_AT_START))
        arm(m, started);
    stray(m, was);
}

void model_pebs_written(struct model *m, unsigned which, uint64_t was)
{
    struct pebs *p = &m->pebs;
    uint64_t now = m->stored[which];
    if (which == STORED_DS_AREA) {
        p->area_was = now ? was : 0;
        p->sampled = 0;
        p->groups_changed = false;
    }
    if (which == STORED_PEBS_ENABLE)
        p->enable_was = now ? 0 : was;
    if (which == STORED_PEBS_DATA_CFG && was && was != now) {
        p->groups_were = was;
        p->groups_changed = true;
    }
}
