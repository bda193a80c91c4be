/* A foreign kernel as the guest. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* Can it be stepped inside itself: does it run 64-bit code as supervisor, with the monitor mapped at its own address?
 */
bool foreign_can_shadow(struct vcpu *v, const struct frame *f);
/* Prepares for a return to CPL 3, and says whether stepping must begin there: then IRET and #UD have to exit. */
bool foreign_watches(struct vcpu *v);
/* A #UD that exited: the SYSRET that was made undefined, or the guest's own. */
void foreign_sysret(struct vcpu *v, struct frame *f);
/* One of its CPUs begins at this start-up IPI's vector, in the state that INIT leaves. */
void foreign_start(struct vcpu *v, struct frame *f, u32 vector);
void foreign_enter(struct vcpu *v, struct frame *f, const struct monitor_guest *guest);
