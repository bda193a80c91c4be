/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes the state (state.h): one function for each reason, and no other code does it. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* This image becomes the guest. */
void transition_enter(struct vcpu *v);
/* Before transition_enter() on a CPU that an INIT has taken out of the monitor: what it ran in is gone. */
void transition_forget(struct vcpu *v);
/* Stepping begins; `reachable`: the in-guest half can run where the guest is. */
void transition_start(struct vcpu *v, bool reachable);
/* Stepping ends: from an exit or from the in-guest half. */
void transition_stop(struct vcpu *v);
/* The exit by which transition_stop() stops in the in-guest half, which then continues to its IRET undisturbed. */
void transition_leave_stub(struct vcpu *v);
/* The guest is about to change what stepping inside relies on: the rest of this stretch is stepped by exit. */
void transition_outside(struct vcpu *v);
/* Begins and ends executing instructions in the place of a guest that is stepped by exit. */
void transition_view(struct vcpu *v);
void transition_view_end(struct vcpu *v);
/* Another way of stepping is requested. */
void transition_how(struct vcpu *v, enum monitor_stepping how);
/* INIT: whatever the CPU was doing, it now belongs to the foreign kernel and begins anew. */
void transition_init(struct vcpu *v);
/* A foreign kernel takes this image's place. */
void transition_foreign(struct vcpu *v);
