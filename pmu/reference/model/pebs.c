/* The engine of PEBS: an overflow arms a counter, its next occurrence writes the record. The rules are in pebs.h. */
#include "pmu/reference/model/model_state.h"

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
static uint64_t adaptive_ones(const struct model *m, uint64_t counters)
{
    uint64_t ones = 0;
    if (!(m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE))
        return 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            ones |= adaptive(m, bit) ? BIT(bit) : 0;
    return ones;
}

/* ---- What a record leads to. */

static void reload(struct model *m, uint64_t area, unsigned bit)
{
    uint64_t value;
    if (!model_pebs_reset_value(m, area, bit, &value))
        return;
    if (m->p.netburst_count)
        m->netburst[bit] = value & width_mask(m->p.netburst_width);
    else if (bit < 32)
        m->pmc[bit] = value & width_mask(m->p.gp_width);
    else
        m->fixed[bit - 32] = value & width_mask(m->p.fixed_width);
}

static void at_threshold(struct model *m)
{
    m->status |= STATUS_OVF_BUFFER;
    if (!m->p.netburst_count || model_netburst_asks(m, m->pebs.sample.counters))
        model_pmi_raise(m);
}

/* A skipped record is told of by newer CPUs, which then leave the counters as they are. */
static void write_record(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    enum pebs_stored stored = model_pebs_store(m, sample);
    m->status &= ~sample->counters;
    if (stored == PEBS_SKIPPED && m->p.pebs_tells_skips)
        m->status |= STATUS_OVF_BUFFER;
    else if (!stopped)
        for (unsigned bit = 0; bit < 64; bit++)
            if (sample->counters >> bit & 1)
                reload(m, sample->area, bit);
    if (stored == PEBS_AT_THRESHOLD)
        at_threshold(m);
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
    if (!fault_like(m))
        return;
    struct model_registers after = sample->registers;
    sample->registers = m->pebs.before;
    m->pebs.before = after;
}

static void fire(struct model *m, const struct retired *in, uint64_t counters)
{
    struct pebs_sample *sample = &m->pebs.sample;
    uint64_t with_groups = adaptive_ones(m, counters), without = counters & ~with_groups;
    m->pebs.armed &= ~counters;
    sample->area = m->pebs.area;
    sample->counters = counters;
    capture(m, in, sample);
    if (with_groups) {
        sample->counters = with_groups;
        sample->groups = m->stored[STORED_PEBS_DATA_CFG];
        write_record(m, sample, false);
    }
    if (without) {
        sample->counters = without;
        sample->groups = 0;
        write_record(m, sample, false);
    }
}

/* ---- Residual records. */

static void leave_residual(struct model *m, uint64_t counters)
{
    struct pebs *p = &m->pebs;
    if (p->waiting)
        return; /* one is on its way already */
    p->waiting = true;
    p->captured = false;
    p->due = m->host.time(m->host.context) + m->p.pebs_residual;
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
    for (const struct counting *c = m->active; c < m->active + m->active_count; c++)
        if (c->bit == bit && model_pebs_precise(m, c))
            return 0;
    return (uint8_t)(mixed % (m->p.pebs_shadow + 1u));
}

void model_pebs_arm(struct model *m, uint64_t wrapped)
{
    struct pebs *p = &m->pebs;
    uint64_t counters = wrapped & p->sampling;
    for (unsigned bit = 0; bit < 64; bit++)
        if (counters >> bit & 1)
            p->wait[bit] = shadow(m, bit);
    if (!counters)
        return;
    p->armed |= counters;
    p->area = m->stored[STORED_DS_AREA];
    p->groups = adaptive_ones(m, counters) ? m->stored[STORED_PEBS_DATA_CFG] : 0;
    if (fault_like(m))
        m->host.registers(m->host.context, &p->before);
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
        uint64_t counters = due(p);
        if (counters)
            fire(m, in, counters);
        else if (fault_like(m))
            m->host.registers(m->host.context, &p->before);
    }
    p->occurred = 0;
}

/* ---- Which counters sample. */

static bool usable(const struct model *m)
{
    return (m->p.leaf1_edx & CPUID_1_EDX_DS) && !(m->stored[STORED_MISC_ENABLE] & MISC_ENABLE_PEBS_UNAVAILABLE) &&
           m->stored[STORED_DS_AREA] && m->host.memory_read && m->host.memory_write && m->host.registers;
}

void model_pebs_gather(struct model *m)
{
    struct pebs *p = &m->pebs;
    uint64_t was = p->sampling;
    p->sampling = 0;
    if (m->stored[STORED_PEBS_ENABLE] && usable(m))
        for (const struct counting *c = m->active; c < m->active + m->active_count; c++)
            p->sampling |= model_pebs_capable(m, c) ? BIT(c->bit) : 0;
    uint64_t stopped = was & ~p->sampling & p->armed;
    p->armed &= p->sampling;
    if (stopped)
        leave_residual(m, stopped);
}
