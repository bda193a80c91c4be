/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts the CPUs on the reference PMU of a run. */
#include "harness/chapter/moving.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/gate/gate.h"
#include "pmu/state/handoff.h"
#include "reference/deviations/deviations.h"
#include "reference/dumps/dumps.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"
#include "reference/step/stepper.h"

#define ARM_TIMEOUT_MS 10000
#define PROVEN_MOST 64 /* of more, the first are proven anew */

static struct {
    struct pmu_run run;            /* the run that is being armed */
    struct deviating deviating;    /* how the PMU that is being armed deviates */
    const struct profile *profile; /* the profile it is based on */
    struct {
        const struct profile *profile;
        const struct dumped_cpu *dump; /* NULL: the profile itself */
    } proven[PROVEN_MOST];             /* those whose self-proof was made */
    unsigned proofs;                   /* how many were made */
    bool active;
    unsigned way; /* of stepping: the option's, or one that works here */
    bool noting;  /* the run deviates: whether that can show is noted */
} state;

static PER_CPU struct {
    bool unarmed;   /* this CPU has no memory for the stepper */
    unsigned wrong; /* counted snippets that failed the self-proof, and the first of them */
    char text[STEPPER_TEXT];
    const char *lacks[STEPPER_WAYS]; /* what does not hold in this way of stepping */
} steppers;

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

static const char *no_memory(void)
{
    static char text[STEPPER_TEXT];
    format_text(text, sizeof(text), "reference PMU: not enough memory, each CPU needs about %u KiB for it",
                stepper()->kib);
    return text;
}

static const char *arm(const struct pmu_run *run)
{
    state.run = *run;
    state.profile = run_profile(run);
    state.deviating = run_deviating(run);
    bool again = state.active;
    state.active = true;
    dangerous_harmless(true);
    smi_harmless(true);
    cpus_work_us = stepper()->work_us;
    guest_move_played = stepper_moved;
    caps_unlisted(true);
    if (again)
        apic_mode_assume_page(); /* the new profile may have another APIC mode than the last one */
    const char *wrong = run_everywhere(arm_here);
    for (u32 cpu = 0; cpu < cpu_count() && !wrong; cpu++)
        if (of_cpu(steppers, cpu).unarmed)
            wrong = no_memory();
    if (!wrong)
        stepper_everywhere();
    if (!again)
        apic_mode_assume_page(); /* a machine in x2APIC mode has none that works before */
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
        unsigned n = state.proofs++ % PROVEN_MOST;
        state.proven[n].profile = run->profile;
        state.proven[n].dump = run->dump;
    }
    return wrong;
}

static bool proven(const struct pmu_run *run)
{
    for (unsigned n = 0; n < state.proofs && n < PROVEN_MOST; n++)
        if (state.proven[n].profile == run->profile && state.proven[n].dump == run->dump)
            return true;
    return false;
}

/* The stepper that the option asks for, if it can be used here. */
static const char *choose_stepper(void)
{
    int way = stepper_choose(option_stepping.given ? option_stepping.text : NULL);
    if (way < 0)
        return "reference PMU: stepping= names a way that this image does not have: pmucheck.elf has trap and each, "
               "pmucheck-host.elf in-guest, single and exit";
    state.way = (unsigned)way;
    return stepper()->unavailable();
}

const char *arm_run(const struct pmu_run *run, bool notes)
{
    state.noting = notes && run->deviation >= 0;
    const char *wrong = state.active ? NULL : choose_stepper();
    if (!wrong && !proven(run))
        wrong = self_proof(run);
    shown_begin();
    return wrong ? wrong : arm(run);
}

const char *arm_again(void)
{
    struct pmu_run run = state.run;
    return arm(&run);
}

/* ---- And back again. */

static void disarm_here(void *argument)
{
    (void)argument;
    stepper()->disarm();
    handoff_as_found();
}

const char *arm_for_good(void)
{
    const char *wrong = state.active ? NULL : choose_stepper();
    return wrong || stepper()->disarm ? wrong
                                      : "reference PMU: what this image steps with cannot be switched off again";
}

const char *arm_disarm(void)
{
    if (!state.active || !stepper()->disarm)
        return state.active ? arm_for_good() : NULL;
    stepper_restore_text();
    const char *wrong = run_everywhere(disarm_here);
    dangerous_harmless(false);
    smi_harmless(false);
    caps_unlisted(false);
    cpus_work_us = NULL;
    guest_move_played = NULL;
    state.active = false;
    state.proofs = 0;
    return wrong;
}

bool arm_active(void)
{
    return state.active;
}

const struct pmu_run *arm_armed(void)
{
    return state.active ? &state.run : NULL;
}

void arm_describe(void)
{
    const struct dumped_cpu *cpu = state.run.dump;
    const struct profile *p = state.profile;
    for (unsigned n = 0; cpu && n < cpu->cores; n++, p = p->second)
        log_line("# dumped-cpu signature=%08x name=%s kind=%u like=%s assumed=\"%s\"", p->signature, p->brand, n,
                 dumped_cores[cpu->first_core + n].like, p->assumed);
}

bool arm_may_show(void)
{
    return !state.noting || shown_may_be(state.profile, &state.deviating);
}

const char *arm_unshown(char *text, size_t size)
{
    if (arm_may_show())
        return NULL;
    const struct deviation *d = deviations[state.run.deviation];
    shown_advice(&state.run, text, size);
    log_line("# defect name=%s shown=no reason=\"%s\"", d->name, text);
    return d->kind == KIND_DEFECT ? text : NULL;
}
