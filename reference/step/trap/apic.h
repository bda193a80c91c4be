/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's local APIC, in the mode that it is in: by its page, or by MSRs (x2APIC). Offsets are the page's. */
#pragma once

#include "reference/step/trap/stepped.h"

/* Looks for it, and keeps its LVT performance-counter entry. */
void apic_find(struct stepped *s);
bool apic_there(const struct stepped *s);
/* Without one: 0, and nothing. */
u32 apic_load(const struct stepped *s, u32 offset);
void apic_store(struct stepped *s, u32 offset, u32 value);
/* The bit of a vector in the 256 of IRR or ISR. */
bool apic_tells(const struct stepped *s, u32 base, u8 vector);
