/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel's entry and exit code, executed in its place. */
#pragma once

#include "hosting/monitor/vcpu.h"

/*
 * Executes the instruction that `at` describes, of a foreign guest that is viewed, without a report: SWAPGS, moves of
 * control registers, flags. False: nothing has changed.
 */
bool system_run(struct vcpu *v, struct frame *f);
/*
 * Executes and reports it, `current` being the same one; also system calls and returns, and MSRs that are the guest's.
 * False: nothing has changed, and the CPU must execute it. It may lead to code for which the guest cannot be viewed.
 */
bool system_execute(struct vcpu *v, struct frame *f);
