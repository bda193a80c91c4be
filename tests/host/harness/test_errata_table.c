/* SPDX-License-Identifier: BSD-2-Clause */
/* The whole table of errata, also those that excuse no check: no number of the sheets is missing, every row has its
 * consequence, and the tests and files that a row names exist. */
#include "tests/host/case.h"
#include "tools/docs/errata_table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SHEETS "tests/host/harness/errata_sheets.txt"
#define WORD 64

static const struct errata_row *row_end(void)
{
    return errata_rows + errata_row_count;
}

/* The sheet of this name; ERRATUM_SHEETS if there is none. */
static unsigned sheet_named(const char *name)
{
    unsigned sheet = 0;
    while (sheet < ERRATUM_SHEETS && strcmp(errata_papers[sheet].name, name) != 0)
        sheet++;
    return sheet;
}

/* The number of rows with this number of this sheet. */
static unsigned rows_with(unsigned sheet, const char *id)
{
    unsigned found = 0;
    for (const struct errata_row *row = errata_rows; row < row_end(); row++)
        for (const struct erratum_number *number = row->fact.numbers; number->id; number++)
            found += number->sheet == sheet && strcmp(number->id, id) == 0;
    return found;
}

static unsigned numbers_of_table(void)
{
    unsigned all = 0;
    for (const struct errata_row *row = errata_rows; row < row_end(); row++)
        for (const struct erratum_number *number = row->fact.numbers; number->id; number++)
            all++;
    return all;
}

/* What SHEETS lists. */
static struct {
    unsigned sheet;
    char id[WORD];
} listed[5000];
static unsigned listed_count;

static bool is_listed(const struct erratum_number *number)
{
    for (unsigned i = 0; i < listed_count; i++)
        if (listed[i].sheet == number->sheet && strcmp(listed[i].id, number->id) == 0)
            return true;
    return false;
}

/* The words of one line: a sheet's name unless it is indented, then numbers. Returns how many numbers. */
static unsigned check_line(char *line, unsigned *sheet)
{
    unsigned numbers = 0;
    bool goes_on = isspace((unsigned char)line[0]);
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (!goes_on) {
            *sheet = sheet_named(word);
            goes_on = true;
            if (*sheet == ERRATUM_SHEETS)
                fail_msg("no sheet %s in the table, errata_facts.def, but in " SHEETS, word);
            continue;
        }
        if (rows_with(*sheet, word) != 1)
            fail_msg("%s of %s stands in %u rows of errata_facts.def", word, errata_papers[*sheet].name,
                     rows_with(*sheet, word));
        assert_in_range(listed_count, 0, sizeof(listed) / sizeof(listed[0]) - 1);
        listed[listed_count].sheet = *sheet;
        snprintf(listed[listed_count++].id, WORD, "%s", word);
        numbers++;
    }
    return numbers;
}

/* Each number of each sheet in one row, and no other number in any row. */
CASE(nothing_is_lost)
{
    char line[256];
    unsigned sheet = ERRATUM_SHEETS, numbers = 0;
    FILE *file = fopen(SHEETS, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        if (line[0] != '#')
            numbers += check_line(line, &sheet);
    fclose(file);
    assert_in_range(numbers, 600, 5000);
    for (const struct errata_row *row = errata_rows; row < row_end(); row++)
        for (const struct erratum_number *number = row->fact.numbers; number->id; number++)
            if (!is_listed(number))
                fail_msg("%s of %s is missing in " SHEETS, number->id, errata_papers[number->sheet].name);
    assert_int_equal(numbers_of_table(), numbers);
}

static bool excuses(enum erratum_fact_id fact)
{
    for_each_excuse (&erratum_facts[fact], excuse)
        return true;
    return false;
}

/* An erratum excuses a check, or its row says why it does not. */
CASE(something_comes_of_each)
{
    unsigned judged = 0;
    for (const struct errata_row *row = errata_rows; row < row_end(); row++) {
        assert_true(row->area[0] && row->what[0] && row->when && row->fact.numbers[0].id);
        if ((row->why == JUDGED) != (row->judged < ERRATUM_FACTS))
            fail_msg("%s: judged or not?", row->fact.numbers[0].id);
        if (row->why == JUDGED && !excuses(row->judged))
            fail_msg("%s excuses nothing", row->fact.numbers[0].id);
        if (row->why != JUDGED && row->why != UNCOUNTED && !row->details[0])
            fail_msg("%s: the reason has no details", row->fact.numbers[0].id);
        judged += row->why == JUDGED;
    }
    assert_int_equal(judged, ERRATUM_FACTS);
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Turns a word of details, a test's id such as "gp.classes" or a path, into a path. Returns false for other words. */
static bool names_file(const char *word, char path[WORD * 2])
{
    const char *dot = strchr(word, '.');
    if (strchr(word, '/')) {
        snprintf(path, WORD * 2, "%s", word);
        return true;
    }
    if (!dot || !islower((unsigned char)dot[1]))
        return false;
    snprintf(path, WORD * 2, "tests/%.*s/%s.c", (int)(dot - word), word, dot + 1);
    return true;
}

/* Checks the tests and files that a reason names. Returns their number. */
static unsigned check_named(const struct errata_row *row)
{
    char text[512], path[WORD * 2];
    unsigned named = 0;
    snprintf(text, sizeof(text), "%s", row->details);
    for (char *word = strtok(text, " ,;"); word; word = strtok(NULL, " ,;"))
        if (names_file(word, path)) {
            named++;
            if (!is_file(path))
                fail_msg("%s: there is no %s", row->fact.numbers[0].id, path);
        }
    return named;
}

CASE(what_is_named_is_there)
{
    for (const struct errata_row *row = errata_rows; row < row_end(); row++) {
        bool must = row->why == MEASURED || row->why == ALLOWED || row->why == PREVENTED;
        if (!check_named(row) && must)
            fail_msg("%s: the reason names no test and no file", row->fact.numbers[0].id);
    }
}

/* A sheet has a document, an erratum, and CPUs unless they are unknown. */
CASE(every_sheet)
{
    bool used[ERRATUM_SHEETS] = {false};
    for (const struct errata_row *row = errata_rows; row < row_end(); row++)
        for (const struct erratum_number *number = row->fact.numbers; number->id; number++)
            used[number->sheet] = true;
    for (unsigned i = 0; i < ERRATUM_SHEETS; i++) {
        assert_true(errata_papers[i].document[0] && errata_papers[i].product[0]);
        assert_true(erratum_sheets[i].cpus[0].mask || erratum_sheets[i].cpus[0].hypervisor || i == SHEET_W);
        assert_true(used[i]);
        for (unsigned other = 0; other < i; other++)
            assert_string_not_equal(errata_papers[i].name, errata_papers[other].name);
    }
}

int main(void)
{
    return run_cases();
}
