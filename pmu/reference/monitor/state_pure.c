/*
 * The table of states. It exists so that "which intercepts are set while..." has one place to be read and changed: an
 * intercept too few lets an instruction retire uncounted, one too many costs ten microseconds each time.
 */
#include "boot/cpu.h"
#include "pmu/reference/monitor/state.h"
#include "pmu/reference/monitor/vmcb.h"

const char *const running_name[RUNNINGS] = {"native", "shadowed", "inside", "by-exit", "viewed"};

/*
 * What exits in every state. CPUID, the PMU's MSRs and RDPMC would show the real machine instead of the model, and
 * SVM's own instructions what no Intel CPU has. NMIs, because TCG lets a further one interrupt the handler of one that
 * was injected: their blocking is virtual. A shutdown would reset the machine and take the log's end with it.
 */
#define BASE (INTERCEPT_RDPMC | INTERCEPT_CPUID | INTERCEPT_MSR | INTERCEPT_SVM | INTERCEPT_SHUTDOWN | INTERCEPT_NMI)
/*
 * HLT where stepping may begin before it without an exit: it retires at once, but its #DB could only come after
 * whatever wakes the CPU, and the model has to know that the CPU sleeps. A foreign guest starts to be stepped at exits
 * only: there it is for one that sleeps with interrupts off, which may be its end. MWAIT likewise, by which this image
 * sleeps with all counters stopped to see what that does to them; where a foreign guest has several CPUs TCG's MWAIT is
 * a PAUSE, and intercept.c leaves it to that.
 */
#define ASLEEP (BASE | INTERCEPT_HLT | INTERCEPT_MWAIT)
/*
 * What a patched access of this image has become (patch.c) is an INT n, which only the shadow table understands: on the
 * guest's own it has to exit.
 */
#define PATCHED INTERCEPT_INTN
/*
 * Stepped by exit, whatever arrives would push TF of ours into the guest's frame: interrupts (the exit comes when IF
 * lets them in, so it is the guest's interrupt window), INT n and every exception exit, and the frame is built by hand.
 * An NMI has its own intercept. Inside, the shadow gates take all of them without an exit.
 */
#define EVENTS (INTERCEPT_INTR | INTERCEPT_INTN)
#define ALL_EXCEPTIONS (~(u32)BIT(VECTOR_NMI))
/*
 * A foreign guest that is stepped inside may change what that rests on: its tables (and SIDT would show ours), the
 * mapping of the monitor, paging as a whole. The kernel of this image does not.
 */
#define FOUNDATIONS INTERCEPT_TABLES
#define PAGING CONTROL_PAGING
/*
 * A clock that is a foreign guest's own stands still while the monitor executes. By itself the guest runs with the
 * machine's, an offset apart. Inside, each instruction is looked at before it is executed, and those that read the
 * clock are emulated; by exit code may be stepped that is not looked at. intercept.c leaves it out for others.
 */
#define TIME INTERCEPT_TSC
/* CR4.PCE is virtual in every state: control.c. */
#define CR4 CONTROL_CR4

/*
 * Notes on rows. Image, native: with stepping=exit alone, else this image runs on the shadow tables from its entry on;
 * it is never viewed, as the monitor shares its address space. Foreign: shadow tables are loaded only for as long as it
 * is stepped, or it would find them with SIDT. Viewed lasts within one exit, so the guest is never entered in it; code
 * that runs meanwhile asks whether it is stepped, and on which tables.
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
        return "seen from outside beyond an exit";
    if (how == STEP_BY_EXIT ? rule->shadowed : whose == WHOSE_IMAGE && !rule->shadowed)
        return "not stepped as was asked for";
    /* This image may load a table of its own while nothing is stepped, as the measurement of a bare trap does. */
    if (rule->stepped && seen->shadow_idt != rule->shadowed)
        return "stepped on the wrong interrupt table";
    if (rule->stepped && !rule->shadowed && seen->in_stub)
        return "the in-guest half runs without its tables";
    if (rule->stepped && !seen->inside && !seen->tf)
        return "stepped without TF";
    return NULL;
}
