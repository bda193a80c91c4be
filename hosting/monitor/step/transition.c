/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The transitions. Each is a function, so that all ways out of a state are in one place; go() loads the tables that the
 * state needs, and intercepts are set when the exit ends (intercept.c).
 */
#include "hosting/monitor/step/transition.h"
#include "boot/cpu.h"
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/vmrun.h"

/* DR6.BS is virtual while stepped: control.c. For a foreign guest stepping begins and ends in an exit. */
static void exchange_single_step(struct vcpu *v, bool was_stepped)
{
    struct vmcb *c = v->vmcb;
    if (!is_foreign(v) || is_stepped(v) == was_stepped)
        return;
    if (was_stepped)
        c->dr6 = (c->dr6 & ~DR6_BS) | (v->guest_bs ? DR6_BS : 0);
    else
        v->guest_bs = c->dr6 & DR6_BS;
}

static void go(struct vcpu *v, enum running to)
{
    bool was = is_shadowed(v), was_stepped = is_stepped(v);
    v->running = to;
    exchange_single_step(v, was_stepped);
    if (is_shadowed(v) == was)
        return; /* loading them twice would save the shadow IDT as the guest's own */
    if (was)
        shadow_unload(v);
    else
        shadow_load(v);
}

void transition_enter(struct vcpu *v)
{
    go(v, running_stopped(v->whose, v->how));
}

void transition_forget(struct vcpu *v)
{
    v->running = RUN_NATIVE;
}

void transition_start(struct vcpu *v, bool reachable)
{
    go(v, running_started(v->how, reachable));
}

/* Inside the guest the tables cannot be changed: IDTR is in the VMCB, and TR needs VMLOAD. The host's side does it. */
void transition_stop(struct vcpu *v)
{
    enum running to = running_stopped(v->whose, v->how);
    if (v->in_stub && !running_shadowed(to))
        stepper_call(CALL_LEAVE_STUB, 0);
    else
        go(v, to);
}

void transition_leave_stub(struct vcpu *v)
{
    go(v, running_stopped(v->whose, v->how));
}

void transition_outside(struct vcpu *v)
{
    go(v, RUN_BY_EXIT);
}

void transition_view(struct vcpu *v)
{
    go(v, RUN_VIEWED);
}

void transition_view_end(struct vcpu *v)
{
    go(v, RUN_BY_EXIT);
}

void transition_how(struct vcpu *v, enum monitor_stepping how)
{
    v->how = how;
    go(v, is_stepped(v) ? running_started(how, true) : running_stopped(v->whose, how));
}

void transition_init(struct vcpu *v)
{
    go(v, RUN_NATIVE);
    v->whose = WHOSE_FOREIGN;
}

/* A new kernel has not mapped the monitor yet: if a counter still counts, it is stepped by exit. */
void transition_foreign(struct vcpu *v)
{
    go(v, is_stepped(v) ? RUN_BY_EXIT : RUN_NATIVE);
    v->whose = WHOSE_FOREIGN;
}
