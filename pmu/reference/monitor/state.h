/*
 * How a virtual CPU runs and for whom: the combinations that exist, and what the CPU is told in each of them.
 * transition.h leads from one to the other, intercept.h tells the CPU.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/reference/monitor/monitor.h"

/* In this order: what follows RUN_NATIVE and RUN_SHADOWED is stepped, and TF is ours. */
enum running {
    RUN_NATIVE,   /* by the CPU, on the guest's own IDT and TSS */
    RUN_SHADOWED, /* by the CPU, on the shadow IDT and TSS, so that stepping can begin without a VM exit */
    RUN_INSIDE,   /* stepped inside: each trap is taken on the shadow tables, by the in-guest half */
    RUN_BY_EXIT,  /* stepped by exit: each trap is a VM exit */
    RUN_VIEWED,   /* likewise, and right now the monitor executes instructions in its place, seen from outside */
    RUNNINGS
};
_Static_assert(RUNNINGS == MONITOR_STATES, "monitor.h counts them");
extern const char *const running_name[RUNNINGS];

enum whose {
    WHOSE_IMAGE,  /* this image: the monitor's own address space, and text that does not change under it */
    WHOSE_FOREIGN /* another kernel, in an address space of its own */
};

/* One combination, as the CPU has to see it. */
struct state_rule {
    bool exists;
    bool stepped;   /* TF is set whenever the guest goes on; the guest's own one is in guest_tf */
    bool shadowed;  /* the shadow IDT and TSS are loaded */
    u64 intercepts; /* INTERCEPT_* */
    u32 controls;   /* CONTROL_*: accesses to control registers that exit */
    u32 exceptions; /* that exit: a bit per vector */
};
extern const struct state_rule state_rules[][RUNNINGS];

/* Inline, as is all that each exit needs: TCG forgets where calls lead with every one, and looks each up anew. */
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

/* Where stepping leads to; `reachable`: the in-guest half can run where the guest is. */
enum running running_started(enum monitor_stepping how, bool reachable);
/* Where the end of stepping leads to. */
enum running running_stopped(enum whose whose, enum monitor_stepping how);

/* What the CPU shows when an exit is over. `shadow_idt` matters while stepped only. */
struct state_seen {
    bool shadow_idt; /* the IDT in the VMCB is the shadow one */
    bool in_stub;    /* the in-guest half is running */
    bool inside;     /* what goes on is that half, or an instruction of the guest's once more */
    bool tf;
};
/* What is wrong with that state, or NULL. */
const char *state_wrong(enum whose whose, enum running running, enum monitor_stepping how,
                        const struct state_seen *seen);
