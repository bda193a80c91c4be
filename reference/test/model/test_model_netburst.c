/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst: threads, which uops are tagged and counted as they retire, and PEBS with them. */
#include "reference/test/model/pebs_rig.h"

#define IQ4 NETBURST_IQ_COUNTER(4)
#define RECORD_SIZE 144
#define FRONT_END (FIELD(30, 25, 8) | FIELD(24, 9, 1))
#define REPLAY (FIELD(30, 25, 9) | FIELD(24, 9, 1))
#define UOP_TYPE(mask) (FIELD(30, 25, 2) | FIELD(24, 9, mask))
#define TAGLOADS 2
#define TAGSTORES 4
#define T0 (ESCR_T0_OS | ESCR_T0_USR)
#define T1 (ESCR_T1_OS | ESCR_T1_USR)
#define ON (CCCR_ENABLE | CCCR_ACTIVE_THREAD | FIELD(15, 13, 5))
#define WIDTH 0x10000000000ull

static void memory(struct bench *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        run_one(b, RETIRED_PLAIN, 0, i & 1 ? ACCESS_STORE : ACCESS_LOAD);
}

/* Counts of 64 loads and 64 stores in turn, on IQ_COUNTER4. */
CASE(tagged)
{
    static const struct {
        u64 upstream, escr, enable, vertical, count;
    } rows[] = {
        {UOP_TYPE(TAGLOADS) | T0, FRONT_END | T0, 0, 0, 64},
        {UOP_TYPE(TAGLOADS | TAGSTORES) | T0, FRONT_END | T0, 0, 0, 128},
        {UOP_TYPE(TAGLOADS), FRONT_END | T0, 0, 0, 0},
        {UOP_TYPE(TAGLOADS) | T1, FRONT_END | T0, 0, 0, 0},
        {UOP_TYPE(TAGSTORES) | T0, FRONT_END | T1, 0, 0, 0},
        {0, FRONT_END | T0, 0, 0, 0},
        {0, REPLAY | T0, PEBS_UOP_TAG | 1, 1, 16},
        {0, REPLAY | T0, PEBS_UOP_TAG | 2, 1, 4},
        {0, REPLAY | T0, PEBS_UOP_TAG | 4, 1, 8},
        {0, REPLAY | T0, PEBS_UOP_TAG | 4, 2, 8},
        {0, REPLAY | T0, PEBS_UOP_TAG | 4, 3, 16},
        {0, REPLAY | T0, 1, 1, 0},
        {0, REPLAY | T0, PEBS_UOP_TAG | 1, 0, 0},
    };
    for_each_row (rows, row) {
        struct bench b;
        bench_open(&b, "prescott");
        wr(&b.r, MSR_RAT_ESCR(0), row->upstream);
        wr(&b.r, MSR_CRU_ESCR(2), row->escr);
        wr(&b.r, MSR_PEBS_MATRIX_VERT, row->vertical);
        wr(&b.r, MSR_PEBS_ENABLE, row->enable);
        wr(&b.r, MSR_CCCR(IQ4), ON);
        memory(&b, 128);
        assert_int_equal(rd(&b.r, MSR_NETBURST_COUNTER(IQ4)), row->count);
        bench_close(&b);
    }
}

#define EXECUTION(mask) (FIELD(30, 25, 0x0c) | FIELD(24, 9, mask))
#define UOP(event, tag) (FIELD(30, 25, event) | FIELD(24, 9, 0x8000) | FIELD(8, 5, tag))
#define TAG ESCR_TAG_ENABLE

static void execute(struct bench *b, unsigned kind, unsigned n)
{
    struct retired in = {.kind = RETIRED_PLAIN, .execution = (u8)kind, .rip = CODE};
    for (unsigned i = 0; i < n; i++)
        model_retire(b->r.model, &in);
}

/* Three of each kind, but one of the first; two upstream events with tags of their own. */
CASE(executed)
{
    static const struct {
        u64 first, second, escr, count;
    } rows[] = {
        {UOP(0x08, 1) | TAG | T0, 0, EXECUTION(1) | T0, 1},                         /* packed single precision */
        {UOP(0x0c, 1) | TAG | T0, 0, EXECUTION(1) | T0, 3},                         /* packed double */
        {UOP(0x0a, 1) | TAG | T0, 0, EXECUTION(1) | T0, 3},                         /* scalar single */
        {UOP(0x0e, 1) | TAG | T0, 0, EXECUTION(1) | T0, 3},                         /* scalar double */
        {UOP(0x02, 1) | TAG | T0, 0, EXECUTION(1) | T0, 3},                         /* 64-bit integers */
        {UOP(0x1a, 1) | TAG | T0, 0, EXECUTION(1) | T0, 3},                         /* 128-bit integers */
        {UOP(0x04, 1) | TAG | T0, 0, EXECUTION(1) | T0, 3},                         /* x87 */
        {UOP(0x06, 1) | TAG | T0, 0, EXECUTION(1) | T0, 0},                         /* no such event */
        {UOP(0x0c, 1) | T0, 0, EXECUTION(1) | T0, 0},                               /* tags nothing */
        {UOP(0x0c, 1) | TAG | T1, 0, EXECUTION(1) | T0, 0},                         /* of the other thread */
        {UOP(0x0c, 2) | TAG | T0, 0, EXECUTION(1) | T0, 0},                         /* another tag */
        {UOP(0x0c, 2) | TAG | T0, 0, EXECUTION(2) | T0, 3},                         /* which is counted */
        {UOP(0x0c, 1) | TAG | T0, 0, EXECUTION(0x10) | T0, 0},                      /* bogus ones */
        {FIELD(30, 25, 0x0c) | FIELD(8, 5, 1) | TAG | T0, 0, EXECUTION(1) | T0, 0}, /* without ALL */
        {UOP(0x08, 1) | TAG | T0, UOP(0x0c, 2) | TAG | T0, EXECUTION(1) | T0, 1},
        {UOP(0x08, 1) | TAG | T0, UOP(0x0c, 2) | TAG | T0, EXECUTION(2) | T0, 3},
        {UOP(0x08, 1) | TAG | T0, UOP(0x0c, 2) | TAG | T0, EXECUTION(3) | T0, 4},
        {UOP(0x08, 1) | TAG | T0, UOP(0x08, 2) | TAG | T0, EXECUTION(3) | T0, 1},
    };
    for_each_row (rows, row) {
        struct bench b;
        bench_open(&b, "prescott");
        wr(&b.r, MSR_FIRM_ESCR(0), row->first);
        wr(&b.r, MSR_FIRM_ESCR(1), row->second);
        wr(&b.r, MSR_CRU_ESCR(2), row->escr);
        wr(&b.r, MSR_CCCR(IQ4), ON);
        for (unsigned kind = EXECUTION_OTHER; kind <= EXECUTION_X87; kind++)
            execute(&b, kind, kind == EXECUTION_PACKED_SP ? 1 : 3);
        assert_int_equal(rd(&b.r, MSR_NETBURST_COUNTER(IQ4)), row->count);
        bench_close(&b);
    }
}

/* Loads sampled on thread `thread` of a core, with the bits of thread `bits`. */
static void sample(struct bench *b, unsigned thread, unsigned bits, u64 flags, u64 enable)
{
    unsigned n = IQ4 + bits;
    bench_open_on(b, "prescott", NULL, thread);
    set_area(b, DS, BUFFER, RECORD_SIZE, 10, 2);
    *word_at(b, DS + 0x40) = WIDTH - 100;
    wr(&b->r, MSR_RAT_ESCR(bits), UOP_TYPE(TAGLOADS) | (bits ? T1 : T0));
    wr(&b->r, MSR_CRU_ESCR(2 + bits), FRONT_END | (bits ? T1 : T0));
    wr(&b->r, MSR_NETBURST_COUNTER(n), WIDTH - 100);
    wr(&b->r, MSR_DS_AREA, DS);
    wr(&b->r, MSR_PEBS_ENABLE, enable);
    wr(&b->r, MSR_CCCR(n), ON | flags);
}

#define MINE (PEBS_UOP_TAG | PEBS_MY_THREAD)

CASE(samples)
{
    for (unsigned thread = 0; thread < 2; thread++) {
        struct bench b;
        unsigned n = IQ4 + thread;
        sample(&b, thread, thread, 0, MINE);
        memory(&b, 206);
        assert_int_equal(records(&b, RECORD_SIZE), 1);
        assert_true(rd(&b.r, MSR_CCCR(n)) & CCCR_OVF);
        assert_true(rd(&b.r, MSR_NETBURST_COUNTER(n)) >= WIDTH - 100);
        const u64 *record = word_at(&b, BUFFER);
        u64 after = (record[1] - CODE) / 4;
        assert_true(after >= 201 && (after & 1)); /* after a load */
        assert_int_equal(record[2], after - 1);
        memory(&b, 1000);
        assert_int_equal(records(&b, RECORD_SIZE), 5);
        assert_int_equal(b.r.interrupts, 0);
        bench_close(&b);
    }
}

/* On the other thread, without the enable bits, or with an event that tags nothing: no record. */
CASE(no_samples)
{
    static const u64 enables[] = {0, PEBS_UOP_TAG, PEBS_MY_THREAD, PEBS_UOP_TAG | PEBS_OTHER_THREAD};
    struct bench b;
    for_each_row (enables, enable) {
        sample(&b, 0, 0, 0, *enable);
        memory(&b, 300);
        assert_int_equal(records(&b, RECORD_SIZE), 0);
        assert_true(rd(&b.r, MSR_CCCR(IQ4)) & CCCR_OVF);
        bench_close(&b);
    }
    sample(&b, 1, 0, 0, MINE);
    memory(&b, 300);
    assert_int_equal(records(&b, RECORD_SIZE), 0);
    assert_int_equal(rd(&b.r, MSR_NETBURST_COUNTER(IQ4)), WIDTH - 100);
    bench_close(&b);
}

/* The threshold raises the PMI, for the thread whose OVF_PMI bit is set. */
CASE(threshold)
{
    static const struct {
        unsigned thread;
        u64 flags;
        unsigned interrupts;
    } rows[] = {
        {0, 0, 0}, {0, CCCR_OVF_PMI_T0, 1}, {0, CCCR_OVF_PMI_T1, 0}, {1, CCCR_OVF_PMI_T1, 1}, {1, CCCR_OVF_PMI_T0, 0},
    };
    for_each_row (rows, row) {
        struct bench b;
        sample(&b, row->thread, row->thread, row->flags, MINE);
        memory(&b, 350);
        assert_int_equal(records(&b, RECORD_SIZE), 1);
        assert_int_equal(b.r.interrupts, 0);
        memory(&b, 150);
        assert_int_equal(records(&b, RECORD_SIZE), 2);
        assert_int_equal(b.r.interrupts, row->interrupts);
        bench_close(&b);
    }
}

int main(void)
{
    return run_cases();
}
