/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes between two runs: the lines for them, and cases that are no change. */
#include "harness/mode/microcode/changes.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static const struct test_declaration first = {.id = "gp.read-back"}, second = {.id = "freeze.on-pmi"};
static char lines[8 * CHANGES_LINE];

static void keep(const char *line)
{
    strcat(lines, line);
    strcat(lines, "\n");
}

static const char *told(const struct changes *changes)
{
    lines[0] = 0;
    changes_tell(changes, keep);
    return lines;
}

static struct changes *empty(void)
{
    struct changes *changes = calloc(1, sizeof(*changes));
    assert_non_null(changes);
    return changes;
}

static const struct check held = {.label = "value", .held = 3},
                          failed = {.label = "value", .held = 3, .failed = 1, .outcome = OUTCOME_FAIL};

static void note(struct changes *changes, const struct test_declaration *test, struct check check)
{
    static struct results results;
    results.checks = 1;
    results.check[0] = check;
    changes_results(changes, test, &results);
}

CASE(the_same)
{
    struct changes *changes = empty();
    for (unsigned time = 0; time < 2; time++, changes->second = true) {
        changes_outcome(changes, &first, OUTCOME_PASS);
        note(changes, &first, held);
        note(changes, &second, failed);
        changes_erratum(changes, 0, "SKL1", ERRATUM_SEEN);
        changes_choice(changes, "a");
    }
    assert_string_equal(told(changes), "# changes tests=0 labels=0 errata=0 choices=0 same-tests=1 same-labels=2 "
                                       "same-errata=1 same-choices=1 dropped=0\n");
    free(changes);
}

/* The severest outcome of all CPUs counts; a check that was made in one run only, and held, is no change. */
CASE(otherwise)
{
    struct changes *changes = empty();
    changes_outcome(changes, &second, OUTCOME_KNOWN);
    note(changes, &second, failed);
    note(changes, &second, held);
    note(changes, &first, held);
    changes->second = true;
    changes_outcome(changes, &second, OUTCOME_PASS);
    note(changes, &second, held);
    note(changes, &second, (struct check){.label = "late", .failed = 1, .outcome = OUTCOME_KNOWN});
    assert_string_equal(told(changes), "# changed test=freeze.on-pmi before=known after=pass\n"
                                       "# changed test=freeze.on-pmi label=value before=fail after=pass\n"
                                       "# changed test=freeze.on-pmi label=late before=not-asked after=known\n"
                                       "# changes tests=1 labels=2 errata=0 choices=0 same-tests=0 same-labels=1 "
                                       "same-errata=0 same-choices=0 dropped=0\n");
    free(changes);
}

/* Errata are compared for each kind of core; choices are reported by name only. */
CASE(errata_and_choices)
{
    struct changes *changes = empty();
    changes_erratum(changes, 0, "SKL1", ERRATUM_SEEN);
    changes_erratum(changes, 4, "SKL1", ERRATUM_NOT_SEEN);
    changes_choice(changes, "wide");
    changes->second = true;
    changes_erratum(changes, 0, "SKL1", ERRATUM_FIXED);
    changes_erratum(changes, 4, "SKL1", ERRATUM_NOT_SEEN);
    changes_choice(changes, "narrow");
    assert_string_equal(told(changes), "# changed erratum=SKL1 core-type=0 before=seen after=fixed\n"
                                       "# changed choice=wide before=yes after=no\n"
                                       "# changed choice=narrow before=no after=yes\n"
                                       "# changes tests=0 labels=0 errata=1 choices=2 same-tests=0 same-labels=0 "
                                       "same-errata=1 same-choices=0 dropped=0\n");
    free(changes);
}

CASE(of_results)
{
    static struct results results;
    struct changes *changes = empty();
    results.checks = 2;
    results.check[0] = (struct check){.label = "value", .held = 3};
    results.check[1] = (struct check){.label = "width", .held = 3, .failed = 1, .outcome = OUTCOME_REVIEW};
    changes_results(changes, &first, &results);
    changes->second = true;
    results.check[1].failed = 0;
    changes_results(changes, &first, &results);
    assert_non_null(strstr(told(changes), "# changed test=gp.read-back label=width before=review after=pass\n"));
    assert_non_null(strstr(told(changes), " labels=1 "));
    assert_non_null(strstr(told(changes), " same-labels=1 "));
    free(changes);
}

CASE(full)
{
    static struct test_declaration many[CHANGES_MAX + 2];
    struct changes *changes = empty();
    for (unsigned i = 0; i < CHANGES_MAX + 2; i++)
        changes_outcome(changes, &many[i], OUTCOME_PASS);
    assert_int_equal(changes->count, CHANGES_MAX);
    assert_int_equal(changes->dropped, 2);
    free(changes);
}

int main(void)
{
    return run_cases();
}
