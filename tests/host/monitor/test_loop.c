/* links: pmu/reference/monitor/interpreter/operation.c pmu/reference/monitor/interpreter/arithmetic.c
 * pmu/reference/monitor/interpreter/copy.c pmu/reference/monitor/interpreter/copy.asm
 * pmu/reference/monitor/interpreter/interpret.c pmu/reference/monitor/interpreter/loop.c
 * pmu/reference/monitor/interpreter/loop.asm pmu/reference/model/ pmu/reference/deviations/ */
/*
 * What becomes of a translated loop: which loops are taken, how a wrong count would be noticed, and that
 * fast-forwarding leaves the PMU as stepping does, with each overflow at the same instruction.
 */
#include "tests/host/monitor/loop_rig.h"

/* ---- What is no loop of ours. */

static bool takes(const char *bytes, unsigned length)
{
    u8 *guest = base + GUEST_AT;
    count = 0;
    memset(guest, 0xcc, 512);
    memcpy(guest, bytes, length);
    for (unsigned at = 0; at < length; at += body[count++].length) {
        body[count] = operation_decode(guest + at, 15);
        if (!body[count].length)
            return false;
    }
    return translate();
}
#define TAKES(bytes) takes(bytes, sizeof(bytes) - 1)

static void test_refused(void **unused)
{
    (void)unused;
    assert_true(TAKES("\xff\xc9\x75\xfc"));                      /* dec ecx; jnz */
    assert_true(TAKES("\xe2\xfe"));                              /* loop $ */
    assert_true(TAKES("\xff\xc9\x74\x02\xeb\xfa"));              /* dec ecx; jz out; jmp */
    assert_false(TAKES("\xff\xc9\x74\x00\x90\x75\xf9"));         /* a branch within it */
    assert_false(TAKES("\x90\xff\xc9\x75\xfc"));                 /* back to its second instruction */
    assert_false(TAKES("\x0f\x31\xff\xc9\x75\xfa"));             /* rdtsc */
    assert_false(TAKES("\xe8\x00\x00\x00\x00\xff\xc9\x75\xf7")); /* call */
    assert_false(TAKES("\xff\xe0"));                             /* jmp rax */
    assert_false(TAKES("\xff\xc9"));                             /* no branch */
    assert_false(TAKES("\xf4\xff\xc9\x75\xfb"));                 /* hlt */
    char many[LOOP_INSTRUCTIONS + 4];
    memset(many, 0x90, sizeof(many));
    memcpy(many + LOOP_INSTRUCTIONS - 1, "\xeb", 1);
    many[LOOP_INSTRUCTIONS] = (char)-(LOOP_INSTRUCTIONS + 1);
    assert_true(takes(many, LOOP_INSTRUCTIONS + 1));
    memcpy(many + LOOP_INSTRUCTIONS, "\xeb", 1);
    many[LOOP_INSTRUCTIONS + 1] = (char)-(LOOP_INSTRUCTIONS + 2);
    count = LOOP_INSTRUCTIONS + 1;
    struct operation longer[LOOP_INSTRUCTIONS + 1];
    for (unsigned i = 0; i <= LOOP_INSTRUCTIONS; i++)
        longer[i] = operation_decode((const u8 *)many + i, 2);
    u8 code[LOOP_CODE];
    assert_int_equal(loop_translate(&loop, longer, count, (u64)many, (const u8 *)many, code, (u64)translation, state),
                     0);
}

static void test_memory_is_noticed(void **unused)
{
    (void)unused;
    assert_true(TAKES("\x48\x8d\x00\x75\xfb")); /* lea rax, [rax]; jnz */
    assert_false(loop.touches_memory);
    assert_true(TAKES("\x48\x8b\x00\x75\xfb")); /* mov rax, [rax] */
    assert_true(loop.touches_memory && !loop.stores);
    assert_true(TAKES("\x48\x39\x00\x75\xfb")); /* cmp [rax], rax */
    assert_true(loop.touches_memory && !loop.stores);
    assert_true(TAKES("\x48\x89\x00\x75\xfb")); /* mov [rax], rax */
    assert_true(loop.touches_memory && loop.stores);
    assert_true(TAKES("\x50\x75\xfd")); /* push rax */
    assert_true(loop.touches_memory && loop.stores);
    assert_true(TAKES("\x58\x75\xfd")); /* pop rax */
    assert_true(loop.touches_memory && !loop.stores);
    assert_true(TAKES("\x0f\x94\x00\x75\xfb")); /* setz [rax] */
    assert_true(loop.touches_memory && loop.stores);
}

/* The comparison sees a wrong count, and a wrong number of turns. */
static void test_wrong_counts_are_seen(void **unused)
{
    (void)unused;
    assert_true(TAKES("\x90\xff\xc9\x75\xfb")); /* nop; dec ecx; jnz */
    struct frame f = {.rcx = 1000, .rip = loop.top}, stepped = f, wrong = f;
    memcpy(area_stepped, area, AREA);
    struct outcome o = step(&stepped, 300);
    struct loop_result r = execute(&f, 100);
    assert_null(difference(&f, &r, &stepped, &o));
    r.instructions--;
    assert_non_null(difference(&f, &r, &stepped, &o));
    r.instructions++;
    r.branches++;
    assert_non_null(difference(&f, &r, &stepped, &o));
    r = execute(&wrong, 101);
    assert_non_null(difference(&wrong, &r, &stepped, &o));
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

static void step_and_report(struct rig *r, struct frame *f, u32 most)
{
    for (u32 n = 0; n < most && f->rip == loop.top; n += count)
        for (unsigned i = 0; i < count; i++) {
            bool branch = body[i].code >= OP_JUMP;
            u64 next = f->rip + body[i].length;
            interpret(&body[i], f, 0);
            r->instructions++;
            model_retire(r->model, &(struct retired){.kind = branch ? RETIRED_BRANCH : RETIRED_PLAIN,
                                                     .taken = f->rip != next,
                                                     .branch = branch ? BRANCH_CONDITIONAL : BRANCH_OTHER,
                                                     .rip = 0x100000});
        }
}

/* As the monitor does: many turns where there is room, else one. */
static void forward_and_report(struct rig *r, struct frame *f, u32 most)
{
    for (u32 n = 0; n < most && f->rip == loop.top;) {
        u32 room = model_run_room(r->model), turns = (room < most - n ? room : most - n) / count;
        if (!turns) {
            step_and_report(r, f, count);
            n += count;
            continue;
        }
        struct loop_result result = execute(f, turns);
        model_retire_run(r->model, &(struct model_run){.instructions = result.instructions,
                                                       .branches = result.branches,
                                                       .taken = result.taken,
                                                       .conditional = result.conditional});
        r->instructions += result.instructions;
        n += result.instructions;
    }
}

static void test_overflows_are_exact(void **unused)
{
    static const u64 events[] = {ARCH_EVENT_INSTRUCTIONS,
                                 ARCH_EVENT_BRANCHES,
                                 ARCH_EVENT_CORE_CYCLES,
                                 ARCH_EVENT_REF_CYCLES,
                                 ARCH_EVENT_BRANCH_MISSES,
                                 ARCH_EVENT_LLC_REFERENCE,
                                 0x01c4,
                                 0x20c4};
    unsigned delivered = 0;
    (void)unused;
    assert_true(TAKES("\x90\x48\x8d\x04\x08\xff\xc9\x75\xf7")); /* nop; lea rax, [rax + rcx]; dec ecx; jnz */
    for (unsigned n = 0; n < 400; n++) {
        struct rig one, many;
        u64 distance = draw() % 40000, event = events[draw() % ARRAY_SIZE(events)];
        struct frame f = {.rcx = 5000 + draw() % 5000, .rip = loop.top}, stepped = f;
        count_with(&one, distance, event);
        count_with(&many, distance, event);
        step_and_report(&one, &stepped, 30000);
        forward_and_report(&many, &f, 30000);
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
    assert_true(delivered > 50 && delivered < 400);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory_is_noticed),
        cmocka_unit_test(test_wrong_counts_are_seen),
        cmocka_unit_test(test_overflows_are_exact),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
