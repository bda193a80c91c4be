/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The monitor's evaluation of translated blocks' notes, compared to the same instructions reported one by one: random
 * programs in either ring, on a PMU that counts, records branches and traces them. Counts, records, the bytes of the
 * trace and PMIs must be the same after each stretch.
 */
#include "hosting/test/monitor/random_code.h"

#include "hosting/monitor/step/block_tally.h"
#include "reference/model/model_state.h"
#include "reference/test/model/trace_rig.h"

#define ROUNDS 400
#define STRETCHES 6
#define TURNS 200             /* near an overflow each instruction is by itself */
#define INSTRUCTIONS_MOST 200 /* instructions of a turn */
#define TRACE_ON (1u | 1u << 8 | 1u << 13)
#define TRACE_RINGS (1u << 2 | 1u << 3)

static u8 area_given[AREA];
static struct blocks machine;
static struct frame reported_at; /* guests whose ring counts */
static struct tally tally_of_run;
static u64 executed, in_blocks, interrupts, filled;

/* ---- A PMU with many features in use. */

/* Set-up of both PMUs. Registers that the CPU lacks fault on both. */
struct plan {
    const char *profile;
    u64 event, rings, recording, tracing;
};

static void draw_plan(struct plan *p)
{
    static const char *const names[] = {"skylake", "lunar-lake", "goldmont-plus", "ice-lake"};
    static const u64 events[] = {ARCH_EVENT_INSTRUCTIONS,
                                 ARCH_EVENT_BRANCHES,
                                 ARCH_EVENT_CORE_CYCLES,
                                 ARCH_EVENT_REF_CYCLES,
                                 ARCH_EVENT_BRANCH_MISSES,
                                 0x01c4,
                                 0x20c4,
                                 ARCH_EVENT_LBR_INSERTS};
    p->profile = names[draw() % ARRAY_SIZE(names)];
    p->event = events[draw() % ARRAY_SIZE(events)];
    p->rings = draw() % 3 ? EVTSEL_BOTH : EVTSEL_EN | EVTSEL_OS;
    p->recording = draw() % 2;
    p->tracing = draw() % 4 ? TRACE_ON | (draw() & TRACE_RINGS) : 0;
}

static void record(struct rig *r, bool on)
{
    model_wrmsr(r->model, MSR_DEBUGCTL, on ? DEBUGCTL_LBR : 0);
    model_wrmsr(r->model, MSR_ARCH_LBR_CTL, on ? LBR_CTL_EN | LBR_CTL_OS | LBR_CTL_USR | MASK(22, 16) : 0);
}

static void open_planned(struct rig *r, const struct plan *p)
{
    trace_rig_open(r, p->profile, 1 << 2, 1 << 2);
    model_wrmsr(r->model, MSR_PERFEVTSEL(0), p->rings | EVTSEL_INT | p->event);
    model_wrmsr(r->model, MSR_FIXED_CTR_CTRL, 0x333);
    model_wrmsr(r->model, MSR_PERF_GLOBAL_CTRL, 0x700000001);
}

static void close_both(struct rig *one, struct rig *many)
{
    trace_rig_close(one);
    trace_rig_close(many);
}

/* ---- One by one, and from the notes. */

static bool retire_one(struct rig *r, struct frame *f)
{
    u64 rip = f->rip;
    struct operation o = take_apart(rip);
    struct instruction i = kind_of(rip);
    u8 ring = f->cs & 3, access = operand_decode((const u8 *)rip, INSTRUCTION_BYTES).access;
    bool branch = i.kind == KIND_BRANCH;
    if (!o.code || !interpret(&o, f, 0))
        return false;
    model_retire(r->model, &(struct retired){.kind = branch ? RETIRED_BRANCH : RETIRED_PLAIN,
                                             .taken = !i.length || f->rip != rip + i.length,
                                             .branch = branch ? i.branch : BRANCH_OTHER,
                                             .access = access,
                                             .cpl = ring,
                                             .cpl_after = ring,
                                             .rip = rip});
    return true;
}

static void through(const u16 *first, const u16 *end)
{
    for (unsigned n = 0; n < known; n++)
        machine.each[n].block = near->blocks[n];
    machine.state = near->state;
    machine.state.note = (u64)end;
    tally_go_through(&reported_at, &tally_of_run, first, 0);
}

static void part(unsigned number, unsigned instructions)
{
    machine.each[number].block = near->blocks[number];
    tally_part(&tally_of_run, number, instructions);
}

static u64 region(const struct rig *r)
{
    return r->model->trace.value[TRACE_MASK_PTRS] & MASK(31, 7);
}

/* As the monitor does it; nothing may happen that should have come between two instructions. Returns how many were
 * executed; `most`: blocks. */
static u32 run_blocks(struct rig *r, struct frame *f, u32 most)
{
    u32 room = model_run_room(r->model), done = 0;
    u64 began_in = region(r);
    unsigned interrupts_before = r->interrupts;
    tally_of_run = (struct tally){.blocks = &machine, .model = r->model};
    for (bool ended = false; !ended && is_code(f->rip) && most;) {
        u32 left = room - tally_of_run.reported - tally_of_run.run.instructions;
        u32 branches = room ? model_branch_room(r->model) : 0, blocks = left / BLOCK_INSTRUCTIONS;
        blocks = blocks < branches ? blocks : branches;
        blocks = blocks < most ? blocks : most;
        if (!blocks)
            break;
        blocks = 1 + (u32)(draw() % blocks);
        struct outcome o = execute(f, blocks);
        ended = o.faulted || !o.counts.instructions;
        done += o.counts.instructions;
        most -= blocks;
    }
    tally_report(&reported_at, &tally_of_run);
    assert_int_equal(tally_of_run.reported, done);
    assert_int_equal(region(r), began_in);
    assert_int_equal(r->interrupts, interrupts_before);
    in_blocks += done;
    return done;
}

/* ---- The comparison. */

static bool faults_alike(const struct frame *f)
{
    struct operation o = take_apart(f->rip);
    return near_miss && o.code && (o.code != OP_CALL || inside(f->rsp - 8, 8));
}

static void same_register(const struct rig *one, const struct rig *many, u32 msr)
{
    u64 a = 0, b = 0;
    assert_int_equal(model_rdmsr(one->model, msr, &a), model_rdmsr(many->model, msr, &b));
    if (a != b)
        fail_msg("register %x: %llx, in blocks %llx", msr, (unsigned long long)a, (unsigned long long)b);
}

static void same_pmu(const struct rig *one, const struct rig *many)
{
    static const u32 registers[] = {
        MSR_PMC(0), MSR_FIXED_CTR(0), MSR_FIXED_CTR(1), MSR_FIXED_CTR(2), MSR_PERF_GLOBAL_STATUS, 0x561,
        0x571,      MSR_LBR_TOS};
    for (unsigned i = 0; i < ARRAY_SIZE(registers); i++)
        same_register(one, many, registers[i]);
    for (u32 i = 0; i < 32; i++) {
        same_register(one, many, MSR_LBR_FROM(i));
        same_register(one, many, MSR_LBR_TO(i));
        same_register(one, many, MSR_ARCH_LBR_FROM(i));
        same_register(one, many, MSR_ARCH_LBR_TO(i));
        same_register(one, many, MSR_ARCH_LBR_INFO(i));
    }
    assert_int_equal(one->interrupts, many->interrupts);
    assert_memory_equal(one->memory, many->memory, TRACE_BYTES);
}

/* One run of blocks, or one instruction if blocks are not allowed. False: nothing was executed. */
static bool compare_go(struct rig *one, struct rig *many, struct frame *f)
{
    one->lvtpc = many->lvtpc = VECTOR;
    struct frame stepped = *f;
    memcpy(area_given, area, AREA);
    struct outcome o = step(&stepped, INSTRUCTIONS_MOST);
    bool real = (o.faulted && faults_alike(&stepped)) || !is_code(stepped.rip);
    memcpy(area, area_given, AREA);
    stepped = reported_at = *f;
    u32 done = run_blocks(many, f, real ? o.counts.instructions + 1 : o.counts.instructions / BLOCK_INSTRUCTIONS);
    memcpy(area_stepped, area, AREA);
    memcpy(area, area_given, AREA);
    for (u32 i = 0; i < done; i++)
        assert_true(retire_one(one, &stepped));
    assert_int_equal(stepped.rip, f->rip);
    assert_memory_equal(area, area_stepped, AREA);
    executed += done;
    assert_true(!only_canonical_stacks() || is_canonical(f->rsp));
    if (done || o.counts.instructions == 0)
        return done;
    memcpy(area_given, area, AREA);
    assert_true(retire_one(one, &stepped));
    memcpy(area, area_given, AREA);
    assert_true(retire_one(many, f));
    executed++;
    return true;
}

/* Before each stretch another ring may be entered, the counter and a region of the trace be set near their ends, and
 * the PMU's set-up change. */
static void change(struct rig *one, struct rig *many, struct frame *f, const struct plan *p)
{
    u64 tracing = draw() % 4 ? p->tracing : 0, distance = draw() % 200, position = 4095 - 30 - draw() % 100;
    bool recording = draw() % 4 ? p->recording : !p->recording;
    f->cs = draw() % 2 ? 3 : 0;
    if (draw() % 4 == 0)
        return;
    for (unsigned i = 0; i < 2; i++) {
        struct rig *r = i ? many : one;
        model_wrmsr(r->model, 0x570, 0);
        model_wrmsr(r->model, 0x561, position << 32 | 0x7f);
        model_wrmsr(r->model, 0x570, tracing);
        model_wrmsr(r->model, MSR_A_PMC(0), MASK(47, 0) - distance);
        record(r, recording);
    }
}

static void test_random_programs(void **unused)
{
    (void)unused;
    only_canonical_stacks();
    catch_faults();
    told_through = through;
    told_part = part;
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct rig one, many;
        struct plan plan;
        struct frame f;
        draw_plan(&plan);
        open_planned(&one, &plan);
        open_planned(&many, &plan);
        draw_code();
        draw_state(&f);
        for (unsigned i = 0; i < AREA; i += 8)
            memcpy(area + i, (u64[]){value()}, 8);
        for (unsigned i = 0; i < STRETCHES; i++) {
            change(&one, &many, &f, &plan);
            f.rip = snippet();
            for (unsigned turns = 0; turns < TURNS && is_code(f.rip) && compare_go(&one, &many, &f); turns++)
                same_pmu(&one, &many);
            filled += region(&one) != 0;
        }
        interrupts += one.interrupts;
        close_both(&one, &many);
    }
    assert_true(in_blocks > 500 * ROUNDS && executed > in_blocks && faults > ROUNDS / 8);
    assert_true(interrupts > ROUNDS / 8 && filled > ROUNDS / 16);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, prepare, NULL);
}
