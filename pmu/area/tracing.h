/* What a CPU's processor trace can do, by CPUID leaf 14H. SDM 3C, "Intel Processor Trace". Pure. */
#pragma once

#include "pmu/cpu/caps.h"

/* NULL if this CPU can trace into a table and nobody else does; else why not, in `text`. */
#define TRACE_TEXT 120
const char *trace_unavailable(const struct pmu_caps *caps, char text[TRACE_TEXT]);
/* How many regions the table has: 1 or TRACE_REGIONS. */
unsigned trace_regions(const struct pmu_caps *caps);
/* The bits of IA32_RTIT_CTL that leaf 14H names, but for TraceEn, fields of several bits, and those that need a
 * period or threshold other than 0, as sub-leaf 1 lists. */
u64 trace_ctl_bits(const struct pmu_caps *caps);
/* Likewise all that the manual defines and this CPU's leaf 14H does not name. */
u64 trace_ctl_absent(const struct pmu_caps *caps);
