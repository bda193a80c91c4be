/* SPDX-License-Identifier: BSD-2-Clause */
/* A deviation narrowed to one counter, one ring or one CPU: where it then shows, and which ones can be narrowed. */
#include "reference/test/model/model_rig.h"

static u64 narrowed_to(const char *name, struct deviation_place place, u32 cpu, u64 (*probe)(struct rig *r))
{
    struct rig r;
    rig_open(&r, name, 1, cpu);
    r.deviating.place = place;
    model_reset(r.model, &r.setup, &r.host);
    u64 got = probe(&r);
    rig_close(&r);
    return got;
}

static u64 status_read(struct rig *r)
{
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 counters_written(struct rig *r)
{
    wr(r, MSR_PMC(1), 5);
    wr(r, MSR_PMC(2), 5);
    wr(r, MSR_FIXED_CTR(1), 5);
    return rd(r, MSR_PMC(1)) << 16 | rd(r, MSR_PMC(2)) << 8 | rd(r, MSR_FIXED_CTR(1));
}

/* At its place a deviation acts as it does everywhere, elsewhere the good rule is called. */
CASE(narrowed)
{
    const struct deviation_place counter_2 = {.counter = 1 + 2}, fixed_1 = {.counter = 1 + 32 + 1}, last = {.cpu = 255};
    assert_int_equal(narrowed_to("status-bit-stuck", (struct deviation_place){0}, 0, status_read), 0x70000000full);
    assert_int_equal(narrowed_to("status-bit-stuck", counter_2, 0, status_read), 1 << 2);
    assert_int_equal(narrowed_to("status-bit-stuck", fixed_1, 0, status_read), 1ull << 33);
    assert_int_equal(narrowed_to("status-bit-stuck", last, 0, status_read), 0);
    assert_int_equal(narrowed_to("status-bit-stuck", last, 3, status_read), 0x70000000full);
    assert_int_equal(narrowed_to("counter-write-lost", counter_2, 0, counters_written), 0x050005);
    assert_int_equal(narrowed_to("counter-write-lost", fixed_1, 0, counters_written), 0x050500);
}

/* A deviation cannot be narrowed to what its rules do not distinguish. */
CASE(cannot_be_narrowed)
{
    assert_false(deviation_narrows(deviations[deviation_find("pmi-lost")], true, false));
    assert_true(deviation_narrows(deviations[deviation_find("pmi-lost")], false, false));
    assert_true(deviation_narrows(deviations[deviation_find("counter-dead")], true, true));
    assert_false(deviation_narrows(deviations[deviation_find("status-bit-stuck")], false, true));
    assert_false(deviation_narrows(deviations[deviation_find("handoff-zero")], true, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrowed),
        cmocka_unit_test(cannot_be_narrowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
