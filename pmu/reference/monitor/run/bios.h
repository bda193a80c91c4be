/*
 * What a BIOS tells of memory, answered out of the map that the hosted kernel was given: the BIOS's own knows no
 * monitor. The interrupt table's entry for INT 15H leads to a few bytes that call the monitor, so that nothing else has
 * to exit for it; calls for anything else go on to the BIOS.
 */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* The VMMCALL under way, if it is that hook's: done, or sent on. False: it is somebody else's. */
bool bios_called(struct vcpu *v, struct frame *f);
