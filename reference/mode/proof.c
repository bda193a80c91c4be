/* SPDX-License-Identifier: BSD-2-Clause */
/* The book of `prove`: every check label of every test, and which defects made it fail. */
#include "kernel/text/text.h"
#include "reference/mode/prove.h"

void proof_begin(struct proof *proof)
{
    for (unsigned i = 0; i < proof->count; i++) {
        proof->row[i].failed_now = proof->row[i].listed = false;
        proof->row[i].outcome = OUTCOME_NONE;
        proof->row[i].known_by = NULL;
    }
    for (unsigned i = 0; i < proof->keys; i++)
        proof->key[i].asked_now = proof->key[i].failed_now = false;
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

static void note_key(struct proof *proof, struct proof_label *row, const struct check *check, bool failed)
{
    u16 *link = &row->first_key;
    while (*link && (proof->key[*link - 1].msr != check->msr || proof->key[*link - 1].bit != check->bit))
        link = &proof->key[*link - 1].next;
    if (!*link && proof->keys == PROOF_KEYS) {
        proof->overflowed = true;
        return;
    }
    if (!*link) {
        proof->key[proof->keys++] = (struct proof_key){.msr = check->msr, .bit = check->bit};
        *link = (u16)proof->keys;
    }
    proof->key[*link - 1].asked_now = true;
    proof->key[*link - 1].failed_now |= failed;
}

static void note_failed(struct proof_label *row, enum outcome outcome, const char *erratum)
{
    if (outcome == OUTCOME_KNOWN)
        row->known_by = erratum;
    row->failed_now = true;
    row->outcome = outcome > row->outcome ? (u8)outcome : row->outcome;
}

/*
 * An error does not count as a catch: the test could not do its work, whatever else it saw. The exception is unexpected
 * PMIs, which the PMU itself causes and which always end a test in an error.
 */
void proof_note(struct proof *proof, const struct test_declaration *test, const struct results *results)
{
    struct proof_label *row = results->unasked ? row_of(proof, test, results->unasked) : NULL;
    if (row)
        note_failed(row, OUTCOME_ERROR, NULL);
    for (unsigned i = 0; i < results->checks; i++) {
        const struct check *check = &results->check[i];
        bool failed = check->failed && results->outcome != OUTCOME_ERROR;
        row = row_of(proof, test, check->label);
        if (row && failed)
            note_failed(row, check->outcome, check->erratum);
        if (row)
            note_key(proof, row, check, failed);
    }
}

static void end_row(struct proof *proof, struct proof_label *row, bool meant)
{
    row->failed_runs++;
    row->proven_runs += meant;
    for (u16 at = row->first_key; at; at = proof->key[at - 1].next) {
        struct proof_key *key = &proof->key[at - 1];
        key->failed |= key->failed_now;
        key->proven |= key->failed_now && meant;
    }
}

void proof_end_plain(struct proof *proof)
{
    for (unsigned i = 0; i < proof->keys; i++)
        proof->key[i].plain |= proof->key[i].asked_now;
}

unsigned proof_end(struct proof *proof, const char *meant)
{
    unsigned failed = 0;
    for (unsigned i = 0; i < proof->count; i++)
        if (proof->row[i].failed_now) {
            end_row(proof, &proof->row[i], !meant || glob_list_match(meant, proof->row[i].test));
            failed++;
        }
    return failed;
}

bool proof_known_by(const struct proof *proof, const char *erratum)
{
    for (unsigned i = 0; i < proof->count; i++)
        if (proof->row[i].known_by && !strcmp(proof->row[i].known_by, erratum))
            return true;
    return false;
}

bool proof_any(const struct proof *proof)
{
    for (unsigned i = 0; i < proof->count; i++)
        if (proof->row[i].failed_now)
            return true;
    return false;
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
        unproven += !proof->row[i].proven_runs && !proof->row[i].unproven_by_design;
    return unproven;
}
