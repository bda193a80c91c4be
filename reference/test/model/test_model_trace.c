/* SPDX-License-Identifier: BSD-2-Clause */
/* Processor trace of the reference PMU: registers, faults, and which bytes go to which region. Numbers from the manual.
 * */
#include "reference/model/model_state.h"
#include "reference/test/model/trace_rig.h"

#define ON (1u | 1u << 2 | 1u << 8 | 1u << 13)

static u8 byte(const struct rig *r, u64 address)
{
    return r->memory[address - TABLE];
}

/* An indirect call, and its target: nine bytes. */
static void call(struct rig *r, u64 from, u64 to)
{
    struct retired instruction = {.kind = RETIRED_BRANCH, .branch = BRANCH_CALL_INDIRECT, .taken = true, .rip = from};
    model_retire(r->model, &instruction);
    instruction = (struct retired){.kind = RETIRED_PLAIN, .rip = to};
    model_retire(r->model, &instruction);
}

CASE(packets)
{
    static const u8 begins[] = {0x02, 0x82}, ends[] = {0x02, 0x23, 0x99, 0x01, 0xd1, 0x00, 0x10};
    struct rig r;
    trace_rig_open(&r, "skylake", 0, 1 << 4);
    assert_false(model_stepping(r.model));
    wr(&r, 0x570, ON);
    assert_true(model_stepping(r.model));
    call(&r, 0x1000, 0x2000);
    assert_memory_equal(&r.memory[FIRST - TABLE], begins, sizeof(begins));
    assert_memory_equal(&r.memory[FIRST - TABLE + 16], ends, sizeof(ends));
    assert_int_equal(byte(&r, FIRST + 29), 0xcd); /* TIP */
    assert_int_equal(byte(&r, FIRST + 31), 0x20);
    assert_int_equal(rd(&r, 0x561) >> 32, 38);
    struct retired conditional = {.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = true};
    model_retire(r.model, &conditional);
    assert_int_equal(byte(&r, FIRST + 38), 0x06); /* TNT: taken */
    wr(&r, 0x570, 0);
    assert_int_equal(byte(&r, FIRST + 39), 0x01); /* TIP.PGD */
    assert_int_equal(rd(&r, 0x561), 40ull << 32 | 0x7f);
    assert_false(model_stepping(r.model));
    trace_rig_close(&r);
}

static void fill(struct rig *r, u64 bytes)
{
    for (u64 n = 0; n < bytes; n += 9)
        call(r, 0x1000, 0x2000);
}

CASE(regions)
{
    struct rig r;
    trace_rig_open(&r, "skylake", 1 << 2, 1 << 4);
    wr(&r, 0x570, ON);
    fill(&r, 4000);
    assert_int_equal(r.interrupts, 0);
    fill(&r, 200);
    assert_int_equal(r.interrupts, 1);
    assert_int_equal(rd(&r, 0x38e), 1ull << 55);
    assert_int_equal(rd(&r, 0x561) & 0xfff80, 1 << 7);
    fill(&r, 4096);
    assert_int_equal(rd(&r, 0x571) & 0x30, 0x20); /* Stopped */
    assert_int_equal(rd(&r, 0x561), 4096ull << 32 | 1 << 7 | 0x7f);
    assert_int_equal(r.interrupts, 1);
    assert_int_equal(byte(&r, SECOND + 4096), 0);
    u8 last = 0;
    for (unsigned i = 1; i <= 9; i++)
        last |= byte(&r, SECOND + 4096 - i);
    assert_true(last);
    trace_rig_close(&r);
}

/* ---- Instructions that are reported together. */

static u32 draw(u32 below)
{
    static u64 seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(seed >> 33) % below;
}

static void plain_one_by_one(struct rig *r, u64 rip, u8 cpl, u32 count)
{
    for (u32 i = 0; i < count; i++)
        model_retire(r->model, &(struct retired){.kind = RETIRED_PLAIN, .cpl = cpl, .cpl_after = cpl, .rip = rip + i});
}

static void plain_together(struct rig *r, u64 rip, u8 cpl, u32 count)
{
    if (model_run_room(r->model) >= count)
        model_retire_run(r->model, &(struct model_run){.cpl = cpl, .rip = rip, .instructions = count});
    else
        plain_one_by_one(r, rip, cpl, count);
}

static void branch(struct rig *r, u64 rip, u8 cpl, enum branch_type type, bool taken)
{
    struct retired instruction = {
        .kind = RETIRED_BRANCH, .branch = (u8)type, .taken = taken, .cpl = cpl, .cpl_after = cpl, .rip = rip};
    model_retire(r->model, &instruction);
}

/* The room for branches, as it was told. */
struct told {
    u32 room, happened;
    u64 index;
};

/* The state itself, whatever RDMSR shows. */
static u64 position(const struct rig *r)
{
    return r->model->trace.value[TRACE_MASK_PTRS];
}

static u64 index_of(const struct rig *r)
{
    return position(r) & 0xfff80;
}

/* As many branches as there was room for have only written bytes, and so has what follows them. */
static void no_sooner_than_asked(const struct rig *r, const struct told *told)
{
    assert_true(!told->room || told->happened > told->room || index_of(r) == told->index);
}

static void tell_anew(struct rig *r, struct told *told)
{
    if (told->happened++ < told->room)
        return;
    *told = (struct told){.room = model_run_room(r->model) ? model_branch_room(r->model) : 0, .index = index_of(r)};
}

static void open_deviating(struct rig *r, const struct deviation *deviation, u32 rate)
{
    trace_rig_open(r, "skylake", 1 << 2, 1 << 2);
    r->deviating.deviation = deviation;
    r->deviating.rate = rate;
    model_reset(r->model, &r->setup, &r->host);
    model_wrmsr(r->model, 0x560, TABLE);
    model_wrmsr(r->model, 0x561, 0x7f);
    model_wrmsr(r->model, 0x570, ON);
}

/* One by one, and together as a driver does it, `turns` times a few instructions and a branch. */
static void retire_both_ways(struct rig *one, struct rig *many, unsigned turns)
{
    struct told told = {.room = 0};
    for (unsigned n = 0; n < turns; n++) {
        enum branch_type type = draw(4) ? BRANCH_JUMP_INDIRECT : (enum branch_type)(BRANCH_CONDITIONAL + draw(6));
        u8 cpl = draw(20) ? 0 : 3;
        u64 rip = 0x1000 + draw(0x1000);
        u32 count = 1 + draw(12);
        bool taken = type != BRANCH_CONDITIONAL || draw(2);
        one->lvtpc = many->lvtpc = VECTOR;
        plain_one_by_one(one, rip, cpl, count);
        plain_together(many, rip, cpl, count);
        no_sooner_than_asked(many, &told);
        branch(one, rip + count, cpl, type, taken);
        branch(many, rip + count, cpl, type, taken);
        tell_anew(many, &told);
        no_sooner_than_asked(many, &told);
        assert_int_equal(one->interrupts, many->interrupts);
        assert_int_equal(position(one), position(many));
    }
    assert_memory_equal(one->memory, many->memory, TRACE_BYTES);
}

/* The WRMSR that turns it on is not traced, the one that follows is. */
CASE(turned_on)
{
    static const struct retired write = {.kind = RETIRED_WRMSR, .rip = 0x1000},
                                next = {.kind = RETIRED_WRMSR, .rip = 0x1002};
    struct rig r;
    trace_rig_open(&r, "skylake", 0, 1 << 4);
    wr(&r, 0x570, ON);
    model_retire(r.model, &write);
    assert_int_equal(rd(&r, 0x561), 0x7f);
    model_retire(r.model, &next);
    assert_int_equal(byte(&r, FIRST + 20), 0xd1); /* TIP.PGE */
    assert_int_equal(byte(&r, FIRST + 21), 0x02);
    trace_rig_close(&r);
}

CASE(runs)
{
    struct rig one, many;
    open_deviating(&one, NULL, 1);
    open_deviating(&many, NULL, 1);
    assert_int_equal(model_wants_branches(many.model), BRANCHES_EACH);
    assert_int_equal(model_run_room(many.model), 0);
    retire_both_ways(&one, &many, 100000);
    assert_true(many.interrupts > 100);
    trace_rig_close(&one);
    trace_rig_close(&many);
}

/* With every deviation of a trace, each time or only now and then. */
CASE(runs_deviating)
{
    for (unsigned row = 0; row < 2 * deviation_count; row++) {
        const struct deviation *deviation = deviations[row / 2];
        struct rig one, many;
        if (strncmp(deviation->name, "trace-", 6))
            continue;
        open_deviating(&one, deviation, row & 1 ? 3 : 1);
        open_deviating(&many, deviation, row & 1 ? 3 : 1);
        retire_both_ways(&one, &many, 2000);
        trace_rig_close(&one);
        trace_rig_close(&many);
    }
}

CASE(faults)
{
    struct rig r;
    trace_rig_open(&r, "skylake", 0, 1 << 4);
    assert_true(wr_faults(&r, 0x560, TABLE | 1));
    assert_true(wr_faults(&r, 0x570, 1 << 4));  /* power events: not on Skylake */
    assert_true(wr_faults(&r, 0x570, 1 << 14)); /* an MTC frequency that sub-leaf 1 does not name */
    assert_true(wr_faults(&r, 0x572, 1));
    assert_true(wr_faults(&r, 0x584, 0)); /* two ranges */
    assert_true(wr_faults(&r, 0x571, 1 << 3));
    wr(&r, 0x583, 0xffff800000000000);
    assert_true(wr_faults(&r, 0x583, 1ull << 47));
    wr(&r, 0x570, ON);
    wr(&r, 0x570, ON);
    assert_true(wr_faults(&r, 0x570, ON | 1 << 3));
    assert_true(wr_faults(&r, 0x560, TABLE));
    assert_true(wr_faults(&r, 0x561, 0x7f));
    wr(&r, 0x570, ON & ~1u);
    trace_rig_close(&r);
    trace_rig_open(&r, "broadwell", 1 << 4, 0);
    assert_true(wr_faults(&r, 0x570, ON & ~(1u << 8))); /* no output */
    assert_true(rd_faults(&r, 0x580));
    trace_rig_close(&r);
    rig_open_on(&r, "haswell", NULL, 1, 0);
    assert_true(rd_faults(&r, 0x570));
    rig_close(&r);
}

static void check_error(const char *profile, u64 first, u64 second, u64 base, u64 position)
{
    struct rig r;
    trace_rig_open(&r, profile, first, second);
    wr(&r, 0x560, base);
    wr(&r, 0x561, position);
    wr(&r, 0x570, ON);
    fill(&r, 5000);
    assert_int_equal(rd(&r, 0x571) & 0x30, 0x10);
    trace_rig_close(&r);
}

CASE(errors)
{
    check_error("skylake", 1 << 1, 0, TABLE, 0x7f);
    check_error("skylake", 0, 0, TABLE | 0x80, 0x7f);
    check_error("skylake", 0, 0, TABLE, 4096ull << 32 | 0x7f);
    check_error("skylake", 1, 0, TABLE, 0x7f);          /* END in front */
    check_error("skylake", 0, 1 | 1 << 4, TABLE, 0x7f); /* END with STOP */
    check_error("skylake", 1 << 6, 0, TABLE, 0x7f);     /* 8 KiB that do not begin on a multiple of that */
    check_error("broadwell", 0, 0, TABLE, 0x7f);        /* more than one region */
}

int main(void)
{
    return run_cases();
}
