/* SPDX-License-Identifier: BSD-2-Clause */
/* A foreign kernel as the guest. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Can it be stepped inside itself: 64-bit code at CPL 0 with the monitor mapped at its own address? */
bool foreign_can_shadow(struct vcpu *v, const struct frame *f);
/* Prepares for a return to CPL 3. True: stepping must begin there, so IRET and #UD have to exit. */
bool foreign_watches(struct vcpu *v);
/* At the exit of a #UD: executes SYSRET, which was made undefined, or raises the guest's own #UD. */
void foreign_sysret(struct vcpu *v, struct frame *f);
/* One of its CPUs begins at a start-up IPI's vector, in the state after INIT. */
void foreign_start(struct vcpu *v, struct frame *f, u32 vector);
void foreign_enter(struct vcpu *v, struct frame *f, const struct monitor_guest *guest);
