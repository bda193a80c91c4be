/* SPDX-License-Identifier: BSD-2-Clause */
/* Classes on whose silicon it has been seen what happens to a write that the manual leaves open or forbids. */
#include "pmu/cpu/class.h"

/* Writing a bit above a counter's width has been seen to fault. */
static bool width_tested(const struct pmu_caps *caps)
{
    if (caps->hypervisor)
        return false;
    switch (cpu_class(caps)) {
    case CLASS_SANDY_BRIDGE:
    case CLASS_BROADWELL:
    case CLASS_SKYLAKE:
    case CLASS_SILVERMONT:
        return true;
    default:
        return false;
    }
}

bool walk_tested(const struct pmu_caps *caps)
{
    if (caps->hypervisor)
        return false;
    switch (cpu_class(caps)) {
    case CLASS_CORE2:
    case CLASS_BONNELL:
        return true;
    default:
        return width_tested(caps);
    }
}

bool read_only_tested(const struct pmu_caps *caps)
{
    return !caps->hypervisor && cpu_class(caps) == CLASS_SKYLAKE;
}

bool known_since_version_4(const struct pmu_caps *caps)
{
    return !caps->hypervisor && class_architectural(cpu_class(caps)) && caps->version >= 4;
}

bool width_tried(const struct pmu_caps *caps)
{
    return width_tested(caps) || known_since_version_4(caps);
}

bool capabilities_tried(const struct pmu_caps *caps)
{
    return read_only_tested(caps) || caps->hypervisor;
}
