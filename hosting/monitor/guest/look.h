/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes the instruction at an address of the guest. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Finds or decodes the instruction at f->rip, into v->at. */
void step_find(struct vcpu *v, const struct frame *f);
/* The same, and makes it v->current, the instruction that is about to be stepped. */
void step_look(struct vcpu *v, const struct frame *f);
