/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The nested page tables of a CPU: one set that maps everything one to one, and one for a foreign guest while it runs
 * by itself, without the monitor's memory. Both share the local APIC's page.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Bits of an entry of any level. Nested walks are user accesses. */
#define NESTED_READ (BIT(0) | BIT(2))     /* present, user */
#define NESTED_ALL (NESTED_READ | BIT(1)) /* writable as well */
#define NESTED_LARGE_SHIFT 21             /* each entry of level 2 maps a region of this size */

/* Creates the first set and has the virtual CPU use it. Returns the entry of the page at `apic`; NULL: no memory. */
u64 *nested_create(struct vcpu *v, u64 apic);
/* Creates the second set, which is the same until something is hidden. False: no memory. */
bool nested_create_hiding(struct vcpu *v);
/* Unmaps [base, end), whole pages, in the second set. Where that would need more tables than there are, pages stay. */
void nested_hide(struct vcpu *v, u64 base, u64 end);
/* Hidden memory around `physical` reads as ones from here on, as where there is no memory. */
void nested_show_ones(struct vcpu *v, u64 physical);
/* Has the CPU use the second set if `hiding`, else the first. */
void nested_choose(struct vcpu *v, bool hiding);
