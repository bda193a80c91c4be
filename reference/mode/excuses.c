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

#define PROFILES_MOST 24
#define ERRATA_TEXT 160
#define TESTS_TEXT 480
#define PLACES_TEXT 300

/* A profile whose CPU has errata that excuse checks, and the tests with checks that these may excuse. */
static struct excused {
    const struct profile *profile;
    u64 asking[TESTS_MAX / 64]; /* a bit for each test of the selection */
    bool any;
} excused[PROFILES_MOST];
static unsigned excused_count;

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
static const char *find_excused(const struct session *session)
{
    struct totals inner;
    excused_count = 0;
    found.all = &session->selection;
    for (unsigned i = 0; i < profile_count; i++) {
        if (excused_count == PROFILES_MOST)
            return "more profiles have errata that excuse checks than there is room for";
        struct excused *e = &excused[excused_count];
        *e = (struct excused){.profile = profiles[i]};
        found.asking = e;
        const char *wrong = run_once(session, e->profile, -1, &inner);
        found.asking = NULL;
        if (wrong)
            return wrong;
        if (!clean(&inner) || inner.count[OUTCOME_KNOWN])
            return "a test does not pass on a profile without a defect";
        excused_count += e->any;
    }
    return NULL;
}

/* ---- A defect on one of these profiles */

/* The tests that the defect is meant for and that may be excused there: if they pass, or one fails, nothing is
 * hidden. */
static struct session tests_for(const struct session *session, const struct excused *e, const struct deviation *d)
{
    struct session asked = *session;
    const char *meant = deviation_meant(d);
    asked.selection.count = 0;
    for (unsigned i = 0; i < session->selection.count; i++) {
        const struct test_declaration *test = session->selection.test[i];
        if (e->asking[i / 64] >> (i % 64) & 1 && (!meant || glob_list_match(meant, test->id)))
            asked.selection.test[asked.selection.count++] = test;
    }
    return asked;
}

/* Is the defect known there by some erratum, and does no test notice it in another way? The whole suite runs last. */
static bool hides(const struct session *session, const struct excused *e, int deviation, const char **wrong)
{
    static struct session asked;
    struct totals inner;
    asked = tests_for(session, e, deviations[deviation]);
    if (!asked.selection.count)
        return false;
    *wrong = run_once(&asked, e->profile, deviation, &inner);
    if (*wrong || !clean(&inner) || !inner.count[OUTCOME_KNOWN])
        return false;
    *wrong = run_once(session, e->profile, deviation, &inner);
    return !*wrong && clean(&inner) && inner.count[OUTCOME_KNOWN];
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

static bool has_reason(const struct excused *e, const struct deviation *d)
{
    return d->hidden && glob_list_match(d->hidden_on, model_profile_name(e->profile));
}

static void tell_hidden(const struct excused *e, const struct deviation *d, bool mimics)
{
    char reason[ERRATA_TEXT];
    log_line("# hidden defect=%s profile=%s errata=%s tests=%s reason=%s", d->name, model_profile_name(e->profile),
             found.errata, found.tests,
             mimics             ? "mimics"
             : has_reason(e, d) ? format_quoted(reason, sizeof(reason), d->hidden)
                                : "none");
}

static void result(struct totals *totals, u32 number, bool ok, const char *name, const char *text)
{
    totals->count[ok ? OUTCOME_PASS : OUTCOME_FAIL]++;
    totals->counted += ok;
    log_line("%sok %u %s%s%s", ok ? "" : "not ", number, name, text[0] ? " " : "", text);
    report_progress(totals);
}

static void prove_one(const struct session *session, int deviation, u32 number, struct totals *totals)
{
    const struct deviation *d = deviations[deviation];
    char places[PLACES_TEXT] = "", text[PLACES_TEXT + 32];
    const char *wrong = NULL;
    bool right = true;
    for (struct excused *e = excused; e < excused + excused_count && !wrong; e++) {
        if (!hides(session, e, deviation, &wrong))
            continue;
        bool mimics = mimicked(d);
        tell_hidden(e, d, mimics);
        add_word(places, sizeof(places), model_profile_name(e->profile));
        right &= mimics || has_reason(e, d);
    }
    format_text(text, sizeof(text), "%s%s", wrong ? wrong : places[0] ? "known alone on " : "", wrong ? "" : places);
    result(totals, number, right && !wrong, d->name, text);
}

void prove_excuses(struct session *session, const struct prove_job *job, struct totals *totals)
{
    static int list[1024];
    unsigned count = prove_defects_of(job, list);
    session->quiet = true;
    session->failfast = true; /* a failing test shows that nothing is hidden */
    session->apart = true;
    session->observer = &observer;
    session->repeat = 1;
    session->shuffle = false;
    log_line("# run pmu=reference:%s prove-excuses=%u/%u tests=%u deviations=%u", model_profile_name(job->profile),
             job->part, job->parts, session->selection.count, count);
    log_line("1..%u", count + 1);
    budget_set_proof(true);
    const char *wrong = find_excused(session);
    budget_set_proof(false); /* steady failures show in a few repeats of each counter, more than a proof makes */
    budget_set_quick(true);
    result(totals, 1, !wrong, "without-a-defect", wrong ? wrong : "");
    for (unsigned i = 0; i < count; i++)
        prove_one(session, list[i], i + 2, totals);
}
