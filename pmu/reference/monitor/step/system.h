/* What a kernel does on its way in and out, executed in its place. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/*
 * Executes and reports the instruction that `at` and `current` describe, of a foreign guest that is viewed: calls and
 * returns of the system, SWAPGS, moves of control registers, flags, and registers of the machine that are the guest's.
 * False: nothing has changed, and the CPU must. It may have led to where the guest cannot be viewed.
 */
bool system_execute(struct vcpu *v, struct frame *f);
