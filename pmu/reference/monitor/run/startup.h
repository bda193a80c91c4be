/* The CPUs of a foreign guest: how one waits to be started, and what starts it. On the host's side. */
#pragma once

#include "boot/cpu.h"
#include "pmu/reference/monitor/vcpu.h"

/* Does this word, written to the local APIC's command register, send INIT or a start-up IPI? */
static inline bool startup_sends(u32 command)
{
    u64 mode = command & ICR_DELIVERY_MODE;
    return mode == ICR_INIT || mode == ICR_STARTUP;
}

/*
 * The guest sends INIT or a start-up IPI, to whom its ICR_HIGH says. The machine's APIC does not: what it asks of the
 * CPUs that it means is done here. One to nobody, or that cannot be followed, is told in the log.
 */
void startup_send(struct vcpu *v, u32 command);
/* An NMI that the host has taken: INIT, by another CPU of the guest's, or the guest's own: pends it. Or one that was
 * sent to have the model asked: asks it. */
void startup_take_nmi(struct vcpu *v);
/* Is this CPU waiting to be started? */
bool startup_waits(const struct vcpu *v);
/*
 * Of a foreign guest's CPU that is to exit, so that its model is asked: must it be sent an NMI? Not if it sleeps for
 * INIT, or one is on its way. An NMI of the guest's own that comes at the same moment is one with it, and lost.
 */
bool startup_wake(struct vcpu *to);
/* Was it such an NMI that came? Then it is forgotten. */
bool startup_woken(struct vcpu *v);
/*
 * INIT has come: the state that it leaves, and then the sleep until a start-up IPI tells where to begin. Returns with
 * the guest about to begin there.
 */
void startup_wait(struct vcpu *v, struct frame *f);
