#include "pmu/pebs.h"
#include "pmu/class.h"

/* SDM 3B, "Processor Event Based Sampling (PEBS)" of each microarchitecture. */
static const struct {
    enum cpu_class class;
    u64 gp, fixed;
} sampling_counters[] = {
    {CLASS_CORE2, 0x1, 0},           {CLASS_BONNELL, 0x1, 0},       {CLASS_SILVERMONT, 0x1, 0},
    {CLASS_KNIGHTS, 0x1, 0},         {CLASS_GOLDMONT, 0x1, 0},      {CLASS_NEHALEM, 0xf, 0},
    {CLASS_SANDY_BRIDGE, 0xf, 0},    {CLASS_HASWELL, 0xf, 0},       {CLASS_BROADWELL, 0xf, 0},
    {CLASS_SKYLAKE, 0xf, 0},         {CLASS_GOLDMONT_PLUS, 0xf, 7}, {CLASS_TREMONT, 0xf, 7},
    {CLASS_GRACEMONT, 0x3f, 7},      {CLASS_ICE_LAKE, 0xff, 0xf},   {CLASS_GOLDEN_COVE, 0xff, 0xf},
    {CLASS_REDWOOD_COVE, 0xff, 0xf},
};

/* Sandy Bridge below these revisions: enabling or disabling PEBS makes the whole system unpredictable (BJ106). */
static const struct {
    u32 signature, microcode;
} microcode_floors[] = {
    {0x206a7, 0x28},
    {0x206d6, 0x618},
    {0x206d7, 0x70c},
};

bool ds_usable(const struct pmu_caps *caps)
{
    if (!caps->present || !caps->ds || !caps->pdcm || caps->pebs_unavailable || cpu_class(caps) == CLASS_UNKNOWN)
        return false;
    for_each_row (microcode_floors, floor)
        if (caps->signature == floor->signature && caps->microcode < floor->microcode)
            return false;
    return true;
}

u64 pebs_counter_bits(const struct pmu_caps *caps)
{
    if (!ds_usable(caps))
        return 0;
    for_each_row (sampling_counters, row)
        if (row->class == cpu_class(caps))
            return (row->gp | row->fixed << 32) & caps_counter_bits(caps);
    return 0;
}
