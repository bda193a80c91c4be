/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs what is known of aborted code: registers, stack and symbol names. */
#pragma once

#include "kernel/interrupt/interrupt.h"

/* Logs a guarded call that ended early: `# fault ...` lines. Boot CPU only. */
void guard_log(const struct guard_result *result);
/* Is a dump being written? For code that may have interrupted it. */
bool guard_log_busy(void);
/* Copies the words at the stack pointer; words in unmapped memory become zero. */
void guard_copy_stack(u64 rsp, u64 *words, unsigned count);
