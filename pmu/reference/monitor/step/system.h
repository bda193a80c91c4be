/* A kernel's entry and exit code, executed in its place. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/*
 * Executes and reports the instruction that `at` and `current` describe, of a foreign guest that is viewed: system
 * calls and returns, SWAPGS, moves of control registers, flags, and MSRs that are the guest's. False: nothing has
 * changed, and the CPU must execute it. It may lead to code for which the guest cannot be viewed.
 */
bool system_execute(struct vcpu *v, struct frame *f);
