/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/judge.h"
#include "tools/pmucheck/judge/judge.h"
#include <string.h>

struct asked {
    const char *test, *label;
};

/* ---- What one machine says of a check */

static bool names(const char *labels, const char *label)
{
    size_t length = strlen(label);
    for (const char *at = labels; at && (at = strstr(at, label)); at += length)
        if ((at == labels || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

enum answer { NOT_ASKED, HELD, DIFFERED };

static enum answer answer_in(const struct log_boot *boot, const struct log_result *result, const char *label)
{
    enum answer answer = NOT_ASKED;
    for_each_record (boot, result, r) {
        const char *differing = log_value(r, "label");
        if (log_is_difference(r) && differing && strcmp(differing, label) == 0)
            return DIFFERED;
        if (log_is(r, "held") && names(log_value(r, "labels"), label))
            answer = HELD;
    }
    return answer;
}

static enum answer answer_of(const struct witness *witness, const struct asked *asked)
{
    const struct log_run *run = witness->facts.run;
    for_each_item (run->results, result)
        if (strcmp(result->id, asked->test) == 0)
            return answer_in(witness->facts.boot, result, asked->label);
    return NOT_ASKED;
}

/* ---- What all of them say */

static void write_line_to_change(FILE *out, const struct witness *witness, const struct asked *asked)
{
    const struct facts *facts = &witness->facts;
    struct pmu_caps caps = recorded_caps(&facts->cores.item[0]);
    enum cpu_class class = cpu_class(&caps);
    const struct reliance *row = reliance_for(reliance_rows, reliance_count, class, asked->test, asked->label);
    if (row)
        fprintf(out, "    It stands in tests/relied.txt:%u: %s.\n", row->line, row->words);
    else
        fprintf(out, "    No line of tests/relied.txt names it.\n");
    fprintf(
        out,
        "    If the machines are as sold, put before %s: \"measured | GROUP | | %s/%s | WHY\", where GROUP is %s.\n",
        row ? "it" : "the first that does", asked->test, asked->label, class_name(class));
}

/* The logs that say so, as "a.log, b.log". */
static void write_logs(FILE *out, const struct witness *list, unsigned count, const struct asked *asked)
{
    const char *before = "";
    for (unsigned i = 0; i < count; i++)
        if (answer_of(&list[i], asked) == DIFFERED) {
            fprintf(out, "%s%s", before, list[i].path);
            before = ", ";
        }
}

static void write_agreement(FILE *out, const struct witness *list, unsigned count, const struct asked *asked)
{
    unsigned said[DIFFERED + 1] = {0};
    for (unsigned i = 0; i < count; i++)
        said[answer_of(&list[i], asked)]++;
    unsigned all = said[HELD] + said[DIFFERED];
    fprintf(out, "%s %s: did not hold on %u of %u machines", asked->test, asked->label, said[DIFFERED], all);
    if (!said[HELD] && all >= AGREE_LEAST) {
        fprintf(out, ": it is the class, and no machine.\n");
        write_line_to_change(out, &list[0], asked);
        return;
    }
    if (!said[HELD])
        fprintf(out, ": too few to tell the class from the machines; %u that agree would.\n", AGREE_LEAST);
    else
        fprintf(out, ": %s, ", said[DIFFERED] == 1 ? "this machine" : "these machines");
    if (said[HELD])
        write_logs(out, list, count, asked);
    fputs(said[HELD] ? ".\n" : "", out);
}

/* Was it told for an earlier machine, or by an earlier line of the same test? */
static bool told_before(const struct witness *list, unsigned machine, const struct log_result *result,
                        const struct log_record *record, const struct asked *asked)
{
    for (unsigned i = 0; i < machine; i++)
        if (answer_of(&list[i], asked) == DIFFERED)
            return true;
    for_each_record (list[machine].facts.boot, result, r) {
        if (r == record)
            return false;
        const char *label = log_value(r, "label");
        if (log_is_difference(r) && label && strcmp(label, asked->label) == 0)
            return true;
    }
    return false;
}

static unsigned write_result(FILE *out, const struct witness *list, unsigned count, unsigned machine,
                             const struct log_result *result)
{
    unsigned told = 0;
    for_each_record (list[machine].facts.boot, result, r) {
        struct asked asked = {result->id, log_value(r, "label")};
        if (!log_is_difference(r) || log_value(r, "erratum") || !asked.label ||
            told_before(list, machine, result, r, &asked))
            continue;
        write_agreement(out, list, count, &asked);
        told++;
    }
    return told;
}

unsigned agreement_write(FILE *out, const struct witness *list, unsigned count)
{
    unsigned told = 0;
    for (unsigned machine = 0; machine < count; machine++) {
        const struct log_run *run = list[machine].facts.run;
        for_each_item (run->results, result)
            if (!result->parent)
                told += write_result(out, list, count, machine, result);
    }
    return told;
}
