/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state at hand-off: the profile's reset values; and the state after INIT. No test uses INIT: the state after it
 * cannot be judged; option states=init measures it.
 */
#include "reference/model/model_state.h"

_Static_assert(sizeof(struct model) <= MODEL_SIZE_MOST && sizeof(struct model_core) <= MODEL_CORE_SIZE_MOST,
               "rooms of fixed size");

uint64_t model_size(void)
{
    return sizeof(struct model);
}

/* A hybrid's CPUs form equal parts, one for each kind of core in order; a single CPU is of the first kind. */
static const struct profile *kind_of(const struct model_setup *setup)
{
    const struct profile *p = setup->profile;
    uint32_t kinds = 0;
    for (const struct profile *kind = p; kind; kind = kind->second)
        kinds++;
    for (uint32_t n = setup->cpu * kinds / setup->cpus; n && p->second; n--)
        p = p->second;
    return p;
}

/* Where the good rule holds, it need not be called. */
static void look_at_rules(struct model *m)
{
    const struct model_rules *mine = &m->rules, *good = &good_rules;
    m->watching = mine->after_instruction != good->after_instruction || mine->waiting != good->waiting;
    m->counts_anew = mine->counted != good->counted || mine->ring_counts != good->ring_counts ||
                     mine->counter_sum != good->counter_sum;
}

static void make(struct model *m)
{
    m->p = *m->made.kind;
    m->rules = good_rules;
    m->altered = false;
    __builtin_memset(m->aside, 0, sizeof(m->aside));
    if (m->made.change)
        m->made.change(m, m->made.how);
    look_at_rules(m);
    model_clock_reset(m);
}

/* Makes profile and rules as this revision of the microcode has them; 0: the profile's. */
static void make_anew(struct model *m, uint32_t microcode)
{
    m->made.microcode = microcode;
    make(m);
    if (microcode)
        m->p.microcode = microcode;
}

static void update_to(struct model *m, uint32_t microcode)
{
    make_anew(m, microcode);
    mark_stale(m);
}

void model_reset(struct model *m, const struct model_setup *setup, const struct model_host *host)
{
    *m = (struct model){
        .made = {.kind = kind_of(setup), .change = setup->change, .how = setup->how, .anew = update_to},
        .host = *host,
        .reached = setup->reached,
        .cpu = setup->cpu,
        .cpus = setup->cpus,
        .tsc_khz = setup->tsc_khz,
        .pmi.told = setup->arrivals_told,
        .lbr.since = setup->arrivals_told ? LBR_INFO_CYCLES : 0,
    };
    make_anew(m, setup->microcode);
    for (unsigned i = 0; i < STORED_COUNT; i++)
        m->controls.stored[i] = m->p.stored[i].reset;
    m->status.bits = m->p.status;
    if (m->p.gp_count) { /* NetBurst has no such counters */
        m->controls.evtsel[m->p.gp_count - 1] = m->p.last_evtsel;
        m->counters.pmc[m->p.gp_count - 1] = m->p.last_pmc;
    }
    if (m->p.lvtpc)
        m->host.lvtpc_write(m->host.context, m->p.lvtpc);
    model_apic_reset(m);
    model_trace_reset(m);
    model_core_join(m, setup->core);
    model_settle(m);
}

void model_take_over(struct model *to, const struct model *from)
{
    to->controls = from->controls;
    to->counters = from->counters;
    to->status = from->status;
    to->machine = from->machine;
    to->alias = from->alias;
    to->lbr = from->lbr;
    to->events = from->events;
    to->topdown = from->topdown;
    to->memory = from->memory;
    to->pmi = from->pmi;
    to->lapic = from->lapic;
    to->trace = from->trace;
    to->pebs = from->pebs;
    if (!__builtin_memcmp(&to->rules, &from->rules, sizeof(to->rules)))
        __builtin_memcpy(to->aside, from->aside, sizeof(to->aside));
    to->sharing.own = from->sharing.own;
    mark_stale(to);
    model_settle(to);
}

/* Some rules are only called if they are not the good ones. */
bool model_may_differ(const struct model *one, const struct model *other, const struct model_reached *reached)
{
    uint64_t own[MODEL_RULES_MOST], others[MODEL_RULES_MOST];
    if (__builtin_memcmp(&one->p, &other->p, sizeof(one->p)) || one->watching || other->watching || one->counts_anew ||
        other->counts_anew)
        return true;
    __builtin_memcpy(own, &one->rules, sizeof(one->rules));
    __builtin_memcpy(others, &other->rules, sizeof(other->rules));
    for (unsigned n = 0; model_rule_name(n); n++)
        if (own[n] != others[n] && reached->in[n])
            return true;
    return false;
}

/* INIT keeps counters and their controls: SDM 3A, "Processor State After Reset". It turns the debug store off: SDM 3B,
 * "DS Save Area". */
void model_init_pmu(struct model *m)
{
    static const unsigned cleared[] = {STORED_PEBS_ENABLE, STORED_DS_AREA};
    for_each_row (cleared, which) {
        model_stored_set(m, *which, 0);
        model_core_written(m, *which);
    }
    mark_stale(m);
    model_settle(m);
}

void model_init_signal(struct model *m)
{
    model_apic_init(m);
    model_init_pmu(m);
}
