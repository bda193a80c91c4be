#include "harness/mode/proof.h"
#include "kernel/text/format.h"
#include "kernel/text/string.h"

void proof_begin(struct proof *proof)
{
    for (unsigned i = 0; i < proof->count; i++) {
        proof->row[i].failed_now = proof->row[i].listed = false;
        proof->row[i].outcome = OUTCOME_NONE;
    }
}

static struct proof_label *row_of(struct proof *proof, const struct test_declaration *test, const char *label)
{
    for (unsigned i = 0; i < proof->count; i++)
        if (!strcmp(proof->row[i].label, label) && !strcmp(proof->row[i].test, test->id))
            return &proof->row[i];
    if (proof->count == PROOF_LABELS) {
        proof->overflowed = true;
        return NULL;
    }
    struct proof_label *row = &proof->row[proof->count++];
    *row = (struct proof_label){.test = test->id, .label = label, .unproven_by_design = test->unproven};
    return row;
}

static void note_failed(struct proof *proof, const struct test_declaration *test, const char *label,
                        enum outcome outcome)
{
    struct proof_label *row = row_of(proof, test, label);
    if (!row)
        return;
    row->failed_now = true;
    row->outcome = outcome > row->outcome ? (u8)outcome : row->outcome;
}

/*
 * An error is no catch: the test could not do its work, whatever else it saw. But PMIs that were not awaited are the
 * PMU's own doing, and always end a test so.
 */
void proof_note(struct proof *proof, const struct test_declaration *test, const struct results *results)
{
    if (results->unasked)
        note_failed(proof, test, results->unasked, OUTCOME_ERROR);
    for (unsigned i = 0; i < results->checks; i++) {
        const struct check *check = &results->check[i];
        bool failed = check->failed && results->outcome != OUTCOME_ERROR;
        if (failed)
            note_failed(proof, test, check->label, check->outcome);
        else
            row_of(proof, test, check->label);
    }
}

unsigned proof_end(struct proof *proof)
{
    unsigned failed = 0;
    for (unsigned i = 0; i < proof->count; i++)
        if (proof->row[i].failed_now) {
            proof->row[i].failed_runs++;
            failed++;
        }
    return failed;
}

const char *proof_caught(const struct proof *proof, char *text, size_t size)
{
    size_t length = 0;
    unsigned left = 0;
    text[0] = 0;
    for (unsigned i = 0; i < proof->count; i++) {
        const struct proof_label *row = &proof->row[i];
        if (!row->failed_now)
            continue;
        size_t more = strlen(row->test) + strlen(row->label) + 2;
        if (left || length + more + 8 > size) {
            left++;
            continue;
        }
        length +=
            (size_t)format_text(text + length, size - length, "%s%s/%s", length ? "," : "", row->test, row->label);
    }
    if (left)
        format_text(text + length, size - length, "+%u", left);
    return text;
}

unsigned proof_unproven(const struct proof *proof)
{
    unsigned unproven = 0;
    for (unsigned i = 0; i < proof->count; i++)
        unproven += !proof->row[i].failed_runs && !proof->row[i].unproven_by_design;
    return unproven;
}
