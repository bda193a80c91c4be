/* SPDX-License-Identifier: BSD-2-Clause */
/* Any CPUID answer, because hypervisors may give any: everything derived from it stays within its arrays and bounds. */
#include "harness/core/errata.h"
#include "pmu/count/counter.h"
#include "pmu/state/handoff.h"
#include "tests/host/pmu/gate_question.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held)
        abort();
}

static void check_caps(const struct pmu_caps *caps)
{
    require(caps->gp_count <= GP_COUNTERS_MAX && caps->gp_width <= 64 && caps->fixed_width <= 64);
    require(caps->fixed_count <= FIXED_COUNTERS_MAX && !(caps->fixed_bitmap >> FIXED_COUNTERS_MAX));
    require(caps->present || caps_counter_bits(caps) == 0);
    for (unsigned i = 0; i < caps->fixed_count; i++)
        require(caps->fixed_bitmap >> i & 1);
    for (unsigned index = 0; index < 256; index++)
        require(!caps_event_available(caps, index) || index < caps->event_length);
}

static void check_derived(const struct pmu_caps *caps)
{
    struct counter list[COUNTERS_MAX];
    struct snapshot registers;
    unsigned count = counters(caps, list);
    require(count == (unsigned)__builtin_popcountll(caps_counter_bits(caps)));
    snapshot_list(caps, SNAPSHOT_ALL, &registers);
    require(registers.count < SNAPSHOT_MAX);
    for (unsigned i = 0; i < count; i++)
        require((counter_preset(list[i], ~0ull) & ~counter_mask(list[i].width)) == 0);
    for (unsigned i = 0; i < OWN_REGISTERS; i++)
        own_register(caps, i);
    erratum_for(caps, &(struct symptom){.aspects = ASPECT_INSTRUCTIONS, .distance = 1});
}

/* The gate never lets a dangerous register through, whatever the capabilities claim. */
static void check_gate(const struct pmu_caps *caps, u64 value)
{
    static const u32 never[] = {0x1a0, 0x1b, 0x79, 0xce, 0xcf, 0xe2, 0x122, 0x198, 0x199, 0x19a, 0x393, 0x700};
    const struct gate_context context = {.counters_stopped = true};
    const char *rule;
    for_each_row (never, msr)
        require(!row_allows(caps, &context, *msr, value, &rule));
    require(!row_allows(caps, &context, 0x391, value, &rule) || caps->version >= 4);
    require(!row_allows(caps, &context, 0x1d9, value, &rule) || !(value & 0xa7c6));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct caps_dump dump = {0};
    struct pmu_caps caps;
    u64 value = 0;
    size_t taken = size < offsetof(struct caps_dump, smi_count) ? size : offsetof(struct caps_dump, smi_count);
    memcpy(&dump, data, taken);
    memcpy(&value, data + size - (size < 8 ? size : 8), size < 8 ? size : 8);
    if (value & 1)
        dump.leaf0 = (struct cpuid_regs){0x20, 0x756e6547, 0x6c65746e, 0x49656e69};
    caps_decode(&dump, &caps);
    check_caps(&caps);
    check_derived(&caps);
    check_gate(&caps, value);
    return 0;
}
