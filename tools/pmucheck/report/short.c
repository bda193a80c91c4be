/* SPDX-License-Identifier: BSD-2-Clause */
/* The report in a few lines: which CPU, what did not pass and its first check, the verdict, the log's own problems. */
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/report/words.h"
#include <string.h>

#define RESULTS_MOST 12

static void write_cpu(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    struct arena arena = {0};
    struct facts facts;
    facts_read(&arena, boot, run, &facts);
    fprintf(out, "  %s: %s, signature %s, microcode %s\n", log_run_name(run),
            facts.brand[0] ? facts.brand : "unnamed CPU", facts.signature[0] ? facts.signature : "unknown",
            facts.microcode[0] ? facts.microcode : "unknown");
    arena_free(&arena);
}

/* The first check that failed, or the reason. */
static void write_why(FILE *out, const struct log_boot *boot, const struct log_result *result)
{
    for_each_record (boot, result, r)
        if (log_is(r, "fail")) {
            put_words(out, r, " [{label}] got {got}, want {want}");
            return;
        }
    fprintf(out, "%s%s", result->reason[0] ? " " : "", result->reason);
}

static bool is_told(const struct log_result *result)
{
    return result->outcome != LOG_PASS && result->outcome != LOG_SKIP && result->outcome != LOG_LOST;
}

static void write_results(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    unsigned count[LOG_OUTCOMES + 1] = {0}, told = 0;
    for_each_item (run->results, result) {
        count[result->outcome]++;
        if (!is_told(result) || told++ >= RESULTS_MOST)
            continue;
        fprintf(out, "  %-6s %s", log_outcome_name[result->outcome], result->id);
        write_why(out, boot, result);
        fputc('\n', out);
    }
    if (told > RESULTS_MOST)
        fprintf(out, "  and %u more\n", told - RESULTS_MOST);
    if (count[LOG_LOST])
        fprintf(out, "  %u results are lost\n", count[LOG_LOST]);
}

/* The uses that the answer yes belongs to, and those with care. */
static void write_uses(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    unsigned told = 0;
    for_each_record_of_run (boot, run, r) {
        const char *answer = log_is(r, "good-for") ? log_word(r, "answer") : "";
        bool care = strcmp(answer, "with-care") == 0;
        if (care || strcmp(answer, "yes") == 0)
            fprintf(out, "%s%s%s", told++ ? ", " : "  good for ", r->subject, care ? " (with care)" : "");
    }
    if (told)
        fputc('\n', out);
}

static void write_verdict(FILE *out, const struct log_boot *boot)
{
    fprintf(out, "  verdict %s", boot->ended ? boot->verdict : "none: no END line");
    for (unsigned i = 0, told = 0; boot->ended && i < LOG_OUTCOMES; i++)
        if (boot->end_total[i])
            fprintf(out, "%s%u %s", told++ ? ", " : ": ", boot->end_total[i], log_outcome_name[i]);
    fprintf(out, "%s%s\n", boot->code[0] ? ", code " : "", boot->code);
    if (boot->problems.count)
        fprintf(out, "  log: line %u: %s%s\n", boot->problems.item[0].line, boot->problems.item[0].text,
                boot->problems.count > 1 ? ", and more" : "");
}

void report_short(struct report *report, const struct log_file *file)
{
    for_each_item (file->boots, boot) {
        if (log_goes_on(boot))
            continue;
        fprintf(report->out, "%s\n", file->path);
        for_each_item (boot->runs, run) {
            if (!log_run_of_tests(run))
                continue;
            write_cpu(report->out, boot, run);
            write_results(report->out, boot, run);
            write_uses(report->out, boot, run);
        }
        write_verdict(report->out, boot);
    }
}
