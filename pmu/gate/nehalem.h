/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nehalem and Westmere: under certain circumstances a general-purpose counter counts core cycles, or nothing, instead
 * of its event (AAJ91, AAK100, AAP53, AAT43, BD53). Their specification updates give a sequence of writes to make each
 * time before event selects are programmed; drivers do so whenever an event was added. Every write to an event select
 * passes the write gate, so the gate runs the sequence.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* How a register is written: by the gate itself. */
typedef void (*nehalem_write)(u32 msr, u64 value);

/*
 * Runs the sequence on the calling CPU, if it is one of these CPUs and `value`, about to be written to register `msr`,
 * enables an event. It restores what the sequence overwrites: IA32_PERFEVTSEL0 to 3 and IA32_PMC0 to 3.
 *
 * It is skipped if it would disturb the image: while counters count or sample, since it begins by stopping them, and
 * while a counter holds a value that cannot be written back (these CPUs extend the sign of bit 31).
 */
void nehalem_before_select(const struct pmu_caps *caps, u32 msr, u64 value, nehalem_write write);
