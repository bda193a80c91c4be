/* What is known of code that was ended: registers, stack and symbol names. */
#pragma once

#include "kernel/interrupt/interrupt.h"

/* Logs a guarded call that ended early: `# fault ...` lines. Boot CPU only. */
void guard_log(const struct guard_result *result);
/* Is a dump under way? For code that may have interrupted just that. */
bool guard_log_busy(void);
/* Copies what the stack pointer points at, as far as it is mapped; zeroes for the rest. */
void guard_copy_stack(u64 rsp, u64 *words, unsigned count);
