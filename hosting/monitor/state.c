/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of states: the one place for "which intercepts are set while...". A missing intercept lets an instruction
 * retire uncounted, one too many costs ten microseconds each time.
 */
#include "hosting/monitor/state.h"
#include "boot/cpu.h"
#include "hosting/monitor/vmcb.h"

const char *const running_name[RUNNINGS] = {"native", "shadowed", "inside", "by-exit", "viewed"};

/*
 * What exits in every state. CPUID, the PMU's MSRs and RDPMC would show the real machine instead of the model, and
 * SVM's own instructions would show a feature that no Intel CPU has. NMIs exit because TCG lets another one interrupt
 * the handler of an injected one: their blocking is virtual. A shutdown would reset the machine and lose the log's end.
 */
#define BASE                                                                                                  \
    (INTERCEPT_RDPMC | INTERCEPT_CPUID | INTERCEPT_MSR | INTERCEPT_SVM | INTERCEPT_SHUTDOWN | INTERCEPT_NMI | \
     INTERCEPT_PORTS)
/*
 * HLT, as stepping may begin just before it without an exit: HLT retires at once, but its #DB could only come after the
 * CPU has woken, and the model has to know that the CPU sleeps. A foreign guest begins to be stepped only at exits:
 * there HLT exits to find a guest that sleeps with interrupts off, which may be its end. MWAIT likewise: this image
 * sleeps by it with all counters stopped, to see how that affects them. If a foreign guest has several CPUs, TCG's
 * MWAIT is a PAUSE, and intercept.c lets it be.
 */
#define ASLEEP (BASE | INTERCEPT_HLT | INTERCEPT_MWAIT)
/*
 * patch.c turns an access of this image into INT n, which only the shadow table understands: on the guest's own table
 * it has to exit.
 */
#define PATCHED INTERCEPT_INTN
/*
 * While stepped by exit, every event would push our TF into the guest's frame. So interrupts exit (as soon as IF lets
 * them in, so this is the guest's interrupt window), and INT n and every exception; their frames are built by hand.
 * NMIs have their own intercept. Inside, the shadow gates take all of these without an exit.
 */
#define EVENTS (INTERCEPT_INTR | INTERCEPT_INTN)
#define ALL_EXCEPTIONS (~(u32)BIT(VECTOR_NMI))
/*
 * A foreign guest that is stepped inside may change what that relies on: its tables (and SIDT would show ours), the
 * mapping of the monitor, paging as a whole. The kernel of this image does not.
 */
#define FOUNDATIONS INTERCEPT_TABLES
#define PAGING CONTROL_PAGING
/*
 * A foreign guest's own clock stands still while the monitor executes. An unstepped guest uses the machine's at an
 * offset. Inside, each instruction is looked at before it is executed, and those that read the clock are emulated; by
 * exit, code may be stepped without being looked at. intercept.c removes this for guests without a clock of their own.
 */
#define TIME INTERCEPT_TSC
/* CR4.PCE is virtual in every state: control.c. */
#define CR4 CONTROL_CR4

/*
 * Notes on rows. This image is native only with stepping=exit, else on the shadow tables from its entry on; it is never
 * viewed, as the monitor shares its address space. A foreign guest has the shadow tables only while it is stepped, or
 * SIDT would show them. Viewed lasts within one exit, so the guest is never entered in it; code that runs meanwhile
 * asks whether the guest is stepped, and on which tables.
 */
const struct state_rule state_rules[][RUNNINGS] = {
    /* exists, stepped (TF), shadow tables, intercepts, control registers, exceptions */
    [WHOSE_IMAGE][RUN_NATIVE] = {true, false, false, ASLEEP | PATCHED, CR4, 0},
    [WHOSE_IMAGE][RUN_SHADOWED] = {true, false, true, ASLEEP, CR4, 0},
    [WHOSE_IMAGE][RUN_INSIDE] = {true, true, true, ASLEEP, CR4, 0},
    [WHOSE_IMAGE][RUN_BY_EXIT] = {true, true, false, ASLEEP | EVENTS, CR4, ALL_EXCEPTIONS},
    [WHOSE_FOREIGN][RUN_NATIVE] = {true, false, false, ASLEEP, CR4, 0},
    [WHOSE_FOREIGN][RUN_INSIDE] = {true, true, true, ASLEEP | FOUNDATIONS, CR4 | PAGING, 0},
    [WHOSE_FOREIGN][RUN_BY_EXIT] = {true, true, false, ASLEEP | EVENTS | TIME, CR4, ALL_EXCEPTIONS},
    [WHOSE_FOREIGN][RUN_VIEWED] = {true, true, false, ASLEEP | EVENTS | TIME, CR4, ALL_EXCEPTIONS},
};

enum running running_started(enum monitor_stepping how, bool reachable)
{
    return how != STEP_BY_EXIT && reachable ? RUN_INSIDE : RUN_BY_EXIT;
}

enum running running_stopped(enum whose whose, enum monitor_stepping how)
{
    return whose == WHOSE_IMAGE && how != STEP_BY_EXIT ? RUN_SHADOWED : RUN_NATIVE;
}

const char *state_wrong(enum whose whose, enum running running, enum monitor_stepping how,
                        const struct state_seen *seen)
{
    const struct state_rule *rule = state_rule(whose, running);
    if (!rule->exists)
        return "no such state";
    if (running == RUN_VIEWED)
        return "still viewed after an exit";
    if (how == STEP_BY_EXIT ? rule->shadowed : whose == WHOSE_IMAGE && !rule->shadowed)
        return "not stepped as requested";
    /* While nothing is stepped, this image may load its own table, as it does to measure a bare trap. */
    if (rule->stepped && seen->shadow_idt != rule->shadowed)
        return "stepped on the wrong interrupt table";
    if (rule->stepped && !rule->shadowed && seen->in_stub)
        return "the in-guest half runs without its tables";
    if (rule->stepped && !seen->inside && !seen->tf)
        return "stepped without TF";
    return NULL;
}
