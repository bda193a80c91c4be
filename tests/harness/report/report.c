/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/report.h"
#include "harness/report/advice.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"

#define FAILURES_SHOWN 12
#define ALSO_MOST 150 /* characters: two rows on a screen */

static bool show_all;
static struct advice_book book;

void report_set_full(bool full)
{
    show_all = full;
}

/* ---- The line of the running test. Drawing costs time, so it changes in steps that the eye can follow. */

#define STEP_MS 250     /* between two steps of the same test */
#define ELAPSED_MS 1000 /* while others test and this CPU only waits */

#define TESTS_LONG 20 /* with fewer nobody needs to know how long they take */
#define PART_LEAST 20 /* after a 20th of them the remaining time can be estimated */

static struct {
    const char *test;
    u32 number, of;
    bool seconds; /* number and of are seconds */
    u64 run_ms, begun_ms, drawn_ms;
} now = {.test = "start"};

/* ", about 12 s left", estimated from the tests so far; "" while that is not possible. */
static const char *time_left(char text[32])
{
    u64 done = now.number - 1, left = now.of - done;
    text[0] = 0;
    if (now.of < TESTS_LONG || done * PART_LEAST < now.of)
        return text;
    u64 seconds = (now.drawn_ms - now.run_ms) * left / done / 1000 + 1;
    if (seconds < 100)
        format_text(text, 32, ", about %lu s left", seconds);
    else
        format_text(text, 32, ", about %lu min left", (seconds + 59) / 60);
    return text;
}

static void draw_running(const char *step)
{
    char left[32];
    now.drawn_ms = time_uptime_ms();
    if (now.seconds)
        screen_set(SCREEN_RUNNING, "%s (%lu of %u s)%s", now.test, now.number + (now.drawn_ms - now.begun_ms) / 1000,
                   now.of, step);
    else
        screen_set(SCREEN_RUNNING, "%s (%u of %u), %lu s%s%s", now.test, now.number, now.of, now.drawn_ms / 1000,
                   time_left(left), step);
}

/* Called while the boot CPU waits for the others. */
static void while_waiting(void)
{
    log_heartbeat(now.test);
    screen_poll();
    if (time_uptime_ms() - now.drawn_ms >= ELAPSED_MS)
        draw_running("");
}

static void begin(const char *test, u32 number, u32 of, bool seconds)
{
    now.test = test;
    now.number = number;
    now.of = of;
    now.seconds = seconds;
    now.begun_ms = time_uptime_ms();
    if (number <= 1)
        now.run_ms = now.begun_ms;
    cpus_poll = while_waiting;
    log_heartbeat(test);
    draw_running("");
    screen_progress(number - 1, of);
}

void report_begin(const char *test, u32 number, u32 of, bool quiet)
{
    begin(test, number, of, false);
    if (!quiet)
        log_line("# begin %s", test);
}

void report_begin_soaking(const char *test, u32 second, u32 of)
{
    begin(test, second, of, true);
}

bool report_step(const char *format, ...)
{
    char step[24];
    va_list args;
    if (time_uptime_ms() - now.drawn_ms < STEP_MS)
        return false;
    va_start(args, format);
    format_args(step, sizeof(step), format, args);
    va_end(args);
    draw_running(step);
    return true;
}

void report_took(const char *subject, u64 us)
{
    if (!time_assumed())
        log_line("# took %s us=%lu", subject, us);
}

void report_evidence(const struct test_declaration *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    if (report_held(line, test->id, folded))
        log_line("%s", line);
}

/* Registers are called by the names that they have on the CPUs where it failed, which are of one kind in that. */
static const struct pmu_caps *caps_of(const struct folded_failure *failure)
{
    u32 cpu = 0;
    while (cpu + 1 < cpu_count() && !cpu_set_has(&failure->cpus, cpu))
        cpu++;
    return pmu_caps_of(cpu);
}

static void report_failures(const struct test_declaration *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    unsigned shown = 0, most = show_all || folded->failures < FAILURES_SHOWN ? folded->failures : FAILURES_SHOWN;
    unsigned more = folded->failures_dropped;
    u64 others;
    for (unsigned i = 0; i < folded->failures; i++) {
        const struct folded_failure *failure = &folded->failure[i];
        if (fold_with_earlier(folded, i, &others))
            continue;
        if (shown++ < most)
            log_line("%s", report_failure(line, caps_of(failure), test, failure, others));
        else
            more++;
    }
    if (more)
        log_line("# more %s failures=%u", test->id, more);
}

static void report_parts(const struct test_declaration *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    bool whole = folded->parts == 1 && folded->outcome == OUTCOME_SKIP;
    for (unsigned i = 0; i < folded->parts && !whole; i++)
        log_line("%s", report_part(line, test->id, &folded->part[i]));
}

static void report_measures(const struct test_declaration *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    for (unsigned i = 0; i < folded->measures; i++)
        if (!time_assumed() || strcmp(folded->measure[i].unit, "us"))
            log_line("%s", report_measure(line, test->id, &folded->measure[i]));
}

static void report_notes(const struct test_declaration *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    for (unsigned i = 0; i < folded->notes; i++)
        log_line("%s", report_note(line, &folded->note[i]));
    if (folded->notes_dropped)
        log_line("# more %s lines=%u", test->id, folded->notes_dropped);
}

void report_reason(enum reason code)
{
    char hypervisor[VENDOR_SIZE];
    identity_hypervisor(hypervisor);
    advice_note(&book, code, hypervisor);
}

/* The line with the code of a finished test, if it has one. */
static void report_code(const char *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    if (report_code_line(line, test, folded))
        log_line("%s", line);
}

static void note_reasons(const struct folded *folded)
{
    for (unsigned i = 0; i < folded->parts; i++)
        report_reason(folded->part[i].code);
    if (folded->outcome == OUTCOME_REVIEW)
        report_reason(folded->code);
}

void report_advice(void)
{
    static char line[REPORT_LINE];
    for (unsigned i = 0; i < advice_count; i++)
        if (book.times[i]) {
            log_line("%s", report_advice_line(line, &advice_rows[i], book.times[i]));
            screen_finding("advice: %s", advice_text(&advice_rows[i]));
        }
}

/* The first failure that decided the outcome: the screen shows it in full, and only the labels of the others. */
static const struct folded_failure *severest(const struct folded *folded)
{
    for (unsigned i = 0; i < folded->failures; i++)
        if (folded->failure[i].check.outcome == folded->outcome)
            return &folded->failure[i];
    return NULL;
}

static void report_finding(const struct test_declaration *test, const struct folded *folded)
{
    if (folded->outcome < OUTCOME_REVIEW)
        return;
    screen_failed(outcome_name(folded->outcome), test->id);
    static char line[REPORT_LINE];
    const struct folded_failure *failure = severest(folded);
    if (!failure) {
        screen_finding("%s %s: %s", outcome_name(folded->outcome), test->id, folded->reason);
        return;
    }
    screen_finding("%s", report_sentence(line, caps_of(failure), test, failure));
    for (unsigned at = 0; report_also(line, test, folded, failure, &at, ALSO_MOST);)
        screen_finding("%s", line);
}

void report_findings(const struct test_declaration *test, const struct folded *folded)
{
    report_parts(test, folded);
    report_failures(test, folded);
    report_finding(test, folded);
}

void report_soaked(u32 number, const struct test_declaration *test, const struct folded *folded)
{
    static char line[REPORT_LINE];
    report_failures(test, folded);
    report_code(test->id, folded);
    log_line("%s", report_result(line, number, test->id, folded));
    report_reason(folded->code);
}

void report_test_done(u32 number, const struct test_declaration *test, const struct folded *folded, bool quiet)
{
    static char line[REPORT_LINE];
    if (!quiet || folded->outcome == OUTCOME_ERROR)
        report_parts(test, folded);
    if (quiet)
        return;
    report_failures(test, folded);
    report_measures(test, folded);
    report_notes(test, folded);
    report_code(test->id, folded);
    log_line("%s", report_result(line, number, test->id, folded));
    note_reasons(folded);
    report_finding(test, folded);
}

void report_add(struct totals *totals, const struct test_declaration *test, const struct folded *folded,
                enum pmu_kind kind)
{
    totals_add(totals, &test->needs, folded->outcome, folded->code, folded->reason);
    if (kind != PMU_VIRTUAL)
        return;
    totals->virtual_pmu = true;
    totals->differences += folded->failures + folded->failures_dropped;
}

void report_untested(const struct totals *totals)
{
    static char line[REPORT_LINE];
    enum reason code;
    if (verdict_of(totals) != VERDICT_UNTESTED)
        return;
    log_line("%s", report_untested_line(line, totals));
    screen_finding("untested: %s", untested_reason(totals, &code));
}

/* "good for: branch records, processor traces": the purposes with one answer, for the screen. Nothing is said of what
 * no test of this run has asked. */
static void show_purposes(const struct purpose_finding *findings, enum purpose_answer answer, const char *words)
{
    static char text[REPORT_LINE];
    size_t used = 0;
    for (unsigned i = 0; i < purpose_count; i++)
        if (findings[i].answer == answer && !(answer == PURPOSE_ABSENT && findings[i].outcome == OUTCOME_NONE))
            used += (size_t)format_text(text + used, sizeof(text) - used, "%s%s", used ? ", " : "", purposes[i].words);
    if (used)
        screen_finding("%s: %s", words, text);
}

void report_purposes(const struct outcomes *outcomes, const struct purpose_measures *measures)
{
    static char line[REPORT_LINE];
    static struct purpose_finding findings[PURPOSES_MOST];
    for (unsigned i = 0; i < purpose_count; i++) {
        findings[i] = purpose_judge(&purposes[i], outcomes, cpu_class(pmu_caps_of(0)));
        log_line("%s", report_purpose(line, &purposes[i], &findings[i]));
    }
    for (unsigned fact = 0; fact < PURPOSE_FACTS; fact++)
        if (measures->unit[fact])
            log_line("%s", report_purpose_fact(line, measures, fact));
    show_purposes(findings, PURPOSE_YES, "good for");
    show_purposes(findings, PURPOSE_WITH_CARE, "with care, see the log, for");
    show_purposes(findings, PURPOSE_NO, "not for");
    show_purposes(findings, PURPOSE_ABSENT, "not here");
}

void report_outcomes(const struct outcomes *outcomes)
{
    static char line[OUTCOMES_LINE];
    log_line("%s", outcomes_line(line, outcomes));
}

void report_progress(const struct totals *totals)
{
    const u32 *n = totals->count;
    screen_set(SCREEN_TOTALS, "pass %u  fail %u  known %u  review %u  skip %u  error %u", n[OUTCOME_PASS],
               n[OUTCOME_FAIL], n[OUTCOME_KNOWN], n[OUTCOME_REVIEW], n[OUTCOME_SKIP], n[OUTCOME_ERROR]);
}

void report_in_words(const struct totals *totals)
{
    enum verdict verdict = verdict_of(totals);
    static const char *const words[] = {
        [VERDICT_PASS] = "every promise of the manual that was tested on this CPU's PMU held",
        [VERDICT_FAIL] = "this PMU breaks promises of the manual, which are named here: programs that rely on them "
                         "may count wrongly",
        [VERDICT_REVIEW] = "a promise of the manual did not hold, and nobody has seen it hold on such a CPU: "
                           "the test may be wrong",
        [VERDICT_UNTESTED] = "nothing was judged of this CPU's PMU",
        [VERDICT_ERROR] = "not everything could be tested, for the reasons above: that says nothing about the CPU",
    };
    bool in_part = verdict == VERDICT_UNTESTED && totals->lacking[0] && totals->counted && !totals->virtual_pmu;
    screen_finding("in words: %s", in_part
                                       ? "what was asked of this PMU held, but not everything could be asked, for the "
                                         "reason above"
                                       : words[verdict]);
    if (verdict != VERDICT_UNTESTED)
        screen_finding("what now: photograph each page; pmucheck scan makes a log from the photos, pmucheck report "
                       "--share a file to attach to an issue");
}

void report_error(struct totals *totals, const char *text)
{
    totals->count[OUTCOME_ERROR]++;
    log_line("1..1");
    log_line("not ok 1 start # ERROR %s", text);
    screen_finding("error: %s", text);
}
