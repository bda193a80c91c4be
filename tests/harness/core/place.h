/*
 * Where a CPU sits, by its APIC id: which of its bits number the sockets, dies, modules, cores and threads. Numbers are
 * as the ids have them, so that there may be holes. Pure. SDM 3A, "Hierarchical Mapping of CPUID Extended Topology
 * Leaf".
 */
#pragma once

#include "boot/bits.h"

struct place {
    u32 socket, die, module, core, thread;
};

#define PLACE_LEVELS 8 /* sub-leaves that are looked at: the manual names six kinds of level */

/* What CPUID answers, in the order EAX, EBX, ECX, EDX; zeros where there is no such leaf. */
struct place_leaves {
    u32 leaf1[4], leaf4[4];
    u32 leaf0b[PLACE_LEVELS][4], leaf1f[PLACE_LEVELS][4];
};

/* The lowest bit of the id that numbers the cores, modules, dies and sockets; threads begin at bit 0. */
struct place_bits {
    u8 leaf; /* the leaf that says so: 1FH, 0BH, or 04H and 01H before there was either */
    u8 core, module, die, socket;
};

struct place_bits place_bits(const struct place_leaves *leaves);
struct place place_of(const struct place_bits *bits, u32 apic_id);
