#include "harness/mode/matrix.h"
#include "kernel/text/format.h"
#include "kernel/text/string.h"

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
