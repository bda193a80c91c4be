/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The third question of a proof: what does an excuse hide? It runs each defect on each profile whose CPU has an erratum
 * that can excuse a check.
 */
#include "harness/core/budget.h"
#include "harness/core/errata.h"
#include "harness/report/report.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "reference/deviations/deviations.h"
#include "reference/mode/prove.h"
#include "reference/model/profile.h"

#define ERRATA_TEXT 160
#define TESTS_TEXT 480
#define PLACES_TEXT 300

/* A profile whose CPU has errata that excuse checks, and the tests with checks that these may excuse. */
static struct excused {
    const struct profile *profile;
    u64 asking[TESTS_MAX / 64]; /* a bit for each test of the selection */
    bool any;
} excused;

/* What the tests of one run found. */
struct found {
    const struct selection *all;
    struct excused *asking;   /* collects tests with checks that may be excused; NULL: not wanted */
    char errata[ERRATA_TEXT]; /* the errata by which checks were known */
    char tests[TESTS_TEXT];   /* the tests with these checks */
};
static struct found found;

static void add_word(char *list, size_t size, const char *word)
{
    size_t length = strlen(list);
    if (!glob_list_match(list, word) && length < size)
        format_text(list + length, size - length, "%s%s", length ? "," : "", word);
}

static bool asks(const struct results *results, const struct pmu_caps *caps)
{
    for (unsigned i = 0; i < results->checks; i++)
        if (erratum_may_excuse(caps, results->check[i].aspects))
            return true;
    return false;
}

static void add_test(struct excused *e, const struct selection *all, const struct test_declaration *test)
{
    for (unsigned i = 0; i < all->count; i++)
        if (all->test[i] == test)
            e->asking[i / 64] |= BIT(i % 64);
    e->any = true;
}

static void take_note(void *book, const struct test_declaration *test, u32 cpu, const struct results *results)
{
    struct found *f = book;
    if (f->asking && asks(results, pmu_caps_of(cpu)))
        add_test(f->asking, f->all, test);
    for (unsigned i = 0; i < results->checks; i++)
        if (results->check[i].outcome == OUTCOME_KNOWN) {
            add_word(f->errata, sizeof(f->errata), results->check[i].erratum);
            add_word(f->tests, sizeof(f->tests), test->id);
        }
}
static const struct observer observer = {.note = take_note, .book = &found};

/* ---- Which profiles, which tests */

static bool clean(const struct totals *inner)
{
    return !inner->count[OUTCOME_FAIL] && !inner->count[OUTCOME_REVIEW] && !inner->count[OUTCOME_ERROR];
}

static const char *run_once(const struct session *session, const struct profile *profile, int deviation,
                            struct totals *inner)
{
    struct pmu_run run = {.profile = profile, .deviation = deviation, .rate = 1};
    const char *wrong = session_arm(session, &run);
    *inner = (struct totals){0};
    found.errata[0] = found.tests[0] = 0;
    if (!wrong && (deviation >= 0 || erratum_may_excuse(pmu_caps(), ~0ull)))
        session_tests(session, NULL, inner);
    return wrong;
}

/* Without a defect no check fails there, with or without an erratum. Returns NULL, or what is wrong. */
static const char *find_excused(const struct session *session, const struct profile *profile)
{
    struct totals inner;
    excused = (struct excused){.profile = profile};
    found.all = &session->selection;
    found.asking = &excused;
    budget_set_proof(true);
    const char *wrong = run_once(session, profile, -1, &inner);
    found.asking = NULL;
    budget_set_proof(false); /* steady failures show in a few repeats of each counter, more than a proof makes */
    budget_set_quick(true);
    if (wrong)
        return wrong;
    return clean(&inner) && !inner.count[OUTCOME_KNOWN] ? NULL : "without a defect a test does not pass";
}

/* ---- A defect on that profile */

/* The tests that the permanent list names for the defect: mostly one of them fails there, too, and nothing is hidden.
 */
static bool is_named(unsigned i, const struct test_declaration *test, const struct deviation *d)
{
    (void)i;
    return provers_name(test->id, d->name);
}

/* The tests that the defect is meant for and that may be excused there: if they pass, or one fails, nothing is
 * hidden. */
static bool may_be_excused(unsigned i, const struct test_declaration *test, const struct deviation *d)
{
    const char *meant = deviation_meant(d);
    return (excused.asking[i / 64] >> (i % 64) & 1) && (!meant || glob_list_match(meant, test->id));
}

static bool any_may_be_excused(const struct session *session, const struct deviation *d)
{
    for (unsigned i = 0; i < session->selection.count; i++)
        if (may_be_excused(i, session->selection.test[i], d))
            return true;
    return false;
}

static bool any_test(unsigned i, const struct test_declaration *test, const struct deviation *d)
{
    (void)i, (void)test, (void)d;
    return true;
}

/* Runs such tests with the defect on that profile. Is some check known, and did none fail? */
static bool only_known(const struct session *session, int deviation,
                       bool (*chosen)(unsigned, const struct test_declaration *, const struct deviation *),
                       struct totals *inner, const char **wrong)
{
    static struct session asked;
    asked = *session;
    asked.selection.count = 0;
    for (unsigned i = 0; i < session->selection.count; i++)
        if (chosen(i, session->selection.test[i], deviations[deviation]))
            asked.selection.test[asked.selection.count++] = session->selection.test[i];
    *inner = (struct totals){0};
    const char *why = asked.selection.count ? run_once(&asked, excused.profile, deviation, inner) : NULL;
    *wrong = why;
    return !why && clean(inner) && inner->count[OUTCOME_KNOWN];
}

/* Is the defect known there by some erratum, and does no test notice it in another way? The whole suite runs last. */
static bool hides(const struct session *session, int deviation, const char **wrong)
{
    struct totals inner;
    if (!any_may_be_excused(session, deviations[deviation]))
        return false;
    only_known(session, deviation, is_named, &inner, wrong);
    if (*wrong || inner.count[OUTCOME_FAIL] || inner.count[OUTCOME_REVIEW])
        return false;
    return only_known(session, deviation, may_be_excused, &inner, wrong) &&
           only_known(session, deviation, any_test, &inner, wrong);
}

/* Are all errata by which it was known among those that the defect mimics? */
static bool mimicked(const struct deviation *d)
{
    char mimics[ERRATA_TEXT] = "", id[16];
    const char *rest = found.errata;
    for (unsigned n = 0; deviation_erratum(d, n); n++)
        add_word(mimics, sizeof(mimics), deviation_erratum(d, n)->id);
    while (list_next(&rest, id, sizeof(id)))
        if (!glob_list_match(mimics, id))
            return false;
    return true;
}

static bool has_reason(const struct deviation *d)
{
    return d->hidden && glob_list_match(d->hidden_on, model_profile_name(excused.profile));
}

static void tell_hidden(const struct deviation *d, bool mimics)
{
    char reason[ERRATA_TEXT];
    log_line("# hidden defect=%s profile=%s errata=%s tests=%s reason=%s", d->name, model_profile_name(excused.profile),
             found.errata, found.tests,
             mimics          ? "mimics"
             : has_reason(d) ? format_quoted(reason, sizeof(reason), d->hidden)
                             : "none");
}

/* Adds the defect to `groundless` if it is only known there, and should not be. NULL, or what is wrong. */
static const char *look(const struct session *session, int deviation, char *groundless)
{
    const struct deviation *d = deviations[deviation];
    const char *wrong = NULL;
    if (hides(session, deviation, &wrong)) {
        bool mimics = mimicked(d);
        tell_hidden(d, mimics);
        if (!mimics && !has_reason(d))
            add_word(groundless, PLACES_TEXT, d->name);
    }
    return wrong;
}

/* ---- All of a part */

/* The defects from..to of the list on a profile, as one result. */
struct share {
    const struct profile *profile;
    unsigned from, to;
};

/* Of all defects on all profiles, in their order, each part has as many: few profiles each, which it runs without a
 * defect first. */
static struct share share_of(const struct prove_job *job, unsigned profile, unsigned count)
{
    unsigned all = profile_count * count, first = profile * count;
    unsigned from = (job->part - 1) * all / job->parts, to = job->part * all / job->parts;
    from = from < first ? first : from;
    to = to > first + count ? first + count : to;
    return (struct share){profiles[profile], from - first, to > from ? to - first : from - first};
}

static void result(struct totals *totals, u32 number, const struct share *share, unsigned count, const char *wrong)
{
    char name[LEG_NAME_SIZE];
    bool whole = share->to - share->from == count;
    format_text(name, sizeof(name), whole ? "%s" : "%s:%u-%u", model_profile_name(share->profile), share->from + 1,
                share->to);
    totals->count[wrong ? OUTCOME_FAIL : OUTCOME_PASS]++;
    totals->counted += !wrong;
    log_line("%sok %u %s %s", wrong ? "not " : "", number, name,
             wrong         ? wrong
             : excused.any ? "excuses what mimics its errata, or has a reason"
                           : "has no erratum that excuses a check");
    report_progress(totals);
}

static void prove_share(const struct session *session, const int *list, const struct share *share, u32 number,
                        unsigned count, struct totals *totals)
{
    static const char alone[] = "only known, without a reason: ";
    char text[sizeof(alone) + PLACES_TEXT], groundless[PLACES_TEXT] = "";
    const char *wrong = find_excused(session, share->profile);
    for (unsigned i = share->from; i < share->to && excused.any && !wrong; i++)
        wrong = look(session, list[i], groundless);
    format_text(text, sizeof(text), "%s%s", alone, groundless);
    result(totals, number, share, count, wrong ? wrong : groundless[0] ? text : NULL);
}

void prove_excuses(struct session *session, const struct prove_job *job, struct totals *totals)
{
    static int list[1024];
    struct prove_job every = *job;
    every.part = every.parts = 1;
    unsigned count = prove_defects_of(&every, list), results = 0;
    session->quiet = true;
    session->failfast = true; /* a failing test shows that nothing is hidden */
    session->apart = true;
    session->observer = &observer;
    session->repeat = 1;
    session->shuffle = false;
    for (unsigned i = 0; i < profile_count; i++) {
        struct share share = share_of(job, i, count);
        results += share.to > share.from;
    }
    log_line("# run pmu=reference:%s prove-excuses=%u/%u tests=%u deviations=%u", model_profile_name(job->profile),
             job->part, job->parts, session->selection.count, count);
    log_line("1..%u", results);
    results = 0;
    for (unsigned i = 0; i < profile_count; i++) {
        struct share share = share_of(job, i, count);
        if (share.to > share.from)
            prove_share(session, list, &share, ++results, count, totals);
    }
}
