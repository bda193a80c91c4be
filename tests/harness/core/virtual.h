/* What a hypervisor's PMU does not owe its guest, for judge=virtual: promises that only silicon makes, and a counter
 * that the host holds. All else is owed that CPUID shows. No test of its own. Pure. */
#pragma once

#include "boot/bits.h"

/* What such a check is about that no virtual PMU promises: "cycles". NULL: a promise. The text lives for ever. */
const char *virtual_unpromised(const char *test, const char *label);
/* Does the host hold a counter? So it does where, of all that are enumerated and on at once, all but one count. */
bool virtual_counter_held(u64 enumerated, u64 counting);
