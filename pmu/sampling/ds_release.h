/* What IA32_DS_AREA was last set to, and how it is set to nothing again. */
#pragma once

#include "boot/bits.h"

/* PEBS index of the area that the calling CPU's IA32_DS_AREA was last set to, 0 if it was set to none. */
u64 ds_area_index(void);
/*
 * Takes PEBS away: IA32_PEBS_ENABLE 0, a quiescent period, IA32_DS_AREA 0. Counters must stand still. Does nothing
 * where none was set.
 */
void ds_area_release(void);
