/* What stands at an address of the guest, decoded. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* Finds or decodes the instruction at f->rip: v->at. */
void step_find(struct vcpu *v, const struct frame *f);
/* The same, as the one that is about to be stepped: `current`. */
void step_look(struct vcpu *v, const struct frame *f);
