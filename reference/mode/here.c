/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Proven here: before the machine's own PMU is judged, a PMU like it is put under this very CPU, with some dozens of
 * defects one after another, and the tests have to notice them.
 */
#include "harness/core/budget.h"
#include "harness/mode/modes.h"
#include "harness/report/report.h"
#include "harness/run/needs.h"
#include "harness/run/run.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "reference/deviations/deviations.h"
#include "reference/dumps/dumps.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"
#include "reference/model/profile.h"

#define RUNS_ON 200  /* of single tests: about two seconds */
#define SECONDS_ON 4 /* on a slow machine the rest is left */
#define RUNS_ALL 1000000u
#define CPUS_MOST 2 /* tests of neighbours need two; more only take time */

static struct provers_book book;
static bool may[PROVERS_DEFECTS];

static struct {
    struct nearest nearest;
    struct pmu_run plain;       /* the PMU without a defect */
    struct selection selection; /* tests that can run on it */
    unsigned most;              /* runs of single tests that may be made */
    unsigned run;               /* that were made */
    u64 begun;
    unsigned shown, caught;
    bool done; /* and so there may be doubts */
} state;

static bool is(const char *choice)
{
    return option_prove_here.given && !strcmp(option_prove_here.text, choice);
}

/* ---- Which PMU, and what of it. */

static struct cpuid_regs ask(void *unused, u32 leaf, u32 subleaf)
{
    (void)unused;
    return cpuid_has_leaf(leaf) ? cpuid(leaf, subleaf) : (struct cpuid_regs){0};
}

/* In a run on the reference PMU, for which it has to be asked for, that PMU is "the machine's own". */
static bool find_pmu(void)
{
    const struct pmu_run *first = &planned()->run[0];
    state.plain = (struct pmu_run){.deviation = -1, .rate = 1};
    if (first->profile || first->dump) {
        state.plain.profile = first->profile;
        state.plain.dump = first->dump;
        state.nearest.own = true;
        state.nearest.like = first->dump ? first->dump->name : first->profile->name;
        state.nearest.base = first->dump ? dump_like(first->dump)->name : state.nearest.like;
        return true;
    }
    const struct pmu_caps *caps = pmu_caps_of(0);
    if (!caps->intel || !caps->present || !nearest_find(caps, ask, NULL, &state.nearest))
        return false;
    state.plain.profile = state.nearest.profile;
    return true;
}

/* Whether it shows depends on how often a register was read before. */
static const char by_chance[] = "misc-enable-flaps";
/* It shows in a comparison with another CPU. */
static const char of_two[] = "*-last-cpu,*-both-threads";

/* Each takes as long as ten others: tests that step much, and a defect that makes one wait. Only with all. */
static const char slow_tests[] = "trace.*,freeze.lbrs,lbr.freeze,lbr.filters", slow[] = "masked-pmi-kept";

/* Has a proof shown it on this very profile? Elsewhere its being missed may be this CPU's nature. */
static bool proven_on(const struct deviation *d, const char *profile)
{
    bool own = !strcmp(d->profile ? d->profile : runs_default_profile(), profile);
    for (const char *const *name = d->elsewhere; *name && !own; name++)
        own = !strcmp(*name, profile);
    return own;
}

/* May it show on this profile? */
static bool shows(const struct deviation *d, const char *profile, u32 cpus)
{
    if (d->kind != KIND_DEFECT || d->known_only || d->registers ||
        (d->hidden_on && glob_list_match(d->hidden_on, profile)))
        return false;
    if (!is("all") && glob_list_match(slow, d->name))
        return false;
    if (glob_list_match(by_chance, d->name) || (cpus < 2 && glob_list_match(of_two, d->name)))
        return false;
    return !d->profile || proven_on(d, profile);
}

static void list_defects(u32 cpus)
{
    for (unsigned i = 0; i < deviation_count && i < PROVERS_DEFECTS; i++)
        may[i] = shows(deviations[i], state.nearest.base, cpus);
}

static void list_tests(const struct session *session)
{
    char vendor[VENDOR_SIZE];
    struct unmet unmet;
    struct cpu_set cpus = run_cpus();
    struct environment environment = {
        .vendor = vendor, .apic = apic_present(), .cpus = cpu_set_count(&cpus), .probing = true};
    identity_vendor(vendor);
    state.selection.count = 0;
    for (unsigned i = 0; i < session->selection.count; i++) {
        const struct test_declaration *test = session->selection.test[i];
        if (!is("all") && glob_list_match(slow_tests, test->id))
            continue;
        if (!test->unproven && !needs_unmet(&test->needs, pmu_caps_of(0), &environment, &unmet))
            state.selection.test[state.selection.count++] = test;
    }
}

/* ---- A run of some tests. */

static void take_note(void *unused, const struct test_declaration *test, u32 cpu, const struct results *results)
{
    (void)unused;
    (void)cpu;
    provers_note(&book, test->id, results);
}
static const struct observer observer = {.note = take_note};

/* As in a proof, each test begins on a PMU as it was at the start. */
static const char *run_one(const struct test_declaration *test)
{
    static struct folded folded;
    const char *wrong = arm_again();
    if (wrong)
        return wrong;
    state.run++;
    report_begin("proven-here", state.run, is("all") ? state.run : RUNS_ON, true);
    run_renew();
    run_test(test, &observer, &folded);
    return NULL;
}

/* Runs the tests that this defect needs and that did not run without one yet; and then with the defect. */
static const char *run_plain(int defect)
{
    const char *wrong = arm_run(&state.plain, false);
    provers_run(&book, true);
    for (unsigned i = 0; i < state.selection.count && !wrong; i++) {
        const struct test_declaration *test = state.selection.test[i];
        if (!provers_wants(&book, defect, test->id) || provers_ran(&book, test->id))
            continue;
        wrong = run_one(test);
        provers_end_plain(&book, test->id);
    }
    return wrong;
}

static const char *run_defect(int defect)
{
    struct pmu_run run = state.plain;
    run.deviation = defect;
    const char *wrong = arm_run(&run, true);
    provers_run(&book, false);
    bool ran = false;
    for (unsigned i = 0; i < state.selection.count && !wrong; i++) {
        if (!provers_wants(&book, defect, state.selection.test[i]->id))
            continue;
        wrong = run_one(state.selection.test[i]);
        ran = true;
    }
    if (wrong || !ran)
        return wrong;
    bool could = arm_may_show() && proven_on(deviations[defect], state.nearest.base);
    unsigned failed = provers_end(&book, defect, could);
    state.shown++;
    state.caught += !!failed;
    return NULL;
}

static bool time_left(void)
{
    return is("all") || time_us(time_now() - state.begun) < SECONDS_ON * 1000000ull;
}

static unsigned runs_left(void)
{
    return state.run < state.most ? state.most - state.run : 0;
}

static const char *run_defects(void)
{
    const char *wrong = NULL;
    int defect;
    while (!wrong && time_left() && (defect = provers_next(&book, may, runs_left())) >= 0) {
        wrong = run_plain(defect);
        wrong = wrong ? wrong : run_defect(defect);
        may[defect] = false;
    }
    return wrong;
}

/* ---- What came of it. */

static unsigned left(void)
{
    unsigned count = 0;
    for (unsigned row = 0; row < prover_count; row++)
        count += (book.row[row] & PROVER_OPEN) && !provers_in_vain(&book, may, row);
    return count;
}

static void tell(const char *wrong)
{
    char text[2 * REASON_SIZE];
    if (wrong) {
        log_line("# proven-here defects=%u caught=%u checks=%u reason=%s", state.shown, state.caught,
                 provers_shown(&book), format_quoted(text, sizeof(text), wrong));
        return;
    }
    log_line("# proven-here profile=%s own=%s defects=%u caught=%u checks=%u left=%u", state.nearest.like,
             state.nearest.own ? "yes" : "no", state.shown, state.caught, provers_shown(&book), left());
    log_finding("proven here: %u of %u defects noticed, %u checks can fail", state.caught, state.shown,
                provers_shown(&book));
    for (unsigned row = 0; row < prover_count; row++)
        if (provers_in_vain(&book, may, row))
            log_line("# not-proven-here %s label=%s defects=%s", provers[row].test, provers[row].label,
                     provers[row].by);
    report_took("proven-here", time_us(time_now() - state.begun));
}

void here_doubt(const struct test_declaration *test, struct folded *folded)
{
    char text[REASON_SIZE];
    for (unsigned i = 0; state.done && i < folded->labels; i++) {
        int row = provers_row(test->id, folded->label[i].label);
        if (row < 0 || !provers_in_vain(&book, may, (unsigned)row))
            continue;
        format_text(text, sizeof(text), "label %s was not shown to fail here: not by %s", provers[row].label,
                    provers[row].by);
        fold_doubt(folded, text);
    }
}

/* ---- All of it. */

static struct cpu_set two_of(const struct cpu_set *cpus)
{
    struct cpu_set some = {0};
    u32 count = 0;
    for (u32 cpu = 0; cpu < cpu_count() && count < CPUS_MOST; cpu++)
        if (cpu_set_has(cpus, cpu)) {
            cpu_set_add(&some, cpu);
            count++;
        }
    return some;
}

/* The last defect may have left counters running, and a CPU is handed back with its counters stopped. */
static void stop(void)
{
    if (!arm_run(&state.plain, false))
        run_renew();
}

/* On the reference PMU from here on. */
static const char *prove(const struct session *session)
{
    struct cpu_set cpus = two_of(&session->cpus);
    const char *wrong = arm_run(&state.plain, false);
    if (wrong) {
        arm_again(); /* whatever counted when it failed counts no more */
        return wrong;
    }
    budget_set_pmu(PMU_REFERENCE);
    budget_set_cpus(cpu_set_count(&cpus));
    budget_set_proof(true);
    run_begin_unseen(&cpus);
    list_tests(session);
    provers_begin(&book, state.selection.test, state.selection.count);
    list_defects(cpu_set_count(&cpus));
    wrong = run_defects();
    stop();
    run_end();
    budget_set_proof(false);
    return wrong;
}

static bool wanted(void)
{
    if (option_prove_here.given)
        return !is("off");
    return !planned_proof() && !modes_tests() && planned()->count == 1 && !planned()->run[0].profile &&
           !planned()->run[0].dump && !cpuid_has(CPUID_HYPERVISOR);
}

void here_prove(const struct session *session)
{
    if (!wanted() || !find_pmu())
        return;
    state.begun = time_now();
    state.most = is("all") ? RUNS_ALL : RUNS_ON;
    const char *wrong = arm_for_good();
    wrong = wrong ? wrong : prove(session);
    const char *stays = arm_disarm();
    state.done = !wrong;
    tell(wrong ? wrong : stays);
}
