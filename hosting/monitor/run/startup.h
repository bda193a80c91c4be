/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPUs of a foreign guest: how one waits to be started, and what starts it. On the host's side. */
#pragma once

#include "boot/cpu.h"
#include "hosting/monitor/vcpu.h"

/* Does this word, written to the local APIC's command register, send INIT or a start-up IPI? */
static inline bool startup_sends(u32 command)
{
    u64 mode = command & ICR_DELIVERY_MODE;
    return mode == ICR_INIT || mode == ICR_STARTUP;
}

/*
 * The guest sends INIT or a start-up IPI to the CPUs in its ICR_HIGH. The machine's APIC does not send it: what it asks
 * of those CPUs is done here. Logged if no CPU is meant, or if it cannot be done.
 */
void startup_send(struct vcpu *v, u32 command);
/*
 * After the host has taken an NMI. It stands for an INIT from another CPU of the guest, or for a call of
 * model_stepping(), which is made here, or it is the guest's own and becomes pending.
 */
void startup_take_nmi(struct vcpu *v);
/* Is this CPU waiting to be started? */
bool startup_waits(const struct vcpu *v);
/*
 * Another CPU of a foreign guest is to exit, so that its model is asked: must it be sent an NMI? Not if it sleeps for
 * INIT, or if one is on its way. An NMI of the guest's own that comes at the same moment merges with it and is lost.
 */
bool startup_wake(struct vcpu *to);
/* Did such an NMI come? Then it is forgotten. */
bool startup_woken(struct vcpu *v);
/*
 * INIT has come: sets the state that it leaves, then sleeps until a start-up IPI tells where to begin. Returns with the
 * guest about to begin there.
 */
void startup_wait(struct vcpu *v, struct frame *f);
