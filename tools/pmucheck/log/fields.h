/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID leaves and IA32_PERF_CAPABILITIES field by field, as data. SDM 2A, "CPUID"; SDM 4, "Architectural MSRs". */
#pragma once

#include <stdint.h>

enum { FIELD_EAX, FIELD_EBX, FIELD_ECX, FIELD_EDX };

struct field {
    uint32_t leaf, subleaf;
    uint8_t reg, high, low; /* FIELD_EAX to FIELD_EDX; bits */
    const char *name;       /* NULL: not shown, because other rows have it or because it differs between the CPUs of one
                             * machine */
};

/* The row with high 0xff ends them. */
extern const struct field cpuid_fields[];
extern const struct field perf_capabilities_fields[]; /* leaf, subleaf and reg are 0 */
