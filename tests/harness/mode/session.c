/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/session.h"
#include "harness/core/budget.h"
#include "harness/core/topology.h"
#include "harness/mode/guest_pmu.h"
#include "harness/mode/options.h"
#include "harness/mode/watch.h"
#include "harness/report/announce.h"
#include "harness/report/identity.h"
#include "harness/report/machine.h"
#include "harness/report/outcomes.h"
#include "harness/report/report.h"
#include "harness/run/peek.h"
#include "harness/run/run.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/cpu/previous.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/screen/screen.h"
#include "kernel/text/format.h"
#include "kernel/text/string.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/lbr.h"
#include "pmu/gate/dangerous.h"
#include "reference/deviations/deviations.h"
#include "reference/dumps/dumps.h"
#include "reference/mode/bench.h"
#include "reference/mode/runs.h"
#include "reference/mode/shown.h"
#include "reference/step/stepper.h"

#define ARM_TIMEOUT_MS 10000

static struct {
    struct pmu_run run;         /* the run that is being armed */
    struct deviating deviating; /* how the PMU that is being armed deviates */
    enum pmu_kind kind;
    const struct profile *profile; /* the profile it is based on */
    const struct profile *proven;  /* the profile whose self-proof was made */
    const struct dumped_cpu *dump; /* and its dumped CPU; NULL: the profile itself */
    bool on_reference;
    unsigned way;                     /* of stepping: the option's, or one that works here */
    bool noting;                      /* the run deviates: whether that can show is noted */
    struct purpose_measures measures; /* of the run so far */
    struct outcomes outcomes;         /* of its results so far */
} state;

static PER_CPU struct {
    bool unarmed;   /* this CPU has no memory for the stepper */
    unsigned wrong; /* counted snippets that failed the self-proof, and the first of them */
    char text[STEPPER_TEXT];
    const char *lacks[STEPPER_WAYS]; /* what does not hold in this way of stepping */
} steppers;

bool session_on_reference(void)
{
    return state.on_reference;
}

const struct pmu_run *session_run(void)
{
    return &state.run;
}

enum pmu_kind session_kind(void)
{
    return state.kind;
}

/* ---- On each CPU. */

static void arm_here(void *argument)
{
    (void)argument;
    struct model_setup setup = {
        .profile = state.profile,
        .cpu = cpu_index(),
        .cpus = cpu_count(),
        .change = deviate,
        .how = &state.deviating,
        .reached = state.noting ? shown_notes(cpu_index()) : NULL,
    };
    of_cpu(steppers, setup.cpu).unarmed = !stepper()->arm(&setup);
}

static unsigned last_way(void)
{
    unsigned way = 0;
    while (stepper()->ways[way + 1])
        way++;
    return way;
}

/* All methods of stepping must agree with the known counts. */
static void prove_here(void *argument)
{
    (void)argument;
    u32 cpu = cpu_index();
    of_cpu(steppers, cpu).wrong = 0;
    for (unsigned way = last_way() + 1; way--;) {
        stepper()->set_way(way);
        if (!of_cpu(steppers, cpu).wrong)
            of_cpu(steppers, cpu).wrong = stepper()->prove(of_cpu(steppers, cpu).text);
        of_cpu(steppers, cpu).lacks[way] = stepper()->probe();
    }
}

static void step_here(void *argument)
{
    (void)argument;
    stepper()->set_way(state.way);
}

/* ---- On the boot CPU. */

static const char *run_everywhere(void (*function)(void *))
{
    struct cpu_set all = cpus_all(), late = {0};
    static char text[CPU_SET_TEXT + 64];
    char cpus[CPU_SET_TEXT];
    if (cpus_run(&all, function, NULL, ARM_TIMEOUT_MS, &late))
        return NULL;
    format_text(text, sizeof(text), "reference PMU: CPUs %s did not come back",
                cpu_set_text(&late, cpus, sizeof(cpus)));
    return text;
}

static const char *arm(const struct pmu_run *run)
{
    state.run = *run;
    state.profile = run_profile(run);
    state.deviating = run_deviating(run);
    state.on_reference = true;
    dangerous_harmless();
    cpus_work_us = stepper()->work_us;
    caps_unlisted();
    apic_mode_assume_page(); /* the new profile may have another APIC mode than the last one */
    const char *wrong = run_everywhere(arm_here);
    for (u32 cpu = 0; cpu < cpu_count() && !wrong; cpu++)
        if (of_cpu(steppers, cpu).unarmed)
            wrong = "reference PMU: not enough memory, each CPU needs about 1.5 MiB for it";
    apic_mode_detect();
    return wrong;
}

/* What does not hold in this way of stepping; NULL: it can be used. */
static const char *lacking(unsigned way)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (of_cpu(steppers, cpu).lacks[way])
            return of_cpu(steppers, cpu).lacks[way];
    return NULL;
}

/* The way that the option asks for; if something does not hold there, the one that relies on least. */
static const char *choose_stepping(void)
{
    static char error[STEPPER_TEXT + 64];
    const char *lacks = lacking(state.way), *also = lacking(last_way());
    if (!lacks)
        return NULL;
    if (also) {
        format_text(error, sizeof(error), "reference PMU: in this emulator %s", also);
        return error;
    }
    state.way = last_way();
    log_line("# stepping lacks=\"%s\" instead=%s", lacks, stepper()->ways[state.way]);
    return NULL;
}

/* Counts known snippets on the plain profile: if that is right, failures found by tests are not the monitor's. */
static const char *self_proof(const struct pmu_run *run)
{
    static char error[STEPPER_TEXT + 64];
    struct pmu_run plain = {.profile = run->profile, .deviation = -1, .rate = 1, .dump = run->dump};
    const char *wrong = arm(&plain);
    if (wrong)
        return wrong;
    stepper()->probes(true);
    wrong = run_everywhere(prove_here);
    stepper()->probes(false);
    for (u32 cpu = 0; cpu < cpu_count() && !wrong; cpu++) {
        if (!of_cpu(steppers, cpu).wrong)
            continue;
        format_text(error, sizeof(error), "reference PMU: %u snippets miscounted on CPU %u, the first: %s",
                    of_cpu(steppers, cpu).wrong, cpu, of_cpu(steppers, cpu).text);
        wrong = error;
    }
    wrong = wrong ? wrong : choose_stepping();
    wrong = wrong ? wrong : run_everywhere(step_here);
    if (!wrong) {
        state.proven = run->profile;
        state.dump = run->dump;
    }
    return wrong;
}

/* The stepper that the option asks for, if it can be used here. */
static const char *choose_stepper(void)
{
    int way = stepper_choose(option_stepping.given ? option_stepping.text : NULL);
    if (way < 0)
        return "reference PMU: this image has no such way of stepping";
    state.way = (unsigned)way;
    return stepper()->unavailable();
}

static const char *arm_reference(const struct pmu_run *run)
{
    const char *wrong = state.on_reference ? NULL : choose_stepper();
    if (!wrong && (state.proven != run->profile || state.dump != run->dump))
        wrong = self_proof(run);
    shown_begin();
    return wrong ? wrong : arm(run);
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

/* Logs whose values the reference PMU has, and which of them were assumed because nobody has seen them on that CPU. */
static void print_dump(const struct dumped_cpu *cpu)
{
    const struct profile *p = state.profile;
    for (unsigned n = 0; n < cpu->cores; n++, p = p->second)
        log_line("# dumped-cpu signature=%08x name=%s kind=%u like=%s assumed=\"%s\"", p->signature, p->brand, n,
                 dumped_cores[cpu->first_core + n].like, p->assumed);
}

static void print_run(const struct session *session, const struct pmu_run *run)
{
    char name[RUN_NAME_SIZE];
    const struct pmu_caps *c = pmu_caps_of(0);
    run_name(run, name);
    if (state.kind == PMU_VIRTUAL || state.kind == PMU_VIRTUAL_JUDGED) {
        char hypervisor[VENDOR_SIZE];
        identity_hypervisor(hypervisor);
        format_text(name, sizeof(name), "virtual:%s", hypervisor);
    }
    log_line("# run pmu=%s%s%s%s", name, state.kind == PMU_VIRTUAL_JUDGED ? " judge=virtual" : "",
             session->leg ? " microcode=" : "", session->leg ? session->leg : "");
    if (run->dump)
        print_dump(run->dump);
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
static const char *begin(const struct session *session, const struct pmu_run *run, bool goes_on)
{
    state.kind = run->profile ? PMU_REFERENCE : kind_of_machine();
    budget_set_pmu(state.kind);
    watch_bound();
    announce_accesses(cpus_answering() == 1 && !session->quiet);
    (goes_on ? run_go_on : run_begin)(state.kind, &session->cpus, !session->quiet);
    struct cpu_set cpus = run_cpus();
    budget_set_cpus(cpu_set_count(&cpus));
    if (!session->quiet)
        print_run(session, run);
    if (run->profile && !session->quiet)
        bench_stepping(&cpus);
    if ((state.kind == PMU_VIRTUAL || state.kind == PMU_VIRTUAL_JUDGED) && !session->quiet)
        guest_pmu_print();
    return session->quiet ? NULL : peek_run(&cpus);
}

const char *session_arm(const struct session *session, const struct pmu_run *run)
{
    state.noting = run->profile && run->deviation >= 0 && !session->quiet;
    const char *wrong = run->profile ? arm_reference(run) : NULL;
    state.run = *run;
    return wrong ? wrong : begin(session, run, false);
}

const char *session_go_on(const struct session *session)
{
    struct pmu_run run = state.run;
    return begin(session, &run, true);
}

const char *session_arm_again(void)
{
    struct pmu_run run = state.run;
    return state.kind == PMU_REFERENCE ? arm(&run) : NULL;
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
    if (!session->apart || state.kind != PMU_REFERENCE)
        return NULL;
    struct pmu_run run = state.run;
    const char *wrong = arm(&run);
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
        bench_test_begin();
        u64 begun = time_now();
        run_test(test, session->observer, &folded);
        u64 took = time_us(time_now() - begun);
        bench_test_end(test);
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
    if (!state.noting || shown_may_be(state.profile, &state.deviating))
        return;
    const struct deviation *d = deviations[state.run.deviation];
    log_line("# defect name=%s shown=no reason=\"%s\"", d->name, shown_advice(&state.run, text, sizeof(text)));
    if (d->kind == KIND_DEFECT)
        totals_lack(totals, REASON_NONE, text);
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
