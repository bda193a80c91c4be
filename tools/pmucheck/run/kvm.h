/*
 * A guest on the PMU of this machine: what stands against it, as Linux tells. KVM hands on the PMU of an Intel CPU, and
 * none where its host has none, has it switched off, or has two kinds of core.
 */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>

/* Where Linux tells of itself; another place in tests. */
struct kvm_places {
    const char *dev, *sys, *proc; /* "/dev", "/sys", "/proc" */
};
extern const struct kvm_places kvm_places;

/* NULL if a guest can have this machine's PMU; else why not, and what can be done. */
const char *kvm_refusal(struct arena *arena, const struct kvm_places *places);
/* What stands against nothing, and is seen in the results all the same; NULL: nothing. */
const char *kvm_warning(const struct kvm_places *places);
