/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the local vector table that belong to firmware. */
#include "boot/cpu.h"
#include "kernel/interrupt/apic.h"

bool apic_entry_exists(u32 version, unsigned number)
{
    return FIELD_GET(version, 23, 16) >= number;
}

u32 apic_entry_after_init(u32 boot_entry)
{
    bool smi = (boot_entry & LVT_DELIVERY_MASK) == LVT_DELIVERY_SMI;
    return smi ? boot_entry & (u32)~LVT_STATUS : 0;
}
