/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of CPUs that are starting and have no tables yet: such a CPU does not know its number. */
#pragma once

#include "kernel/interrupt/frame.h"

/* Records a fault of a CPU without a task register, and stops the CPU, which then counts as not started. */
_Noreturn void fault_at_start(const struct frame *frame);
/* Logs the recorded faults. Boot CPU only. */
void faults_at_start_report(void);
