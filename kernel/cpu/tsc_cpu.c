#include "kernel/cpu/tsc_cpu.h"
#include "kernel/core/time.h"
#include "kernel/core/tsc_rate.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/cpuid.h"
#include "kernel/cpu/msr.h"

#define INTEL_EBX 0x756e6547u /* "Genu" */

u64 tsc_cpu_platform_info(void)
{
    u64 info;
    if (cpuid(0, 0).ebx != INTEL_EBX || !tsc_rate_has_ratio(cpuid(1, 0).eax) ||
        rdmsr_try(MSR_PLATFORM_INFO, &info) != NO_FAULT)
        return 0;
    return info;
}

#define DIVIDE_1 0xb
#define MEASURE_US 10000

/* Count and TSC are read at the same moment, or nearly: an SMI in between would be in one of them alone. */
static u32 read_timer(u64 *tsc)
{
    u32 count = 0;
    u64 narrowest = ~0ull;
    *tsc = 0;
    for (unsigned i = 0; i < 5; i++) {
        u64 before = time_now();
        u32 read = apic_read(APIC_TIMER_CURRENT);
        u64 wide = time_now() - before;
        if (wide < narrowest) {
            narrowest = wide;
            count = read;
            *tsc = before + wide / 2;
        }
    }
    return count;
}

u64 tsc_cpu_by_apic(u32 crystal_hz)
{
    u64 begun, ended;
    if (!crystal_hz || !apic_present())
        return 0;
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_1);
    apic_write(APIC_LVT_TIMER, (u32)LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, ~0u);
    u32 from = read_timer(&begun);
    time_delay_us(MEASURE_US);
    u32 to = read_timer(&ended);
    apic_write(APIC_TIMER_INITIAL, 0);
    return tsc_rate_khz(ended - begun, from - to, crystal_hz);
}
