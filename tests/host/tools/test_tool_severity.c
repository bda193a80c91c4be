/* SPDX-License-Identifier: BSD-2-Clause */
/* What a failure means: each label has a row of severity.def that was meant for it, and each row has a label. */
#include "tests/host/case.h"
#include "tools/pmucheck/embed.h"
#include "tools/pmucheck/log/severity.h"
#include "tools/span.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

EMBED(list_of_labels, "tests/labels.txt");
EMBED(table_of_rows, "tools/pmucheck/log/severity.def");

#define SEVERITY(test, label, level, why, what_to_do) {test, label},
static const struct {
    const char *test, *label;
} rows[] = {
#include "tools/pmucheck/log/severity.def"
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static bool met[ROWS];

/* The number of the row that counts for this label. */
static size_t row_of(const char *test, const char *label)
{
    const struct severity_row *row = severity_of(test, label);
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].test, row->test) == 0 && strcmp(rows[i].label, row->label) == 0)
            return i;
    fail_msg("%s %s: the row is not in the table", test, label);
    return 0;
}

static void meet(const char *test, const char *label)
{
    size_t row = row_of(test, label);
    if (row == ROWS - 1)
        fail_msg("%s %s: no row of severity.def is about it", test, label);
    met[row] = true;
}

CASE(each_label_meets_a_row_on_purpose)
{
    char test[64], label[64];
    struct span rest = {list_of_labels, strlen(list_of_labels)}, line;
    while (span_line(&rest, &line))
        if (sscanf(line.text, "%63s %63s", test, label) == 2)
            meet(test, label);
    meet("gp.instructions", "register-faults"); /* only a hypervisor's PMU fails it, and no proof asks for it */
    for (size_t i = 0; i < ROWS - 1; i++)
        if (!met[i])
            fail_msg("%s %s: no label meets this row of severity.def", rows[i].test, rows[i].label);
}

/* A comment must not swallow a row. */
CASE(each_row_that_is_written_counts)
{
    static const char begins[] = "SEVERITY(\"";
    size_t written = 0;
    for (const char *at = strstr(table_of_rows, begins); at; at = strstr(at + 1, begins))
        written++;
    assert_int_equal(written, ROWS);
}

CASE(memory_and_silent_counts_are_critical)
{
    assert_int_equal(severity_of("access.event-select", "changed-unasked")->severity, SEVERITY_CRITICAL);
    assert_int_equal(severity_of("gp.instructions", "counted")->severity, SEVERITY_CRITICAL);
    assert_int_equal(severity_of("apebs.full", "past-the-end")->severity, SEVERITY_CRITICAL);
    assert_int_equal(severity_of("apebs.full", "not-full")->severity, SEVERITY_HIGH);
    assert_int_equal(severity_of("gp.instructions", "stray-pmi")->severity, SEVERITY_HIGH);
    assert_int_equal(severity_of("unheard-of", "new")->severity, SEVERITY_MEDIUM);
}

int main(void)
{
    return run_cases();
}
