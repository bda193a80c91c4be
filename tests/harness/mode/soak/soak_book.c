/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/soak/soak_book.h"
#include "kernel/text/text.h"

void soak_open(struct soak_book *book, const struct selection *selection)
{
    memset(book, 0, sizeof(*book));
    book->selection = selection;
}

static struct soak_row *row_of(struct soak_book *book, const struct test_declaration *test)
{
    for (unsigned i = 0; i < book->selection->count; i++)
        if (book->selection->test[i] == test)
            return &book->row[i];
    return NULL;
}

static struct soak_failure *failure_of(struct soak_book *book, const struct test_declaration *test,
                                       const struct check *check, u32 cpu)
{
    const char *label = check->label;
    for (unsigned i = 0; i < book->failed; i++) {
        struct soak_failure *failure = &book->failure[i];
        if (failure->test == test && failure->cpu == cpu && !strcmp(failure->label, label))
            return failure;
    }
    if (book->failed == SOAK_FAILURES) {
        book->dropped++;
        return NULL;
    }
    struct soak_failure *failure = &book->failure[book->failed++];
    *failure = (struct soak_failure){.test = test, .label = label, .cpu = cpu, .check = *check};
    return failure;
}

static u64 at_most(u64 value, u64 limit)
{
    return value < limit ? value : limit;
}

/*
 * A repeat makes many checks: the check made most often gives the number of repeats, the one that failed most often the
 * number of failures. A check may be made for each counter, so neither may exceed the number of repeats.
 */
static void note_checks(struct soak_book *book, struct soak_row *row, const struct test_declaration *test, u32 cpu,
                        const struct results *results)
{
    u64 repeats = 0, failures = 0, made = results->repeats ? results->repeats : 1;
    for (unsigned i = 0; i < results->checks; i++) {
        const struct check *check = &results->check[i];
        u64 asked = (u64)check->held + check->failed;
        repeats = asked > repeats ? asked : repeats;
        failures = check->failed > failures ? check->failed : failures;
        struct soak_failure *failure = check->failed ? failure_of(book, test, check, cpu) : NULL;
        if (!failure)
            continue;
        failure->failures += check->failed;
        failure->repeats += asked;
    }
    row->repeats += at_most(repeats, made);
    row->failures += at_most(failures, made);
}

void soak_note(struct soak_book *book, const struct test_declaration *test, u32 cpu, const struct results *results)
{
    struct soak_row *row = row_of(book, test);
    if (!row || results->outcome == OUTCOME_SKIP)
        return;
    row->runs++;
    row->failed_runs += results->outcome >= OUTCOME_REVIEW;
    note_checks(book, row, test, cpu, results);
    if (results->outcome <= row->worst)
        return;
    row->worst = results->outcome;
    row->code = results->code;
    format_text(row->reason, sizeof(row->reason), "%s", results->reason);
}

bool soak_ran(const struct soak_book *book)
{
    for (unsigned i = 0; i < book->selection->count; i++)
        if (book->row[i].runs)
            return true;
    return false;
}

enum outcome soak_outcome(const struct soak_row *row)
{
    if (!row->runs)
        return OUTCOME_SKIP;
    return row->worst == OUTCOME_FAIL && 2ul * row->failed_runs < row->runs ? OUTCOME_REVIEW : row->worst;
}

static u32 clamped(u64 count)
{
    return count > UINT32_MAX ? UINT32_MAX : (u32)count;
}

void soak_result(const struct soak_book *book, unsigned n, struct folded *folded)
{
    const struct test_declaration *test = book->selection->test[n];
    const struct soak_row *row = &book->row[n];
    fold_clear(folded);
    folded->outcome = soak_outcome(row);
    folded->code = row->code;
    format_text(folded->reason, sizeof(folded->reason), "%s", row->runs ? row->reason : "no run was made");
    for (unsigned i = 0; i < book->failed; i++) {
        const struct soak_failure *failure = &book->failure[i];
        struct check check = failure->check;
        if (failure->test != test)
            continue;
        check.failed = clamped(failure->failures);
        check.held = clamped(failure->repeats - failure->failures);
        check.outcome = check.outcome < folded->outcome ? check.outcome : (u8)folded->outcome;
        fold_failure(folded, &check, failure->cpu);
    }
}
