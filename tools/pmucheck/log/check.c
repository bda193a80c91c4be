/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks at the end of a boot's log: lost and doubtful results, and whether the END line is right. */
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>
#include <string.h>

#define LOST_MOST 10000

/* ---- The trust in each result */

static enum log_trust trust_of(const struct log_boot *boot, unsigned line)
{
    for_each_item (boot->damaged, damaged)
        if (line >= damaged->first && line <= damaged->last)
            return LOG_DAMAGED;
    return line <= boot->checked_line ? LOG_CHECKED : LOG_UNCHECKED;
}

/* ---- Lost results. Results are numbered from 1 to the plan: a missing number is a lost result. */

/* The n-th test that began between these lines and has no result; "" if there is none. */
static const char *begun_between(const struct log_run *run, unsigned first, unsigned last, unsigned n)
{
    for (unsigned i = 0; n < run->begun.count && i < run->begun.count; i++) {
        const struct log_begin *begin = &run->begun.item[i];
        if (!begin->done && begin->line > first && (!last || begin->line < last) && n-- == 0)
            return begin->id;
    }
    return "";
}

/* Finds the name of this number in another run of the same tests in the log. */
static const char *named_elsewhere(const struct log_boot *boot, const struct log_run *run, unsigned number)
{
    for_each_item (boot->runs, other) {
        if (other == run || !log_run_of_tests(other) || other->plan != run->plan)
            continue;
        for_each_item (other->results, result)
            if (result->number == number && result->trust == LOG_CHECKED)
                return result->id;
    }
    return "";
}

static int by_number(const void *a, const void *b)
{
    const struct log_result *x = a, *y = b;
    return x->number != y->number ? (x->number < y->number ? -1 : 1) : (x->line < y->line ? -1 : x->line > y->line);
}

/* Removes results whose number is outside the plan, or appears twice. */
static void drop_strays(struct log_reader *r, struct log_run *run)
{
    unsigned kept = 0, most = run->planned ? run->plan : run->results.count + LOST_MOST;
    if (run->results.count == 0)
        return;
    qsort(run->results.item, run->results.count, sizeof(*run->results.item), by_number);
    for_each_item (run->results, result) {
        bool twice = kept && run->results.item[kept - 1].number == result->number;
        if (result->number == 0 || result->number > most || twice)
            log_problem(r, result->line, "result number %u %s", result->number,
                        twice ? "appears twice" : "is outside the plan");
        else
            run->results.item[kept++] = *result;
    }
    run->results.count = kept;
}

static void say_lost(struct log_reader *r, const struct log_run *run, unsigned line, unsigned first, unsigned last)
{
    const char *of = run->pmu && !run->headless ? run->pmu : "this log";
    if (first == last)
        log_problem(r, line, "result %u of %s is lost", first, of);
    else
        log_problem(r, line, "results %u to %u of %s are lost", first, last, of);
}

/* Adds a lost result for each missing number. */
static void fill_holes(struct log_reader *r, struct log_run *run)
{
    struct log_result *old = run->results.item;
    unsigned olds = run->results.count, at = 0, line = run->line, lost = 0, hole = 0;
    unsigned last = run->planned ? run->plan : olds ? old[olds - 1].number : 0;
    if (last > olds + LOST_MOST) {
        log_problem(r, run->line, "a plan of %u results is not credible", last);
        return;
    }
    run->results.item = NULL;
    run->results.count = run->results.room = 0;
    for (unsigned number = 1; number <= last; number++) {
        if (at < olds && old[at].number == number) {
            if (hole)
                say_lost(r, run, old[at].line, hole, number - 1);
            line = old[at].line;
            hole = lost = 0;
            *LIST_ADD(&r->file->arena, &run->results) = old[at++];
            continue;
        }
        const char *id = begun_between(run, line, at < olds ? old[at].line : 0, lost++);
        *LIST_ADD(&r->file->arena, &run->results) =
            (struct log_result){.id = id, .reason = "", .number = number, .outcome = LOG_LOST, .trust = LOG_DAMAGED};
        hole = hole ? hole : number;
    }
    if (hole)
        say_lost(r, run, run->last_line, hole, last);
}

static void name_lost(struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        for_each_item (run->results, result)
            if (result->outcome == LOG_LOST && !result->id[0])
                result->id = named_elsewhere(boot, run, result->number);
}

/* Results of tests, whose line "# run" is lost: of which PMU they are is not known. */
static void name_headless(struct log_run *run)
{
    bool sum = run->pmu || !run->headless || !run->results.count;
    for_each_item (run->results, result)
        sum |= result->parent;
    if (!sum)
        run->pmu = "unknown";
}

static void check_run(struct log_reader *r, struct log_run *run)
{
    struct log_boot *boot = r->boot;
    name_headless(run);
    if (!run->last_line)
        run->last_line = r->line;
    if (!run->planned && !run->headless && (run->results.count || run->begun.count))
        log_problem(r, run->line, "level %u has no plan", run->depth);
    for_each_item (run->results, result) {
        result->trust = trust_of(boot, result->line);
        if (run->depth == 0)
            boot->top[result->outcome]++;
        if (!result->parent)
            boot->leaves[result->outcome]++;
    }
    drop_strays(r, run);
    fill_holes(r, run);
    log_check_outcomes(r, run);
}

/* ---- The END line */

/* Verdicts, the best first. */
static const struct {
    const char *word;
    enum log_status status;
} rising[] = {{"pass", STATUS_PASS},  {"untested", STATUS_UNTESTED}, {"review", STATUS_REVIEW},
              {"lost", STATUS_ERROR}, {"error", STATUS_ERROR},       {"fail", STATUS_FAIL}};
#define VERDICTS (sizeof(rising) / sizeof(rising[0]))

/* How bad a verdict is, from 0; VERDICTS for a word that is none. */
static size_t badness(const char *verdict)
{
    size_t at = 0;
    while (at < VERDICTS && strcmp(rising[at].word, verdict) != 0)
        at++;
    return at;
}

enum log_status log_status_of_verdict(const char *verdict)
{
    size_t row = badness(verdict);
    return row < VERDICTS ? rising[row].status : STATUS_ERROR;
}

/* Does the END line's verdict follow from its totals, by the image's rule? */
static bool verdict_follows(const struct log_boot *boot)
{
    const unsigned *total = boot->end_total;
    const char *bad = total[LOG_FAIL] ? "fail" : total[LOG_ERROR] ? "error" : total[LOG_REVIEW] ? "review" : NULL;
    if (bad)
        return strcmp(boot->verdict, bad) == 0;
    return strcmp(boot->verdict, "untested") == 0 || (strcmp(boot->verdict, "pass") == 0 && total[LOG_PASS] > 0);
}

/* Proofs of older images did not count their own skips. */
static bool skips_uncounted(const struct log_boot *boot)
{
    return boot->end_total[LOG_SKIP] == 0 && log_value(log_find(boot, NULL, "run"), "deviations");
}

/*
 * The first outcome whose total contradicts the number of such results; LOG_LOST: none does. There may be more skips
 * and errors, not all of which have a result line, but not fewer.
 */
static enum log_outcome contradicted(const struct log_boot *boot, const unsigned results[LOG_OUTCOMES])
{
    for (enum log_outcome i = LOG_PASS; i < LOG_OUTCOMES; i++) {
        bool more = i == LOG_SKIP || i == LOG_ERROR, fewer = i == LOG_SKIP && skips_uncounted(boot);
        if ((boot->end_total[i] < results[i] && !fewer) || (boot->end_total[i] > results[i] && !more))
            return i;
    }
    return LOG_LOST;
}

/* Does a line after the last result say that no test with a counter passed? */
static bool untested(const struct log_boot *boot, const struct log_run *run)
{
    for_each_record_of_run (boot, run, r)
        if (log_is(r, "untested"))
            return true;
    return false;
}

/* Do all runs say so? */
static bool all_untested(const struct log_boot *boot)
{
    unsigned runs = 0;
    for_each_item (boot->runs, run) {
        if (!log_run_of_tests(run))
            continue;
        if (!untested(boot, run))
            return false;
        runs++;
    }
    return runs > 0;
}

/* Several runs in one log are counted by their tests, a proof by its runs. Without its beginning it lacks some. */
static void check_totals(struct log_reader *r)
{
    const struct log_boot *boot = r->boot;
    enum log_outcome which = contradicted(boot, boot->leaves);
    if (r->head != HEAD_LOST && which != LOG_LOST && contradicted(boot, boot->top) != LOG_LOST)
        log_problem(r, boot->last_line, "the END line contradicts the results: %s=%u there, %u here",
                    log_outcome_name[which], boot->end_total[which], boot->leaves[which]);
    else if (!verdict_follows(boot))
        log_problem(r, boot->last_line, "the END line's verdict %s contradicts its totals", boot->verdict);
    else if (strcmp(boot->verdict, "pass") == 0 && all_untested(boot))
        log_problem(r, boot->last_line, "the END line's verdict pass contradicts the line # untested");
}

/* The last line announces a warm reset (option resets=: a series goes on in the next start), or a kernel that is
 * hosted: what follows is its own. */
static const struct log_record *left_by(const struct log_boot *boot)
{
    const struct log_record *last = boot->records.count ? &boot->records.item[boot->records.count - 1] : NULL;
    bool leaves = last && (log_is(last, "reset") || log_is(last, "host"));
    return !boot->ended && leaves ? last : NULL;
}

/* It has no tests of its own. */
static void forget_run_of_host(struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        run->pmu = NULL;
}

static void tell_what_left(struct log_reader *r)
{
    const char *way = log_value(r->boot->left, "way");
    if (log_is(r->boot->left, "host"))
        log_problem(r, r->line,
                    "the log ends here, or has no more lines of the image: it hosts a kernel, whose lines are its own");
    else
        log_problem(r, r->line,
                    "the log ends here, with a warm reset by %s: the machine's screen shows whether it came back",
                    way ? way : "?");
}

/* The test that had begun and has no result, by the image's last words; NULL: none. */
static const char *running_test(const struct log_boot *boot)
{
    const struct log_run *last = boot->runs.count ? &boot->runs.item[boot->runs.count - 1] : NULL;
    const struct log_begin *begin = last && last->begun.count ? &last->begun.item[last->begun.count - 1] : NULL;
    return begin && !begin->done ? begin->id : NULL;
}

/* The log ends before the image's tests. It says no more about the machine than its last line does. */
static void tell_no_start(struct log_reader *r)
{
    struct log_boot *boot = r->boot;
    if (boot->early_error[0])
        log_problem(r, r->line, "the image stopped before its tests: %s", boot->early_error);
    else if (boot->stage[0])
        log_problem(r, r->line,
                    "the log ends here, in the step \"%s\" of the image's start: the machine's screen shows whether it "
                    "went on",
                    boot->stage);
    else if (r->file->other)
        log_problem(r, r->line, "%s", r->file->other);
    else if (boot->version[0])
        log_problem(r, r->line, "the log ends here, with the image's first words");
    else
        log_problem(
            r, r->line,
            "no line \"KTAP version 1\" and no check sum of the image: the capture was of another line, or at "
            "another speed, was made while the image was silent, or is in a form that this program does not read");
}

static void tell_no_end(struct log_reader *r)
{
    const char *test = running_test(r->boot);
    const char *where = test ? arena_print(&r->file->arena, ", in the test %s", test) : "";
    if (r->at_end)
        log_problem(r, r->line,
                    "there is no END line: the log ends here%s; the machine's screen shows whether the image went on",
                    where);
    else
        log_problem(r, r->line, "the image started again behind this line%s, and there is no END line before", where);
}

static void check_end(struct log_reader *r)
{
    struct log_boot *boot = r->boot;
    boot->left = left_by(boot);
    if (boot->left && log_is(boot->left, "host"))
        forget_run_of_host(boot);
    if (!boot->ended)
        boot->last_line = r->line;
    if (!boot->started)
        tell_no_start(r);
    else if (boot->left && r->at_end)
        tell_what_left(r);
    else if (boot->left)
        return;
    else if (!boot->ended)
        tell_no_end(r);
    else if (badness(boot->verdict) == VERDICTS)
        log_problem(r, boot->last_line, "the END line's verdict is unknown: \"%s\"", boot->verdict);
    else
        check_totals(r);
}

/* The image computes its own sum when it starts and again before its END line. */
static void check_image(struct log_reader *r)
{
    struct log_boot *boot = r->boot;
    const char *again = log_value(log_find(boot, NULL, "image"), "sum");
    if (!again && boot->sum[0] && boot->started && boot->ended && strcmp(boot->verdict, "error") != 0)
        log_problem(r, boot->last_line,
                    "the image did not check its sum again before its END line: it may have changed after it was "
                    "loaded");
    else if (again && boot->sum[0] && strcmp(again, boot->sum) != 0)
        log_problem(
            r, boot->last_line,
            "the image had the sum %s at its start and %s at its end: one of the lines was changed, or they are "
            "of two logs",
            boot->sum, again);
    else if (again && !boot->sum[0])
        boot->sum = again;
}

void log_check(struct log_reader *r)
{
    for_each_item (r->boot->runs, run)
        check_run(r, run);
    name_lost(r->boot);
    check_end(r);
    check_image(r);
}

/* ---- Status */

enum log_status log_worse(enum log_status a, enum log_status b)
{
    static const enum log_status worst_first[] = {STATUS_ERROR, STATUS_FAIL, STATUS_REVIEW, STATUS_UNTESTED};
    for (size_t i = 0; i < sizeof(worst_first) / sizeof(worst_first[0]); i++)
        if (a == worst_first[i] || b == worst_first[i])
            return worst_first[i];
    return STATUS_PASS;
}

bool log_goes_on(const struct log_boot *boot)
{
    return boot->left && !boot->problems.count;
}

enum log_status log_boot_status(const struct log_boot *boot)
{
    if (log_goes_on(boot))
        return STATUS_PASS;
    return boot->problems.count ? STATUS_ERROR : log_status_of_verdict(boot->verdict);
}

bool log_is_one(const struct log_file *file)
{
    const struct log_boot *first = &file->boots.item[0];
    return file->boots.count > 1 || first->started || first->records.count || first->early_error[0];
}

enum log_status log_status(const struct log_file *file)
{
    enum log_status worst = STATUS_PASS;
    for_each_item (file->boots, boot)
        worst = log_worse(worst, log_boot_status(boot));
    return worst;
}

const struct log_boot *log_last_whole(const struct log_file *file)
{
    for (unsigned i = file->boots.count; i-- > 0;)
        if (file->boots.item[i].ended && !file->boots.item[i].problems.count)
            return &file->boots.item[i];
    return NULL;
}

unsigned log_run_end(const struct log_boot *boot, const struct log_run *run)
{
    return run == &boot->runs.item[boot->runs.count - 1] ? boot->records.count : run[1].first_record;
}

void log_tally(const struct log_run *run, unsigned count[LOG_OUTCOMES + 1])
{
    memset(count, 0, (LOG_OUTCOMES + 1) * sizeof(*count));
    for_each_item (run->results, result)
        count[result->outcome]++;
}

const char *log_results_verdict(const struct log_boot *boot, const struct log_run *run)
{
    static const enum log_outcome worst_first[] = {LOG_FAIL, LOG_ERROR, LOG_LOST, LOG_REVIEW, LOG_PASS};
    for (size_t i = 0; i < sizeof(worst_first) / sizeof(worst_first[0]); i++)
        for_each_item (run->results, result)
            if (result->outcome == worst_first[i])
                return worst_first[i] == LOG_PASS && untested(boot, run) ? "untested"
                                                                         : log_outcome_name[worst_first[i]];
    return "untested";
}

const char *log_run_verdict(const struct log_boot *boot, const struct log_run *run)
{
    const char *told = log_results_verdict(boot, run);
    size_t end = boot->ended ? badness(boot->verdict) : VERDICTS;
    if (end == VERDICTS || end <= badness(told))
        return told;
    for (unsigned i = 0; i < boot->runs.count; i++)
        if (log_run_of_tests(&boot->runs.item[i]) && badness(log_results_verdict(boot, &boot->runs.item[i])) >= end)
            return told; /* that run is meant */
    return boot->verdict;
}

/* ---- Finding records */

const struct log_record *log_find(const struct log_boot *boot, const struct log_run *run, const char *kind)
{
    unsigned first = run ? run->first_record : 0;
    unsigned end = run ? first + run->records : boot->records.count;
    for (unsigned i = first; i < end && i < boot->records.count; i++)
        if (strcmp(boot->records.item[i].kind, kind) == 0)
            return &boot->records.item[i];
    return NULL;
}

bool log_timeless(const struct log_boot *boot)
{
    const char *source = log_value(log_find(boot, NULL, "machine"), "tsc-source");
    return source && strcmp(source, "assumed") == 0;
}

bool log_run_of_tests(const struct log_run *run)
{
    return run->pmu != NULL;
}

const char *log_run_name(const struct log_run *run)
{
    return run->pmu ? run->pmu : "summary";
}
