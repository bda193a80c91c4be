/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Can a guest have this machine's PMU? KVM gives guests the PMU of an Intel CPU, unless the host has none, has it
 * switched off, or has two kinds of core.
 */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>

/* Linux's file systems; tests use other directories. */
struct kvm_places {
    const char *dev, *sys, *proc; /* "/dev", "/sys", "/proc" */
};
extern const struct kvm_places kvm_places;

/*
 * NULL if there can be a guest, with this machine's PMU if it is to have that (own_pmu); else the reason, and what to
 * do.
 */
const char *kvm_refusal(struct arena *arena, const struct kvm_places *places, bool own_pmu);
/* The release of this machine's kernel, "6.8.0-45-generic", for the option host-kernel=; "": unknown. */
const char *kvm_host_kernel(struct arena *arena, const struct kvm_places *places);
/* A warning about something that influences the results; NULL: none. */
const char *kvm_warning(const struct kvm_places *places);
