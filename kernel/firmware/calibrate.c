/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clocks to measure the TSC with: CPUID leaf 15H is exact if it is complete; HPET, ACPI PM timer and PIT run from
 * crystals and are read while the TSC runs. One clock can be wrong (a BIOS that states a wrong HPET period, an SMI
 * during the measurement, a hypervisor that shows its host's leaf 15H), so two are compared, and a third is read if
 * they differ. If there is no clock at all, the rate that the CPU states is better than nothing: a number that nobody
 * has measured, rounded to the MHz or to 100 MHz.
 */
#include "kernel/core/time.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/clock.h"
#include "kernel/firmware/pci.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"

#define MEASURE_MS 10
#define BOUND_US 100000 /* gives up on a clock that does not tick */
#define TRUSTED_PPM 2000

/* Measures with a free-running clock of `hz` that counts up and wraps after `mask`. 0 if the clock does not run. */
static u64 measure(u32 (*read)(void), u64 hz, u32 mask)
{
    struct moment start = time_moment(read);
    struct deadline deadline = deadline_us(BOUND_US);
    while (((read() - start.count) & mask) < hz * MEASURE_MS / 1000)
        if (deadline_passed(&deadline))
            return 0;

    struct moment end = time_moment(read);

    return tsc_rate_khz(end.tsc - start.tsc, (end.count - start.count) & mask, hz);
}

static u64 khz_cpuid_15(void)
{
    if (!cpuid_has_leaf(0x15))
        return 0;

    struct cpuid_regs leaf = cpuid(0x15, 0);

    return tsc_rate_crystal(leaf.eax, leaf.ebx, leaf.ecx);
}

#define FEMTOSECONDS 1000000000000000ull

static volatile u32 *hpet;

static u32 read_hpet(void)
{
    return hpet[HPET_COUNTER];
}

static u64 khz_hpet(void)
{
    hpet = hpet_registers();
    if (!hpet)
        return 0;

    u32 configuration = hpet[HPET_CONFIGURATION];

    hpet[HPET_CONFIGURATION] = configuration | HPET_ENABLE;

    u64 khz = measure(read_hpet, FEMTOSECONDS / hpet[HPET_PERIOD], ~0u);

    hpet[HPET_CONFIGURATION] = configuration;
    return khz;
}

static u32 read_pm_timer(void)
{
    return inl((u16)acpi()->pm_timer);
}

/* ACPI, "Power Management Timer". Its upper byte may be missing, and 24 bits are enough: they wrap after 4.7 s. */
static u64 khz_pm_timer(void)
{
    u32 port = acpi()->pm_timer;
    return port && port <= 0xfffc ? measure(read_pm_timer, 3579545, 0xffffff) : 0;
}

#define PIT_HZ 1193182
#define PIT_CHANNEL_2 0x42
#define PIT_COMMAND 0x43
#define PIT_2_MODE_0 0xb0 /* channel 2, low byte then high byte, interrupt on terminal count */
#define PORT_61 0x61
#define PORT_61_GATE 0x01
#define PORT_61_SPEAKER 0x02
#define PORT_61_OUT 0x20

#define PIT_ATTEMPTS 3

/*
 * One countdown of channel 2: writing the count's second byte starts it, and its output is read at port 61H. Returns
 * its length in TSC ticks, and in *doubt how inexact that is, because start and end each lie between two reads of the
 * TSC. 0: it never ended.
 */
static u64 pit_countdown(u32 count, u8 port_61, u64 *doubt)
{
    struct deadline deadline = deadline_us(BOUND_US);
    u64 before, started, low, high;
    outb(PORT_61, port_61 | PORT_61_GATE);
    outb(PIT_COMMAND, PIT_2_MODE_0);
    outb(PIT_CHANNEL_2, (u8)count);
    before = time_now();
    outb(PIT_CHANNEL_2, (u8)(count >> 8));
    started = low = time_now();
    while (!(inb(PORT_61) & PORT_61_OUT)) {
        if (deadline_passed(&deadline))
            return 0;
        low = time_now();
    }
    high = time_now();
    *doubt = (started - before) + (high - low);
    return (low + (high - low) / 2) - (before + (started - before) / 2);
}

/* Repeated if an SMI or a busy host disturbed start or end. The speaker stays off. */
static u64 khz_pit(void)
{
    u8 found = inb(PORT_61) & 0x0f, port_61 = found & ~(PORT_61_GATE | PORT_61_SPEAKER);
    u32 count = PIT_HZ * MEASURE_MS / 1000;
    u64 best = 0, least_doubt = ~0ull, doubt = 0;
    for (unsigned i = 0; i < PIT_ATTEMPTS && least_doubt > best / 2000; i++) {
        u64 ticks = pit_countdown(count, port_61, &doubt);
        if (!ticks)
            break;
        if (doubt < least_doubt) {
            least_doubt = doubt;
            best = ticks;
        }
    }
    outb(PORT_61, found);
    /* A port without a device reads as ones, so the countdown seems to end at once: the caller rejects such a rate. */
    return tsc_rate_khz(best, count, PIT_HZ);
}

static u64 khz_cpuid_16(void)
{
    return cpuid_has_leaf(0x16) ? tsc_rate_base(cpuid(0x16, 0).eax) : 0;
}

static u64 (*read_platform_info)(void);

static u64 khz_platform_info(void)
{
    return tsc_rate_ratio(cpuid(1, 0).eax, read_platform_info());
}

struct clock {
    const char *name;
    u64 (*khz)(void);
};

/* Best first. */
static const struct clock clocks[] = {
    {"cpuid-15", khz_cpuid_15},
    {"hpet", khz_hpet},
    {"pm-timer", khz_pm_timer},
    {"pit", khz_pit},
};

/* Used only if no clock works: a rounded number must not outvote a measured one. */
static const struct clock stated[] = {
    {"cpuid-16", khz_cpuid_16},
    {"platform-info", khz_platform_info},
};

/* The next clock of the list that works, and its rate. */
static const struct clock *next_clock(const struct clock *clock, const struct clock *end, u64 *khz)
{
    for (; clock < end; clock++) {
        *khz = clock->khz();
        if (*khz > 10000 && *khz < 100000000) /* 10 MHz to 100 GHz: any other rate is an error */
            return clock;
    }
    return NULL;
}

/* Takes the first two clocks of the list that work, and a third if they differ. Returns how many it took. */
static unsigned ask(const struct clock *list, unsigned count, const struct clock *used[3], u64 khz[3])
{
    const struct clock *from = list;
    unsigned n = 0;
    while (n < 2 || (n == 2 && tsc_rate_apart_ppm(khz[0], khz[1]) > TRUSTED_PPM)) {
        used[n] = next_clock(from, list + count, &khz[n]);
        if (!used[n])
            break;
        from = used[n++] + 1;
    }
    return n;
}

struct calibration calibrate_tsc(u64 (*platform_info)(void))
{
    struct calibration result = {.source = "none", .second = "none"};
    const struct clock *used[3] = {0};
    u64 khz[3];
    unsigned n = ask(clocks, ARRAY_SIZE(clocks), used, khz), best = 0, other = 1;
    read_platform_info = platform_info;
    if (!n)
        n = ask(stated, ARRAY_SIZE(stated), used, khz);
    if (!n)
        return result;
    if (n == 3) {
        best = tsc_rate_median(khz);
        other = best ? 0 : 1;
    }
    result.khz = khz[best];
    result.source = used[best]->name;
    if (n > 1) {
        result.second = used[other]->name;
        result.disagreement_ppm = tsc_rate_apart_ppm(khz[best], khz[other]);
    }
    return result;
}
