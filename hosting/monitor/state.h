/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a virtual CPU runs and for which guest: the valid combinations, and what the CPU is set to in each. transition.h
 * changes the state, intercept.h sets the CPU.
 */
#pragma once

#include "boot/bits.h"
#include "hosting/monitor/monitor.h"

/* In this order: states after RUN_SHADOWED are stepped, and TF is ours. */
enum running {
    RUN_NATIVE,   /* by the CPU, on the guest's own IDT and TSS */
    RUN_SHADOWED, /* by the CPU, on the shadow IDT and TSS, so that stepping can begin without a VM exit */
    RUN_INSIDE,   /* stepped inside: each trap is taken on the shadow tables, by the in-guest half */
    RUN_BY_EXIT,  /* stepped by exit: each trap is a VM exit */
    RUN_VIEWED,   /* likewise; now the monitor executes instructions in the guest's place, seen from outside */
    RUNNINGS
};
_Static_assert(RUNNINGS == STEPPER_STATES, "monitor.h counts them");
extern const char *const running_name[RUNNINGS];

enum whose {
    WHOSE_IMAGE,  /* this image: the monitor's own address space, and text that does not change under it */
    WHOSE_FOREIGN /* another kernel, in an address space of its own */
};

/* One combination, and what it needs of the CPU. */
struct state_rule {
    bool exists;
    bool stepped;   /* TF is always set while the guest runs; its own TF is in guest_tf */
    bool shadowed;  /* the shadow IDT and TSS are loaded */
    u64 intercepts; /* INTERCEPT_* */
    u32 controls;   /* CONTROL_*: accesses to control registers that exit */
    u32 exceptions; /* vectors of exceptions that exit, a bit each */
};
extern const struct state_rule state_rules[][RUNNINGS];

/* Inline, like all that each exit needs: each exit flushes TCG's cache of call targets. */
static inline const struct state_rule *state_rule(enum whose whose, enum running running)
{
    return &state_rules[whose][running];
}

static inline bool running_stepped(enum running running)
{
    return running >= RUN_INSIDE;
}

static inline bool running_shadowed(enum running running)
{
    return running == RUN_SHADOWED || running == RUN_INSIDE;
}

/* The state when stepping begins; `reachable`: the in-guest half can run in the guest's address space. */
enum running running_started(enum monitor_stepping how, bool reachable);
/* The state when stepping ends. */
enum running running_stopped(enum whose whose, enum monitor_stepping how);

/* What the CPU shows when an exit is over. `shadow_idt` matters while stepped only. */
struct state_seen {
    bool shadow_idt; /* the IDT in the VMCB is the shadow one */
    bool in_stub;    /* the in-guest half is running */
    bool inside;     /* that half continues, or an instruction of the guest's is executed again */
    bool tf;
};
/* What is wrong with that state, or NULL. */
const char *state_wrong(enum whose whose, enum running running, enum monitor_stepping how,
                        const struct state_seen *seen);
