/* From one state to the other (state.h): one function for each reason, and no other code changes the state. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* This image becomes the guest. */
void transition_enter(struct vcpu *v);
/* Stepping begins; `reachable`: the in-guest half can run where the guest is. */
void transition_start(struct vcpu *v, bool reachable);
/* Stepping ends: from an exit or from the in-guest half. */
void transition_stop(struct vcpu *v);
/* The exit of a transition_stop() in the in-guest half: it goes on to its IRET, and meets nothing on the way. */
void transition_leave_stub(struct vcpu *v);
/* The guest is about to change what stepping inside it rests on: the rest of this stretch is stepped by exit. */
void transition_outside(struct vcpu *v);
/* The monitor executes instructions in the place of a guest that is stepped by exit. */
void transition_view(struct vcpu *v);
void transition_view_end(struct vcpu *v); /* and no longer. */
/* Another way of stepping is asked for. */
void transition_how(struct vcpu *v, enum monitor_stepping how);
/* INIT: whatever it was in, it is that kernel's and begins anew. */
void transition_init(struct vcpu *v);
/* A foreign kernel takes this image's place. */
void transition_foreign(struct vcpu *v);
