/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/gate/still.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/alias.h"
#include "pmu/cpu/class.h"
#include "pmu/registers.h"

/* IA32_PERF_GLOBAL_STATUS among counters, which are at their bits of IA32_PERF_GLOBAL_CTRL. */
#define STATUS_PLACE 63

/* A PMI's handler may write at any time: `writes` shows code that it interrupted that its view is out of date. */
static PER_CPU struct still {
    volatile u32 writes;
    u64 written; /* places that were written since everything stopped */
    u64 known;   /* those of which it is known what they hold, and before the last write */
    u64 known_before;
    u64 value[64];
    u32 last;     /* the register that was written last */
    bool watched; /* between still_begin() and still_end() */
    bool closely; /* something has changed: look at all of them at each write, to find what did it */
    struct still_change change;
} stills;

static u32 register_at(unsigned place)
{
    if (place == STATUS_PLACE)
        return MSR_PERF_GLOBAL_STATUS;
    return place < 32 ? MSR_PMC(place) : MSR_FIXED_CTR(place - 32);
}

/* The place of what a write of this register sets, as a bit. */
static u64 place_of(u32 msr)
{
    unsigned bit = alias_value_bit(msr);
    if (bit != 64)
        return BIT(bit);
    if (msr == MSR_PERF_METRICS)
        return BIT(32 + 3); /* fixed counter 3 may follow it */
    return msr == MSR_PERF_GLOBAL_STATUS_RESET || msr == MSR_PERF_GLOBAL_STATUS_SET ? BIT(STATUS_PLACE) : 0;
}

/* By the register: a counted block switches counters past the gate, and a PMI's handler may write meanwhile. */
static bool stopped(void)
{
    u64 on;
    return rdmsr_try(MSR_PERF_GLOBAL_CTRL, &on) == NO_FAULT && !on;
}

/* The first change, until there is one of which is known what did it. */
static void keep(struct still *still, const struct still_change *change)
{
    if (!still->change.msr || (change->exact && !still->change.exact))
        still->change = *change;
    still->closely = true;
}

/* The bits that stand still: of STATUS those of counters that were not written since. Haswell's fixed counter 0 sets
 * its bit if it gets -1 or -2 while all counters are off, and other bits are of no counter. */
static u64 looked_at_in(const struct still *still, unsigned place)
{
    return place == STATUS_PLACE ? caps_counter_bits(pmu_caps()) & ~still->written : MASK(63, 0);
}

static void look_at(struct still *still, unsigned place, bool exact)
{
    u64 now, bit = BIT(place);
    u32 writes = still->writes;
    if (rdmsr_try(register_at(place), &now) != NO_FAULT)
        return;
    struct still_change change = {register_at(place), still->value[place], now, still->last, exact};
    bool changed = still->known & bit && (now ^ change.from) & looked_at_in(still, place);
    still->value[place] = now;
    still->known |= bit;
    if (still->writes != writes)
        still->known = 0;
    else if (changed)
        keep(still, &change);
}

static void look_at_those(struct still *still, u64 places, bool exact)
{
    for (; places; places &= places - 1)
        look_at(still, (unsigned)__builtin_ctzll(places), exact);
}

static bool looked_at(const struct still *still, const struct pmu_caps *caps)
{
    return still->watched && caps->version >= 2 && cpu_class(caps) != CLASS_NETBURST;
}

void still_before_write(u32 msr)
{
    struct still *still = &of_cpu(stills, cpu_index());
    u64 place = place_of(msr), fresh = still->written & ~still->known;
    if (!looked_at(still, pmu_caps()))
        return;
    if (msr == MSR_PERF_GLOBAL_CTRL)
        still_before_start();
    else if (fresh && !stopped())
        still_forget();
    else
        look_at_those(still, still->closely ? still->written : fresh, still->closely);
    still->writes++;
    still->known_before = still->known;
    still->written |= place;
    still->known &= ~place;
    still->last = msr;
}

void still_after_refusal(u32 msr)
{
    struct still *still = &of_cpu(stills, cpu_index());
    if (!looked_at(still, pmu_caps()) || still->last != msr)
        return;
    still->known = still->known_before;
    if (still->known && stopped())
        look_at_those(still, still->known, true);
}

void still_before_start(void)
{
    struct still *still = &of_cpu(stills, cpu_index());
    if (still->known && stopped())
        look_at_those(still, still->known, still->closely);
    still_forget();
}

void still_tell(u32 msr, u64 from, u64 to, u32 written)
{
    keep(&of_cpu(stills, cpu_index()), &(struct still_change){msr, from, to, written, true});
}

void still_begin(void)
{
    struct still *still = &of_cpu(stills, cpu_index());
    still_forget();
    still->change.msr = 0;
    still->closely = false;
    still->watched = true;
}

struct still_change still_end(void)
{
    struct still *still = &of_cpu(stills, cpu_index());
    still->watched = false;
    return still->change;
}

void still_forget(void)
{
    struct still *still = &of_cpu(stills, cpu_index());
    still->writes++;
    still->written = still->known = still->known_before = 0;
}
