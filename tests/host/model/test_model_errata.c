/* links: pmu/reference/model/ pmu/reference/deviations/ tests/harness/run/errata_pure.c pmu/caps_pure.c
 * pmu/class_pure.c */
/* The errata that defects mimic: each names a defect, its CPU shows itself as the one that has it, and the facts about
 * errata know that CPU under that number. */
#include "harness/run/errata.h"
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

/* IA32_TSX_FORCE_ABORT exists where CPUID.7 says so, and bit 0 alone is not reserved. */
static void check_force_abort(struct rig *r, bool exists)
{
    assert_int_equal(rd_faults(r, MSR_TSX_FORCE_ABORT), !exists);
    if (!exists)
        return;
    assert_int_equal(rd(r, MSR_TSX_FORCE_ABORT), 0);
    wr(r, MSR_TSX_FORCE_ABORT, TSX_FORCE_ABORT_RTM);
    assert_int_equal(rd(r, MSR_TSX_FORCE_ABORT), TSX_FORCE_ABORT_RTM);
    assert_true(wr_faults(r, MSR_TSX_FORCE_ABORT, 2));
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
    assert_int_equal(out[3] & row->leaf7_edx, row->leaf7_edx);
    model_cpuid(r.model, 0x0b, 0, machine, out);
    assert_int_equal(out[1], row->threads ? row->threads : 1);
    check_force_abort(&r, row->leaf7_edx & BIT(13));
    rig_close(&r);
}

static void shows_itself(void **state)
{
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; erratum(i, n); n++)
            check_shown(deviations[i], erratum(i, n));
}

/* A CPU like the one that a row mimics, with what the deviation brings with it. */
static struct pmu_caps mimicked(const struct deviation_erratum *row)
{
    return (struct pmu_caps){.present = true,
                             .intel = true,
                             .signature = row->signature,
                             .microcode = row->microcode,
                             .gp_count = row->threads == 1 ? 8 : 4,
                             .threads_per_core = (u8)row->threads,
                             .rtm = row->leaf7_ebx >> 11 & 1,
                             .tsx_takes_pmc3 = row->leaf7_edx >> 13 & 1};
}

static void as_the_facts_say(void **state)
{
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; erratum(i, n); n++) {
            struct pmu_caps caps = mimicked(erratum(i, n));
            bool found = false;
            for_each_row (erratum_facts, fact) {
                const char *number = erratum_number(fact, &caps);
                found |= number && !strcmp(number, erratum(i, n)->id);
            }
            if (!found)
                fail_msg("%s: no CPU %x of %s in that state", deviations[i]->name, caps.signature, erratum(i, n)->id);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(shows_itself),
        cmocka_unit_test(as_the_facts_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
