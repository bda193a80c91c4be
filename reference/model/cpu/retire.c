/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One retired instruction: counts, then overflows, then a PMI on its way. SDM 3B, "Architectural Performance
 * Monitoring".
 */
#include "reference/model/model_state.h"

#define RUN_MOST 1000000 /* keeps all counts of a run within 32 bits */

/* Replaces `*was` by `now`. False: another thread has changed the counter, and *was has its new value. */
static bool put(const struct model *m, uint64_t *value, uint64_t *was, uint64_t now)
{
    if (m->sharing.shares)
        return __atomic_compare_exchange_n(value, was, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *value = now;
    return true;
}

/* A count is added to the whole counter. */
uint64_t good_counter_sum(struct model *m, uint64_t was, uint32_t n)
{
    (void)m;
    return was + n;
}

/* A counter counts in the rings that it is enabled for, and in no other. */
bool good_ring_counts(struct model *m, const struct counting *c, uint8_t ring)
{
    (void)m;
    return c->rings & ring;
}

/* A counter counts each occurrence exactly once. */
uint32_t good_counted(struct model *m, const struct retired *instruction, const struct counting *c, uint32_t n)
{
    (void)m, (void)instruction, (void)c;
    return n;
}

/* Adds n, and returns whether the counter wrapped. */
static bool advance(struct model *m, const struct counting *c, uint32_t n)
{
    uint64_t was = m->sharing.shares ? shared_get(c->value) : *c->value;
    for (;;) {
        uint64_t sum = m->counts_anew ? rule(m, counter_sum)(m, was, n) : was + n;
        bool wraps = sum > c->limit;
        if (put(m, c->value, &was, wraps ? rule(m, wrapped_value)(m, c, sum) : sum))
            return wraps;
    }
}

static inline bool counts_in(struct model *m, const struct counting *c, uint8_t ring)
{
    return m->counts_anew ? rule(m, ring_counts)(m, c, ring) : c->rings & ring;
}

/* The counter's event has happened `n` times in `cycles` cycles. Returns how many it counts; if it wraps, sets its bit
 * in *wrapped. */
static inline uint32_t count_one(struct model *m, const struct retired *instruction, const struct counting *c,
                                 uint32_t n, uint32_t cycles, uint64_t *wrapped)
{
    if (c->by_cycles)
        n = model_count_by_cycles(m, c, n, cycles);
    if (m->counts_anew)
        n = rule(m, counted)(m, instruction, c, n);
    if (c->logged)
        model_lbr_log(m, c, n);
    if (advance(m, c, n))
        *wrapped |= BIT(c->bit);
    return n;
}

/* Of the active counters only the first events, if they count no others: clearing all takes a good part of a step. */
static void clear_counted(const struct model *m, const struct counting *list, uint32_t happened[EVENT_COUNT])
{
    const struct active_state *active = &m->active;
    bool all = list != active->list || active->kinds || active->missed || active->rare || active->memory || m->altered;
    __builtin_memset(happened, 0, (all || m->p.netburst_count ? EVENT_COUNT : EVENT_CONDITIONAL) * sizeof(*happened));
}

uint64_t model_count_instruction(struct model *m, const struct retired *instruction, struct counting *list,
                                 unsigned count)
{
    uint32_t happened[EVENT_COUNT];
    uint8_t ring = instruction->cpl ? RING_USR : RING_OS;
    uint64_t wrapped = 0, occurred = 0;
    clear_counted(m, list, happened);
    model_events_of(m, instruction, happened);
    for (struct counting *c = list; c < list + count; c++) {
        if (!counts_in(m, c, ring))
            continue;
        uint32_t n = count_one(m, instruction, c, happened[c->event], happened[EVENT_CORE_CYCLES], &wrapped);
        occurred |= n ? BIT(c->bit) : 0;
    }
    m->pebs.occurred = occurred;
    if (m->p.netburst_count)
        wrapped |= rule(m, netburst_forced)(m, occurred);
    if (m->active.metrics & ring)
        model_metrics_count(m, instruction, happened);
    return wrapped;
}

/* The same when only instructions and branches are counted, by the good rules, as in most steps. */
static uint64_t count_plainly(struct model *m, const struct retired *instruction)
{
    bool branch = is_branch(instruction->kind);
    const uint8_t happened[] = {[EVENT_NONE] = 0, [EVENT_INSTRUCTIONS] = 1, [EVENT_BRANCHES] = branch};
    uint8_t ring = instruction->cpl ? RING_USR : RING_OS;
    uint64_t wrapped = 0;
    events_pass(m, branch);
    for (const struct counting *c = m->active.list, *end = c + m->active.count; c < end; c++) {
        if (!(c->rings & ring))
            continue;
        uint64_t sum = *c->value + happened[c->event];
        wrapped |= sum > c->limit ? BIT(c->bit) : 0;
        *c->value = sum <= c->limit ? sum : rule(m, wrapped_value)(m, c, sum);
    }
    return wrapped;
}

void model_remember_active(struct model *m)
{
    m->retire.before_count = m->active.count;
    for (unsigned i = 0; i < m->active.count; i++)
        m->retire.before[i] = m->active.list[i];
}

void model_counting_started(struct model *m, uint64_t started)
{
    m->retire.started = started;
}

void model_write_uncounted(struct model *m, uint64_t counters)
{
    m->retire.uncounted |= counters;
}

/* Do the counters that this WRMSR has started, or written, count it? */
static uint64_t count_wrmsr(struct model *m, const struct retired *instruction)
{
    struct counting list[ACTIVE_MAX];
    unsigned count = 0;
    uint64_t left_out = m->retire.uncounted | (m->p.start_stop & COUNT_START ? 0 : m->retire.started);
    for (unsigned i = 0; i < m->active.count; i++)
        if (!(left_out >> m->active.list[i].bit & 1))
            list[count++] = m->active.list[i];
    uint64_t wrapped = model_count_instruction(m, instruction, list, count);
    m->retire.started = m->retire.uncounted = 0;
    return wrapped;
}

void model_count_stopping(struct model *m, uint64_t stopped)
{
    static const struct retired wrmsr = {.kind = RETIRED_WRMSR};
    unsigned count = 0;
    for (unsigned i = 0; i < m->retire.before_count; i++)
        if (stopped >> m->retire.before[i].bit & 1)
            m->retire.before[count++] = m->retire.before[i];
    uint64_t wrapped = count ? model_count_instruction(m, &wrmsr, m->retire.before, count) : 0;
    if (wrapped)
        model_overflow(m, wrapped);
}

/* Nothing happens between instructions. */
void good_after_instruction(struct model *m, const struct retired *instruction)
{
    (void)m, (void)instruction;
}

/* Only counters, records and a PMI on its way need the next instruction to be reported. */
bool good_waiting(struct model *m)
{
    (void)m;
    return false;
}

/* Instructions that only count may be reported together. */
bool good_each_matters(struct model *m)
{
    (void)m;
    return false;
}

static void settle(struct model *m)
{
    if (m->active.stale)
        model_settle(m);
}

/* A residual record may raise a PMI and freeze before other records are handled. */
static void sample(struct model *m, const struct retired *instruction)
{
    if (m->pebs.waiting)
        model_pebs_pass_residual(m, instruction);
    settle(m);
    model_pebs_pass(m, instruction);
    settle(m);
}

static void overflow(struct model *m, const struct retired *instruction, uint64_t wrapped)
{
    model_pmi_cause(m, instruction);
    model_pebs_arm(m, wrapped);
    model_overflow(m, wrapped);
    settle(m);
}

void model_retire(struct model *m, const struct retired *instruction)
{
    uint64_t wrapped = 0;
    m->retire.cpl = instruction->cpl;
    events_take_time(m, instruction->kind);
    if (m->sharing.shares) {
        model_core_sync(m);
        settle(m);
    }
    if (instruction->kind == RETIRED_WRMSR)
        wrapped = count_wrmsr(m, instruction);
    else if (m->active.plainly)
        wrapped = count_plainly(m, instruction);
    else if (m->active.count)
        wrapped = model_count_instruction(m, instruction, m->active.list, m->active.count);
    if (m->active.recording | m->lbr.open)
        model_lbr_retire(m, instruction);
    if (m->pebs.sampling || m->pebs.waiting)
        sample(m, instruction);
    if (wrapped)
        overflow(m, instruction, wrapped);
    if (m->trace.on) {
        model_trace_retire(m, instruction);
        settle(m);
    }
    if (m->pmi.countdown) {
        model_pmi_pass(m, instruction->kind == RETIRED_HLT);
        settle(m);
    }
    if (m->watching) {
        rule(m, after_instruction)(m, instruction);
        settle(m);
    }
}

/* Counts an event between instructions. No instruction retires, so rules that expect one get a plain one. */
static void count_between(struct model *m, enum event event, uint8_t cpl)
{
    const struct retired between = {.kind = RETIRED_PLAIN, .cpl = cpl, .cpl_after = cpl};
    uint64_t wrapped = 0;
    for (const struct counting *c = m->active.list, *end = c + m->active.count; c < end; c++)
        if (c->event == event && counts_in(m, c, cpl ? RING_USR : RING_OS))
            count_one(m, &between, c, 1, 1, &wrapped);
    if (wrapped)
        overflow(m, &between, wrapped);
}

void model_interrupted(struct model *m, uint8_t cpl)
{
    if (m->active.interrupts)
        count_between(m, EVENT_INTERRUPTS, cpl);
}

void model_delivered(struct model *m, uint8_t vector, uint8_t cpl, uint64_t rip)
{
    const struct retired event = {.kind = RETIRED_FAR_BRANCH, .cpl = cpl, .taken = true, .rip = rip};
    if (model_lbr_delivered(m, vector, &event) && m->active.inserts)
        count_between(m, EVENT_LBR_INSERTS, cpl);
}

bool model_stepping(struct model *m)
{
    return m->active.count || model_lbr_followed(m) || m->lbr.open || m->pmi.countdown || m->pebs.waiting ||
           m->trace.on || (m->watching && rule(m, waiting)(m)) || model_core_calls(m);
}

bool model_stepping_at(struct model *m, uint8_t cpl)
{
    uint8_t ring = cpl ? RING_USR : RING_OS, rings = m->active.metrics;
    if (m->altered || m->active.recording || m->lbr.open || m->pmi.countdown || m->pebs.waiting || m->sharing.shares ||
        m->trace.on)
        return model_stepping(m);
    for (unsigned i = 0; i < m->active.count; i++)
        rings |= m->active.list[i].rings;
    return rings & ring;
}

static bool each_matters(struct model *m)
{
    return !m->active.steadily || m->pmi.countdown || m->pebs.armed || m->pebs.waiting || m->events.halted_at ||
           (m->trace.on && model_trace_each_matters(m)) || (m->watching && rule(m, each_matters)(m));
}

uint32_t model_run_room(struct model *m)
{
    uint64_t room = RUN_MOST;
    if (each_matters(m))
        return 0;
    for (const struct counting *c = m->active.list, *end = c + m->active.count; c < end; c++) {
        uint64_t left = (c->limit - *c->value) / model_events_most(m, c);
        room = left < room ? left : room;
    }
    return (uint32_t)room;
}

uint64_t model_near_overflow(const struct model *m, uint64_t counts)
{
    uint64_t near = 0;
    for (unsigned i = 0; i < m->active.count; i++)
        near |= m->active.list[i].limit - *m->active.list[i].value < counts ? BIT(m->active.list[i].bit) : 0;
    return near;
}

uint64_t model_counting_at(const struct model *m, uint8_t cpl)
{
    uint64_t counting = 0;
    for (unsigned i = 0; i < m->active.count; i++)
        counting |= m->active.list[i].rings & (cpl ? RING_USR : RING_OS) ? BIT(m->active.list[i].bit) : 0;
    return counting;
}

enum model_branches model_wants_branches(const struct model *m)
{
    if (m->trace.on)
        return BRANCHES_EACH;
    return m->active.recording || m->active.inserts ? BRANCHES_TAKEN : BRANCHES_TOGETHER;
}

bool model_turns_alike(const struct model *m)
{
    return m->active.recording && !m->active.inserts && !m->active.logged && !m->trace.on && !m->altered;
}

uint32_t model_branch_room(struct model *m)
{
    return m->trace.on ? model_trace_room(m) : RUN_MOST;
}

static void count_run_plainly(struct model *m, const struct model_run *run)
{
    const uint32_t happened[] = {
        [EVENT_NONE] = 0, [EVENT_INSTRUCTIONS] = run->instructions, [EVENT_BRANCHES] = run->branches};
    uint8_t ring = run->cpl ? RING_USR : RING_OS;
    model_events_pass_run(m, run);
    for (const struct counting *c = m->active.list, *end = c + m->active.count; c < end; c++)
        *c->value += c->rings & ring ? happened[c->event] : 0;
}

static void count_run(struct model *m, const struct model_run *run)
{
    uint32_t happened[EVENT_COUNT] = {0};
    uint8_t ring = run->cpl ? RING_USR : RING_OS;
    model_events_of_run(m, run, happened);
    for (const struct counting *c = m->active.list, *end = c + m->active.count; c < end; c++) {
        uint32_t n = happened[c->event];
        if (!(c->rings & ring))
            continue;
        *c->value += c->by_cycles ? model_count_run_by_cycles(m, c, n, happened[EVENT_CORE_CYCLES]) : n;
    }
    if (m->active.metrics & ring)
        model_metrics_count_run(m, run, happened);
}

void model_retire_run(struct model *m, const struct model_run *run)
{
    m->retire.cpl = run->cpl;
    if (m->active.plainly)
        count_run_plainly(m, run);
    else
        count_run(m, run);
    if (m->active.recording | m->lbr.open)
        model_lbr_run(m, run);
    if (m->trace.on)
        model_trace_run(m, run);
    m->pebs.occurred = 0;
}
