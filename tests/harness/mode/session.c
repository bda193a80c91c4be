/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/session.h"
#include "harness/core/budget.h"
#include "harness/core/place.h"
#include "harness/mode/backend.h"
#include "harness/mode/modes.h"
#include "harness/report/outcomes.h"
#include "harness/report/report.h"
#include "harness/run/run.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"

static struct {
    const struct pmu_run *run; /* NULL: on the machine's own PMU */
    enum pmu_kind kind;
    struct purpose_measures measures; /* of the run so far */
    struct outcomes outcomes;         /* of its results so far */
} state;

enum pmu_kind session_kind(void)
{
    return state.kind;
}

static void print_core_type(u32 first, const struct cpu_set *cpus)
{
    struct lbr_stack stack;
    const struct pmu_caps *c = pmu_caps_of(first);
    char text[CPU_SET_TEXT];
    const char *kind = c->core_type == 0x20 ? "atom" : "core";
    log_line("# core-type id=%u cpus=%s kind=%s native-model=%u class=%s signature=%08x version=%u gp=%ux%u "
             "fixed=%ux%u fixed-bitmap=%08x "
             "perfcap=%08lx leaf0a=%08x-%08x-%08x-%08x gp-bitmap=%08x lbr=%u",
             first, cpu_set_text(cpus, text, sizeof(text)), kind, c->native_model, class_name(cpu_class(c)),
             c->signature, c->version, c->gp_count, c->gp_width, c->fixed_count, c->fixed_width, c->fixed_bitmap,
             c->perf_capabilities, c->leaf0a.eax, c->leaf0a.ebx, c->leaf0a.ecx, c->leaf0a.edx, c->gp_bitmap,
             lbr_stack(c, &stack) ? stack.depth : 0);
}

static void print_core_types(const struct cpu_set *all)
{
    for (u32 first = 0; first < cpu_count(); first++) {
        struct cpu_set cpus = {0};
        if (!cpu_set_has(all, first) || topology_group(first) != first)
            continue;
        for (u32 cpu = first; cpu < cpu_count(); cpu++)
            if (cpu_set_has(all, cpu) && topology_group(cpu) == first)
                cpu_set_add(&cpus, cpu);
        print_core_type(first, &cpus);
    }
}

static void print_run(const struct session *session)
{
    char name[RUN_NAME_SIZE];
    const struct pmu_caps *c = pmu_caps_of(0);
    backend()->run_name(state.run, name);
    if (state.kind == PMU_VIRTUAL || state.kind == PMU_VIRTUAL_JUDGED) {
        char hypervisor[VENDOR_SIZE];
        identity_hypervisor(hypervisor);
        format_text(name, sizeof(name), "virtual:%s", hypervisor);
    }
    bool judged = state.kind == PMU_VIRTUAL_JUDGED;
    log_line("# run pmu=%s%s%s%s%s%s%s", name, judged ? " judge=" : "", judged ? option_judge.text : "",
             option_host_kernel.given ? " host-kernel=" : "", option_host_kernel.text,
             session->leg ? " microcode=" : "", session->leg ? session->leg : "");
    if (state.run)
        backend()->describe();
    struct cpu_set cpus = run_cpus();
    print_core_types(&cpus);
    if (session->leg && state.kind != PMU_REFERENCE)
        machine_print_cpus(); /* the CPUs' microcode may have changed */
    machine_print_run(&cpus, state.kind == PMU_REFERENCE);
    screen_set(SCREEN_PMU, "%s: version %u, GP %u x %u bits, fixed %u x %u bits", name, c->version, c->gp_count,
               c->gp_width, c->fixed_count, c->fixed_width);
}

/* By CPUID and the option judge=. */
static enum pmu_kind kind_of_machine(void)
{
    if (!cpuid_has(CPUID_HYPERVISOR))
        return PMU_HARDWARE;
    return option_judge.given ? PMU_VIRTUAL_JUDGED : PMU_VIRTUAL;
}

/* Begins a run on the PMU that the CPUs now have. */
static const char *begin(const struct session *session, bool goes_on)
{
    state.kind = state.run ? PMU_REFERENCE : kind_of_machine();
    budget_set_pmu(state.kind);
    watch_bound();
    announce_accesses(cpus_answering() == 1 && !session->quiet);
    (goes_on ? run_go_on : run_begin)(state.kind, &session->cpus, !session->quiet);
    struct cpu_set cpus = run_cpus();
    budget_set_cpus(cpu_set_count(&cpus));
    if (!session->quiet)
        print_run(session);
    if (state.run && !session->quiet)
        backend()->bench_run(&cpus);
    if (state.kind == PMU_VIRTUAL || state.kind == PMU_VIRTUAL_JUDGED)
        guest_pmu_look(session->quiet);
    return session->quiet ? NULL : modes_armed();
}

const char *session_arm(const struct session *session, const struct pmu_run *run)
{
    const char *wrong = run ? backend()->arm(run, !session->quiet || session->noting) : NULL;
    state.run = run;
    return wrong ? wrong : begin(session, false);
}

const char *session_go_on(const struct session *session)
{
    return begin(session, true);
}

const char *session_arm_again(void)
{
    return state.run ? backend()->arm_again() : NULL;
}

bool session_over(const struct session *session, const struct totals *totals)
{
    const u32 *n = totals->count;
    return (session->failfast && (n[OUTCOME_FAIL] || n[OUTCOME_ERROR] || n[OUTCOME_REVIEW])) ||
           (session->enough && session->enough());
}

/* As at the start of the run, except that CPUs which the run has left out stay out. Returns NULL, or why it failed. */
static const char *begin_apart(const struct session *session)
{
    if (!session->apart || !state.run)
        return NULL;
    const char *wrong = backend()->arm_again();
    if (!wrong)
        run_renew();
    return wrong;
}

void session_begin_results(const struct session *session)
{
    outcomes_begin(&state.outcomes, session->registry);
}

const struct outcomes *session_outcomes(void)
{
    return &state.outcomes;
}

void session_add(struct totals *totals, const struct test_declaration *test, const struct folded *folded)
{
    report_add(totals, test, folded, state.kind);
    outcomes_note(&state.outcomes, test, folded->outcome);
}

void session_result(const struct session *session, const struct test_declaration *test, u32 number,
                    const struct folded *folded, struct totals *totals)
{
    if (!session->quiet && state.kind == PMU_HARDWARE)
        report_evidence(test, folded);
    report_test_done(number, test, folded, session->quiet);
    session_add(totals, test, folded);
    if (!session->quiet)
        report_progress(totals);
    if (session->observer && session->observer->done)
        session->observer->done(session->observer->book, test, folded->outcome);
}

static enum outcome run_one(const struct session *session, const struct test_declaration *test, u32 number, u32 of,
                            struct totals *totals)
{
    static struct folded folded;
    report_begin(test->id, number, of, session->quiet);
    const char *wrong = begin_apart(session);
    if (wrong) {
        fold_clear(&folded);
        fold_lost(&folded, 0, REASON_NONE, wrong);
    } else if (previous_hung(test->id)) {
        fold_clear(&folded);
        fold_lost(&folded, 0, REASON_ERROR_LOST, "hung the machine before, until the watchdog reset it: left out");
    } else if (session_over(session, totals)) {
        fold_clear(&folded);
        fold_skipped(&folded, SESSION_OVER);
    } else {
        backend()->bench_begin();
        u64 begun = time_now();
        run_test(test, session->observer, &folded);
        u64 took = time_us(time_now() - begun);
        backend()->bench_end(test);
        backend()->doubt(test, &folded);
        if (!session->quiet)
            report_took(test->id, took);
    }
    purpose_note(&state.measures, test->id, &folded);
    session_result(session, test, number, &folded, totals);
    return folded.outcome;
}

/* Logs how long all this takes at most on silicon, and the limits that apply. */
static void print_budget(const struct session *session)
{
    struct cpu_set cpus = run_cpus();
    u32 in_turn = 0, count = cpu_set_count(&cpus);
    for (unsigned i = 0; i < session->selection.count; i++)
        in_turn += session->selection.test[i]->scope == EACH_CPU_IN_TURN;
    log_line("# budget tests=%u us=%u repeats=%u events=%u cpus=%u suite-ms=%lu", session->selection.count, budget().us,
             budget().repeats, budget().events, count,
             session->repeat * budget_suite_us(session->selection.count, in_turn, count) / 1000);
}

void session_tell_unshown(struct totals *totals)
{
    char text[REASON_SIZE];
    const char *lacking = state.run ? backend()->unshown(text, sizeof(text)) : NULL;
    if (lacking)
        totals_lack(totals, REASON_NONE, lacking);
}

void session_tests(const struct session *session, u8 *outcomes, struct totals *totals)
{
    static struct selection order;
    u32 number = 0, of = session->selection.count * session->repeat + !!session->last;
    u64 begun = time_now();
    order = session->selection;
    session_begin_results(session);
    state.measures = (struct purpose_measures){0};
    if (!session->quiet) {
        print_budget(session);
        log_line("1..%u", of);
    }
    for (u32 pass = 0; pass < session->repeat; pass++) {
        if (session->shuffle)
            select_shuffle(&order, session->seed + pass);
        for (unsigned i = 0; i < order.count; i++) {
            enum outcome outcome = run_one(session, order.test[i], ++number, of, totals);
            if (outcomes)
                outcomes[i] = (u8)outcome;
        }
    }
    if (session->last)
        session->last(session, of, totals);
    run_end();
    if (!session->quiet) {
        report_took("run", time_us(time_now() - begun));
        report_outcomes(&state.outcomes);
        if (state.kind != PMU_VIRTUAL)
            report_purposes(&state.outcomes, &state.measures);
    }
    totals->count[OUTCOME_ERROR] += run_errors();
    session_tell_unshown(totals);
    if (!session->quiet)
        report_untested(totals);
}
