/* SPDX-License-Identifier: BSD-2-Clause */
/* State that the two threads of a core share, each with its own model: on NetBurst the counters. */
#include "reference/model/model_state.h"
#include "reference/test/model/model_rig.h"

#include <pthread.h>

#define IQ0 NETBURST_IQ_COUNTER(0)
#define IQ4 NETBURST_IQ_COUNTER(4)
#define INSTRUCTIONS (FIELD(30, 25, 2) | FIELD(24, 9, 1)) /* instr_retired, not tagged: of CRU_ESCR0 */
#define T0 (ESCR_T0_OS | ESCR_T0_USR)
#define T1 (ESCR_T1_OS | ESCR_T1_USR)
#define ON(active) (CCCR_ENABLE | FIELD(17, 16, active) | FIELD(15, 13, 4))
#define ANY 3
#define WIDTH 0x10000000000ull

struct core {
    struct rig thread[2];
    struct model_core *shared;
    unsigned woken;
    u32 woken_cpu;
};

static struct core *the_core;

static void wake_other(void *context, u32 cpu)
{
    (void)context;
    the_core->woken++;
    the_core->woken_cpu = cpu;
}

static void core_open_on(struct core *c, const char *profile, const char *deviation)
{
    *c = (struct core){.shared = calloc(1, model_core_size())};
    the_core = c;
    for (u32 i = 0; i < 2; i++) {
        struct rig *r = &c->thread[i];
        rig_open_on(r, profile, deviation, 1, i);
        r->host.wake_other = wake_other;
        r->setup.core = c->shared;
        model_reset(r->model, &r->setup, &r->host);
    }
}

static void core_open(struct core *c, const char *deviation)
{
    core_open_on(c, "prescott", deviation);
}

static void core_close(struct core *c)
{
    for (u32 i = 0; i < 2; i++)
        rig_close(&c->thread[i]);
    free(c->shared);
}

/* On other CPUs nothing is shared, but a thread sees whether GP counters count on the other. */
CASE(counting_of_the_other)
{
    struct core c;
    core_open_on(&c, "sandy-bridge", NULL);
    const struct model *first = c.thread[0].model;
    struct rig *second = &c.thread[1];
    wr(second, MSR_PERF_GLOBAL_CTRL, 0);
    wr(second, MSR_PERFEVTSEL(0), 0x4300c0);
    assert_false(model_core_other_counts(first));
    wr(second, MSR_PERF_GLOBAL_CTRL, 1);
    assert_true(model_core_other_counts(first));
    assert_false(model_core_other_counts(second->model));
    wr(second, MSR_PERFEVTSEL(0), 0);
    assert_false(model_core_other_counts(first));
    wr(second, MSR_FIXED_CTR_CTRL, 3);
    wr(second, MSR_PERF_GLOBAL_CTRL, 0x100000000);
    assert_false(model_core_other_counts(first)); /* only programmable ones */
    core_close(&c);
}

/* Cores of one module, each with its own counters, share off-core filters with the variation for it. */
CASE(filter_of_a_module)
{
    static const char *const with[] = {NULL, "offcore-rsp-of-module"};
    for (unsigned i = 0; i < ARRAY_SIZE(with); i++) {
        struct core c;
        core_open_on(&c, "silvermont", with[i]);
        wr(&c.thread[1], MSR_OFFCORE_RSP(1), OFFCORE_RSP_DATA_READ);
        assert_int_equal(rd(&c.thread[0], MSR_OFFCORE_RSP(0)), 0);
        assert_int_equal(rd(&c.thread[0], MSR_OFFCORE_RSP(1)), i ? OFFCORE_RSP_DATA_READ : 0);
        wr(&c.thread[0], MSR_OFFCORE_RSP(1), 0);
        assert_int_equal(rd(&c.thread[1], MSR_OFFCORE_RSP(1)), i ? 0 : OFFCORE_RSP_DATA_READ);
        core_close(&c);
    }
}

/* Counter IQ0 counts instructions, as programmed by the first thread. */
static void count(struct core *c, u64 escr, u64 cccr)
{
    wr(&c->thread[0], MSR_CRU_ESCR(0), escr | INSTRUCTIONS);
    wr(&c->thread[0], MSR_CCCR(IQ0), cccr);
}

static u64 counted(struct core *c)
{
    return rd(&c->thread[0], MSR_NETBURST_COUNTER(IQ0));
}

CASE(registers)
{
    struct core c;
    core_open(&c, NULL);
    struct rig *a = &c.thread[0], *b = &c.thread[1];
    wr(a, MSR_NETBURST_COUNTER(IQ4), 0x1234);
    wr(a, MSR_CCCR(IQ4), CCCR_ESCR_SELECT);
    wr(a, MSR_CRU_ESCR(2), T1);
    wr(a, MSR_PEBS_MATRIX_VERT, 5);
    wr(a, MSR_PEBS_ENABLE, PEBS_UOP_TAG | PEBS_MY_THREAD);
    wr(a, MSR_DS_AREA, 0x1000);
    assert_int_equal(rd(b, MSR_NETBURST_COUNTER(IQ4)), 0x1234);
    assert_int_equal(rd(b, MSR_CCCR(IQ4)), CCCR_ESCR_SELECT);
    assert_int_equal(rd(b, MSR_CRU_ESCR(2)), T1);
    assert_int_equal(rd(b, MSR_PEBS_MATRIX_VERT), 5);
    assert_int_equal(rd(b, MSR_PEBS_ENABLE), PEBS_UOP_TAG | PEBS_OTHER_THREAD);
    assert_int_equal(rd(b, MSR_DS_AREA), 0);
    wr(b, MSR_PEBS_ENABLE, PEBS_MY_THREAD);
    assert_int_equal(rd(a, MSR_PEBS_ENABLE), PEBS_OTHER_THREAD);
    core_close(&c);
}

/* A thread that has to be stepped from now on is woken, and counts from its next instruction on. */
CASE(counts_by_thread)
{
    struct core c;
    core_open(&c, NULL);
    count(&c, T0, ON(ANY));
    assert_int_equal(c.woken, 0);
    assert_true(model_stepping(c.thread[0].model));
    plain(&c.thread[0], 10);
    plain(&c.thread[1], 100);
    assert_int_equal(counted(&c), 10);
    assert_false(model_stepping(c.thread[1].model));
    count(&c, T1, ON(ANY));
    assert_true(c.woken > 0 && c.woken_cpu == 1);
    assert_true(model_stepping(c.thread[1].model));
    plain(&c.thread[0], 1000);
    plain(&c.thread[1], 100);
    assert_int_equal(counted(&c), 110);
    count(&c, T0 | T1, ON(ANY));
    plain(&c.thread[0], 1000);
    plain(&c.thread[1], 100);
    assert_int_equal(counted(&c), 1210);
    core_close(&c);
}

/* CCCR.ACTIVE_THREAD: none, exactly one, both, any. */
CASE(active_thread)
{
    static const struct {
        u64 active;
        bool other_halts;
        u64 count;
    } rows[] = {{0, true, 0}, {0, false, 0},  {1, true, 50}, {1, false, 0},
                {2, true, 0}, {2, false, 50}, {3, true, 50}, {3, false, 50}};
    for_each_row (rows, row) {
        struct core c;
        core_open(&c, NULL);
        count(&c, T0, ON(row->active));
        model_halted(c.thread[1].model, row->other_halts);
        plain(&c.thread[0], 50);
        assert_int_equal(counted(&c), row->count);
        core_close(&c);
    }
}

/* OVF and the PMI: each thread by its own bit, whichever thread makes the counter wrap. */
CASE(overflow)
{
    static const struct {
        u64 asks;
        unsigned first, second;
    } rows[] = {{0, 0, 0}, {CCCR_OVF_PMI_T0, 1, 0}, {CCCR_OVF_PMI_T1, 0, 1}, {CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1, 1, 1}};
    for_each_row (rows, row) {
        struct core c;
        core_open(&c, NULL);
        wr(&c.thread[0], MSR_NETBURST_COUNTER(IQ0), WIDTH - 10);
        count(&c, T0, ON(ANY) | row->asks);
        plain(&c.thread[1], 1); /* takes that over */
        plain(&c.thread[0], 30);
        assert_true(rd(&c.thread[1], MSR_CCCR(IQ0)) & CCCR_OVF);
        assert_int_equal(c.thread[0].interrupts, row->first);
        assert_int_equal(model_stepping(c.thread[1].model), row->second);
        assert_int_equal(c.woken, row->second);
        plain(&c.thread[1], 30);
        assert_int_equal(c.thread[1].interrupts, row->second);
        core_close(&c);
    }
}

/* Both threads at once, on CPUs of their own: no count is lost. */
#define EACH 100000

static void *execute(void *rig)
{
    plain(rig, EACH);
    return NULL;
}

CASE(together)
{
    struct core c;
    pthread_t other;
    core_open(&c, NULL);
    count(&c, T0 | T1, ON(ANY));
    assert_int_equal(pthread_create(&other, NULL, execute, &c.thread[1]), 0);
    execute(&c.thread[0]);
    pthread_join(other, NULL);
    assert_int_equal(counted(&c), 2 * EACH);
    core_close(&c);
}

/* Without hyper-threading each CPU is a core. */
CASE(one_thread)
{
    struct core c;
    core_open(&c, "netburst-one-thread");
    count(&c, T0 | T1, ON(ANY));
    assert_int_equal(rd(&c.thread[1], MSR_CCCR(IQ0)), 0);
    assert_int_equal(c.woken, 0);
    plain(&c.thread[1], 10);
    assert_int_equal(counted(&c), 0);
    core_close(&c);
}

CASE(netburst_deviations)
{
    struct core c;
    core_open(&c, "escr-counts-both-threads");
    count(&c, T1, ON(ANY));
    plain(&c.thread[0], 10);
    assert_int_equal(counted(&c), 10);
    core_close(&c);
    core_open(&c, "escr-drops-other-thread");
    count(&c, T0 | T1, ON(ANY));
    assert_int_equal(rd(&c.thread[0], MSR_CRU_ESCR(0)), INSTRUCTIONS | T0);
    core_close(&c);
    core_open(&c, "cccr-ovf-of-one-thread");
    wr(&c.thread[0], MSR_NETBURST_COUNTER(IQ0), WIDTH - 10);
    count(&c, T0, ON(ANY));
    plain(&c.thread[0], 30);
    assert_true(rd(&c.thread[0], MSR_CCCR(IQ0)) & CCCR_OVF);
    assert_false(rd(&c.thread[1], MSR_CCCR(IQ0)) & CCCR_OVF);
    core_close(&c);
    core_open(&c, "netburst-pebs-of-thread");
    wr(&c.thread[0], MSR_PEBS_ENABLE, PEBS_MY_THREAD);
    assert_int_equal(rd(&c.thread[1], MSR_PEBS_ENABLE), 0);
    core_close(&c);
}

/* Leaves 1 and 4 tell the threads, and leaf 0BH is empty. */
CASE(topology)
{
    static const u32 native[4] = {0x10041, 0x02040800, 0x80000001, 0x178bfbff};
    struct core c;
    u32 leaf1[4], leaf4[4], leaf0b[4];
    core_open(&c, NULL);
    model_cpuid(c.thread[0].model, 1, 0, native, leaf1);
    model_cpuid(c.thread[0].model, 4, 0, native, leaf4);
    model_cpuid(c.thread[0].model, 0x0b, 0, native, leaf0b);
    assert_int_equal(leaf1[1] >> 16 & 0xff, 4); /* four CPUs */
    assert_true(leaf1[3] >> 28 & 1);
    assert_int_equal(leaf4[0] >> 26, 1); /* two cores */
    assert_int_equal(leaf0b[1], 0);
    core_close(&c);
}

int main(void)
{
    return run_cases();
}
