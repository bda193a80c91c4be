/* SPDX-License-Identifier: BSD-2-Clause */
/* For when the run cannot go on: logs what happened and where, ends the log with a verdict, and stops. */
#pragma once

#include "kernel/interrupt/frame.h"

/* An unexpected fault outside any guarded call: ends the run, or on another CPU stops it, which the boot CPU
 * notices. */
_Noreturn void fatal_fault(const struct frame *frame);
/* Ends the run for a reason other than a fault: one line on log and screen, verdict=error. Boot CPU only. */
_Noreturn __attribute__((format(printf, 1, 2))) void fatal(const char *format, ...);
