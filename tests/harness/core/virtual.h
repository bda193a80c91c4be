/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The promises that a hypervisor's PMU does not owe its guest, for judge=virtual: those that only silicon can keep, and
 * the counter that the host holds. It owes every other promise that CPUID shows. Pure.
 */
#pragma once

#include "boot/bits.h"

/* The subject of such a check if no virtual PMU promises it: "cycles", a constant text. NULL: it is a promise. */
const char *virtual_unpromised(const char *test, const char *label);
/* Does the host hold a counter? So it does where, of all that are enumerated and on at once, all but one count. */
bool virtual_counter_held(u64 enumerated, u64 counting);
/* The release of a Linux, "6.8.0-45-generic", as HOST_KERNEL(6, 8); 0: it does not begin with two such numbers. */
u32 virtual_host_kernel(const char *release);
