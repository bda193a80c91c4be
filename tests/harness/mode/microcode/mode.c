/* SPDX-License-Identifier: BSD-2-Clause */
/* Option microcode: the same run twice, with another microcode between. */
#include "harness/mode/microcode/microcode.h"
#include "harness/mode/modes.h"
#include "harness/mode/session.h"
#include "harness/report/report.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

static const char *begin_leg(struct session *session, const struct pmu_run *run, bool second)
{
    session->leg = second ? "after" : "before";
    const char *why = second ? session_go_on(session) : session_arm(session, run);
    if (!why && !second)
        microcode_look();
    return why;
}

static void run_leg(struct session *session, const char *name, bool second, struct totals *totals)
{
    const struct pmu_run *run = backend()->run(0);
    struct totals inner = {0};
    every_run_nest(name);
    const char *why = begin_leg(session, run, second);
    if (why) {
        report_error(&inner, why);
    } else {
        every_run_armed(session, run, &inner);
        microcode_take();
    }
    every_run_unnest(1 + second, name, &inner, totals);
}

static void run_twice(struct session *session, struct totals *totals)
{
    char before[RUN_NAME_SIZE], after[RUN_NAME_SIZE + 16];
    backend()->run_name(backend()->run(0), before);
    format_text(after, sizeof(after), "%s,microcode", before);
    session->observer = microcode_observer();
    log_line("1..2");
    run_leg(session, before, false, totals);
    const char *why = session_over(session, totals) ? SESSION_OVER : microcode_give();
    if (why) {
        log_line("ok 2 %s # SKIP %s", after, why);
        log_finding("microcode as before: %s", why);
        totals->count[OUTCOME_SKIP]++;
        return;
    }
    run_leg(session, after, true, totals);
    microcode_tell_changes();
}

MODE(microcode, .name = "microcode", .asked = microcode_requested, .with = "resets=", .one_pmu = true,
     .run = run_twice);
