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

/* An error is no catch: the test could not do its work, whatever else it saw. */
void proof_note(struct proof *proof, const struct test_declaration *test, const struct results *results)
{
    for (unsigned i = 0; i < results->checks; i++) {
        const struct check *check = &results->check[i];
        struct proof_label *row = row_of(proof, test, check->label);
        if (!row || !check->failed || results->outcome == OUTCOME_ERROR)
            continue;
        row->failed_now = true;
        row->outcome = check->outcome > row->outcome ? check->outcome : row->outcome;
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
