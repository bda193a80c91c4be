/* Faults of CPUs that come up and have no tables yet: such a CPU does not know which one it is. */
#pragma once

#include "kernel/interrupt/frame.h"

/* Of a CPU without a task register. It stops, and is missed. */
_Noreturn void fault_at_start(const struct frame *frame);
/* Logs those that there were. Boot CPU only. */
void faults_at_start_report(void);
