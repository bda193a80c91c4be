/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/mode/prove.h"
#include "harness/core/budget.h"
#include "harness/report/report.h"
#include "kernel/core/memory.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "reference/model/profile.h"

#define CAUGHT_SIZE 400
#define QUIET_CPUS 64
#define PER_COUNTER "gp.*,fixed.*,global.*,overflow.*,pmi.*" /* tests of which most take one counter per repeat */

static struct proof *proof; /* allocated only for a proof, because of its size */
static u8 outcomes_first[TESTS_MAX], outcomes[TESTS_MAX];
static bool tried[TESTS_MAX]; /* not skipped in at least one run without a deviation */
static u32 number;            /* of the last result line */
static bool up_to_failure;    /* a defect's run ends at the first check that catches it */

static void take_note(void *book, const struct test_declaration *test, u32 cpu, const struct results *results)
{
    (void)cpu;
    proof_note(book, test, results);
}
static struct observer observer = {.note = take_note};

bool prove_knows(const char *only)
{
    for (unsigned i = 0; i < deviation_count; i++)
        if (glob_list_match(only, deviations[i]->name))
            return true;
    return false;
}

/* The defects, or the variations and hazards, in this part of the work. */
static unsigned deviations_of(const struct prove_job *job, bool defects, int *list)
{
    unsigned kind = 0, count = 0;
    for (unsigned i = 0; i < deviation_count; i++)
        if ((deviations[i]->kind == KIND_DEFECT) == defects && glob_list_match(job->only, deviations[i]->name) &&
            kind++ % job->parts == job->part - 1)
            list[count++] = (int)i;
    return count;
}

/* One run of all tests. Returns NULL, or why the reference PMU could not be armed. */
static const char *run_once(const struct session *session, const struct prove_job *job, const char *name,
                            struct pmu_run run, struct totals *inner)
{
    *inner = (struct totals){0};
    proof_begin(proof);
    if (job->full) {
        log_indent(1);
        log_line("KTAP version 1");
        log_line("# Subtest: %s", name);
    }
    const char *wrong = session_arm(session, &run);
    if (!wrong)
        session_tests(session, outcomes, inner);
    if (job->full)
        log_indent(0);
    return wrong;
}

__attribute__((format(printf, 4, 5))) static void result(struct totals *totals, bool ok, const char *name,
                                                         const char *format, ...)
{
    char text[CAUGHT_SIZE + 64];
    va_list args;
    va_start(args, format);
    format_args(text, sizeof(text), format, args);
    va_end(args);
    totals->count[ok ? OUTCOME_PASS : OUTCOME_FAIL]++;
    totals->counted += ok;
    log_line("%sok %u %s%s%s", ok ? "" : "not ", ++number, name, text[0] ? " " : "", text);
    report_progress(totals);
}

__attribute__((format(printf, 3, 4))) static void result_skip(struct totals *totals, const char *name,
                                                              const char *format, ...)
{
    char reason[CAUGHT_SIZE];
    va_list args;
    va_start(args, format);
    format_args(reason, sizeof(reason), format, args);
    va_end(args);
    totals->count[OUTCOME_SKIP]++;
    log_line("ok %u %s # SKIP %s", ++number, name, reason);
    report_progress(totals);
}

static void result_error(struct totals *totals, const char *name, const char *reason)
{
    totals->count[OUTCOME_ERROR]++;
    log_line("not ok %u %s # ERROR %s", ++number, name, reason);
    report_progress(totals);
}

/* Tests with any outcome except pass, skip and known: "gp.x=fail,...". */
static const char *not_clean(const struct session *session, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (unsigned i = 0; i < session->selection.count; i++)
        if (outcomes[i] >= OUTCOME_REVIEW && length + 64 < size)
            length += (size_t)format_text(text + length, size - length, "%s%s=%s", length ? "," : "",
                                          session->selection.test[i]->id, outcome_name(outcomes[i]));
    return text;
}

static bool clean(const struct totals *inner)
{
    return !inner->count[OUTCOME_FAIL] && !inner->count[OUTCOME_REVIEW] && !inner->count[OUTCOME_ERROR];
}

/* A run without a deviation: all tests must pass or be excused, and, if `again`, have the outcomes of the first run. */
static void prove_plain(struct session *session, const struct prove_job *job, const struct profile *profile, bool again,
                        const char *name, struct totals *totals)
{
    struct totals inner;
    char text[CAUGHT_SIZE];
    unsigned different = 0;
    struct pmu_run run = {.profile = profile, .deviation = -1, .rate = 1};
    const char *wrong = run_once(session, job, name, run, &inner);
    if (wrong) {
        result_error(totals, name, wrong);
        return;
    }
    proof_end_plain(proof);
    for (unsigned i = 0; i < session->selection.count; i++) {
        different += again && outcomes[i] != outcomes_first[i];
        tried[i] |= outcomes[i] != OUTCOME_SKIP;
    }
    if (!clean(&inner))
        result(totals, false, name, "without a defect: %s", not_clean(session, text, sizeof(text)));
    else if (different)
        result(totals, false, name, "%u tests have other outcomes than in the first run", different);
    else
        result(totals, true, name, "%s", "");
}

/* The defects of a proof, and the profiles to run without one. */
struct planned_proof {
    int list[1024];
    unsigned count, profiles;
    const struct profile *on[LEGS_MAX];
};

/*
 * Without a defect it runs on the proof's own profile, whose results the others are compared with, and on each other
 * one on which some defect of all parts is shown; of these a part takes its share.
 */
static void plan(struct planned_proof *p, const struct prove_job *job)
{
    struct prove_job whole = *job;
    whole.part = whole.parts = 1;
    unsigned all = legs_profiles(job->profile, p->list, deviations_of(&whole, true, p->list), p->on);
    all = job->alone ? 1 : all;
    p->count = deviations_of(job, true, p->list);
    p->profiles = 1;
    for (unsigned i = 1; i < all; i++)
        if (i % job->parts == job->part - 1)
            p->on[p->profiles++] = p->on[i];
}

static void prove_plainly(struct session *session, const struct prove_job *job, const struct planned_proof *p,
                          struct totals *totals)
{
    for (unsigned i = 0; i < p->profiles; i++) {
        char name[LEG_NAME_SIZE];
        format_text(name, sizeof(name), i ? "none@%s" : "none", model_profile_name(p->on[i]));
        prove_plain(session, job, p->on[i], false, name, totals);
        for (unsigned test = 0; !i && test < session->selection.count; test++)
            outcomes_first[test] = outcomes[test];
    }
}

static void log_caught(const char *name)
{
    static char line[MATRIX_LINE];
    while (matrix_caught(line, proof, name))
        log_line("%s", line);
}

/* Is it known by an erratum that it mimics? */
static bool known_by_own(int deviation)
{
    const struct deviation_erratum *row;
    for (unsigned n = 0; (row = deviation_erratum(deviations[deviation], n)); n++)
        if (proof_known_by(proof, row->id))
            return true;
    return false;
}

/* On a CPU without the erratum that it mimics, a defect must not count as known by it; others of that CPU may excuse
 * some of its checks. */
static void judge_defect(const struct session *session, const struct leg *leg, const struct totals *inner,
                         struct totals *totals)
{
    char text[CAUGHT_SIZE];
    unsigned labels = proof_end(proof, deviation_meant(deviations[leg->run.deviation]));
    if (labels && known_by_own(leg->run.deviation))
        result(totals, false, leg->name, "known without the erratum: %s", proof_caught(proof, text, sizeof(text)));
    else if (labels)
        result(totals, true, leg->name, "caught by %s", proof_caught(proof, text, sizeof(text)));
    else if (leg->kind == LEG_REGISTER)
        result_skip(totals, leg->name, "no test notices it yet");
    else if (leg->unseen)
        result_skip(totals, leg->name, "not caught, and known not to be");
    else
        result(totals, false, leg->name, "not caught%s%s", clean(inner) ? "" : ": ",
               not_clean(session, text, sizeof(text)));
}

/* On one profile alone: that CPU may have the erratum that the defect mimics, and what it lacks shows nothing. */
static void judge_alone(const struct leg *leg, struct totals *totals)
{
    char text[CAUGHT_SIZE];
    if (proof_end(proof, deviation_meant(deviations[leg->run.deviation])))
        result(totals, true, leg->name, "caught by %s", proof_caught(proof, text, sizeof(text)));
    else if (!arm_may_show())
        result_skip(totals, leg->name, "it changes nothing that this run came to");
    else if (leg->unseen)
        result_skip(totals, leg->name, "not caught, where no whole proof shows it");
    else
        result(totals, false, leg->name, "%s", "not caught");
}

/* CPUs with errata on which no test was known without a defect, each once. */
static const struct deviation_erratum *quiet[QUIET_CPUS];
static unsigned quiet_count;

static bool same_cpu(const struct deviation_erratum *a, const struct deviation_erratum *b)
{
    return a->signature == b->signature && a->microcode == b->microcode && a->leaf7_ebx == b->leaf7_ebx &&
           a->leaf7_edx == b->leaf7_edx && a->threads == b->threads && a->profile == b->profile;
}

static bool is_quiet(const struct deviation_erratum *row)
{
    for (unsigned i = 0; i < quiet_count; i++)
        if (same_cpu(quiet[i], row))
            return true;
    return false;
}

/* Runs the CPU that has the erratum without the defect: no test may be known then. NULL, or what is wrong. */
static const char *known_for_nothing(struct session *session, const struct prove_job *job, const struct leg *leg)
{
    struct totals inner;
    struct pmu_run run = leg->run;
    run.deviation = -1;
    if (is_quiet(run.erratum))
        return NULL;
    const char *wrong = run_once(session, job, leg->name, run, &inner);
    if (wrong)
        return wrong;
    if (inner.count[OUTCOME_KNOWN])
        return "a test is known on this CPU without the defect, too";
    if (quiet_count < QUIET_CPUS)
        quiet[quiet_count++] = run.erratum;
    return NULL;
}

/* On the CPU that has the erratum: the defect, and nothing else, must be known, and fail in no other way. */
static void judge_erratum(struct session *session, const struct prove_job *job, const struct leg *leg,
                          const struct totals *inner, struct totals *totals)
{
    char text[CAUGHT_SIZE];
    if (!clean(inner) || !inner->count[OUTCOME_KNOWN]) {
        result(totals, false, leg->name, "should be known by %s: %s", leg->run.erratum->id,
               clean(inner) ? "not noticed" : not_clean(session, text, sizeof(text)));
        return;
    }
    proof_caught(proof, text, sizeof(text));
    const char *wrong = known_for_nothing(session, job, leg);
    result(totals, !wrong, leg->name, "known by %s: %s", leg->run.erratum->id, wrong ? wrong : text);
}

/* On a CPU with a similar erratum: that erratum must not excuse this defect. */
static void judge_not_by(const struct session *session, const struct leg *leg, const struct totals *inner,
                         struct totals *totals)
{
    char text[CAUGHT_SIZE];
    if (inner->count[OUTCOME_FAIL] && !inner->count[OUTCOME_KNOWN])
        result(totals, true, leg->name, "not known by %s: %s", leg->run.erratum->id,
               not_clean(session, text, sizeof(text)));
    else
        result(totals, false, leg->name, "should not be known by %s: %s", leg->run.erratum->id,
               proof_caught(proof, text, sizeof(text)));
}

static bool caught(void)
{
    return proof_any(proof);
}

/* Adds the tests that the defect is meant for: those that the permanent list names for it, or the others. */
static void add_tests(struct selection *to, const struct selection *from, const struct deviation *d, bool named)
{
    for (unsigned i = 0; i < from->count; i++) {
        const char *id = from->test[i]->id;
        if (glob_list_match(deviation_meant(d), id) && provers_name(id, d->name) == named)
            to->test[to->count++] = from->test[i];
    }
}

/*
 * The tests that the defect is meant for: no other test's checks are proven by it. All tests are asked whether an
 * erratum excuses all that a defect does; and those of run=, for a person who looks what else a defect reaches, or
 * compares tests. A single counter needs one test that notices it: what each test asks of each counter shows where all
 * have the defect.
 */
static struct session tests_for(const struct session *session, const struct leg *leg)
{
    struct session asked = *session;
    const struct deviation *d = deviations[leg->run.deviation];
    bool judged_whole = leg->kind == LEG_ERRATUM || leg->kind == LEG_NOT_BY;
    bool one_is_enough = leg->kind == LEG_COUNTER && !option_run.given;
    asked.enough = (up_to_failure && !judged_whole) || one_is_enough ? caught : NULL;
    if (!deviation_meant(d) || leg->kind == LEG_ERRATUM || option_run.given)
        return asked;
    asked.selection.count = 0;
    add_tests(&asked.selection, &session->selection, d, true);
    add_tests(&asked.selection, &session->selection, d, false);
    return asked;
}

static void prove_leg(struct session *session, const struct prove_job *job, const struct leg *leg,
                      struct totals *totals)
{
    static struct session asked;
    struct totals inner;
    asked = tests_for(session, leg);
    budget_set_proof(leg->kind != LEG_RARE);
    const char *wrong = run_once(&asked, job, leg->name, leg->run, &inner);
    budget_set_proof(true);
    if (wrong) {
        result_error(totals, leg->name, wrong);
        return;
    }
    log_caught(leg->name);
    if (job->alone)
        judge_alone(leg, totals);
    else if (leg->kind == LEG_ERRATUM)
        judge_erratum(&asked, job, leg, &inner, totals);
    else if (leg->kind == LEG_NOT_BY)
        judge_not_by(&asked, leg, &inner, totals);
    else
        judge_defect(&asked, leg, &inner, totals);
}

typedef void proving(struct session *session, const struct prove_job *job, const struct leg *leg,
                     struct totals *totals);

/* Runs a deviation in all its variants. Returns their number; with totals NULL it only counts. */
static unsigned prove_guises(struct session *session, const struct prove_job *job, int deviation, proving *prove_one,
                             struct totals *totals)
{
    struct leg leg;
    unsigned results = 0;
    while (job->alone ? !results && leg_alone(job->profile, deviation, &leg)
                      : leg_of(job->profile, deviation, results, &leg)) {
        results++;
        if (totals)
            prove_one(session, job, &leg, totals);
    }
    return results;
}

/* One line for each label and test without proof. */
static void list_unproven(const struct session *session)
{
    static char line[MATRIX_LINE];
    unsigned row = 0;
    u16 key = 0;
    while (matrix_keys(line, proof, &row, &key))
        log_line("%s", line);
    for (unsigned i = 0; i < proof->count; i++)
        if (!proof->row[i].proven_runs && !proof->row[i].unproven_by_design)
            log_line("# unproven %s label=%s", proof->row[i].test, proof->row[i].label);
    for (unsigned i = 0; i < session->selection.count; i++) {
        const struct test_declaration *test = session->selection.test[i];
        char text[160];
        if (test->unproven)
            log_line("# unprovable %s reason=%s", test->id, format_quoted(text, sizeof(text), test->unproven));
        else if (!tried[i])
            log_line("# untried %s reason=\"skipped on all profiles of the proof\"", test->id);
    }
}

static void prove_labels(const struct session *session, const struct prove_job *job, struct totals *totals)
{
    unsigned unproven = proof_unproven(proof);
    if (!job->alone)
        list_unproven(session);
    if (proof->overflowed)
        result_error(totals, "labels", "more check labels than the book of the proof has room for");
    else if (job->alone)
        result_skip(totals, "labels", "reference=%s: on no other profile, nor on CPUs with errata",
                    model_profile_name(job->profile));
    else if (job->parts > 1 || strcmp(job->only, "*"))
        result_skip(totals, "labels", "%u of %u unproven in a part of the proof: to be joined with the other parts",
                    unproven, proof->count);
    else
        result(totals, !unproven, "labels", "%u of %u failed by no defect", unproven, proof->count);
}

/* False: there is no memory for a proof; this is logged and counted. */
static bool begin(struct session *session, const struct prove_job *job, const char *what, unsigned of_these,
                  unsigned lines, struct totals *totals)
{
    observer.book = proof = pages_alloc((sizeof(*proof) + PAGE_SIZE - 1) / PAGE_SIZE);
    if (!proof) {
        log_line("1..1");
        log_line("not ok 1 %s # ERROR no memory for a proof, %lu KiB", what, sizeof(*proof) >> 10);
        totals->count[OUTCOME_ERROR]++;
        return false;
    }
    budget_set_proof(true);
    session->quiet = !job->full;
    session->noting = job->alone;
    session->apart = true;
    session->observer = &observer;
    session->repeat = 1;
    session->shuffle = false;
    up_to_failure = session->failfast;
    session->failfast = false; /* failures without a defect are logged in full */
    number = 0;
    log_line("# run pmu=reference:%s %s=%u/%u tests=%u deviations=%u", model_profile_name(job->profile), what,
             job->part, job->parts, session->selection.count, of_these);
    log_line("1..%u", lines);
    return true;
}

unsigned prove_defects_of(const struct prove_job *job, int *list)
{
    return deviations_of(job, true, list);
}

void prove_defects(struct session *session, const struct prove_job *job, struct totals *totals)
{
    static struct planned_proof p;
    plan(&p, job);
    unsigned results = p.profiles + 2;
    for (unsigned i = 0; i < p.count; i++)
        results += prove_guises(session, job, p.list[i], prove_leg, NULL);
    if (!begin(session, job, "prove", p.count, results, totals))
        return;
    prove_plainly(session, job, &p, totals);
    for (unsigned i = 0; i < p.count; i++)
        prove_guises(session, job, p.list[i], prove_leg, totals);
    prove_plain(session, job, job->profile, true, "none-again", totals);
    prove_labels(session, job, totals);
}

/* A hazard must end as an error that says so, or as a review, within bounds: never as a failure of the PMU. */
static bool endured(const struct totals *inner, bool hazard)
{
    return clean(inner) || (hazard && !inner->count[OUTCOME_FAIL]);
}

/* A CPU that makes such an access hangs until another CPU ends it. */
static bool needs_watcher(const struct deviation *d)
{
    static const char *const names[] = {"msr-write-hangs", "rdmsr-hangs"};
    for_each_row (names, name)
        if (!strcmp(*name, d->name))
            return true;
    return false;
}

/* With the repeats of a normal run, only the tests that need them; the others count as not run. */
static const char *run_thoroughly(struct session *session, const struct prove_job *job, const struct leg *leg,
                                  struct totals *inner)
{
    static struct selection all;
    all = session->selection;
    session->selection.count = 0;
    for (unsigned i = 0; i < all.count; i++)
        if (glob_list_match(PER_COUNTER, all.test[i]->id))
            session->selection.test[session->selection.count++] = all.test[i];
    budget_set_proof(false);
    const char *wrong = run_once(session, job, leg->name, leg->run, inner);
    budget_set_proof(true);
    for (unsigned i = all.count, chosen = session->selection.count; i-- > 0;)
        outcomes[i] = glob_list_match(PER_COUNTER, all.test[i]->id) ? outcomes[--chosen] : OUTCOME_NONE;
    session->selection = all;
    return wrong;
}

static void prove_variation(struct session *session, const struct prove_job *job, const struct leg *leg,
                            struct totals *totals)
{
    struct totals inner;
    char tests[CAUGHT_SIZE / 2], labels[CAUGHT_SIZE / 2];
    static char line[MATRIX_LINE];
    const struct deviation *d = deviations[leg->run.deviation];
    if (needs_watcher(d) && cpus_answering() == 1) {
        result_skip(totals, leg->name, "one CPU: an access that never comes back needs another that watches");
        return;
    }
    const char *wrong = leg->kind == LEG_THOROUGH ? run_thoroughly(session, job, leg, &inner)
                                                  : run_once(session, job, leg->name, leg->run, &inner);
    if (wrong) {
        result_error(totals, leg->name, wrong);
        return;
    }
    log_line("%s", matrix_results(line, &session->selection, outcomes, leg->name));
    if (needs_watcher(d) && !inner.count[OUTCOME_ERROR])
        result(totals, false, leg->name, "%s", "left no trace");
    else if (endured(&inner, d->kind == KIND_HAZARD))
        result(totals, true, leg->name, "%u pass, %u known, %u skip, %u error", inner.count[OUTCOME_PASS],
               inner.count[OUTCOME_KNOWN], inner.count[OUTCOME_SKIP], inner.count[OUTCOME_ERROR]);
    else
        result(totals, false, leg->name, "%s; labels %s", not_clean(session, tests, sizeof(tests)),
               proof_caught(proof, labels, sizeof(labels)));
}

void prove_variations(struct session *session, const struct prove_job *job, struct totals *totals)
{
    static int list[1024];
    static char line[MATRIX_LINE];
    unsigned count = deviations_of(job, false, list), results = 0, at = 0;
    for (unsigned i = 0; i < count; i++)
        results += prove_guises(session, job, list[i], prove_variation, NULL);
    if (!begin(session, job, "prove-benign", count, results, totals))
        return;
    while (matrix_tests(line, &session->selection, &at))
        log_line("%s", line);
    for (unsigned i = 0; i < count; i++)
        prove_guises(session, job, list[i], prove_variation, totals);
}
