/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each counter counts its event in the rings that its control selects, and nothing in another one: with OS at CPL 0,
 * with USR above it, with both everywhere, with neither nowhere. All counters count one block at once. Every counter
 * goes through each set of rings with each event, beside neighbours with each other set, and with its PMI enabled, too,
 * far from its overflow.
 *
 * A counter that must not count stays where it is: at CPL 3 its value is read there, long after the change of ring.
 * What a counter must count is known for instructions and branches; of cycles and slots it is what other counters of
 * the same event say: the middle one, give or take a quarter. One that leaves out every second cycle differs more.
 *
 * A clock that ticks once in hundreds of cycles has few ticks to compare here: fixed.slow-clocks has a longer block.
 */
#include "harness/test.h"

#define SHORT_K 4
#define LONG_K 44 /* more if that is done in LEAST_TICKS */
#define LONGEST_K 4096
#define LEAST_TICKS 3000 /* of the TSC: what else takes time is little beside it */
#define WIDEST 16        /* no core retires more instructions in a cycle */
#define SLOWEST 64
#define APART \
    12 /* places between GP and fixed counters, and one more in each round: so each pair meets each other's states */
#define FIELD_ANY 8 /* beside enum counter_flags, for a fixed counter */

struct kind {
    u16 event;
    u8 cpuid; /* its number in CPUID.0AH:EBX */
    u8 fixed; /* the fixed counter that counts it, or none of them */
    u8 slack; /* counters of one event that are started together differ by no more, beside a quarter */
    u64 aspects;
    bool off_only; /* nobody promises how often it occurs */
};

static const struct kind kinds[] = {
    {ARCH_EVENT_INSTRUCTIONS, 1, FIXED_INSTRUCTIONS, 40, ASPECT_INSTRUCTIONS, false}, /* HSD143: 32 at a start */
    {ARCH_EVENT_BRANCHES, 5, FIXED_COUNTERS_MAX, 8, ASPECT_BRANCHES, false},
    {ARCH_EVENT_CORE_CYCLES, 0, FIXED_CORE_CYCLES, 16, 0, false},
    {ARCH_EVENT_REF_CYCLES, 2, FIXED_COUNTERS_MAX, 2, 0, false},
    {ARCH_EVENT_TOPDOWN_SLOTS, 7, FIXED_TOPDOWN_SLOTS, 128, 0, false},
    {ARCH_EVENT_BRANCH_MISSES, 6, FIXED_COUNTERS_MAX, 0, 0, true},
    {ARCH_EVENT_LLC_REFERENCE, 3, FIXED_COUNTERS_MAX, 0, 0, true},
    {ARCH_EVENT_LLC_MISS, 4, FIXED_COUNTERS_MAX, 0, 0, true},
};

struct counting {
    struct counter counter;
    const struct kind *kind; /* NULL: a fixed counter whose event is none of these */
    unsigned flags;
    u64 counted;
};

static unsigned available(const struct test *t, const struct kind *list[ARRAY_SIZE(kinds)])
{
    unsigned n = 0;
    for_each_row (kinds, kind)
        if (caps_event_available(t->caps, kind->cpuid))
            list[n++] = kind;
    return n;
}

static const struct kind *kind_of(const struct test *t, struct counter c, u32 event)
{
    const struct kind *list[ARRAY_SIZE(kinds)];
    unsigned n = available(t, list);
    if (!c.fixed)
        return list[event % n];
    for_each_row (kinds, kind)
        if (kind->fixed == c.index)
            return kind;
    return NULL;
}

/* With AnyThread a counter may count for another thread: only one that is off is judged. */
static unsigned flags_of(const struct test *t, struct counter c, struct order_step step, bool interrupts)
{
    static const unsigned rings[ORDER_STATES] = {0, COUNT_OS, COUNT_USR, COUNT_OS | COUNT_USR};
    bool any = t->caps->version >= 3 && !t->caps->anythread_deprecated;
    if (!c.fixed)
        return rings[step.state] | (interrupts ? COUNT_INT : 0);
    return rings[step.state] | (step.before & 1 ? COUNT_INT : 0) |
           (any && !step.state && (step.before & 2) ? FIELD_ANY : 0);
}

/* All counters in one block. */
struct block {
    bool user;
    u64 k;
    unsigned n;
    struct counting list[COUNTERS_MAX];
};

static void plan(const struct test *t, struct block *block, u32 place, bool user)
{
    block->user = user;
    block->n = 0;
    for_each_counter (t, c) {
        struct order_step step = order_step(place + block->n + (c->fixed ? APART + place / ORDER_STEPS : 0));
        u32 event = step.before + 3u * step.state + ORDER_STATES * (place / ORDER_STEPS);
        block->list[block->n++] = (struct counting){*c, kind_of(t, *c, event), flags_of(t, *c, step, place % 2), 0};
    }
}

static void set_up(struct test *t, const struct block *block)
{
    for (unsigned i = 0; i < block->n; i++) {
        const struct counting *c = &block->list[i];
        counter_setup(c->counter, c->kind ? c->kind->event : 0, c->flags, 0);
        if (c->flags & FIELD_ANY)
            write_msr(t, MSR_FIXED_CTR_CTRL, read_msr(t, MSR_FIXED_CTR_CTRL) | FIXED_ANY(c->counter.index));
    }
}

/* At CPL 0: the difference of two lengths, or all that a counter counts that must count nothing. */
static void run_system(const struct test *t, struct block *block)
{
    u64 mask = caps_counter_bits(t->caps);
    run_block(t, mask, block->k);
    for (unsigned i = 0; i < block->n; i++)
        block->list[i].counted = counter_read(block->list[i].counter);
    run_block(t, mask, SHORT_K);
    for (unsigned i = 0; i < block->n; i++) {
        struct counting *c = &block->list[i];
        u64 last = counter_read(c->counter) - c->counted;
        c->counted = c->flags & COUNT_OS ? c->counted - last : c->counted + last;
    }
}

static void run_user(struct test *t, struct block *block)
{
    struct counter list[COUNTERS_MAX];
    u64 difference[COUNTERS_MAX];
    for (unsigned i = 0; i < block->n; i++)
        list[i] = block->list[i].counter;
    count_settled(t, workloads[0].user_work, list, block->n, SHORT_K, block->k, difference);
    for (unsigned i = 0; i < block->n; i++)
        block->list[i].counted = difference[i];
}

static bool run(struct test *t, void *argument)
{
    struct block *block = argument;
    set_up(t, block);
    if (block->user)
        run_user(t, block);
    else
        run_system(t, block);
    for (unsigned i = 0; i < block->n; i++)
        counter_clear(block->list[i].counter);
    return false;
}

static bool must_count(const struct counting *c, bool user)
{
    return c->kind && !c->kind->off_only && (c->flags & (user ? COUNT_USR : COUNT_OS));
}

static bool must_not_count(const struct counting *c, bool user)
{
    return !(c->flags & (user ? COUNT_USR : COUNT_OS));
}

/* The middle one of what the event's counters count that must count. */
static u64 middle(const struct block *block, const struct kind *kind)
{
    u64 sorted[COUNTERS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < block->n; i++) {
        const struct counting *c = &block->list[i];
        unsigned place = count;
        if (c->kind != kind || !must_count(c, block->user))
            continue;
        for (; place && sorted[place - 1] > c->counted; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = c->counted;
        count++;
    }
    return count ? sorted[count / 2] : 0;
}

static u64 instructions(const struct block *block)
{
    return workloads[0].instructions_per_k * (block->k - SHORT_K);
}

static u64 wanted(const struct block *block, const struct kind *kind)
{
    if (kind->event == ARCH_EVENT_INSTRUCTIONS)
        return instructions(block);
    if (kind->event == ARCH_EVENT_BRANCHES)
        return workloads[0].branches_per_k * (block->k - SHORT_K);
    return middle(block, kind);
}

static void judge_count(struct test *t, const struct block *block, const struct counting *c)
{
    bool usr_alone = block->user && !(c->flags & COUNT_OS);
    u64 want = wanted(block, c->kind), apart = want / 4 + c->kind->slack;
    u64 aspects = usr_alone ? ASPECT_USR_ALONE : 0;
    check_range(about(t, c->kind->aspects | aspects), "differs", c->counted, want > apart ? want - apart : 0,
                want + apart, c->counter.msr);
    if (c->kind->event == ARCH_EVENT_CORE_CYCLES && !throttled(t))
        check_range(about(t, aspects), "implausible", c->counted, instructions(block) / WIDEST,
                    instructions(block) * SLOWEST, c->counter.msr);
}

static void judge(struct test *t, const struct block *block)
{
    for (unsigned i = 0; i < block->n; i++) {
        const struct counting *c = &block->list[i];
        const char *label = c->flags & (COUNT_OS | COUNT_USR) ? "counts-in-other-ring" : "counts-in-no-ring";
        if (must_count(c, block->user))
            judge_count(t, block, c);
        else if (must_not_count(c, block->user))
            check_equal(t, label, c->counted, 0, c->counter.msr);
    }
}

static u64 long_enough(const struct test *t)
{
    for (u64 k = LONG_K; k < LONGEST_K; k *= 2) {
        u64 start = time_now();
        run_block(t, 0, k);
        if (time_now() - start > LEAST_TICKS)
            return k;
    }
    return LONGEST_K;
}

static void every_ring(struct test *t)
{
    struct block block = {.k = long_enough(t)};
    const struct kind *events[ARRAY_SIZE(kinds)];
    u32 rounds = (available(t, events) + ORDER_STATES - 1) / ORDER_STATES;
    for_each_own_turn (t, turn, 2 * ORDER_STEPS * rounds) {
        plan(t, &block, turn / 2, turn % 2);
        repeat_clean(t, run, &block);
        judge(t, &block);
    }
}

TEST("global.every-ring", .title = "Every counter counts each event in the rings that its control selects",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-056,A-079,A-095",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = every_ring);
