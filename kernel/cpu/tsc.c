/* SPDX-License-Identifier: BSD-2-Clause */
/* The rate of a CPU's TSC by its own registers, and how far the TSCs are apart. */
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

/* ---- What the CPU's own registers state about the TSC's rate. */

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

/* ---- How far the TSCs of the CPUs are from the boot CPU's. */

/* Both ways of a round take about as long, so the error is some percent of the bound; TSCs set by firmware are seconds
 * off. */
#define FAR 100

void tsc_apart_take(struct tsc_apart *best, struct tsc_round round)
{
    u64 half = (round.heard - round.asked) / 2;
    if (best->known && half >= best->bound)
        return;
    best->known = true;
    best->ticks = (s64)(round.answered - (round.asked + half));
    best->bound = half + 1;
}

static u64 size(s64 ticks)
{
    return ticks < 0 ? 0 - (u64)ticks : (u64)ticks;
}

bool tsc_apart_far(const struct tsc_apart *apart)
{
    return apart->known && size(apart->ticks) / FAR > apart->bound;
}

bool tsc_apart_alike(const struct tsc_apart *a, const struct tsc_apart *b)
{
    if (a->known != b->known || a->adjusts != b->adjusts || a->adjustment != b->adjustment)
        return false;
    if (!tsc_apart_far(a) && !tsc_apart_far(b))
        return true;
    return size((s64)((u64)a->ticks - (u64)b->ticks)) <= a->bound + b->bound;
}

#define ROUNDS 20
#define ALL_US 2000       /* no round begins after it: under an emulator each may take milliseconds */
#define ANSWER_US 1000000 /* for one round: a host may delay a CPU, and the first round has to wake it */
#define JOIN_MS 5000
#define OVER (~0u)
#define LEAF_FEATURES 7
#define EBX_TSC_ADJUST BIT(1)

static PER_CPU struct tsc_apart aparts;
static struct {
    u32 asked, answered; /* numbers of rounds */
    u64 tsc;
} talk;

const struct tsc_apart *tsc_apart_of(u32 cpu)
{
    return &of_cpu(aparts, cpu);
}

static void read_adjustment(struct tsc_apart *apart)
{
    bool exists = cpuid_has_leaf(LEAF_FEATURES) && cpuid(LEAF_FEATURES, 0).ebx & EBX_TSC_ADJUST;
    apart->adjusts = exists && rdmsr_try(MSR_TSC_ADJUST, &apart->adjustment) == NO_FAULT;
}

/* Waits until the other CPU's number is the one wanted; false if that does not happen. */
static bool await(const u32 *number, u32 wanted)
{
    struct deadline deadline = deadline_us(ANSWER_US);
    while (__atomic_load_n(number, __ATOMIC_ACQUIRE) != wanted)
        if (__atomic_load_n(&talk.asked, __ATOMIC_RELAXED) == OVER || deadline_passed(&deadline))
            return false;
    return true;
}

static void answer(void *argument)
{
    read_adjustment(argument);
    for (u32 round = 1; round <= ROUNDS && await(&talk.asked, round); round++) {
        talk.tsc = time_now();
        __atomic_store_n(&talk.answered, round, __ATOMIC_RELEASE);
    }
}

static bool ask(u32 round, struct tsc_apart *apart)
{
    u64 asked = time_now();
    __atomic_store_n(&talk.asked, round, __ATOMIC_RELEASE);
    if (!await(&talk.answered, round))
        return false;
    tsc_apart_take(apart, (struct tsc_round){asked, talk.tsc, time_now()});
    return true;
}

static void measure(u32 cpu)
{
    struct cpu_set set = {{0}};
    struct tsc_apart *apart = &of_cpu(aparts, cpu);
    cpu_set_add(&set, cpu);
    talk.asked = talk.answered = 0;
    cpus_begin(&set, answer, apart);
    struct deadline deadline = deadline_us(ALL_US);
    for (u32 round = 1; round <= ROUNDS && ask(round, apart); round++)
        if (round > 1 && deadline_passed(&deadline))
            break;
    __atomic_store_n(&talk.asked, OVER, __ATOMIC_RELEASE);
    cpus_join(&set, JOIN_MS, NULL);
}

void tsc_apart_measure(void)
{
    struct cpu_set all = cpus_all();
    aparts = (struct tsc_apart){.known = true};
    read_adjustment(&aparts);
    for (u32 cpu = 1; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&all, cpu))
            measure(cpu);
}
