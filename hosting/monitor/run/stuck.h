/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A CPU of this image that sleeps while nothing can wake it: no timer of its own runs, and all others sleep likewise.
 * Nobody would be left to notice.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

/* The guest at `f` goes to sleep, or is awake. On the host's side. */
void stuck_sleeps(struct vcpu *v);
void stuck_wakes(struct vcpu *v);
/*
 * Before the CPU sleeps: if for two seconds nothing came and nothing can, an NMI is made pending that ends its guarded
 * call. Asked once in a sleep; a CPU without such a call sleeps on, as one does that has halted for good.
 */
void stuck_look(struct vcpu *v, const struct frame *f);
