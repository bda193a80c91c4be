/* The few MSRs that the runtime itself needs. Those of the PMU are in pmu/registers.h. SDM 4, "Architectural MSRs". */
#pragma once

#include "boot/bits.h"

#define MSR_IA32_APIC_BASE 0x1b
#define APIC_BASE_X2 BIT(10) /* x2APIC mode */
#define APIC_BASE_ENABLE BIT(11)
#define APIC_BASE_ADDRESS MASK(51, 12)
#define MSR_IA32_MCG_CAP 0x179
#define MSR_IA32_MCG_STATUS 0x17a
#define MCG_STATUS_RIPV BIT(0) /* the interrupted program can be resumed */
#define MSR_IA32_MCI_STATUS(bank) (0x401 + 4 * (bank))
#define MSR_IA32_PAT 0x277
#define MSR_X2APIC(offset) (0x800 + ((offset) >> 4))
#define MSR_IA32_EFER 0xc0000080
#define EFER_NO_EXECUTE BIT(11)
