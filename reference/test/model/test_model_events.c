/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of each core: what each counts, on which counters, and that runs count the same as single instructions. */
#include "reference/model/model_state.h"
#include "reference/test/model/model_rig.h"

#define MISS_EVERY 16 /* a rule of every profile: indirect branches and returns */
#define REFERENCE_EVERY 64
#define ASSIST_EVERY 4096
#define LONG_RUN 3000
#define EVERY_BRANCH (LBR_CTL_EN | LBR_CTL_OS | LBR_CTL_USR | MASK(22, 16))

/* ---- Runs */

static void open_deviating(struct rig *r, const char *profile, unsigned deviation)
{
    rig_open_on(r, profile, NULL, 1, 0);
    r->deviating.deviation = deviations[deviation];
    model_reset(r->model, &r->setup, &r->host);
}

/* Deviations may lack registers: that is not the subject here. */
static void count_events(struct rig *r, unsigned deviation, const u16 events[4])
{
    open_deviating(r, "skylake", deviation);
    model_wrmsr(r->model, MSR_OFFCORE_RSP(0), OFFCORE_RSP_DATA_READ | OFFCORE_RSP_ANY);
    model_wrmsr(r->model, MSR_OFFCORE_RSP(1), OFFCORE_RSP_DATA_READ | BIT(26) | BIT(32));
    for (u32 i = 0; i < 4; i++)
        model_wrmsr(r->model, MSR_PERFEVTSEL(i), (i == 1 ? EVTSEL_EN | EVTSEL_USR : EVTSEL_BOTH) | events[i]);
    model_wrmsr(r->model, MSR_FIXED_CTR_CTRL, events[0] == ARCH_EVENT_BRANCHES ? 0x333 : 0x033);
    model_wrmsr(r->model, MSR_PERF_GLOBAL_CTRL, 0x70000000f);
}

static void same_register(struct rig *a, struct rig *b, u32 msr)
{
    u64 of_a = 0, of_b = 0;
    assert_int_equal(model_rdmsr(a->model, msr, &of_a), model_rdmsr(b->model, msr, &of_b));
    assert_int_equal(of_a, of_b);
}

/* The first third of a run is branches of all kinds, taken or not; some instructions load, some store, some both. */
static struct retired nth_of_run(u32 i, u32 branches, u8 cpl)
{
    static const u8 kinds[] = {BRANCH_CONDITIONAL, BRANCH_CALL,   BRANCH_CONDITIONAL,
                               BRANCH_RETURN,      BRANCH_JUMP,   BRANCH_CALL_INDIRECT,
                               BRANCH_CONDITIONAL, BRANCH_RETURN, BRANCH_JUMP_INDIRECT};
    bool branch = i < branches;
    u8 type = branch ? kinds[i % ARRAY_SIZE(kinds)] : BRANCH_OTHER;
    return (struct retired){
        .kind = branch ? RETIRED_BRANCH : RETIRED_PLAIN,
        .cpl = cpl,
        .cpl_after = cpl,
        .taken = branch && (type != BRANCH_CONDITIONAL || i & 1),
        .branch = type,
        .rip = 0x1000 + 4 * i,
        .access = i % 7 == 0    ? ACCESS_LOAD
                  : i % 5 == 0  ? ACCESS_STORE
                  : i % 11 == 0 ? ACCESS_LOAD | ACCESS_STORE
                                : 0,
    };
}

static void add_to_run(struct rig *r, struct model_run *run, const struct retired *i)
{
    run->rip = run->instructions ? run->rip : i->rip;
    run->instructions++;
    if (i->kind == RETIRED_BRANCH)
        model_run_branch(run, i->branch, i->taken);
    if (i->branch == BRANCH_CONDITIONAL && model_predicts(r->model, i->cpl))
        model_run_predict(r->model, run, i->rip, i->taken, 1);
    run->loads += !!(i->access & ACCESS_LOAD);
    run->stores += !!(i->access & ACCESS_STORE);
}

static void report_run(struct rig *r, struct model_run *run)
{
    if (run->instructions)
        model_retire_run(r->model, run);
    *run = (struct model_run){.cpl = run->cpl};
}

/* One by one, and together as a driver does it: wanted branches are by themselves. */
static void report_both_ways(struct rig *one, struct rig *together, u32 n, u8 cpl)
{
    struct model_run run = {.cpl = cpl};
    for (u32 i = 0; i < n; i++) {
        struct retired instruction = nth_of_run(i, n / 3, cpl);
        model_retire(one->model, &instruction);
        if (instruction.taken && model_wants_branches(together->model)) {
            report_run(together, &run);
            model_retire(together->model, &instruction);
        } else {
            add_to_run(together, &run, &instruction);
        }
    }
    report_run(together, &run);
}

/* Instructions that are reported together or one by one lead to the same state, with any event and any deviation. */
CASE(runs)
{
    static const u16 events[][4] = {
        {ARCH_EVENT_BRANCHES, ARCH_EVENT_REF_CYCLES, ARCH_EVENT_CORE_CYCLES, ARCH_EVENT_INSTRUCTIONS},
        {ARCH_EVENT_LLC_REFERENCE, ARCH_EVENT_LLC_MISS, ARCH_EVENT_BRANCH_MISSES, ARCH_EVENT_LLC_MISS},
        {0x01c4, 0x20c4, 0x02c4, 0x08c4},
        {0x81d0, 0x82d0, 0x40c4, 0x01c4},
        {0x01c5, 0x20c5, 0x10c4, 0x02c5},
        {0x02c2, 0x3fc1, 0x01cb, 0x010e},
        {0x01b7, 0x01bb, 0x01c5, ARCH_EVENT_BRANCH_MISSES},
    };
    for (unsigned deviation = 0; deviation < deviation_count; deviation += each_nth(10))
        for_each_row (events, row) {
            struct rig one, together;
            count_events(&one, deviation, *row);
            count_events(&together, deviation, *row);
            for (u32 n = 1; n < 3000; n = n * 2 + 1)
                if (model_run_room(together.model) >= n)
                    report_both_ways(&one, &together, n, n & 2 ? 3 : 0);
            for (u32 i = 0; i < 4; i++)
                same_register(&one, &together, MSR_PMC(i));
            for (u32 i = 0; i < 3; i++)
                same_register(&one, &together, MSR_FIXED_CTR(i));
            same_register(&one, &together, MSR_PERF_GLOBAL_STATUS);
            rig_close(&one);
            rig_close(&together);
        }
}

/* The event of branch records, and one that is logged in them. */
static void count_records(struct rig *r, unsigned deviation, bool recording)
{
    open_deviating(r, "lunar-lake", deviation);
    model_wrmsr(r->model, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_LBR_INSERTS);
    model_wrmsr(r->model, MSR_PERFEVTSEL(1), EVTSEL_BOTH | EVTSEL_BR_CNTR | ARCH_EVENT_BRANCHES);
    model_wrmsr(r->model, MSR_ARCH_LBR_CTL, recording ? EVERY_BRANCH : 0);
    model_wrmsr(r->model, MSR_PERF_GLOBAL_CTRL, 3);
}

/* Adds a record, to see what was logged before it. */
static void record_one(struct rig *r)
{
    model_wrmsr(r->model, MSR_ARCH_LBR_CTL, EVERY_BRANCH);
    model_retire(r->model, &(struct retired){.kind = RETIRED_BRANCH, .branch = BRANCH_JUMP, .taken = true, .rip = 1});
    model_retire(r->model, &(struct retired){.rip = 2});
}

/* The same with branch records, on or off. */
CASE(records_in_runs)
{
    for (unsigned row = 0; row < 2 * deviation_count; row++) {
        struct rig rigs[2];
        for (struct rig *r = rigs; r < rigs + 2; r++)
            count_records(r, row / 2, row & 1);
        for (u32 n = 1; n < 100; n = n * 2 + 1)
            if (model_run_room(rigs[1].model) >= n)
                report_both_ways(&rigs[0], &rigs[1], n, n & 2 ? 3 : 0);
        for (struct rig *r = rigs; r < rigs + 2; r++)
            record_one(r);
        for (u32 i = 0; i < 4; i++) {
            same_register(&rigs[0], &rigs[1], i < 2 ? MSR_PMC(i) : MSR_PERF_GLOBAL_STATUS);
            same_register(&rigs[0], &rigs[1], MSR_ARCH_LBR_FROM(i));
            same_register(&rigs[0], &rigs[1], MSR_ARCH_LBR_TO(i));
            same_register(&rigs[0], &rigs[1], MSR_ARCH_LBR_INFO(i));
        }
        for (struct rig *r = rigs; r < rigs + 2; r++)
            rig_close(r);
    }
}

/* ---- Every row of every profile */

static bool same_core(const struct rig *r, const char *core)
{
    return !core == !r->model->p.core && (!core || strcmp(core, r->model->p.core) == 0);
}

/* Opens each kind of core of every profile once, for each row of its table. */
static void for_every_event(void (*what)(const char *profile, u32 cpu, const struct profile_event *event))
{
    const struct profile *profile;
    for (unsigned i = 0; (profile = model_profile_at(i)) != NULL; i++) {
        const char *before = NULL;
        for (u32 cpu = 0; cpu < 4; cpu++) {
            struct rig r;
            rig_open_on(&r, model_profile_name(profile), NULL, 1, cpu);
            for (unsigned row = 0; row < EVENTS_MAX && (!cpu || !same_core(&r, before)); row++)
                if (r.model->p.events[row].encoding)
                    what(profile->name, cpu, &r.model->p.events[row]);
            before = r.model->p.core;
            rig_close(&r);
        }
    }
}

/* Counter n counts the event in both rings, with these flags, and nothing else counts. */
static void open_with(struct rig *r, const char *profile, u32 cpu, const struct profile_event *event, unsigned n,
                      u64 flags)
{
    u64 encoding = (event->encoding & 0xffff) | (u64)(event->encoding >> 16) << 40 | flags;
    rig_open_on(r, profile, NULL, 1, cpu);
    for (unsigned i = 0; i < 2; i++) /* the second value on Nehalem */
        if (!model_wrmsr(r->model, MSR_OFFCORE_RSP(i), OFFCORE_RSP_DATA_READ | OFFCORE_RSP_ANY))
            model_wrmsr(r->model, MSR_OFFCORE_RSP(i), OFFCORE_RSP_DATA_READ | OFFCORE_RSP_FIRST_CACHED);
    wr(r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | encoding);
    if (r->model->p.version > 1)
        wr(r, MSR_PERF_GLOBAL_CTRL, BIT(n));
}

static void open_counting(struct rig *r, const char *profile, u32 cpu, const struct profile_event *event, unsigned n)
{
    open_with(r, profile, cpu, event, n, 0);
}

static unsigned first_counter(const struct profile_event *event)
{
    unsigned n = 0;
    while (!(event->counters >> n & 1))
        n++;
    return n;
}

/* In a run of any contents. */
static void runs_alike_with(const char *profile, u32 cpu, const struct profile_event *event, u64 flags)
{
    struct rig one, together;
    unsigned n = first_counter(event);
    open_with(&one, profile, cpu, event, n, flags);
    open_with(&together, profile, cpu, event, n, flags);
    for (u32 length = 1; length < LONG_RUN; length = length * 2 + 1) {
        if (model_run_room(together.model) < length)
            fail_msg("%s, event %x: no run of %u", profile, event->encoding, length);
        report_both_ways(&one, &together, length, length & 2 ? 3 : 0);
        same_register(&one, &together, MSR_PMC(n));
    }
    rig_close(&one);
    rig_close(&together);
}

static void runs_alike(const char *profile, u32 cpu, const struct profile_event *event)
{
    bool evenly =
        event->event != EVENT_REF_CLOCK && event->event != EVENT_UOPS && event->event != EVENT_LOADS_AND_STORES;
    runs_alike_with(profile, cpu, event, 0);
    for (u64 mask = 1; evenly && mask <= 2; mask++) {
        runs_alike_with(profile, cpu, event, mask << 24);
        runs_alike_with(profile, cpu, event, mask << 24 | EVTSEL_INV);
    }
}

CASE(every_event_in_runs)
{
    for_every_event(runs_alike);
}

/* Events that leaf 0AH names as well, on a core that has all of them; lost slots only by occurrence. */
CASE(architectural_events_in_runs)
{
    static const struct profile_event rows[] = {
        {ARCH_EVENT_CORE_CYCLES, 1, EVENT_CORE_CYCLES},     {ARCH_EVENT_INSTRUCTIONS, 1, EVENT_INSTRUCTIONS},
        {ARCH_EVENT_REF_CYCLES, 1, EVENT_REF_CLOCK},        {ARCH_EVENT_LLC_REFERENCE, 1, EVENT_LLC_REFERENCE},
        {ARCH_EVENT_LLC_MISS, 1, EVENT_LLC_MISS},           {ARCH_EVENT_BRANCHES, 1, EVENT_BRANCHES},
        {ARCH_EVENT_BRANCH_MISSES, 1, EVENT_BRANCH_MISSES}, {ARCH_EVENT_TOPDOWN_SLOTS, 1, EVENT_SLOTS},
    };
    static const struct profile_event lost[] = {
        {ARCH_EVENT_TOPDOWN_BACKEND, 1, EVENT_BACKEND_BOUND},   {ARCH_EVENT_TOPDOWN_BAD_SPEC, 1, EVENT_BAD_SPECULATION},
        {ARCH_EVENT_TOPDOWN_FRONTEND, 1, EVENT_FRONTEND_BOUND}, {ARCH_EVENT_TOPDOWN_RETIRING, 1, EVENT_RETIRING},
        {ARCH_EVENT_LBR_INSERTS, 1, EVENT_LBR_INSERTS},
    };
    for_each_row (rows, row)
        runs_alike("lunar-lake", 0, row);
    for_each_row (lost, row)
        runs_alike_with("lunar-lake", 0, row, 0);
}

/* PERF_METRICS, of one and of two levels. */
CASE(metrics_in_runs)
{
    static const char *const names[] = {"ice-lake", "lunar-lake"};
    for_each_row (names, name) {
        struct rig rigs[2];
        for (struct rig *r = rigs; r < rigs + 2; r++) {
            rig_open_on(r, *name, NULL, 1, 0);
            wr(r, MSR_FIXED_CTR_CTRL, 0x3000);
            wr(r, MSR_PERF_GLOBAL_CTRL, BIT(48) | BIT(35));
        }
        for (u32 length = 1; length < LONG_RUN; length = length * 2 + 1) {
            assert_true(model_run_room(rigs[1].model) >= length);
            report_both_ways(&rigs[0], &rigs[1], length, length & 2 ? 3 : 0);
            same_register(&rigs[0], &rigs[1], MSR_PERF_METRICS);
            same_register(&rigs[0], &rigs[1], MSR_FIXED_CTR(3));
        }
        assert_true(rd(&rigs[0], MSR_PERF_METRICS) != 0);
        for (struct rig *r = rigs; r < rigs + 2; r++)
            rig_close(r);
    }
}

/* A bit of everything. */
static const struct retired mixture[] = {
    {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = true, .rip = 1},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .rip = 2},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .rip = 3},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_CALL, .taken = true, .access = ACCESS_STORE},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_CALL_INDIRECT, .taken = true, .access = ACCESS_LOAD | ACCESS_STORE},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_RETURN, .taken = true, .access = ACCESS_LOAD},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_RETURN, .taken = true, .access = ACCESS_LOAD},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_JUMP, .taken = true},
    {.kind = RETIRED_BRANCH, .branch = BRANCH_JUMP_INDIRECT, .taken = true},
    {.kind = RETIRED_FAR_BRANCH, .taken = true},
    {.kind = RETIRED_IRET, .taken = true},
    {.kind = RETIRED_PAUSE},
    {.kind = RETIRED_PLAIN, .access = ACCESS_LOAD},
    {.kind = RETIRED_PLAIN, .access = ACCESS_STORE},
    {.kind = RETIRED_PLAIN, .access = ACCESS_LOAD | ACCESS_STORE},
    {.kind = RETIRED_PLAIN},
};
#define TIMES 200 /* the mixture of instructions; an interrupt comes after each turn */

/* The count of one mixture; by rule, each n-th. 0: not tested here. */
static const u64 in_mixture[EVENT_COUNT] = {
    [EVENT_INSTRUCTIONS] = 16,
    [EVENT_BRANCHES] = 11,
    [EVENT_CONDITIONAL] = 3,
    [EVENT_CONDITIONAL_TAKEN] = 1,
    [EVENT_NOT_TAKEN] = 2,
    [EVENT_NEAR_TAKEN] = 7,
    [EVENT_TAKEN] = 9,
    [EVENT_NEAR_CALL] = 2,
    [EVENT_DIRECT_CALL] = 1,
    [EVENT_INDIRECT_CALL] = 1,
    [EVENT_DIRECT_JUMP] = 1,
    [EVENT_INDIRECT_JUMP] = 1,
    [EVENT_INDIRECT] = 2,
    [EVENT_NEAR_RETURN] = 2,
    [EVENT_INDIRECT_OR_RETURN] = 4,
    [EVENT_FAR_BRANCH] = 2,
    [EVENT_SLOTS_USED] = 16,
    [EVENT_UOPS] = 20,
    [EVENT_PAUSES] = 1,
    [EVENT_INTERRUPTS] = 1,
    [EVENT_LOADS] = 5,
    [EVENT_STORES] = 4,
    [EVENT_LOADS_AND_STORES] = 9,
};

/* Of the conditional branches, only the one that is taken, and only its first time. */
static u64 missed_in_mixture(unsigned kind)
{
    const u64 indirect = TIMES / MISS_EVERY, returns = TIMES * 2 / MISS_EVERY;
    switch (kind) {
    case EVENT_CONDITIONAL:
    case EVENT_CONDITIONAL_TAKEN:
        return 1;
    case EVENT_NEAR_TAKEN:
    case EVENT_TAKEN:
        return 1 + 2 * indirect + returns;
    case EVENT_NEAR_CALL:
    case EVENT_INDIRECT_CALL:
    case EVENT_INDIRECT_JUMP:
        return indirect;
    case EVENT_INDIRECT:
        return 2 * indirect;
    case EVENT_NEAR_RETURN:
        return returns;
    case EVENT_INDIRECT_OR_RETURN:
        return 2 * indirect + returns;
    default:
        return 0;
    }
}

static u64 expected(unsigned event)
{
    if (event == EVENT_BRANCH_MISSES)
        return missed_in_mixture(EVENT_TAKEN);
    if (event >= EVENT_MISSED_KINDS && event <= EVENT_MISSED_KINDS_END)
        return missed_in_mixture(event - EVENT_MISSED_KINDS + EVENT_CONDITIONAL);
    if (event == EVENT_PREDICTED_TAKEN)
        return TIMES * in_mixture[EVENT_TAKEN] - missed_in_mixture(EVENT_TAKEN);
    if (event == EVENT_PREDICTED_NOT_TAKEN)
        return TIMES * in_mixture[EVENT_NOT_TAKEN];
    if (event == EVENT_OFFCORE_0 || event == EVENT_OFFCORE_1)
        return TIMES * in_mixture[EVENT_INSTRUCTIONS] / REFERENCE_EVERY;
    return event == EVENT_ASSISTS ? TIMES * in_mixture[EVENT_INSTRUCTIONS] / ASSIST_EVERY : TIMES * in_mixture[event];
}

static u64 count_mixture(const char *profile, u32 cpu, const struct profile_event *event, unsigned n)
{
    struct rig r;
    open_counting(&r, profile, cpu, event, n);
    for (unsigned i = 0; i < TIMES; i++) {
        for_each_row (mixture, instruction)
            model_retire(r.model, instruction);
        model_interrupted(r.model, 0);
    }
    u64 counted = rd(&r, MSR_PMC(n));
    rig_close(&r);
    return counted;
}

/* On each counter of the core: the known count, or nothing if the table does not name that counter. Clocks are counted
 * by their ticks. */
static void counts_by_counter(const char *profile, u32 cpu, const struct profile_event *event)
{
    struct rig r;
    rig_open_on(&r, profile, NULL, 1, cpu);
    unsigned counters = r.model->p.gp_count;
    rig_close(&r);
    bool clock = event->event == EVENT_CORE_CYCLES || event->event == EVENT_REF_CLOCK;
    for (unsigned n = 0; n < counters; n++) {
        u64 counted = count_mixture(profile, cpu, event, n), want = expected(event->event);
        if (!(event->counters >> n & 1))
            want = 0;
        if (clock ? counted < TIMES : counted != want)
            fail_msg("%s, event %x, counter %u: %llu, not %llu", profile, event->encoding, n,
                     (unsigned long long)counted, (unsigned long long)want);
    }
}

CASE(every_event_counts)
{
    for_every_event(counts_by_counter);
}

/* Counted as received in the ring that is interrupted, if the counter is enabled for it; an overflow raises a PMI. */
CASE(interrupts)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_EN | EVTSEL_USR | EVTSEL_INT | 0x01cb);
    wr(&r, MSR_PERFEVTSEL(1), EVTSEL_EN | EVTSEL_OS | 0x01cb);
    wr(&r, MSR_A_PMC(0), width_mask(48) - 1);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 3);
    for (unsigned i = 0; i < 3; i++) {
        model_interrupted(r.model, 3);
        plain(&r, 10);
    }
    assert_int_equal(rd(&r, MSR_PMC(0)), 1);
    assert_int_equal(rd(&r, MSR_PMC(1)), 0);
    assert_int_equal(r.interrupts, 1);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS) & 3, 1);
    model_interrupted(r.model, 0);
    assert_int_equal(rd(&r, MSR_PMC(1)), 1);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
    model_interrupted(r.model, 0);
    assert_int_equal(rd(&r, MSR_PMC(1)), 1);
    rig_close(&r);
}

/* Deviations of counting apply to these, too. */
CASE(interrupts_deviating)
{
    static const struct {
        const char *deviation;
        u32 counter;
        u64 count;
    } rows[] = {{NULL, 3, 5}, {"last-gp-dead", 3, 0}, {"last-gp-dead", 2, 5}, {"usr-counts-in-os", 0, 8}};
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, row->deviation, 1, 0);
        wr(&r, MSR_PERFEVTSEL(row->counter), EVTSEL_EN | EVTSEL_USR | 0x01cb);
        wr(&r, MSR_PERF_GLOBAL_CTRL, BIT(row->counter));
        for (unsigned i = 0; i < 8; i++)
            model_interrupted(r.model, i < 5 ? 3 : 0);
        assert_int_equal(rd(&r, MSR_PMC(row->counter)), row->count);
        rig_close(&r);
    }
}

/* ---- By hand */

/* A request for data is counted if the register selects it and where its answer comes from; the other register does not
 * matter. */
CASE(offcore_responses)
{
    static const struct {
        const char *profile;
        u64 filter;
        u32 which;
        u64 event, count;
    } rows[] = {{"skylake", 0x10001, 0, 0x01b7, 32},
                {"skylake", 0x10001, 1, 0x01bb, 32},
                {"skylake", 0x10001, 0, 0x01bb, 0},
                {"skylake", 0x10002, 0, 0x01b7, 0},
                {"skylake", 1, 0, 0x01b7, 0},
                {"skylake", 0x3fc03c0001, 0, 0x01b7, 32},
                {"skylake", 0x3fbc000001, 0, 0x01b7, 2},
                {"nehalem", 0x4001, 0, 0x01b7, 2},
                {"nehalem", 0x101, 0, 0x01b7, 32},
                {"nehalem", 0x4002, 0, 0x01b7, 0},
                {"sapphire-rapids", 0x10001, 1, 0x012b, 32},
                {"silvermont", 0x10001, 1, 0x02b7, 32}};
    for_each_row (rows, row) {
        struct rig r;
        rig_open_on(&r, row->profile, NULL, 1, 0);
        wr(&r, MSR_OFFCORE_RSP(row->which), row->filter);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | row->event);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 1);
        plain(&r, 32 * REFERENCE_EVERY);
        assert_int_equal(rd(&r, MSR_PMC(0)), row->count);
        rig_close(&r);
    }
}

/* ---- Predicted branches */

static void count_misses(struct rig *r, u64 rings)
{
    rig_open(r, NULL, 1, 0);
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_EN | rings | ARCH_EVENT_BRANCH_MISSES);
    wr(r, MSR_PERF_GLOBAL_CTRL, 1);
}

/* Conditional branches at one address. */
static void branches(struct rig *r, u64 rip, u8 cpl, bool taken, u32 times)
{
    for (u32 i = 0; i < times; i++)
        model_retire(r->model, &(struct retired){.kind = RETIRED_BRANCH,
                                                 .branch = BRANCH_CONDITIONAL,
                                                 .taken = taken,
                                                 .cpl = cpl,
                                                 .cpl_after = cpl,
                                                 .rip = rip});
}

/* A loop's branch is mispredicted as it is met first, and at each end. */
CASE(loops_are_predicted)
{
    struct rig r;
    count_misses(&r, EVTSEL_OS | EVTSEL_USR);
    for (unsigned i = 0; i < 10; i++) {
        branches(&r, 0x2000, 0, true, 99);
        branches(&r, 0x2000, 0, false, 1);
    }
    assert_int_equal(rd(&r, MSR_PMC(0)), 11);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 1);
    branches(&r, 0x2000, 0, true, 99);
    assert_int_equal(rd(&r, MSR_PMC(0)), 12);
    rig_close(&r);
}

/* Neither what goes on in a ring that is not counted, nor branches at other addresses matter. */
CASE(branches_are_predicted_apart)
{
    struct rig r;
    count_misses(&r, EVTSEL_USR);
    for (unsigned i = 0; i < 10; i++) {
        branches(&r, 0x2000, 3, true, 2);
        branches(&r, 0x2000, 0, false, 5);
        branches(&r, 0x2004, 3, false, 5);
    }
    assert_int_equal(rd(&r, MSR_PMC(0)), 1);
    rig_close(&r);
}

/* By chance, about every other one is wrong. Told together, or each by itself, they are the same. */
CASE(chance_is_not_predicted)
{
    struct rig one, together;
    u32 chance = 1, all = 0;
    count_misses(&one, EVTSEL_OS);
    count_misses(&together, EVTSEL_OS);
    for (u32 n = 0; n < 4000; n++) {
        struct model_run run = {.cpl = 0};
        chance = chance * 1664525 + 1013904223;
        u32 times = 1 + (chance >> 8) % 3;
        u64 rip = 0x3000 + (chance >> 12) % 4;
        bool taken = chance >> 31;
        branches(&one, rip, 0, taken, times);
        run.instructions = run.branches = run.conditional = times;
        run.taken = taken ? times : 0;
        model_run_predict(together.model, &run, rip, taken, times);
        model_retire_run(together.model, &run);
        all += times;
        assert_int_equal(rd(&one, MSR_PMC(0)), rd(&together, MSR_PMC(0)));
    }
    assert_true(rd(&one, MSR_PMC(0)) > all / 4 && rd(&one, MSR_PMC(0)) < all / 4 * 3);
    rig_close(&one);
    rig_close(&together);
}

/* Which counters count loads and stores: on each kind of core the first ones, up to this number. */
CASE(memory_by_counter)
{
    static const struct {
        const char *profile;
        u32 cpu; /* CPUs of 4: a hybrid's kinds one after the other */
        unsigned counters, count;
    } cores[] = {{"skylake", 0, 4, 4},       {"ice-lake", 0, 8, 4},   {"sapphire-rapids", 0, 8, 4},
                 {"alder-lake", 0, 6, 4},    {"alder-lake", 3, 6, 6}, {"lunar-lake", 0, 8, 4},
                 {"lunar-lake", 3, 8, 8},    {"tremont", 0, 4, 4},    {"clearwater-forest", 0, 8, 8},
                 {"granite-rapids", 0, 8, 4}};
    static const u16 events[] = {0x81d0, 0x82d0};
    for_each_row (cores, core)
        for_each_row (events, event)
            for (unsigned n = 0; n < core->counters; n++) {
                struct rig r;
                struct retired both = {.kind = RETIRED_PLAIN, .access = ACCESS_LOAD | ACCESS_STORE};
                rig_open_on(&r, core->profile, NULL, 1, core->cpu);
                wr(&r, MSR_PERFEVTSEL(n), EVTSEL_OS | EVTSEL_EN | *event);
                wr(&r, MSR_PERF_GLOBAL_CTRL, BIT(n));
                for (unsigned i = 0; i < 5; i++)
                    model_retire(r.model, &both);
                if (rd(&r, MSR_PMC(n)) != (n < core->count ? 5 : 0))
                    fail_msg("%s, counter %u, event %x: %u", core->profile, n, *event, (unsigned)rd(&r, MSR_PMC(n)));
                rig_close(&r);
            }
}

/* Counts of each kind of branch, on cores with different encodings; a run of any of them may be reported. */
CASE(branches_by_kind)
{
    static const struct {
        const char *profile;
        u64 conditional, taken, call, back, far;
    } cores[] = {{"skylake", 0x1c4, 0x20c4, 0x2c4, 0x8c4, 0x40c4},
                 {"sapphire-rapids", 0x11c4, 0x20c4, 0x2c4, 0x8c4, 0x40c4},
                 {"lunar-lake", 0x100000011c4, 0x20c4, 0x2c4, 0x8c4, 0x40c4},
                 {"clearwater-forest", 0x7c4, 0xfbc4, 0x30c4, 0x8c4, 0}};
    static const struct retired retired[] = {
        {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = true},
        {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL},
        {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL},
        {.kind = RETIRED_BRANCH, .branch = BRANCH_CALL, .taken = true},
        {.kind = RETIRED_BRANCH, .branch = BRANCH_CALL_INDIRECT, .taken = true},
        {.kind = RETIRED_BRANCH, .branch = BRANCH_RETURN, .taken = true},
        {.kind = RETIRED_BRANCH, .branch = BRANCH_JUMP, .taken = true},
        {.kind = RETIRED_FAR_BRANCH, .taken = true},
        {.kind = RETIRED_IRET, .taken = true},
        {.kind = RETIRED_PLAIN},
    };
    for_each_row (cores, core) {
        const struct {
            u64 encoding, count;
        } want[] = {{core->conditional, 3}, {core->taken, 5}, {core->call, 2}, {core->back, 1}, {core->far, 2}};
        for_each_row (want, event) {
            struct rig r;
            if (!event->encoding)
                continue;
            rig_open(&r, NULL, 1, 0);
            r.setup.profile = model_profile(core->profile);
            model_reset(r.model, &r.setup, &r.host);
            model_wrmsr(r.model, MSR_PERF_GLOBAL_CTRL, 1);
            assert_true(model_wrmsr(r.model, MSR_PERFEVTSEL(0), EVTSEL_BOTH | event->encoding));
            u64 before = 0, after = 0;
            assert_true(model_rdmsr(r.model, MSR_PMC(0), &before) && model_run_room(r.model) >= 1000);
            for_each_row (retired, instruction)
                model_retire(r.model, instruction);
            assert_true(model_rdmsr(r.model, MSR_PMC(0), &after));
            assert_int_equal(after - before, event->count);
            rig_close(&r);
        }
    }
}

int main(void)
{
    return run_cases();
}
