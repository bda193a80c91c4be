/*
 * Nehalem and Westmere: under certain circumstances a general-purpose counter counts core cycles, or nothing, in place
 * of its event (AAJ91, AAK100, AAP53, AAT43, BD53). Their specification updates give a sequence of writes that is to
 * be made before event selects are programmed, each time; drivers run it whenever an event was added. So the write
 * gate, through which every write to an event select goes, has it run here.
 */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * Runs the sequence on the calling CPU, if this is one of these CPUs and `value`, about to be written to register
 * `msr`, enables an event. What it overwrites is put back: IA32_PERFEVTSEL0 to 3 and IA32_PMC0 to 3.
 *
 * It is left out where it would change what the image does: while counters count or sample, since it begins by
 * stopping them, and while a counter holds what cannot be written back (these CPUs extend the sign of bit 31).
 */
void nehalem_before_select(const struct pmu_caps *caps, u32 msr, u64 value);
