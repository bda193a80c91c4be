/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/mode/prove.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <string.h>

static struct proof proof;
static struct results results;
static const struct test_declaration gp = {.id = "gp.x"}, pmi = {.id = "pmi.y", .measures = true};

static void noted(const struct test_declaration *test, const char *label, enum outcome outcome)
{
    struct check check = {.label = label, .bit = NO_BIT};
    results_clear(&results);
    results_check(&results, &check, outcome == OUTCOME_PASS);
    results.check[0].outcome = (u8)outcome;
    proof_note(&proof, test, &results);
}

CASE(caught)
{
    char line[MATRIX_LINE];
    proof = (struct proof){.count = 0};
    proof_begin(&proof);
    noted(&gp, "a", OUTCOME_REVIEW);
    noted(&pmi, "c", OUTCOME_KNOWN);
    noted(&gp, "b", OUTCOME_FAIL);
    noted(&gp, "held", OUTCOME_PASS);
    assert_string_equal(matrix_caught(line, &proof, "d"), "# matrix defect=d test=gp.x labels=a,b outcome=fail");
    assert_string_equal(matrix_caught(line, &proof, "d"), "# matrix defect=d test=pmi.y labels=c outcome=known");
    assert_null(matrix_caught(line, &proof, "d"));
    proof_begin(&proof);
    assert_null(matrix_caught(line, &proof, "d"));
}

CASE(keys)
{
    struct check check = {.label = "a", .bit = NO_BIT, .msr = 0xc1};
    char line[MATRIX_LINE];
    unsigned row = 0;
    u16 key = 0;
    proof = (struct proof){.count = 0};
    proof_begin(&proof);
    results_clear(&results);
    results_check(&results, &check, false);
    check.msr = 0x38e;
    check.bit = 32;
    results_check(&results, &check, true);
    check.label = "b";
    check.msr = 0;
    check.bit = NO_BIT;
    results_check(&results, &check, false);
    proof_note(&proof, &gp, &results);
    proof_end_plain(&proof);
    proof_end(&proof, NULL);
    assert_string_equal(matrix_keys(line, &proof, &row, &key),
                        "# label test=gp.x label=a keys=IA32_PMC0+,IA32_PERF_GLOBAL_STATUS.32-");
    assert_string_equal(matrix_keys(line, &proof, &row, &key), "# label test=gp.x label=b keys=none+");
    assert_null(matrix_keys(line, &proof, &row, &key));
}

/* A check that a test makes only because of a deviation is listed if the deviation failed it, and otherwise not
 * required. */
CASE(asked_by_a_deviation)
{
    struct check check = {.label = "a", .bit = NO_BIT, .msr = 0xc1};
    char line[MATRIX_LINE];
    unsigned row = 0;
    u16 key = 0;
    proof = (struct proof){.count = 0};
    proof_begin(&proof);
    results_clear(&results);
    results_check(&results, &check, true);
    proof_note(&proof, &gp, &results);
    proof_end_plain(&proof);
    proof_begin(&proof);
    results_clear(&results);
    check.msr = 0xc2;
    results_check(&results, &check, false);
    check.msr = 0xc3;
    results_check(&results, &check, true);
    proof_note(&proof, &gp, &results);
    proof_end(&proof, NULL);
    assert_string_equal(matrix_keys(line, &proof, &row, &key), "# label test=gp.x label=a keys=IA32_PMC0-,IA32_PMC1+");
}

/* Keys without room in a line go into the next one. */
CASE(many_keys)
{
    char line[MATRIX_LINE];
    unsigned row = 0, found = 0, lines = 0;
    u16 key = 0;
    proof = (struct proof){.count = 0};
    proof_begin(&proof);
    results_clear(&results);
    for (u32 n = 0; n < 60; n++) {
        struct check check = {.label = "a", .bit = (u8)n, .msr = 0x38e};
        results_check(&results, &check, true);
    }
    proof_note(&proof, &gp, &results);
    proof_end_plain(&proof);
    for (; matrix_keys(line, &proof, &row, &key); lines++) {
        assert_in_range(strlen(line), 1, MATRIX_LINE - 1);
        for (const char *at = line; (at = strstr(at, "STATUS.")); at++)
            found++;
    }
    assert_int_equal(found, 60);
    assert_true(lines > 1);
}

/* Many labels go into many lines, and none is lost. */
CASE(never_cut)
{
    static char labels[60][32];
    char line[MATRIX_LINE];
    unsigned found = 0, lines = 0;
    proof = (struct proof){.count = 0};
    proof_begin(&proof);
    for (unsigned i = 0; i < 60; i++) {
        snprintf(labels[i], sizeof(labels[i]), "label-%02u-of-some-length", i);
        noted(&gp, labels[i], OUTCOME_FAIL);
    }
    while (matrix_caught(line, &proof, "d")) {
        lines++;
        assert_non_null(strstr(line, " outcome=fail"));
        for (const char *at = line; (at = strstr(at, "label-")); at++)
            found++;
    }
    assert_int_equal(found, 60);
    assert_true(lines > 1);
}

CASE(vectors)
{
    static const struct selection selection = {.test = {&gp, &pmi, &gp, &pmi, &gp, &gp, &gp}, .count = 7};
    static const u8 outcomes[] = {OUTCOME_PASS,   OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_KNOWN,
                                  OUTCOME_REVIEW, OUTCOME_FAIL, OUTCOME_ERROR};
    static struct selection many;
    char line[MATRIX_LINE];
    unsigned at = 0, ids = 0;
    assert_string_equal(matrix_results(line, &selection, outcomes, "v"), "# vector variation=v results=pmskrfe");
    many.count = TESTS_MAX;
    for (unsigned i = 0; i < many.count; i++)
        many.test[i] = &pmi;
    while (matrix_tests(line, &many, &at))
        for (const char *id = line; (id = strstr(id, "pmi.y")); id++)
            ids++;
    assert_int_equal(ids, TESTS_MAX);
}

int main(void)
{
    return run_cases();
}
