/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's sleep in S3, and everything that it takes to go on afterwards. */
#pragma once

#include "boot/bits.h"

/* Why the machine cannot sleep; NULL: it can. */
const char *suspend_unavailable(void);
/*
 * Sleeps for so many seconds (less than 60) and wakes all CPUs again, with what the kernel needs of them; one that does
 * not come back is logged and left out. The screen may stay dark, as nobody sets its mode again; UARTs are as firmware
 * leaves them (serial_resume()). False: the machine did not fall asleep. On the boot CPU, with all others idle.
 */
bool suspend(u32 seconds);
