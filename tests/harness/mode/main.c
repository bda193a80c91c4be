/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main() of the image: decides from the options what runs on which PMU (the tests, a proof, a soak, another kernel),
 * and ends the log with the verdict, after handing the PMU back. harness/mode/session.h runs the tests.
 */
#include "harness/core/budget.h"
#include "harness/mode/microcode.h"
#include "harness/mode/options.h"
#include "harness/mode/resets.h"
#include "harness/mode/soak.h"
#include "harness/mode/states.h"
#include "harness/mode/watch.h"
#include "harness/report/machine.h"
#include "harness/report/report.h"
#include "harness/report/save.h"
#include "harness/report/summary.h"
#include "harness/run/peek.h"
#include "harness/run/run.h"
#include "harness/run/unasked.h"
#include "hosting/mode.h"
#include "kernel/core/image.h"
#include "kernel/core/start_step.h"
#include "kernel/core/time.h"
#include "kernel/core/version.h"
#include "kernel/cpu/cpu_list.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/power.h"
#include "kernel/firmware/qemu.h"
#include "kernel/firmware/save.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "kernel/text/format.h"
#include "pmu/cpu/caps.h"
#include "pmu/gate/dangerous.h"
#include "pmu/run/begin.h"
#include "pmu/run/restore.h"
#include "pmu/state/handoff.h"
#include "reference/mode/excuses.h"
#include "reference/mode/handed.h"
#include "reference/mode/lockstep.h"
#include "reference/mode/prove.h"
#include "reference/step/stepper.h"

#define HANDBACK_TIMEOUT_MS 2000

/* The ends of the section "tests", named by the linker. */
extern const struct test_declaration *const __start_tests[], *const __stop_tests[];

static struct registry registry;
static struct session session;
static struct runs runs;
static struct prove_job job;
static struct totals totals;
static char wrong[RUNS_ERROR_SIZE];

/* ---- The plan, from the options. Each returns false with one line in `wrong`. */

static bool plan_cpus(void)
{
    session.cpus = cpus_all();
    return !option_cpus.given || cpu_list_parse(option_cpus.text, cpu_count(), &session.cpus, wrong);
}

static bool proof_asked(void)
{
    return option_prove.given || option_prove_benign.given || option_prove_excuses.given;
}

static bool plan_proof(void)
{
    const struct option_value *part = option_prove.given          ? &option_prove
                                      : option_prove_benign.given ? &option_prove_benign
                                                                  : &option_prove_excuses;
    if (!part->given)
        return runs_plan(option_reference.text, option_defect.text, &runs, wrong);
    const char *reference = option_reference.text[0] ? option_reference.text : runs_default_profile();
    if (!runs_plan(reference, "", &runs, wrong) || !select_part(part->text, &job.part, &job.parts, wrong))
        return false;
    job.profile = runs.run[0].profile;
    job.full = option_log.given;
    job.only = option_defect.given ? option_defect.text : "*";
    if (option_prove.given + option_prove_benign.given + option_prove_excuses.given > 1)
        format_text(wrong, sizeof(wrong), "prove, prove-benign and prove-excuses are three runs: ask for one of them");
    else if (runs.count > 1 || runs.run[0].dump)
        format_text(wrong, sizeof(wrong), "a proof takes one reference profile");
    else if (!prove_knows(job.only))
        format_text(wrong, sizeof(wrong), "defect=%s matches nothing (the option `list` names them)", job.only);
    else
        return true;
    return false;
}

static bool plan_handed(void)
{
    const char *why = handed_plan();
    if (why)
        format_text(wrong, sizeof(wrong), "%s", why);
    return !why;
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

static bool plan_walks(void)
{
    const char *why = lockstep_plan_wrong();
    if (why || (lockstep_asked() && (proof_asked() || option_soak.given || option_host.given)))
        format_text(wrong, sizeof(wrong), "%s",
                    why ? why : "lockstep= is a run of its own: no proof, no soak, no host");
    return !wrong[0];
}

static bool plan_microcode(void)
{
    bool other = proof_asked() || option_soak.given || option_host.given || option_list.given || runs.count > 1;
    if (!microcode_asked() || !other)
        return true;
    format_text(wrong, sizeof(wrong),
                "microcode is for one run of tests or walks: no proof, no soak, no host, one PMU");
    return false;
}

static bool plan_resets(void)
{
    if (resets_asked() && (proof_asked() || option_host.given || option_list.given))
        format_text(wrong, sizeof(wrong), "resets= is for runs of tests: no proof, no host, no list");
    return !wrong[0];
}

static bool plan_states(void)
{
    char name[16];
    if (states_unknown(name, sizeof(name)))
        format_text(wrong, sizeof(wrong), "states=%s: there is no such state, only init and s3", name);
    else if (states_asked() && (proof_asked() || option_soak.given || option_host.given || option_list.given ||
                                microcode_asked() || runs.count > 1))
        format_text(wrong, sizeof(wrong), "states= is for one run of tests or walks on one PMU");
    return !wrong[0];
}

static bool plan_steps(void)
{
    const char *unknown = start_step_unknown();
    if (unknown)
        format_text(wrong, sizeof(wrong), "skip-step=%s: there is no such step to leave out (README, options)",
                    unknown);
    return !unknown;
}

static bool plan_peeks(void)
{
    if ((option_read.given || option_write.given) && proof_asked()) {
        format_text(wrong, sizeof(wrong), "read= and write= are for runs of tests, not for proofs");
        return false;
    }
    return peek_plan(option_read.text, option_write.text, wrong);
}

static bool plan(void)
{
    if (!registry_fill(&registry, __start_tests, __stop_tests, build_tests, wrong))
        return false;
    session.registry = &registry;
    if (!select_tests(&registry, option_run.text, option_skip.text, &session.selection, wrong))
        return false;
    if (!plan_steps() || !plan_dangers() || !plan_handed() || !plan_cpus() || !plan_proof() || !plan_peeks() ||
        !plan_walks() || !plan_microcode() || !plan_resets() || !plan_states())
        return false;
    if (option_soak.given && (runs.count > 1 || proof_asked())) {
        format_text(wrong, sizeof(wrong), "soak takes one PMU, and no proof");
        return false;
    }
    if (!run_init()) {
        format_text(wrong, sizeof(wrong), "not enough memory for the records of %u CPUs", cpu_count());
        return false;
    }
    session.repeat = option_repeat.given ? (u32)option_repeat.number : 1;
    session.failfast = option_failfast.given;
    session.shuffle = option_shuffle.given;
    session.seed = option_shuffle.number;
    session.last = lockstep_follows() && !proof_asked() ? lockstep_last : NULL;
    run_set_probing(option_errata.given);
    budget_set_quick(option_quick.given);
    report_set_full(option_log.given);
    return true;
}

/* ---- Carrying it out. */

static void list_all(void)
{
    static char line[REPORT_LINE];
    for (unsigned i = 0; i < session.selection.count; i++)
        log_line("%s", report_test(line, session.selection.test[i]));
    for (unsigned i = 0; runs_reference(i, line, sizeof(line)); i++)
        log_line("%s", line);
    for (unsigned i = 0; i < deviation_count; i++)
        log_line("%s", report_deviation(line, deviations[i]));
    log_line("1..0 # SKIP only listed");
}

/* Runs the tests, or walks instead of them. */
static void run_armed(const struct pmu_run *run, struct totals *sum)
{
    if (lockstep_asked()) {
        lockstep_all(&session, run, sum);
        session_tell_unshown(sum);
    } else {
        session_tests(&session, NULL, sum);
    }
}

/* A single run: its lines are at the top level. */
static void run_alone(void)
{
    const char *why = session_arm(&session, &runs.run[0]);
    if (!why && states_asked())
        why = states_make();
    if (why)
        report_error(&totals, why);
    else
        run_armed(&runs.run[0], &totals);
}

static void add_totals(const struct totals *inner)
{
    for (unsigned i = 0; i < OUTCOMES; i++)
        totals.count[i] += inner->count[i];
    totals.counted += inner->counted;
    totals.virtual_pmu |= inner->virtual_pmu;
    totals.differences += inner->differences;
    if (inner->lacking[0])
        totals_lack(&totals, inner->lacking_code, inner->lacking);
}

static void skip_run(u32 number, const struct pmu_run *run)
{
    char name[RUN_NAME_SIZE];
    log_line("ok %u %s # SKIP %s", number, run_name(run, name), SESSION_OVER);
    totals.count[OUTCOME_SKIP]++;
}

/* One of several runs: a KTAP subtest. */
static void nest(const char *name)
{
    log_indent(1);
    log_line("KTAP version 1");
    log_line("# Subtest: %s", name);
}

static void unnest(u32 number, const char *name, const struct totals *inner)
{
    log_indent(0);
    enum verdict verdict = verdict_of(inner);
    bool ok = verdict == VERDICT_PASS || verdict == VERDICT_UNTESTED;
    log_line("%sok %u %s", ok ? "" : "not ", number, name);
    add_totals(inner);
}

static void run_nested(u32 number, const struct pmu_run *run)
{
    char name[RUN_NAME_SIZE];
    struct totals inner = {0};
    nest(run_name(run, name));
    const char *why = session_arm(&session, run);
    if (why)
        report_error(&inner, why);
    else
        run_armed(run, &inner);
    unnest(number, name, &inner);
}

static void run_several(void)
{
    log_line("1..%u", runs.count);
    for (unsigned i = 0; i < runs.count; i++)
        if (session_over(&session, &totals))
            skip_run(i + 1, &runs.run[i]);
        else
            run_nested(i + 1, &runs.run[i]);
}

/* ---- With another microcode: the same run twice. */

static const char *begin_leg(const struct pmu_run *run, bool second)
{
    session.leg = second ? "after" : "before";
    const char *why = second ? session_go_on(&session) : session_arm(&session, run);
    if (!why && !second)
        microcode_look();
    return why;
}

static void run_leg(const char *name, const struct pmu_run *run, bool second)
{
    struct totals inner = {0};
    nest(name);
    const char *why = begin_leg(run, second);
    if (why) {
        report_error(&inner, why);
    } else {
        run_armed(run, &inner);
        microcode_take();
    }
    unnest(1 + second, name, &inner);
}

static void run_twice(const struct pmu_run *run)
{
    char before[RUN_NAME_SIZE], after[RUN_NAME_SIZE + 16];
    run_name(run, before);
    format_text(after, sizeof(after), "%s,microcode", before);
    session.observer = microcode_observer();
    log_line("1..2");
    run_leg(before, run, false);
    const char *why = session_over(&session, &totals) ? SESSION_OVER : microcode_give();
    if (why) {
        log_line("ok 2 %s # SKIP %s", after, why);
        log_finding("microcode as before: %s", why);
        totals.count[OUTCOME_SKIP]++;
        return;
    }
    run_leg(after, run, true);
    microcode_tell_changes();
}

static void run(void)
{
    if (resets_asked())
        resets_make();
    const char *hopeless = option_list.given || option_host.given ? NULL : watch_begin();
    if (hopeless)
        report_error(&totals, hopeless);
    else if (option_list.given)
        list_all();
    else if (option_host.given)
        report_error(&totals, hosting_start(&runs));
    else if (option_prove.given)
        prove_defects(&session, &job, &totals);
    else if (option_prove_benign.given)
        prove_variations(&session, &job, &totals);
    else if (option_prove_excuses.given)
        prove_excuses(&session, &job, &totals);
    else if (option_soak.given)
        soak(&session, &runs.run[0], option_soak.number, option_shuffle.given ? option_shuffle.number : time_now(),
             &totals);
    else if (microcode_asked())
        run_twice(&runs.run[0]);
    else if (runs.count == 1)
        run_alone();
    else
        run_several();
}

/* ---- The end. */

static u8 unrestored[MAX_CPUS];

static void hand_back_here(void *argument)
{
    (void)argument;
    unrestored[cpu_index()] = (u8)handoff_restore();
}

/* Restores the machine's own PMU as far as this CPU can; registers that it cannot restore are listed, not judged. */
static void hand_back(void)
{
    struct cpu_set all = cpus_all(), some = {0};
    char text[CPU_SET_TEXT];
    u8 most = 0;
    if (session_on_reference())
        return;
    cpus_run(&all, hand_back_here, NULL, HANDBACK_TIMEOUT_MS, NULL);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (unrestored[cpu]) {
            cpu_set_add(&some, cpu);
            most = unrestored[cpu] > most ? unrestored[cpu] : most;
        }
    if (most)
        log_line("# handback cpus=%s unrestored=%u", cpu_set_text(&some, text, sizeof(text)), most);
}

static _Noreturn void end(void)
{
    static char line[REPORT_LINE];
    static const int colours[] = {
        [VERDICT_PASS] = 0, [VERDICT_FAIL] = 1, [VERDICT_UNTESTED] = 2, [VERDICT_ERROR] = 1, [VERDICT_REVIEW] = 2};
    totals.count[OUTCOME_ERROR] += cpus_lost() + unasked_after("all") + start_steps_missing();
    if (start_steps_missing())
        report_reason(REASON_START_STEP);
    unasked_at_end();
    stepper_restore_text();
    bool unchanged = image_unchanged();
    log_line("# image sum=%08x state=%s", image_sum(), unchanged ? "unchanged" : "changed");
    if (!unchanged) {
        log_line("# error the image was changed while it ran: nothing above is reliable; test the memory");
        totals.count[OUTCOME_ERROR]++;
    }
    unasked_sum();
    static char word[VERDICT_TEXT]; /* for the screen, which keeps the pointer */
    enum verdict verdict = verdict_of(&totals);
    report_totals(line, &totals);
    report_took("boot", 1000 * time_uptime_ms());
    report_advice();
    if (!session_on_reference())
        report_in_words(&totals);
    screen_print_cost();
    screen_set(SCREEN_RUNNING, "done");
    screen_progress(1, 1);
    report_progress(&totals);
    const char *code = summary_code(line);
    log_line("# result %s code=%s", line, code);
    save_results();
    bool codes = totals.count[OUTCOME_PASS] || verdict != VERDICT_UNTESTED; /* else one page says all */
    screen_end(&(struct screen_end){verdict_text(&totals, word), line, colours[verdict], code, machine_who(),
                                    codes ? summary_codes(screen_code_characters(), SCREEN_CODES_MOST) : NULL});
    log_end("%s", line);
    if (power_stays())
        screen_turn();
    power_end(verdict_code(verdict));
}

void main(const char *startup_error)
{
    log_start();
    watch_lines();
    summary_start();
    log_line("KTAP version 1");
    log_line("# pmucheck version=%s commit=%s log=1", build_version, build_commit);
    pmu_begin();
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
    hand_back();
    watch_end();
    end();
}
