/* SPDX-License-Identifier: BSD-2-Clause */
/* The errata that defects mimic: each names a defect, with it the profile becomes a CPU that has the erratum, and the
 * facts about errata, which were typed separately, know that CPU by that number. */
#include "harness/core/errata.h"
#include "reference/test/model/model_rig.h"
#include "tools/docs/errata_table.h"

#include <ctype.h>
#include <stdio.h>

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

/* The CPU of a row, with everything that the deviation provides. */
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

/* Does that CPU, as it is, have the erratum of that number? */
static bool shows(const struct pmu_caps *caps, const char *id)
{
    for_each_row (erratum_facts, fact) {
        const char *number = erratum_number(fact, caps);
        if (number && !strcmp(number, id))
            return true;
    }
    return false;
}

static void as_the_facts_say(void **state)
{
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; erratum(i, n); n++) {
            struct pmu_caps caps = mimicked(erratum(i, n));
            if (!shows(&caps, erratum(i, n)->id))
                fail_msg("%s: no CPU %x of %s in that state", deviations[i]->name, caps.signature, erratum(i, n)->id);
        }
}

/* The facts about the revision that fixes it, and about the one before. */
static void mended_as_the_facts_say(void **state)
{
    unsigned mended = 0;
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; erratum(i, n); n++) {
            struct pmu_caps caps = mimicked(erratum(i, n));
            for_each_row (erratum_facts, fact) {
                const char *number = erratum_number(fact, &caps);
                if (!number || strcmp(number, erratum(i, n)->id))
                    continue;
                caps.microcode = erratum(i, n)->fixed - 1;
                assert_int_equal(erratum(i, n)->fixed && !erratum_fixed(fact, &caps), erratum(i, n)->fixed != 0);
                caps.microcode = erratum(i, n)->fixed ? erratum(i, n)->fixed : ~0u;
                assert_int_equal(erratum_fixed(fact, &caps), erratum(i, n)->fixed != 0);
                mended += erratum(i, n)->fixed != 0;
                break;
            }
        }
    assert_int_equal(mended, 6);
}

static bool has_number(const struct erratum_fact *fact, const char *id)
{
    for (const struct erratum_number *number = fact->numbers; number->id; number++)
        if (!strcmp(number->id, id))
            return true;
    return false;
}

static bool in_table(const char *id)
{
    for (unsigned i = 0; i < errata_row_count; i++)
        if (has_number(&errata_rows[i].fact, id))
            return true;
    return false;
}

typedef const struct deviation_erratum *named(const struct deviation *deviation, unsigned n);

static bool named_by_any(const struct erratum_fact *fact, named *row)
{
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; row(deviations[i], n); n++)
            if (has_number(fact, row(deviations[i], n)->id))
                return true;
    return false;
}

/*
 * Each erratum by which a check can be known is mimicked by a defect, with these exceptions: two are variations, by
 * which checks no longer fail or fail only as the surroundings cause it, and for one it is not public what is counted
 * wrong. A hypervisor's differences are those of a guest, which is hosted (hosting/test/hosts.cases).
 */
static void all_are_mimicked(void **state)
{
    static const enum erratum_fact_id not_mimicked[] = {FACT_START_OVERCOUNT, FACT_BRANCH_OVERCOUNT};
    (void)state;
    for (unsigned i = 0; i < ERRATUM_FACTS; i++) {
        bool excepted = erratum_sheets[erratum_facts[i].numbers[0].sheet].cpus->hypervisor != NULL;
        for_each_row (not_mimicked, fact)
            excepted |= *fact == i;
        if (named_by_any(&erratum_facts[i], deviation_erratum) == excepted)
            fail_msg("%s: %s", erratum_facts[i].numbers[0].id, excepted ? "mimicked after all" : "not mimicked");
    }
}

/* And for each there is a similar defect that the erratum must not make known. */
static void all_have_neighbours(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ERRATUM_FACTS; i++)
        if (!erratum_sheets[erratum_facts[i].numbers[0].sheet].cpus->hypervisor &&
            !named_by_any(&erratum_facts[i], deviation_not_by))
            fail_msg("%s: no defect comes near", erratum_facts[i].numbers[0].id);
}

static bool is_sheet(const char *name, size_t length)
{
    for (unsigned i = 0; i < ERRATUM_SHEETS; i++)
        if (strlen(errata_papers[i].name) == length && !strncmp(errata_papers[i].name, name, length))
            return true;
    return false;
}

/* The next number of an erratum, "BJ136", from *text on: a sheet's name and digits. False: no more. */
static bool next_number(const char **text, char id[16])
{
    for (const char *at = *text; *at; at++) {
        size_t letters = 0, digits = 0;
        if (at != *text && isalnum((unsigned char)at[-1]))
            continue;
        while (isupper((unsigned char)at[letters]))
            letters++;
        while (isdigit((unsigned char)at[letters + digits]))
            digits++;
        if (is_sheet(at, letters) && digits && !isalnum((unsigned char)at[letters + digits])) {
            snprintf(id, 16, "%.*s", (int)(letters + digits), at);
            *text = at + letters + digits;
            return true;
        }
    }
    return false;
}

/* If a deviation names an erratum's number as its source, the table has it. */
static void sources(void **state)
{
    unsigned all = 0;
    char id[16];
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++) {
        const char *text = deviations[i]->source;
        for (; next_number(&text, id); all++)
            if (!in_table(id))
                fail_msg("%s: no erratum %s", deviations[i]->name, id);
    }
    assert_true(all > 80);
}

/* The table has each erratum that a profile names. */
static void of_profiles(void **state)
{
    unsigned all = 0;
    char id[16];
    (void)state;
    for (unsigned i = 0; i < profile_count; i++) {
        const char *text = profiles[i]->errata ? profiles[i]->errata : "";
        for (; next_number(&text, id); all++)
            if (!in_table(id))
                fail_msg("%s: no erratum %s", model_profile_name(profiles[i]), id);
    }
    assert_true(all > 50);
}

/* A CPU on which a defect must not be known by a similar erratum: it has the erratum, if in another state. */
static void not_by(void **state)
{
    (void)state;
    for (unsigned i = 0; i < deviation_count; i++)
        for (unsigned n = 0; deviation_not_by(deviations[i], n); n++) {
            const struct deviation_erratum *row = deviation_not_by(deviations[i], n);
            struct pmu_caps caps = mimicked(row);
            bool found = false;
            caps.microcode = 0;
            caps.tsx_takes_pmc3 = true;
            for (unsigned threads = 1; threads <= 2; threads++) {
                caps.gp_count = threads == 1 ? 8 : 4;
                caps.threads_per_core = (u8)threads;
                found |= shows(&caps, row->id);
            }
            if (!found)
                fail_msg("%s: no CPU %x of %s", deviations[i]->name, row->signature, row->id);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(shows_itself),
        cmocka_unit_test(as_the_facts_say),
        cmocka_unit_test(mended_as_the_facts_say),
        cmocka_unit_test(all_are_mimicked),
        cmocka_unit_test(all_have_neighbours),
        cmocka_unit_test(sources),
        cmocka_unit_test(of_profiles),
        cmocka_unit_test(not_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
