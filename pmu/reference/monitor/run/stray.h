/* Accesses of a foreign guest's to the monitor's memory. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/*
 * The nested page fault under way, if it is one: a load has a line, once for each CPU and large page, and reads ones
 * from then on; whatever else it is ends the run in one. False: it is none.
 */
bool stray_fault(struct vcpu *v, const struct frame *f);
/* What hidden_note() has noted, of an access in the guest's place: likewise, but the load may read what is there. */
void stray_look(struct vcpu *v, const struct frame *f);
