/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a CPU sits, by its APIC id: which bits of the id number the sockets, dies, modules, cores and threads. The
 * numbers are those of the ids, so there may be gaps. Pure. SDM 3A, "Hierarchical Mapping of CPUID Extended Topology
 * Leaf".
 */
#pragma once

#include "boot/bits.h"
#include "harness/core/form.h"
#include "kernel/cpu/cpus.h"

struct place {
    u32 socket, die, module, core, thread;
};

#define PLACE_LEVELS 8 /* sub-leaves that are read: the manual has six kinds of level */

/* CPUID's answers, in the order EAX, EBX, ECX, EDX; zeros for a leaf that does not exist. */
struct place_leaves {
    u32 leaf1[4], leaf4[4];
    u32 leaf0b[PLACE_LEVELS][4], leaf1f[PLACE_LEVELS][4];
};

/* The lowest bit of the id that numbers the cores, modules, dies and sockets; threads begin at bit 0. */
struct place_bits {
    u8 leaf; /* the leaf that says so: 1FH, 0BH, or on older CPUs 04H and 01H */
    u8 core, module, die, socket;
};

struct place_bits place_bits(const struct place_leaves *leaves);
struct place place_of(const struct place_bits *bits, u32 apic_id);

/* ---- Which CPUs belong together: threads of a core, cores of a kind. */
/* The lowest-numbered CPU with the same kind of core and PMU as this one: it identifies the group. */
u32 topology_group(u32 cpu);
/* A number that all threads of a core share, and that differs between cores. */
u32 topology_core(u32 cpu);
/* Where a CPU sits, and which bits of the APIC ids say so: by the machine's leaves, whatever a reference PMU shows. */
const struct place_bits *topology_bits(void);
struct place topology_place(u32 cpu);
/* Does a test of this scope run on `cpu`, if the CPUs in `set` take part? */
bool scope_has(enum scope scope, const struct cpu_set *set, u32 cpu);
