/* What a hypervisor's PMU does not owe its guest, for judge=virtual: promises that only silicon makes. All others are
 * those of what CPUID shows. A table, no test of its own. Pure. */
#pragma once

/* What such a check is about that no virtual PMU promises: "cycles". NULL: a promise. The text lives for ever. */
const char *virtual_unpromised(const char *test, const char *label);
