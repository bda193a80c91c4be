/* SPDX-License-Identifier: BSD-2-Clause */
/* A walk with its frame: steps before and after it, and whether the write gate allows each step. */
#include "boot/cpu.h"
#include "pmu/area/ds.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "reference/lockstep/oracle.h"
#include "reference/lockstep/scene.h"

#define RECORDS_READ 4
#define FURTHER_SHARE 8
#define LONGEST_RECORD 2048
#define BRANCHES_MOST 32 /* in a record of that length */

/* What is known of the PMU at each step, whenever PMIs come. */
struct known {
    struct walk_places places; /* of records and traces that steps may lead to now */
    bool running;
    u64 sampling;    /* counters that were set up to write records */
    u64 area, index; /* and the place of records: IA32_DS_AREA, or IA32_PEBS_BASE with IA32_PEBS_INDEX */
    u64 precise;     /* counters whose event has records of occurrences that the manual defines */
    bool freezes;    /* a PMI stops counters */
    u64 rough, near; /* GP counters whose event is rough (oracle.h), and those that may be near their overflow */
    u64 valued;      /* counters whose records have values of GP counters; bit 63: all records */
    u64 table;       /* IA32_RTIT_OUTPUT_BASE */
    struct netburst_known netburst;
};
struct compiling {
    const struct space *s;
    struct lockstep_run *run;
    bool user, full;
    struct known now;
    const struct walk_step *sample, *trace; /* the last of these steps; NULL: there is none */
};

static bool ready(const struct space *s, const struct known *now, u64 index)
{
    u64 bytes = now->area ? apebs_buffer_bytes(now->area & PEBS_BASE_SIZE) : 0;
    return s->apebs ? bytes && apebs_index_within(index, bytes) : now->area == now->places.records;
}

/* Do records stay in the area after this write? As the write gate asks. */
static bool records_kept_in(const struct space *s, const struct known *now, u32 msr, u64 value)
{
    if (!now->places.records || !s->apebs)
        return alias_cfg_c_bit(msr) != 64 ? !(value & CFG_C_PEBS_EN) : !value;
    if (msr == MSR_PEBS_BASE)
        return !value || apebs_base_within(value, now->places.records, LOCKSTEP_AREA);
    if (msr == MSR_PEBS_INDEX)
        return !value || (now->area && ready(s, now, value));
    return !(value & CFG_C_PEBS_EN) || ready(s, now, now->index);
}

/* As the write gate asks. add_step() keeps the table as it must be, and no write leaves pointers outside it. */
static bool trace_kept_in(const struct space *s, const struct known *now, u32 msr, u64 value)
{
    struct trace_registers after = {.control = value,
                                    .base = msr == MSR_RTIT_OUTPUT_BASE ? value : now->table,
                                    .pointers = msr == MSR_RTIT_OUTPUT_MASK_PTRS ? value : 0};
    return trace_stays_inside(s->caps, msr, &after, (after.base & ~MASK(11, 0)) == now->places.trace);
}

/* Has the value bits that are reserved, in a register of which the write gate lets one such bit be tried? */
static bool is_reserved(const struct space *s, u32 msr, u64 value)
{
    u64 rest = 0;
    const struct register_row *row = register_row_of(s->caps, msr);
    return row && row->walked && space_rest(s, msr, &rest) && (value ^ rest) & ~gate_bits(s->caps, msr);
}

static struct gate_context context_at(const struct space *s, const struct known *now, u32 msr, u64 value)
{
    struct gate_context context = s->gate;
    context.counters_stopped = !now->running;
    context.sampling = now->sampling;
    context.own_area = now->places.records && ready(s, now, now->index) &&
                       (s->netburst || s->careful || !(now->sampling & ~now->precise));
    context.area_offered = msr == MSR_DS_AREA && now->places.records && !s->apebs && value == now->places.records;
    context.current_known = space_rest(s, msr, &context.current);
    context.walking = is_reserved(s, msr, value);
    context.records_kept_in = records_kept_in(s, now, msr, value);
    context.trace_kept_in = now->places.trace && trace_kept_in(s, now, msr, value);
    return context;
}

/* The GP counter of which this MSR, or its alias, is the event select; 64: none. */
static unsigned select_of(u32 msr)
{
    unsigned n = msr - MSR_PERFEVTSEL(0);
    return n < GP_COUNTERS_MAX ? n : alias_number(msr, MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX);
}

static bool is_precise(const struct space *s, unsigned n, u64 select)
{
    return space_precise(s, select & EVTSEL_ENCODING(0xffff)) >> n & 1;
}

static void know_precise(const struct space *s, struct known *now, u32 msr, u64 value)
{
    unsigned n = select_of(msr);
    if (n == 64)
        return;
    now->precise &= ~BIT(n);
    now->precise |= is_precise(s, n, value) ? BIT(n) : 0;
}

/* Is the counter of this register, whose value or reload value this is, near its overflow? Never, if it is no counter.
 */
static bool near_end(const struct space *s, u32 msr, u64 value)
{
    bool by_32_bits = msr - MSR_PMC(0) < GP_COUNTERS_MAX || alias_cfg_c_bit(msr) != 64;
    return value >> (by_32_bits ? 31 : s->caps->gp_width - 1) & 1;
}

/* The GP counter whose value or reload value this register has; 64: none. */
static unsigned valued_by(u32 msr)
{
    unsigned bit = alias_cfg_c_bit(msr) != 64 ? alias_cfg_c_bit(msr) : alias_value_bit(msr);
    return bit < 32 ? bit : 64;
}

/* The bits of `valued` that a write sets, or else clears; 0: it does not concern records. */
static u64 values_of(u32 msr)
{
    return msr == MSR_PEBS_DATA_CFG ? BIT(63) : alias_cfg_c_bit(msr) != 64 ? BIT(alias_cfg_c_bit(msr)) : 0;
}

static bool has_values(u32 msr, u64 value)
{
    return value & (msr == MSR_PEBS_DATA_CFG ? PEBS_DATA_COUNTERS : CFG_C_CNTR_GP);
}

static void know_rough(const struct space *s, struct known *now, u32 msr, u64 value)
{
    unsigned select = select_of(msr), counter = valued_by(msr);
    now->valued = (now->valued & ~values_of(msr)) | (has_values(msr, value) ? values_of(msr) : 0);
    if (select != 64)
        now->rough = (now->rough & ~BIT(select)) | (promises_rough(value) ? BIT(select) : 0);
    if (counter == 64)
        return;
    bool reloads = alias_cfg_c_bit(msr) != 64 && now->near >> counter & 1;
    now->near = (now->near & ~BIT(counter)) | (reloads || near_end(s, msr, value) ? BIT(counter) : 0);
}

/* A rough counter must not overflow, as when it does is as rough, and no record may have its value. */
static bool too_rough(const struct space *s, const struct known *now, const struct walk_step *step)
{
    u32 msr = step->number;
    u64 value = step->value;
    unsigned select = select_of(msr), counter = valued_by(msr);
    if (s->netburst || step->op != OP_WRMSR)
        return false;
    return (select != 64 && promises_rough(value) && (now->near >> select & 1 || now->valued)) ||
           (counter != 64 && now->rough >> counter & 1 && near_end(s, msr, value)) ||
           (now->rough && values_of(msr) && has_values(msr, value));
}

/* At the start, with event selects at rest. */
static struct known known_at_start(const struct space *s)
{
    return (struct known){.places = s->places, .precise = space_precise(s, 0)};
}

/* Updates what is known after a write. Below version 2 event selects turn counters on. */
static void passes(const struct space *s, struct known *now, u32 msr, u64 value)
{
    if (s->netburst) {
        netburst_after_write(s, &now->netburst, msr, value);
        now->running = now->netburst.enabled;
    } else if (s->caps->version < 2)
        now->running |= msr - MSR_PERFEVTSEL(0) < GP_COUNTERS_MAX && value & EVTSEL_EN;
    else if (msr == MSR_PERF_GLOBAL_CTRL)
        now->running = value;
    know_precise(s, now, msr, value);
    know_rough(s, now, msr, value);
    if (msr == MSR_PEBS_ENABLE)
        now->sampling = value;
    if (msr == (s->apebs ? (u32)MSR_PEBS_BASE : (u32)MSR_DS_AREA))
        now->area = value;
    if (msr == MSR_PEBS_INDEX)
        now->index = value;
    if (s->apebs && alias_cfg_c_bit(msr) != 64)
        now->sampling =
            (now->sampling & ~BIT(alias_cfg_c_bit(msr))) | (value & CFG_C_PEBS_EN ? BIT(alias_cfg_c_bit(msr)) : 0);
    if (msr == MSR_DEBUGCTL)
        now->freezes = value & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (msr == MSR_RTIT_OUTPUT_BASE)
        now->table = value;
}

static u32 by_mode(const struct space *s, u32 op)
{
    if (!s->x2apic)
        return op;
    return op == OP_READ_LVTPC    ? OP_X2_READ_LVTPC
           : op == OP_WRITE_LVTPC ? OP_X2_WRITE_LVTPC
           : op == OP_EOI         ? OP_X2_EOI
                                  : op;
}

/* The address of an offset in the memory of walks. */
static u64 place_of(const struct walk_places *places, u32 offset)
{
    return offset < LOCKSTEP_AREA ? places->records + offset : places->trace + (offset - LOCKSTEP_AREA);
}

static struct lockstep_step step_of(struct compiling *c, u32 op, u32 number, u64 value, bool user)
{
    const struct code_operation *operation = &lockstep_code[op];
    c->run->traces |= op == OP_WRMSR && number == MSR_RTIT_CTL;
    return (struct lockstep_step){.code = user ? operation->at_cpl3.code : operation->at_cpl0.code,
                                  .number = number,
                                  .op = op,
                                  .value = value,
                                  .place = place_of(&c->now.places, number)};
}

static void add(struct compiling *c, u32 op, u32 number, u64 value)
{
    op = by_mode(c->s, op);
    struct lockstep_run *run = c->run;
    if (run->body_count == RUN_BODY) {
        c->full = true;
        return;
    }
    if (op == OP_WRMSR)
        passes(c->s, &c->now, number, value);
    if (op == OP_POKE)
        netburst_after_poke(c->s, &c->now.netburst, number, value);
    if (op == OP_LOOP || op == OP_SETTLE)
        netburst_after_loop(c->s, &c->now.netburst);
    run->body[run->body_count++] = step_of(c, op, number, value, c->user);
    c->user = (c->user || op == OP_TO_USER) && op != OP_FROM_USER;
}

static bool allowed(const struct compiling *c, const struct walk_step *step)
{
    const char *rule;
    struct gate_context context = context_at(c->s, &c->now, step->number, step->value);
    return gate_allows(register_row_of(c->s->caps, step->number), c->s->caps, &context, step->number, step->value,
                       &rule);
}

static bool further(const struct space *s, u32 msr)
{
    for (u32 i = 0; i < s->further_count; i++)
        if (s->further[i] == msr)
            return true;
    return false;
}

/* The value of a counter that may be written while it counts: WRMSR serialises, so that what retires before it counts
 * on the old value and what follows on the new one. SDM 3A, "Serializing Instructions". Slots have metrics with them.
 */
static bool counter_value(u32 msr)
{
    return alias_value_bit(msr) < 32 + FIXED_TOPDOWN_SLOTS;
}

/* On silicon a PMI on its way is awaited first, and further registers are not written while counters run. */
static bool careful(struct compiling *c, const struct walk_step *step)
{
    if (!c->s->careful || !c->now.running)
        return true;
    bool writes = step->op == OP_WRMSR, value = writes && counter_value(step->number);
    if (writes && !value && (alias_value_bit(step->number) != 64 || further(c->s, step->number)))
        return false;
    if (step->op == OP_WRITE_LVTPC || value || (writes && step->number == MSR_PERF_GLOBAL_CTRL))
        add(c, OP_SETTLE, c->s->settle, 0);
    return true;
}

/* Do records stay in the area, whole ones? */
static bool records_stay(const struct space *s, const struct walk_step *step)
{
    bool pointer = step->op == OP_POKE && step->number < DS_FIELDS * sizeof(u64);
    return s->places.records &&
           (!pointer || !step->value || step->value - s->places.records <= LOCKSTEP_AREA - LONGEST_RECORD);
}

/* Does the table of a trace lead to its regions? Nothing else of this memory is written. */
static bool trace_stays(const struct space *s, const struct walk_step *step)
{
    u32 offset = step->number - LOCKSTEP_AREA;
    bool first_leads_on = !offset && step->value & TOPA_END;
    return s->places.trace && (step->op == OP_PEEK || (offset < TRACE_ENTRIES * sizeof(u64) && !first_leads_on &&
                                                       trace_entry_inside(s->places.trace, step->value)));
}

/* Would records be longer than LONGEST_RECORD? */
static bool too_long(const struct walk_step *step)
{
    return step->op == OP_WRMSR && step->number == MSR_PEBS_DATA_CFG && FIELD_GET(step->value, 31, 24) >= BRANCHES_MOST;
}

static bool kept_in(const struct space *s, const struct walk_step *step)
{
    if (step->op != OP_POKE && step->op != OP_PEEK)
        return !too_long(step);
    return step->number < LOCKSTEP_AREA ? records_stay(s, step) : trace_stays(s, step);
}

/* A counter that is stopped while armed owes a record, and no manual says when that comes: none that samples may be
 * stopped by a PMI. */
static bool stops_unseen(const struct compiling *c, const struct walk_step *step)
{
    if (step->op != OP_WRMSR)
        return false;
    unsigned n = select_of(step->number);
    if (n != 64 && c->now.running && c->now.sampling >> n & 1 && !is_precise(c->s, n, step->value))
        return true;
    bool begins = (step->number == MSR_PEBS_ENABLE && step->value) ||
                  (alias_cfg_c_bit(step->number) != 64 && step->value & CFG_C_PEBS_EN);
    return (begins && c->now.freezes) ||
           (step->number == MSR_DEBUGCTL && step->value & DEBUGCTL_FREEZE_PERFMON_ON_PMI && c->now.sampling);
}

/* False: the step is left out. */
static bool on_netburst(struct compiling *c, const struct walk_step *step)
{
    if (!c->s->netburst)
        return true;
    if (!netburst_defined(c->s, &c->now.netburst, step))
        return false;
    if (netburst_starts(c->s, &c->now.netburst, step))
        add(c, OP_SETTLE, c->s->settle, 0);
    if (step->op == OP_WRMSR && netburst_needs_loop(c->s, &c->now.netburst))
        add(c, OP_LOOP, NETBURST_LOOP, 0);
    return true;
}

/* Of these sampling counters, those that this write may stop. One that is stopped while armed owes a record. */
static u64 stopped_by(const struct space *s, u64 sampling, const struct walk_step *step)
{
    u32 msr = step->number;
    unsigned n = select_of(msr), bit = alias_cfg_c_bit(msr);
    if (step->op != OP_WRMSR)
        return 0;
    if (s->netburst)
        return sampling;
    if (n != 64 || bit != 64)
        return sampling & BIT(n != 64 ? n : bit);
    if (msr == MSR_PERF_GLOBAL_CTRL || msr == MSR_PEBS_ENABLE)
        return sampling & ~step->value;
    if (msr == MSR_FIXED_CTR_CTRL)
        return sampling & MASK(63, 32);
    bool any = msr == MSR_PERF_GLOBAL_STATUS_SET || msr == MSR_PEBS_BASE || msr == MSR_PEBS_INDEX || msr == MSR_DS_AREA;
    return any ? sampling : 0;
}

/* After a write of reserved bits, which a CPU may refuse or ignore. */
static void puts_back(struct compiling *c, u32 msr)
{
    u64 rest = 0;
    space_rest(c->s, msr, &rest);
    add(c, OP_RDMSR, msr, 0);
    add(c, OP_WRMSR, msr, rest);
}

static void add_step(struct compiling *c, const struct walk_step *step)
{
    const struct code_operation *operation = &lockstep_code[step->op];
    if (step->op == OP_SAMPLE)
        c->sample = step;
    if (step->op == OP_TRACE)
        c->trace = step;
    bool owes = c->now.running && stopped_by(c->s, c->now.sampling, step);
    if (!(c->user ? operation->at_cpl3.code : operation->at_cpl0.code))
        return;
    if ((step->op == OP_WRMSR && !allowed(c, step)) || too_rough(c->s, &c->now, step) || !kept_in(c->s, step) ||
        stops_unseen(c, step) || !careful(c, step) || !on_netburst(c, step))
        return;
    add(c, step->op, step->op == OP_SETTLE ? c->s->settle : step->number, step->value);
    if (step->op == OP_WRMSR && is_reserved(c->s, step->number, step->value))
        puts_back(c, step->number);
    if (owes)
        add(c, OP_SETTLE, c->s->settle_record, 0);
}

static bool written(const struct walk *walk, u32 msr)
{
    for (u32 i = 0; i < walk->body_count; i++)
        if (walk->body[i].op == OP_WRMSR && walk->body[i].number == msr)
            return true;
    return false;
}

static bool may_sample(const struct space *s, const struct walk *walk)
{
    return written(walk, s->apebs ? MSR_PEBS_BASE : MSR_PEBS_ENABLE);
}

static void add_to_handler(struct compiling *c, u32 op, u32 number, u64 value)
{
    c->run->handler[c->run->handler_count++] = step_of(c, by_mode(c->s, op), number, value, false);
}

static void add_handler(struct compiling *c, const struct walk *walk)
{
    bool samples = may_sample(c->s, walk);
    const struct walk_step end[] = {{OP_EOI, 0, 0}, {OP_IRET, 0, 0}};
    for (u32 i = 0; i < walk->handler_count + ARRAY_SIZE(end); i++) {
        const struct walk_step *step = i < walk->handler_count ? &walk->handler[i] : &end[i - walk->handler_count];
        if (step->op == OP_WRMSR && (step->value || step->number != MSR_PERF_GLOBAL_CTRL)) {
            struct known now = c->now;
            c->now.running = true; /* at any state of the PMU */
            bool may = allowed(c, step);
            c->now = now;
            if (!may)
                continue;
        }
        if (!kept_in(c->s, step) || (c->s->netburst && !netburst_defined_in_handler(step)))
            continue;
        add_to_handler(c, step->op, step->number, step->value);
        if (samples && stopped_by(c->s, ~0ull, step))
            add_to_handler(c, OP_SETTLE, c->s->settle_record, 0);
    }
}

/* Restores what the walk before, or a difference, has changed. */
static void add_beginning(struct compiling *c, register_reader read, void *context)
{
    const struct space *s = c->s;
    u64 value;
    add(c, OP_WRITE_LVTPC, 0, LVT_MASKED | VECTOR_PMI);
    for (u32 i = 0; i < s->changed_count; i++)
        if (read(context, s->changed[i].msr, &value) && value != s->changed[i].rest)
            add(c, OP_WRMSR, s->changed[i].msr, s->changed[i].rest);
    if (s->caps->version >= 2 && read(context, MSR_PERF_GLOBAL_STATUS, &value) &&
        (value &= gate_bits(s->caps, MSR_PERF_GLOBAL_STATUS_RESET)))
        add(c, OP_WRMSR, MSR_PERF_GLOBAL_STATUS_RESET, value);
    add(c, OP_STI, 0, 0);
}

/* Writes of 0 clear OVF, so it is read before; not while a counter samples, which only a loop may precede. */
static void stop_netburst(struct compiling *c)
{
    const struct walk_step first = {OP_WRMSR, MSR_CCCR(NETBURST_IQ_COUNTER(4) + c->s->thread), 0};
    if (netburst_sampling(c->s, &c->now.netburst) && on_netburst(c, &first))
        add(c, first.op, first.number, first.value);
    for (unsigned n = 0; n < NETBURST_SAMPLERS; n++) {
        add(c, OP_RDMSR, MSR_CCCR(NETBURST_IQ_COUNTER(4) + n), 0);
        add(c, OP_WRMSR, MSR_CCCR(NETBURST_IQ_COUNTER(4) + n), 0);
    }
}

static void stop(struct compiling *c)
{
    const struct pmu_caps *caps = c->s->caps;
    if (c->s->netburst)
        stop_netburst(c);
    if (caps->version >= 2) {
        add(c, OP_WRMSR, MSR_PERF_GLOBAL_CTRL, 0);
        return;
    }
    for_each_gp (caps, n)
        add(c, OP_WRMSR, MSR_PERFEVTSEL(n), 0);
}

/* On hardware, apart from all else. */
static void add_scene(struct compiling *c, const struct walk_step *steps, u32 count)
{
    if (count && !c->run->scenes)
        c->run->scenes = c->run->body_count;
    c->now.places = c->s->areas;
    for (u32 i = 0; i < count; i++)
        add(c, steps[i].op, steps[i].number, steps[i].value);
}

static void add_tracing(struct compiling *c)
{
    struct walk_step steps[SCENE_STEPS];
    struct run_tracing *scene = &c->run->tracing;
    u32 first = c->run->body_count, count = c->trace ? tracing_steps(c->s, c->trace, steps, scene) : 0;
    add_scene(c, steps, count);
    scene->starts += first;
    scene->stops += first;
    scene->reads += first;
    scene->ends = first + count;
}

static void add_sampling(struct compiling *c)
{
    struct walk_step steps[SCENE_STEPS];
    struct run_sampling *scene = &c->run->sampling;
    u32 first = c->run->body_count, count = c->sample ? sampling_steps(c->s, c->sample, steps, scene) : 0;
    add_scene(c, steps, count);
    scene->begins = first;
    scene->starts += first;
    scene->reads += first;
    scene->ends = first + count;
}

/* Reads everything after all counters are off; of further registers those that were written, and some others. */
static void add_end(struct compiling *c, const struct walk *walk)
{
    const struct space *s = c->s;
    if (c->user)
        add(c, OP_FROM_USER, 0, 0);
    if (s->careful && c->now.running)
        add(c, OP_SETTLE, s->settle, 0);
    stop(c);
    if (c->run->traces)
        add(c, OP_WRMSR, MSR_RTIT_CTL, 0);
    add(c, OP_TPR, 0, 0);
    add(c, OP_STI, 0, 0);
    add(c, OP_SETTLE, s->settle, 0);
    for (u32 i = 0; i < s->changed_count; i++)
        if (s->changed[i].msr == MSR_DEBUGCTL || s->changed[i].msr == MSR_ARCH_LBR_CTL) {
            add(c, OP_RDMSR, s->changed[i].msr, 0);
            add(c, OP_WRMSR, s->changed[i].msr, s->changed[i].rest);
        }
    if (may_sample(s, walk)) /* while no branch is recorded, as that would make it slow */
        add(c, OP_SETTLE, s->settle_record, 0);
    add(c, OP_READ_LVTPC, 0, 0);
    add(c, OP_WRITE_LVTPC, 0, LVT_MASKED | VECTOR_PMI);
    add(c, OP_CLI, 0, 0);
    for (u32 i = 0, records = 0; i < s->read_count; i++) {
        bool record = s->records && (s->read[i] - s->lbr.from < s->lbr.depth || s->read[i] - s->lbr.to < s->lbr.depth);
        if (!record || records++ < RECORDS_READ)
            add(c, OP_RDMSR, s->read[i], 0);
    }
    for (u32 i = 0; i < s->further_count; i++)
        if (written(walk, s->further[i]) || (i + walk->body_count) % FURTHER_SHARE == 0)
            add(c, OP_RDMSR, s->further[i], 0);
    add_sampling(c);
    add_tracing(c);
    add(c, OP_END, 0, 0);
}

bool walk_compile(const struct space *space, const struct walk *walk, register_reader read, void *context,
                  struct lockstep_run *run)
{
    struct compiling c = {.s = space, .run = run, .now = known_at_start(space)};
    run->body_count = run->handler_count = 0;
    run->traces = false;
    run->sampling.there = run->tracing.there = false;
    run->scenes = 0;
    add_beginning(&c, read, context);
    for (u32 i = 0; i < walk->body_count; i++)
        add_step(&c, &walk->body[i]);
    add_end(&c, walk);
    add_handler(&c, walk);
    return !c.full;
}

bool run_writes(const struct space *space, const struct lockstep_run *run,
                bool (*may)(void *, const struct gate_context *, u32 msr, u64 value), void *context)
{
    struct known now = known_at_start(space);
    for (u32 i = 0; i < run->body_count + run->handler_count; i++) {
        bool handler = i >= run->body_count;
        const struct lockstep_step *step = handler ? &run->handler[i - run->body_count] : &run->body[i];
        u32 msr = step->op == OP_WRMSR            ? step->number
                  : step->op == OP_X2_WRITE_LVTPC ? (u32)MSR_X2APIC_REGISTER(APIC_LVT_PC)
                  : step->op == OP_X2_EOI         ? (u32)MSR_X2APIC_REGISTER(APIC_EOI)
                                                  : 0;
        now.running |= handler;
        now.places = run->scenes && i >= run->scenes && !handler ? space->areas : space->places;
        struct gate_context then = context_at(space, &now, msr, step->value);
        if (msr && !may(context, &then, msr, step->value))
            return false;
        if (step->op == OP_WRMSR)
            passes(space, &now, step->number, step->value);
    }
    return true;
}
