/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main() of the image: plans from the options what runs on which PMU, carries it out, and ends the log with the
 * verdict, after handing the PMU back. What there is besides the tests are rows of one table, harness/mode/modes.h;
 * harness/mode/session.h runs the tests.
 */
#include "harness/chapter/moving.h"
#include "harness/core/budget.h"
#include "harness/mode/backend.h"
#include "harness/mode/modes.h"
#include "harness/mode/session.h"
#include "harness/report/report.h"
#include "harness/report/summary.h"
#include "harness/run/run.h"
#include "kernel/core/image.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/power.h"
#include "kernel/firmware/save.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/gate/gate.h"
#include "pmu/run/bracket.h"

/* The ends of the section "tests", named by the linker. */
extern const struct test_declaration *const __start_tests[], *const __stop_tests[];

static struct registry registry;
static struct session session;
static struct totals totals;
static char wrong[RUN_ERROR_SIZE];

/* ---- The plan, from the options. Each returns false with one line in `wrong`. */

static bool plan_cpus(void)
{
    session.cpus = cpus_all();
    return !option_cpus.given || cpu_list_parse(option_cpus.text, cpu_count(), &session.cpus, wrong);
}

static bool plan_dangers(void)
{
    char name[32];
    if (dangerous_unknown(name, sizeof(name))) {
        format_text(wrong, sizeof(wrong), "dangerous=%s: there is no such experiment, only %s", name, dangerous_names);
        return false;
    }
    if (dangerous_given()[0])
        log_line("# dangerous names=%s", dangerous_given());
    return true;
}

static bool plan_steps(void)
{
    const char *unknown = start_step_unknown();
    if (unknown)
        format_text(wrong, sizeof(wrong), "skip-step=%s: there is no such step to leave out (README, options)",
                    unknown);
    return !unknown;
}

static bool plan(void)
{
    if (!registry_fill(&registry, __start_tests, __stop_tests, build_tests, wrong))
        return false;
    session.registry = &registry;
    if (!select_tests(&registry, option_run.text, option_skip.text, &session.selection, wrong))
        return false;
    if (!plan_steps() || !plan_dangers() || !plan_cpus() || !backend()->plan(wrong) ||
        !modes_plan(backend()->count(), wrong))
        return false;
    if (!run_init()) {
        format_text(wrong, sizeof(wrong), "not enough memory for the records of %u CPUs", cpu_count());
        return false;
    }
    session.repeat = option_repeat.given ? (u32)option_repeat.number : 1;
    session.failfast = option_failfast.given;
    session.shuffle = option_shuffle.given;
    session.seed = option_shuffle.number;
    const struct backend_walks *walks = backend()->walks;
    session.last = walks && walks->follow() ? walks->last : NULL;
    run_set_probing(option_errata.given);
    budget_set_quick(option_quick.given);
    budget_set_wait(guest_move_seconds());
    report_set_full(option_log.given);
    return true;
}

/* ---- Carrying it out. */

static void make_runs(const struct mode *instead)
{
    if (!instead || !instead->idle)
        backend()->first(&session);
    if (instead)
        instead->run(&session, &totals);
    else
        every_run(&session, &totals);
}

static void run(void)
{
    const struct mode *instead = modes_run();
    modes_before();
    const char *hopeless = instead && instead->idle ? NULL : watch_begin();
    if (hopeless)
        report_error(&totals, hopeless);
    else
        make_runs(instead);
}

void main(const char *startup_error)
{
    log_start();
    watch_lines();
    summary_start();
    log_line("KTAP version 1");
    log_line("# pmucheck version=%s commit=%s log=1", build_version, build_commit);
    if (!backend_exists())
        log_line("# without part=reference-pmu options=%s", build_left_out);
    pmu_begin(true);
    machine_print(option_machine.text);
    previous_print();
    save_print();
    unasked_at_start();
    watch_look();
    if (time_assumed())
        report_reason(REASON_FIRMWARE_NO_CLOCK);
    if (cpus_unanswered())
        report_reason(REASON_FIRMWARE_MADT);
    if (qemu_unasked())
        report_reason(REASON_OPTION_FW_CFG);
    if (startup_error || !plan())
        report_error(&totals, startup_error ? startup_error : wrong);
    else
        run();
    end_hand_back();
    watch_end();
    end_log(&totals);
}
