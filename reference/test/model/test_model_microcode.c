/* SPDX-License-Identifier: BSD-2-Clause */
/* Updates of microcode: which ones the reference PMU accepts, and that an update fixes what it should. */
#include "reference/test/model/model_rig.h"

#define AT 0x10030u

/* An update in the model's format: sealed, for a CPU, of a revision. */
struct data {
    u32 seal, signature, platforms, revision;
};

static struct data data_for(u32 signature, u32 platforms, u32 revision)
{
    return (struct data){0x65646f63 ^ signature ^ platforms ^ revision, signature, platforms, revision};
}

static void offer(struct rig *r, struct data *data)
{
    r->memory = (u8 *)data;
    r->address = AT;
    r->size = sizeof(*data);
    wr(r, 0x79, AT);
}

static u32 revision(struct rig *r)
{
    wr(r, 0x8b, 0);
    return (u32)(rd(r, 0x8b) >> 32);
}

static void taken(void **state)
{
    struct data data = data_for(0x506e3, 2, 0xf4);
    struct rig r;
    (void)state;
    rig_open(&r, NULL, 1, 0);
    wr(&r, 0xc1, 77);
    assert_int_equal(revision(&r), 0xf0);
    offer(&r, &data);
    assert_int_equal(revision(&r), 0xf4);
    assert_int_equal(rd(&r, 0xc1), 77);
    assert_true(rd_faults(&r, 0x79));
    model_init_signal(r.model);
    assert_int_equal(revision(&r), 0xf4);
    model_reset(r.model, &r.setup, &r.host);
    assert_int_equal(revision(&r), 0xf0);
    rig_close(&r);
}

static void refused(void **state)
{
    struct data bad[] = {data_for(0x506e3, 2, 0xf4), data_for(0x506e8, 2, 0xf4), data_for(0x506e3, 0xfd, 0xf4),
                         data_for(0x506e3, 2, 0xf0), data_for(0x506e3, 2, 0xe0)};
    struct rig r;
    (void)state;
    bad[0].seal ^= 1;
    rig_open(&r, NULL, 1, 0);
    for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
        offer(&r, &bad[i]);
        assert_int_equal(revision(&r), 0xf0);
    }
    assert_true(wr_faults(&r, 0x79, AT + 4)); /* part of it is missing */
    r.host.memory_read = NULL;
    model_reset(r.model, &r.setup, &r.host);
    assert_true(wr_faults(&r, 0x79, AT));
    rig_close(&r);
}

/* The other thread of the core has it, too; a thread of another core does not. */
static void threads(void **state)
{
    struct data data = data_for(0x506e3, 2, 0xf4);
    struct rig r[3];
    struct model_core *core = calloc(1, model_core_size());
    (void)state;
    for (u32 cpu = 0; cpu < 3; cpu++) {
        rig_open(&r[cpu], NULL, 1, cpu);
        r[cpu].setup.core = cpu < 2 ? core : NULL;
        model_reset(r[cpu].model, &r[cpu].setup, &r[cpu].host);
    }
    offer(&r[0], &data);
    assert_int_equal(revision(&r[0]), 0xf4);
    assert_int_equal(revision(&r[1]), 0xf4);
    assert_int_equal(revision(&r[2]), 0xf0);
    for (u32 cpu = 0; cpu < 3; cpu++)
        rig_close(&r[cpu]);
    free(core);
}

/* Does the CPU count again once a freeze has been cleared? The defect prevents that until GLOBAL_CTRL is written. */
static bool thaws(struct rig *r)
{
    wr(r, 0x391, 1ull << 59);
    wr(r, 0x390, 1ull << 59);
    wr(r, 0xc1, 0);
    plain(r, 10);
    return rd(r, 0xc1) == 10;
}

static void mends(void **state)
{
    struct data data = data_for(0x706a1, 1, 0x28);
    struct rig r;
    (void)state;
    rig_open_on(&r, "goldmont-plus", "freeze-never-thaws", 1, 0);
    for (unsigned n = 0; (r.deviating.erratum = deviation_erratum(r.deviating.deviation, n)); n++)
        if (r.deviating.erratum->signature == 0x706a1)
            break;
    assert_non_null(r.deviating.erratum);
    model_reset(r.model, &r.setup, &r.host);
    wr(&r, 0x186, EVTSEL_BOTH | 0xc0);
    wr(&r, 0x38f, 1);
    assert_int_equal(revision(&r), 0x27);
    assert_false(thaws(&r));
    offer(&r, &data);
    assert_int_equal(revision(&r), 0x28);
    assert_true(thaws(&r));
    rig_close(&r);
    data = data_for(0x706a1, 1, 0x40); /* a defect that mimics no erratum stays */
    rig_open_on(&r, "goldmont-plus", "freeze-never-thaws", 1, 0);
    wr(&r, 0x186, EVTSEL_BOTH | 0xc0);
    wr(&r, 0x38f, 1);
    offer(&r, &data);
    assert_int_equal(revision(&r), 0x40);
    assert_false(thaws(&r));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken),
        cmocka_unit_test(refused),
        cmocka_unit_test(threads),
        cmocka_unit_test(mends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
