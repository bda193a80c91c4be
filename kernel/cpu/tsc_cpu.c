/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CPU's own registers state about the TSC's rate. */
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"

u64 tsc_cpu_platform_info(void)
{
    struct cpuid_regs leaf0 = cpuid(0, 0);
    u64 info;
    if (!cpuid_is_intel(&leaf0) || !tsc_rate_has_ratio(cpuid(1, 0).eax) ||
        rdmsr_try(MSR_PLATFORM_INFO, &info) != NO_FAULT)
        return 0;
    return info;
}

#define DIVIDE_1 0xb
#define MEASURE_US 10000

static u32 read_timer(void)
{
    return apic_read(APIC_TIMER_CURRENT);
}

u64 tsc_cpu_by_apic(u32 crystal_hz)
{
    if (!crystal_hz || !apic_present())
        return 0;
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_1);
    apic_write(APIC_LVT_TIMER, (u32)LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, ~0u);
    struct moment start = time_moment(read_timer);
    time_delay_us(MEASURE_US);
    struct moment end = time_moment(read_timer);
    apic_write(APIC_TIMER_INITIAL, 0);
    return tsc_rate_khz(end.tsc - start.tsc, start.count - end.count, crystal_hz);
}
