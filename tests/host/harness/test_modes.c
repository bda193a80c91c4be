/* SPDX-License-Identifier: BSD-2-Clause */
/* Which modes go together, and what each of them does when, with a table of this test's own. */
#include "harness/mode/modes.h"
#include "tests/host/case.h"

#include <string.h>

static struct {
    bool walk, soak, proof, resets;
    unsigned plans, befores;
    const char *refuses, *lacks;
} now;

static bool walk_requested(void)
{
    return now.walk;
}

static bool soak_requested(void)
{
    return now.soak;
}

static bool proof_requested(void)
{
    return now.proof;
}

static bool resets_requested(void)
{
    return now.resets;
}

static bool plan(char *error)
{
    now.plans++;
    if (now.refuses)
        strcpy(error, now.refuses);
    return !now.refuses;
}

static void before(void)
{
    now.befores++;
}

static const char *armed(void)
{
    return now.lacks;
}

static void tests(const struct session *session, const struct pmu_run *run, struct totals *totals)
{
    (void)session, (void)run, (void)totals;
}

static void run(struct session *session, struct totals *totals)
{
    (void)session, (void)totals;
}

MODE(walk, .name = "walk=", .asked = walk_requested, .with = "resets=,other", .armed = armed, .tests = tests);
MODE(soak, .name = "soak=", .asked = soak_requested, .with = "re*", .one_pmu = true, .run = run);
MODE(proof, .name = "proof", .asked = proof_requested, .plan = plan, .idle = true, .run = run);
MODE(resets, .name = "resets=", .asked = resets_requested, .plan = plan, .before = before);

static bool planned(unsigned runs, const char *want)
{
    char error[RUN_ERROR_SIZE] = "";
    now.plans = 0;
    bool agreed = modes_plan(runs, error);
    assert_string_equal(error, want);
    return agreed;
}

/* The compiler chooses the order of the rows. */
static void assert_refused(const char *want, const char * or)
{
    char error[RUN_ERROR_SIZE] = "";
    now.plans = 0;
    assert_false(modes_plan(1, error));
    assert_string_equal(error, strcmp(error, want) ? or : want);
    assert_int_equal(now.plans, 0);
}

CASE(nothing_asked)
{
    memset(&now, 0, sizeof(now));
    assert_true(planned(7, ""));
    assert_null(modes_run());
    assert_null(modes_tests());
    assert_null(modes_armed());
    modes_before();
    assert_int_equal(now.befores, 0);
}

CASE(a_pair_stands_in_one_of_its_rows)
{
    memset(&now, 0, sizeof(now));
    now.walk = now.resets = true;
    assert_true(planned(7, ""));
    assert_int_equal(now.plans, 1);
    now.walk = false;
    now.soak = true;
    assert_true(planned(1, ""));
}

CASE(all_others_exclude_each_other)
{
    memset(&now, 0, sizeof(now));
    now.walk = now.soak = true;
    assert_refused("walk= and soak= do not go together: ask for one of them",
                   "soak= and walk= do not go together: ask for one of them");
    now.walk = now.soak = false;
    now.proof = now.resets = true;
    assert_refused("proof and resets= do not go together: ask for one of them",
                   "resets= and proof do not go together: ask for one of them");
}

CASE(one_pmu)
{
    memset(&now, 0, sizeof(now));
    now.soak = true;
    assert_false(planned(3, "soak= is for one run on one PMU, and 3 are asked for: ask for one"));
    now.soak = false;
    now.proof = true;
    assert_true(planned(3, ""));
}

CASE(a_plan_may_refuse)
{
    memset(&now, 0, sizeof(now));
    now.proof = true;
    now.refuses = "no such part";
    assert_false(planned(1, "no such part"));
}

CASE(steps)
{
    memset(&now, 0, sizeof(now));
    now.walk = now.resets = true;
    now.lacks = "it did not wake";
    modes_before();
    assert_int_equal(now.befores, 1);
    assert_string_equal(modes_armed(), "it did not wake");
    assert_ptr_equal(modes_tests()->tests, tests);
    assert_null(modes_run());
    now.walk = false;
    now.proof = true;
    assert_null(modes_armed());
    assert_null(modes_tests());
    assert_true(modes_run()->idle);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(nothing_asked),
        cmocka_unit_test(a_pair_stands_in_one_of_its_rows),
        cmocka_unit_test(all_others_exclude_each_other),
        cmocka_unit_test(one_pmu),
        cmocka_unit_test(a_plan_may_refuse),
        cmocka_unit_test(steps),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
