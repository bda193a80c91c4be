/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a proof's log that a program on the build machine turns into matrices (reference/proof/matrix.c). */
#include "kernel/text/text.h"
#include "pmu/state/register.h"
#include "reference/mode/prove.h"

#define TAIL 24 /* room for " outcome=..." */

static size_t add(char *line, const char *a, const char *b)
{
    size_t length = strlen(line);
    return length + (size_t)format_text(line + length, MATRIX_LINE - length, "%s%s", a, b);
}

static bool waits(const struct proof_label *row)
{
    return row->failed_now && !row->listed;
}

const char *matrix_caught(char *line, struct proof *proof, const char *defect)
{
    unsigned i = 0;
    while (i < proof->count && !waits(&proof->row[i]))
        i++;
    if (i == proof->count)
        return NULL;
    const char *test = proof->row[i].test, *comma = "";
    enum outcome outcome = OUTCOME_NONE;
    format_text(line, MATRIX_LINE, "# matrix defect=%s test=%s labels=", defect, test);
    for (; i < proof->count; i++) {
        struct proof_label *row = &proof->row[i];
        if (!waits(row) || strcmp(row->test, test) || strlen(line) + strlen(row->label) + TAIL > MATRIX_LINE)
            continue;
        add(line, comma, row->label);
        comma = ",";
        row->listed = true;
        outcome = row->outcome > outcome ? row->outcome : outcome;
    }
    add(line, " outcome=", outcome_name(outcome));
    return line;
}

static const char *key_text(char *text, size_t size, const struct proof_key *key)
{
    char name[REGISTER_NAME_SIZE];
    const char *sign = key->proven ? "+" : key->failed ? "~" : "-";
    const char *registered = key->msr ? register_name_on_any(key->msr, name) : "none"; /* a row is of many PMUs */
    if (key->bit == NO_BIT)
        format_text(text, size, "%s%s", registered, sign);
    else
        format_text(text, size, "%s.%u%s", registered, key->bit, sign);
    return text;
}

const char *matrix_keys(char *line, const struct proof *proof, unsigned *row, u16 *key)
{
    char text[REGISTER_NAME_SIZE + 8];
    const char *comma = "";
    if (*row == proof->count)
        return NULL;
    const struct proof_label *label = &proof->row[*row];
    format_text(line, MATRIX_LINE, "# label test=%s label=%s keys=", label->test, label->label);
    for (*key = *key ? *key : label->first_key; *key; *key = proof->key[*key - 1].next) {
        const struct proof_key *k = &proof->key[*key - 1];
        if (!k->plain && !k->proven)
            continue;
        key_text(text, sizeof(text), k);
        if (strlen(line) + strlen(text) + 2 > MATRIX_LINE)
            return line;
        add(line, comma, text);
        comma = ",";
    }
    ++*row;
    return line;
}

const char *matrix_tests(char *line, const struct selection *selection, unsigned *at)
{
    const char *comma = "";
    if (*at == selection->count)
        return NULL;
    format_text(line, MATRIX_LINE, "# vector tests=");
    for (; *at < selection->count; ++*at) {
        const char *id = selection->test[*at]->id;
        if (strlen(line) + strlen(id) + 2 > MATRIX_LINE)
            break;
        add(line, comma, id);
        comma = ",";
    }
    return line;
}

static char letter(const struct test_declaration *test, enum outcome outcome)
{
    static const char letters[] = "-pskrfe"; /* by enum outcome */
    return outcome == OUTCOME_PASS && test->measures ? 'm' : letters[outcome];
}

const char *matrix_results(char *line, const struct selection *selection, const u8 *outcomes, const char *variation)
{
    size_t length = (size_t)format_text(line, MATRIX_LINE, "# vector variation=%s results=", variation);
    for (unsigned i = 0; i < selection->count && length + 1 < MATRIX_LINE; i++)
        line[length++] = letter(selection->test[i], outcomes[i]);
    line[length] = 0;
    return line;
}
