/* SPDX-License-Identifier: BSD-2-Clause */
/* The runs that the options ask for, one after the other. */
#include "harness/mode/modes.h"
#include "harness/mode/session.h"
#include "harness/report/report.h"
#include "kernel/log/log.h"

void every_run_armed(const struct session *session, const struct pmu_run *run, struct totals *totals)
{
    const struct mode *mode = modes_tests();
    if (!mode) {
        session_tests(session, NULL, totals);
        return;
    }
    mode->tests(session, run, totals);
    session_tell_unshown(totals);
}

static void make(const struct session *session, const struct pmu_run *run, struct totals *totals)
{
    const char *why = session_arm(session, run);
    if (why)
        report_error(totals, why);
    else
        every_run_armed(session, run, totals);
}

static void add_totals(struct totals *totals, const struct totals *inner)
{
    for (unsigned i = 0; i < OUTCOMES; i++)
        totals->count[i] += inner->count[i];
    totals->counted += inner->counted;
    totals->virtual_pmu |= inner->virtual_pmu;
    totals->differences += inner->differences;
    if (inner->lacking[0])
        totals_lack(totals, inner->lacking_code, inner->lacking);
}

void every_run_nest(const char *name)
{
    log_indent(1);
    log_line("KTAP version 1");
    log_line("# Subtest: %s", name);
}

void every_run_unnest(u32 number, const char *name, const struct totals *inner, struct totals *totals)
{
    log_indent(0);
    enum verdict verdict = verdict_of(inner);
    bool ok = verdict == VERDICT_PASS || verdict == VERDICT_UNTESTED;
    log_line("%sok %u %s", ok ? "" : "not ", number, name);
    add_totals(totals, inner);
}

static void make_nested(const struct session *session, u32 number, const struct pmu_run *run, struct totals *totals)
{
    char name[RUN_NAME_SIZE];
    struct totals inner = {0};
    backend()->run_name(run, name);
    if (session_over(session, totals)) {
        log_line("ok %u %s # SKIP %s", number, name, SESSION_OVER);
        totals->count[OUTCOME_SKIP]++;
        return;
    }
    every_run_nest(name);
    make(session, run, &inner);
    every_run_unnest(number, name, &inner, totals);
}

void every_run(const struct session *session, struct totals *totals)
{
    unsigned count = backend()->count();
    if (count == 1) { /* its lines are at the top level */
        make(session, backend()->run(0), totals);
        return;
    }
    log_line("1..%u", count);
    for (unsigned i = 0; i < count; i++)
        make_nested(session, i + 1, backend()->run(i), totals);
}
