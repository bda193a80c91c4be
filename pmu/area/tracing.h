/* SPDX-License-Identifier: BSD-2-Clause */
/* What a CPU's processor trace can do, by CPUID leaf 14H. SDM 3C, "Intel Processor Trace". Pure. */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

/* NULL if this CPU can trace into a table and nobody else traces; else the reason, written to `text`. */
#define TRACE_TEXT 120
const char *trace_unavailable(const struct pmu_caps *caps, char text[TRACE_TEXT]);
/* The number of regions in the table: 1 or TRACE_REGIONS. */
unsigned trace_regions(const struct pmu_caps *caps);
/* The bits of IA32_RTIT_CTL that leaf 14H enumerates, except TraceEn, fields of several bits, and bits that need a
 * period or threshold other than 0 by sub-leaf 1. */
u64 trace_ctl_bits(const struct pmu_caps *caps);
/* The bits that the manual defines but this CPU's leaf 14H does not enumerate. */
u64 trace_ctl_absent(const struct pmu_caps *caps);
/* Does sub-leaf 1 tell which values fields may have? On some CPUs it is all zeros although leaf 14H.0 names cycles, MTC
 * packets or address ranges: then it says nothing of the fields below. */
bool trace_values_told(const struct pmu_caps *caps);
/* A field of IA32_RTIT_CTL, and the values that it may have, as bits; 0 may be written whatever they are. None: the
 * field is reserved, if sub-leaf 1 tells anything. SDM 3C, "Detection of Intel Processor Trace and Capability
 * Enumeration". */
struct trace_field {
    u64 bits;
    u16 values;
};
#define TRACE_FIELDS_MAX (3 + RTIT_RANGES_MAX)
unsigned trace_ctl_fields(const struct pmu_caps *caps, struct trace_field list[TRACE_FIELDS_MAX]);
/* The bits of fields that may have some value, and of those that may not. */
u64 trace_field_bits(const struct pmu_caps *caps);
u64 trace_field_bits_absent(const struct pmu_caps *caps);
