/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translated blocks: which code is accepted, how a wrong count would be noticed, and that executing blocks leaves the
 * PMU in the same state as stepping, with each overflow at the same instruction and each branch recorded.
 */
#include "hosting/test/monitor/block_rig.h"

/* ---- Which code is accepted. */

static const struct block *taken(const char *bytes, unsigned length)
{
    memset(base, 0xf4, PAGE);
    memcpy(base + GUEST_AT, bytes, length);
    known = 0;
    return block_at((u64)base + GUEST_AT);
}
#define TAKEN(bytes) taken(bytes, sizeof(bytes) - 1)

static void assert_takes(const struct block *b, unsigned count, enum block_end end, bool indirect)
{
    assert_non_null(b);
    assert_int_equal(b->count, count);
    assert_int_equal(b->end, end);
    assert_int_equal(b->indirect, indirect);
}

static void test_where_a_block_ends(void **unused)
{
    (void)unused;
    assert_takes(TAKEN("\xff\xc9\x75\xfc"), 2, BLOCK_CONDITIONAL, false); /* dec ecx; jnz */
    assert_takes(TAKEN("\x90\xe2\x05\x90"), 2, BLOCK_CONDITIONAL, false); /* nop; loop */
    assert_takes(TAKEN("\xff\xc9\xeb\x10"), 2, BLOCK_JUMP, false);
    assert_takes(TAKEN("\x90\xe8\x00\x00\x00\x00"), 2, BLOCK_CALL, false);
    assert_takes(TAKEN("\x90\x90\xc3"), 3, BLOCK_RETURN, false);
    assert_takes(TAKEN("\xff\xe0"), 1, BLOCK_JUMP, true);             /* jmp rax */
    assert_takes(TAKEN("\x41\xff\x14\x24"), 1, BLOCK_CALL, true);     /* call [r12] */
    assert_takes(TAKEN("\x90\xf4"), 1, BLOCK_GOES_ON, false);         /* before hlt */
    assert_takes(TAKEN("\x90\x0f\x31\x90"), 1, BLOCK_GOES_ON, false); /* before rdtsc */
    assert_null(TAKEN("\xf4"));
    assert_null(TAKEN("\x64\x8b\x00"));                               /* mov eax, fs:[rax] */
    assert_takes(TAKEN("\xd9\xe8\x9b\xf4"), 2, BLOCK_GOES_ON, false); /* fld1; fwait; hlt */
    assert_null(TAKEN("\xd9\x30"));                                   /* fnstenv [rax] */
    assert_null(TAKEN("\xf3\xa4"));                                   /* rep movsb */
    assert_null(TAKEN("\x66\xff\xe0")); /* jmp ax, with a prefix that CPUs read in two ways */
}

static void test_a_block_has_bounds(void **unused)
{
    char many[BLOCK_INSTRUCTIONS + 8];
    (void)unused;
    memset(many, 0x90, sizeof(many));
    assert_takes(taken(many, sizeof(many)), BLOCK_INSTRUCTIONS, BLOCK_GOES_ON, false);
    char longest[10 * 20];
    for (unsigned i = 0; i < 20; i++)
        memcpy(longest + 10 * i, "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10); /* mov rax, imm64 */
    assert_takes(taken(longest, sizeof(longest)), BLOCK_BYTES / 10, BLOCK_GOES_ON, false);
}

static void test_memory_is_noticed(void **unused)
{
    (void)unused;
    assert_false(TAKEN("\x48\x8d\x00\x75\xfb")->touches_memory); /* lea rax, [rax]; jnz */
    const struct block *b = TAKEN("\x48\x8b\x00\x75\xfb");       /* mov rax, [rax] */
    assert_true(b->touches_memory);
    b = TAKEN("\x48\x39\x00\x75\xfb"); /* cmp [rax], rax */
    assert_true(b->touches_memory);
    b = TAKEN("\x48\x89\x00\x75\xfb"); /* mov [rax], rax */
    assert_true(b->touches_memory);
    b = TAKEN("\x50\x75\xfd"); /* push rax */
    assert_true(b->touches_memory);
    b = TAKEN("\x58\x75\xfd"); /* pop rax */
    assert_true(b->touches_memory);
    b = TAKEN("\x0f\x94\x00\x75\xfb"); /* setz [rax] */
    assert_true(b->touches_memory);
    b = TAKEN("\xc3"); /* ret */
    assert_true(b->touches_memory);
    b = TAKEN("\xe8\x00\x00\x00\x00"); /* call */
    assert_true(b->touches_memory);
    b = TAKEN("\xa4\x75\xfd"); /* movsb */
    assert_true(b->touches_memory);
}

/* The comparison notices a wrong count, and one block too many. */
static void test_wrong_counts_are_seen(void **unused)
{
    (void)unused;
    const struct block *b = TAKEN("\x90\xff\xc9\x75\xfb"); /* nop; dec ecx; jnz */
    struct frame f = {.rcx = 1000, .rip = b->top}, stepped = f, wrong = f;
    memcpy(area_stepped, area, AREA);
    struct outcome o = step(&stepped, 300), r = execute(&f, 100);
    assert_null(difference(&f, &r, &stepped, &o));
    r.counts.instructions--;
    assert_non_null(difference(&f, &r, &stepped, &o));
    r.counts.instructions++;
    r.counts.loads++;
    assert_non_null(difference(&f, &r, &stepped, &o));
    r = execute(&wrong, 101);
    assert_non_null(difference(&wrong, &r, &stepped, &o));
}

/* A branch to itself has the same effect calculated as executed. */
static void test_spinning(void **unused)
{
    static const struct {
        const char *bytes;
        u64 rcx;
        u32 turns, taken;
        bool ends;
    } rows[] = {
        {"\xe2\xfe", 10, 100, 9, true}, {"\xe2\xfe", 10, 5, 5, false}, {"\xe2\xfe", 0, 50, 50, false},
        {"\xe3\xfe", 0, 50, 50, false}, {"\xe3\xfe", 1, 50, 0, true},  {"\xeb\xfe", 3, 50, 50, false},
        {"\x74\xfe", 3, 50, 50, false}, {"\x75\xfe", 3, 50, 0, true},
    };
    (void)unused;
    for_each_row (rows, row) {
        const struct block *b = taken(row->bytes, 2);
        struct model_run counts = {0};
        assert_true(block_spins(b));
        near->state.registers[1] = row->rcx;
        near->state.rflags = RFLAGS_ZF;
        assert_int_equal(block_spin(b, &near->state, row->turns, &counts), row->ends);
        assert_int_equal(counts.taken, row->taken);
        assert_int_equal(counts.instructions, row->taken + row->ends);
        assert_int_equal(counts.branches, row->taken + row->ends);
        assert_int_equal(counts.conditional, row->bytes[0] == (char)0xeb ? 0 : counts.branches);
        bool counts_down = row->bytes[0] == (char)0xe2;
        assert_int_equal(near->state.registers[1], counts_down ? row->rcx - counts.branches : row->rcx);
    }
    assert_false(block_spins(TAKEN("\x90\xeb\xfd")));
}

/* ---- Counting: the same registers of the PMU, and each overflow at the same instruction. */

static void count_with(struct rig *r, u64 distance, u64 event)
{
    rig_open(r, NULL, 1, 0);
    wr(r, MSR_A_PMC(0), MASK(47, 0) - distance);
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_INT | event);
    wr(r, MSR_FIXED_CTR_CTRL, 0x333);
    wr(r, MSR_PERF_GLOBAL_CTRL, 0x700000001);
}

static void report_one(struct rig *r, struct frame *f)
{
    u64 rip = f->rip;
    struct operation o = take_apart(rip);
    struct instruction i = kind_of(rip);
    bool branch = i.kind == KIND_BRANCH;
    interpret(&o, f, 0);
    r->instructions++;
    model_retire(r->model, &(struct retired){.kind = branch ? RETIRED_BRANCH : RETIRED_PLAIN,
                                             .taken = branch && f->rip != rip + i.length,
                                             .branch = branch ? i.branch : BRANCH_OTHER,
                                             .rip = rip});
}

static void report_run(struct rig *r, u64 rip, struct model_run run)
{
    run.rip = rip;
    r->instructions += run.instructions;
    if (run.instructions)
        model_retire_run(r->model, &run);
}

/* As the monitor does it: many blocks if there is room, else one instruction. */
static void report_blocks(struct rig *r, struct frame *f, u32 most)
{
    u32 until = r->instructions + most;
    while (r->instructions < until && is_code(f->rip)) {
        u32 left = until - r->instructions, room = model_run_room(r->model);
        u32 blocks = (room < left ? room : left) / BLOCK_INSTRUCTIONS;
        u64 rip = f->rip;
        struct outcome o = {.faulted = false};
        if (blocks && !model_wants_branches(r->model))
            o = execute(f, blocks);
        report_run(r, rip, o.counts);
        if (!o.counts.instructions)
            report_one(r, f);
    }
}

static void report_each(struct rig *r, struct frame *f, u32 most)
{
    u32 until = r->instructions + most;
    while (r->instructions < until && is_code(f->rip))
        report_one(r, f);
}

/* Two blocks that follow each other: nop; lea rax, [rax + rcx]; test al, 1; jz +1; nop; dec ecx; jnz. */
#define TURNS "\x90\x48\x8d\x04\x08\xa8\x01\x74\x01\x90\xff\xc9\x75\xf2"

static void test_overflows_are_exact(void **unused)
{
    static const u64 events[] = {ARCH_EVENT_INSTRUCTIONS,
                                 ARCH_EVENT_BRANCHES,
                                 ARCH_EVENT_CORE_CYCLES,
                                 ARCH_EVENT_REF_CYCLES,
                                 ARCH_EVENT_LLC_REFERENCE,
                                 0x01c4,
                                 0x20c4};
    unsigned delivered = 0, times = 400 / each_nth(4);
    (void)unused;
    const struct block *b = TAKEN(TURNS);
    for (unsigned n = 0; n < times; n++) {
        struct rig one, many;
        u64 distance = draw() % 40000, event = events[draw() % ARRAY_SIZE(events)];
        struct frame f = {.rcx = 5000 + draw() % 5000, .rip = b->top}, stepped = f;
        count_with(&one, distance, event);
        count_with(&many, distance, event);
        report_each(&one, &stepped, 30000);
        report_blocks(&many, &f, 30000);
        assert_int_equal(f.rcx, stepped.rcx);
        assert_int_equal(f.rax, stepped.rax);
        assert_int_equal(one.instructions, many.instructions);
        assert_int_equal(one.interrupts, many.interrupts);
        assert_int_equal(one.delivered_at, many.delivered_at);
        assert_int_equal(rd(&one, MSR_PMC(0)), rd(&many, MSR_PMC(0)));
        for (u32 i = 0; i < 3; i++)
            assert_int_equal(rd(&one, MSR_FIXED_CTR(i)), rd(&many, MSR_FIXED_CTR(i)));
        assert_int_equal(rd(&one, MSR_PERF_GLOBAL_STATUS), rd(&many, MSR_PERF_GLOBAL_STATUS));
        delivered += one.interrupts;
        rig_close(&one);
        rig_close(&many);
    }
    assert_true(delivered > times / 8 && delivered < times);
}

/* ---- Recording: each taken branch by itself, and the instructions between them together. */

static void report_between_branches(struct rig *r, struct frame *f, u32 most)
{
    struct model_run counts = {0};
    u64 begin = f->rip;
    for (u32 n = 0; n < most && is_code(f->rip); n++) {
        struct frame next = *f;
        struct outcome o = step(&next, 1);
        if (o.counts.taken) {
            report_run(r, begin, counts);
            counts = (struct model_run){0};
            report_one(r, f);
            begin = f->rip;
            continue;
        }
        counts.instructions++;
        counts.branches += o.counts.branches;
        counts.conditional += o.counts.conditional;
        *f = next;
    }
    report_run(r, begin, counts);
}

static void test_records_are_alike(void **unused)
{
    const struct block *b = TAKEN(TURNS);
    (void)unused;
    for (unsigned n = 0; n < 200; n++) {
        struct rig one, many;
        struct frame f = {.rcx = 1 + draw() % 3000, .rax = draw(), .rip = b->top}, stepped = f;
        u32 most = (u32)(draw() % 9000);
        count_with(&one, 1000000, ARCH_EVENT_BRANCHES);
        count_with(&many, 1000000, ARCH_EVENT_BRANCHES);
        wr(&one, MSR_DEBUGCTL, DEBUGCTL_LBR);
        wr(&many, MSR_DEBUGCTL, DEBUGCTL_LBR);
        assert_true(model_wants_branches(many.model) && model_run_room(many.model));
        report_each(&one, &stepped, most);
        report_between_branches(&many, &f, most);
        wr(&one, MSR_DEBUGCTL, 0);
        wr(&many, MSR_DEBUGCTL, 0);
        assert_int_equal(rd(&one, MSR_LBR_TOS), rd(&many, MSR_LBR_TOS));
        for (u32 i = 0; i < 32; i++) {
            assert_int_equal(rd(&one, MSR_LBR_FROM(i)), rd(&many, MSR_LBR_FROM(i)));
            assert_int_equal(rd(&one, MSR_LBR_TO(i)), rd(&many, MSR_LBR_TO(i)));
            assert_int_equal(rd(&one, MSR_LBR_INFO(i)), rd(&many, MSR_LBR_INFO(i)));
        }
        assert_int_equal(rd(&one, MSR_PMC(0)), rd(&many, MSR_PMC(0)));
        rig_close(&one);
        rig_close(&many);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_a_block_ends), cmocka_unit_test(test_a_block_has_bounds),
        cmocka_unit_test(test_memory_is_noticed),  cmocka_unit_test(test_wrong_counts_are_seen),
        cmocka_unit_test(test_spinning),           cmocka_unit_test(test_overflows_are_exact),
        cmocka_unit_test(test_records_are_alike),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
