/* links: pmu/reference/model/ */
/* The errata that defects mimic: each names a defect, and its CPU shows itself as the one that has it. */
#include "tests/host/model/model_rig.h"

static void rows(void **state)
{
    (void)state;
    assert_true(model_erratum_count > 0);
    for (unsigned i = 0; i < model_erratum_count; i++) {
        const struct model_erratum *row = &model_errata[i];
        assert_true(model_deviations[row->deviation].defect);
        for (unsigned other = 0; other < i; other++)
            assert_true(model_errata[other].deviation != row->deviation ||
                        model_errata[other].signature != row->signature);
    }
}

static void shows_itself(void **state)
{
    u32 machine[4] = {1, 1, 1, 1}, out[4];
    struct rig r;
    (void)state;
    for (unsigned i = 0; i < model_erratum_count; i++) {
        const struct model_erratum *row = &model_errata[i];
        rig_open(&r, model_deviations[row->deviation].name, 1, 0);
        r.setup.with_erratum = row;
        model_reset(r.model, &r.setup, &r.host);
        model_cpuid(r.model, 1, 0, machine, out);
        assert_int_equal(out[0], row->signature);
        assert_int_equal(rd(&r, MSR_BIOS_SIGN_ID) >> 32, row->microcode);
        model_cpuid(r.model, 7, 0, machine, out);
        assert_int_equal(out[1] & row->leaf7_ebx, row->leaf7_ebx);
        model_cpuid(r.model, 0x0b, 0, machine, out);
        assert_int_equal(out[1], row->threads ? row->threads : 1);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(shows_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
