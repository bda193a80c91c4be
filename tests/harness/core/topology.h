/* SPDX-License-Identifier: BSD-2-Clause */
/* Which CPUs belong together: threads of a core, cores of a kind. */
#pragma once

#include "harness/core/form.h"
#include "harness/core/place.h"
#include "kernel/cpu/cpus.h"

/* The lowest-numbered CPU with the same kind of core and PMU as this one: it identifies the group. */
u32 topology_group(u32 cpu);
/* A number that all threads of a core share, and that differs between cores. */
u32 topology_core(u32 cpu);
/* Where a CPU sits, and which bits of the APIC ids say so: by the machine's leaves, whatever a reference PMU shows. */
const struct place_bits *topology_bits(void);
struct place topology_place(u32 cpu);
/* Does a test of this scope run on `cpu`, if the CPUs in `set` take part? */
bool scope_has(enum scope scope, const struct cpu_set *set, u32 cpu);
