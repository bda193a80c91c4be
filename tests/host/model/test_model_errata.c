/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* The errata that defects mimic: each names a defect, and its CPU shows itself as the one that has it. */
#include "tests/host/model/model_rig.h"

/* The deviation's n-th erratum; NULL: it has no more. */
static const struct deviation_erratum *erratum(unsigned deviation, unsigned n)
{
    return deviation_erratum(deviations[deviation], n);
}

static void rows(void **state)
{
    unsigned all = 0;
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; erratum(i, n); n++, all++) {
            assert_true(deviations[i]->kind == KIND_DEFECT);
            for (unsigned other = 0; other < n; other++)
                assert_true(erratum(i, other)->signature != erratum(i, n)->signature);
        }
    assert_true(all >= 30);
}

static void check_shown(const struct deviation *deviation, const struct deviation_erratum *row)
{
    u32 machine[4] = {1, 1, 1, 1}, out[4];
    struct rig r;
    rig_open(&r, deviation->name, 1, 0);
    r.deviating.erratum = row;
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

static void shows_itself(void **state)
{
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; erratum(i, n); n++)
            check_shown(deviations[i], erratum(i, n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(shows_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
