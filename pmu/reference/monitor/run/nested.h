/*
 * The nested page tables of a CPU: one set that maps everything one to one, and one for a foreign guest by itself, in
 * which the monitor's memory is not there. They share the local APIC's page.
 */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* Entries of any level. Nested walks are user accesses. */
#define NESTED_READ (BIT(0) | BIT(2))     /* present, user */
#define NESTED_ALL (NESTED_READ | BIT(1)) /* writable as well */
#define NESTED_LARGE_SHIFT 21             /* the entries of level 2 are regions of this size */

/* The first set, for the virtual CPU to use. Returns the entry of the page at `apic`; NULL: no memory. */
u64 *nested_create(struct vcpu *v, u64 apic);
/* The second one, as long as nothing is hidden the same. False: no memory. */
bool nested_create_hiding(struct vcpu *v);
/* Takes [base, end), of whole pages, out of it. What would need more tables than it has stays there. */
void nested_hide(struct vcpu *v, u64 base, u64 end);
/* What is hidden around `physical` reads as ones from here on, as where there is no memory. */
void nested_show_ones(struct vcpu *v, u64 physical);
/* Has the CPU use the one or the other. */
void nested_choose(struct vcpu *v, bool hiding);
