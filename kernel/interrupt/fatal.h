/* When nothing can go on: say what happened and where, end the log with a verdict, and stop. */
#pragma once

#include "kernel/interrupt/frame.h"

/* An unexpected fault outside any guarded call: the boot CPU ends the run; another CPU stops, and is missed there. */
_Noreturn void fatal_fault(const struct frame *frame);
/* Ends the run for a reason that is no fault: one line on log and screen, verdict=error. Boot CPU only. */
_Noreturn __attribute__((format(printf, 1, 2))) void fatal(const char *format, ...);
