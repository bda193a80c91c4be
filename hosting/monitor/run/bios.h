/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a BIOS says about memory is answered from the map that the hosted kernel was given: the BIOS's own map does not
 * know of the monitor. The interrupt table's entry for INT 15H leads to a few bytes that call the monitor, so that
 * nothing else has to exit for it; INT 15H calls for other things go on to the BIOS.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

/* At a VMMCALL: if it is the hook's, answers the call or sends it on to the BIOS. False: it is another VMMCALL. */
bool bios_called(struct vcpu *v, struct frame *f);
