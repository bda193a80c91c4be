/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines without a verdict: kept once for a CPU, folded over CPUs, and written with the text common to all. */
#include "harness/report/report_text.h"
#include "tests/host/case.h"

#include <string.h>

static struct results results;
static struct folded folded;
static char line[REPORT_LINE];

static struct note note_of(const char *kind, const char *text, const char *rest)
{
    struct note note = {.kind = kind, .subject = "reg=A", .rest = rest};
    strcpy(note.text, text);
    return note;
}

static void keep(const char *kind, const char *text, const char *rest)
{
    struct note note = note_of(kind, text, rest);
    results_note(&results, &note);
}

static int empty(void **state)
{
    (void)state;
    results_clear(&results);
    fold_clear(&folded);
    return 0;
}

CASE(said_once)
{
    keep("bits", "kept=0x1", "");
    keep("bits", "kept=0x1", "");
    keep("bits", "kept=0x2", "");
    assert_int_equal(results.notes, 2);
    for (u32 cpu = 0; cpu < 3; cpu++)
        fold_add(&folded, &results, cpu, 0);
    assert_int_equal(folded.notes, 2);
    assert_string_equal(report_note(line, &folded.note[1]), "# bits reg=A cpus=0-2 kept=0x2");
}

CASE(of_the_machine)
{
    struct note whole = note_of("handoff", "cpus-seen=2", "label=x");
    whole.machine = true;
    results_note(&results, &whole);
    fold_add(&folded, &results, 1, 0);
    assert_string_equal(report_note(line, &folded.note[0]), "# handoff reg=A cpus-seen=2 label=x");
}

CASE(what_finds_no_room_is_counted)
{
    char text[8] = "a";
    for (unsigned i = 0; i < NOTES_MAX + 2; i++, text[0]++)
        keep("bits", text, "");
    assert_int_equal(results.notes, NOTES_MAX);
    assert_int_equal(results.notes_dropped, 2);
    fold_add(&folded, &results, 0, 0);
    assert_int_equal(folded.notes_dropped, 2);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = empty});
}
