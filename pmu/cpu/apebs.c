/* SPDX-License-Identifier: BSD-2-Clause */
/* Architectural PEBS: which parts of it a CPU has. */
#include "kernel/text/text.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"

#define PAGE 4096

/* CPUID.23H.4 EBX[n] enumerates CFG_C[32 + n]. */
#define GROUPS                                                                                                  \
    (CFG_C_ALLOW | CFG_C_CNTR_GP | CFG_C_CNTR_FIXED | CFG_C_CNTR_METRICS | CFG_C_LBR | CFG_C_XMM | CFG_C_YMMH | \
     CFG_C_OPMASK | CFG_C_ZMMH | CFG_C_H16ZMM | CFG_C_GPR | CFG_C_AUX)

static u64 record_format(const struct pmu_caps *caps)
{
    return FIELD_GET(caps->perf_capabilities, 11, 8);
}

enum lack { NOTHING, CAPABILITIES, FORMAT, LEAF_23, COUNTERS };

static enum lack lack_of(const struct pmu_caps *caps)
{
    if (caps_no_capabilities(caps))
        return CAPABILITIES;
    if (record_format(caps) != PEBS_FORMAT_ARCHITECTURAL)
        return FORMAT;
    if (!caps_leaf23_used(caps))
        return LEAF_23;
    return caps->pebs_counters ? NOTHING : COUNTERS;
}

const char *apebs_unavailable(const struct pmu_caps *caps, char text[APEBS_TEXT])
{
    switch (lack_of(caps)) {
    case NOTHING:
        return NULL;
    case CAPABILITIES:
        return caps_no_capabilities(caps);
    case FORMAT:
        format_text(text, APEBS_TEXT, "IA32_PERF_CAPABILITIES[11:8]=%lu: no architectural PEBS", record_format(caps));
        break;
    case LEAF_23:
        format_text(text, APEBS_TEXT, "signature %08x: leaf 23H is not known for this class", caps->signature);
        break;
    case COUNTERS:
        format_text(text, APEBS_TEXT, "CPUID.23H: sub-leaves 4 and 5 enumerate no counter that samples");
    }
    return text;
}

/* Called in the PMI's handler before it counts the records: no time to write a reason. */
bool apebs_usable(const struct pmu_caps *caps)
{
    return caps->present && lack_of(caps) == NOTHING;
}

u64 apebs_counter_bits(const struct pmu_caps *caps)
{
    return apebs_usable(caps) ? caps->pebs_counters : 0;
}

u64 apebs_precise_bits(const struct pmu_caps *caps)
{
    return apebs_usable(caps) ? caps->pebs_precise : 0;
}

u64 apebs_config_bits(const struct pmu_caps *caps)
{
    return apebs_usable(caps) ? CFG_C_PEBS_EN | ((u64)caps->pebs_groups << 32 & GROUPS) : 0;
}

u64 apebs_buffer_bytes(u64 order)
{
    return order <= APEBS_ORDER_MOST ? (u64)PAGE << order : 0;
}

bool apebs_base_within(u64 base, u64 first, u64 room)
{
    u64 address = base & PEBS_BASE_ADDRESS, bytes = apebs_buffer_bytes(base & PEBS_BASE_SIZE);
    return !(base & ~(PEBS_BASE_ADDRESS | PEBS_BASE_SIZE)) && bytes && bytes <= room && address >= first &&
           address - first <= room - bytes;
}

bool apebs_index_within(u64 index, u64 bytes)
{
    return apebs_written(index) <= bytes && apebs_written(index >> 32) <= bytes;
}

u64 apebs_written(u64 index)
{
    return index & PEBS_INDEX_WR;
}

u64 apebs_index(u64 written, u64 threshold)
{
    return (written & PEBS_INDEX_WR) | (threshold << 32 & PEBS_INDEX_THRESHOLD);
}
