/* SPDX-License-Identifier: BSD-2-Clause */
/* Side effects of accesses. */
#include "kernel/cpu/cpus.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"

/* IA32_PERF_GLOBAL_STATUS among counters, which are at their bits of IA32_PERF_GLOBAL_CTRL. */
#define STATUS_PLACE 63

/* A PMI's handler may write at any time: `writes` shows code that it interrupted that its view is out of date. */
static PER_CPU struct watch {
    volatile u32 writes;
    u64 written; /* places that were written since everything stopped */
    u64 known;   /* those of which it is known what they hold, and before the last write */
    u64 known_before;
    u64 value[64];
    u32 last;     /* the register that was written last */
    bool watched; /* between side_effect_begin() and side_effect_end() */
    bool closely; /* something has changed: look at all of them at each write, to find what did it */
    struct side_effect change;
} watches;

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
static void keep(struct watch *w, const struct side_effect *change)
{
    if (!w->change.msr || (change->exact && !w->change.exact))
        w->change = *change;
    w->closely = true;
}

/* The bits that stand still: of STATUS those of counters that were not written since. Haswell's fixed counter 0 sets
 * its bit if it gets -1 or -2 while all counters are off, and other bits are of no counter. */
static u64 looked_at_in(const struct watch *w, unsigned place)
{
    return place == STATUS_PLACE ? caps_counter_bits(pmu_caps()) & ~w->written : MASK(63, 0);
}

static void look_at(struct watch *w, unsigned place, bool exact)
{
    u64 now, bit = BIT(place);
    u32 writes = w->writes;
    if (rdmsr_try(register_at(place), &now) != NO_FAULT)
        return;
    struct side_effect change = {register_at(place), w->value[place], now, w->last, exact};
    bool changed = w->known & bit && (now ^ change.from) & looked_at_in(w, place);
    w->value[place] = now;
    w->known |= bit;
    if (w->writes != writes)
        w->known = 0;
    else if (changed)
        keep(w, &change);
}

static void look_at_those(struct watch *w, u64 places, bool exact)
{
    for (; places; places &= places - 1)
        look_at(w, (unsigned)__builtin_ctzll(places), exact);
}

static bool looked_at(const struct watch *w, const struct pmu_caps *caps)
{
    return w->watched && caps->version >= 2 && cpu_class(caps) != CLASS_NETBURST;
}

void side_effect_before_write(u32 msr)
{
    struct watch *w = &of_cpu(watches, cpu_index());
    u64 place = place_of(msr), fresh = w->written & ~w->known;
    if (!looked_at(w, pmu_caps()))
        return;
    if (msr == MSR_PERF_GLOBAL_CTRL)
        side_effect_before_start();
    else if (fresh && !stopped())
        side_effect_forget();
    else
        look_at_those(w, w->closely ? w->written : fresh, w->closely);
    w->writes++;
    w->known_before = w->known;
    w->written |= place;
    w->known &= ~place;
    w->last = msr;
}

void side_effect_after_refusal(u32 msr)
{
    struct watch *w = &of_cpu(watches, cpu_index());
    if (!looked_at(w, pmu_caps()) || w->last != msr)
        return;
    w->known = w->known_before;
    if (w->known && stopped())
        look_at_those(w, w->known, true);
}

void side_effect_before_start(void)
{
    struct watch *w = &of_cpu(watches, cpu_index());
    if (w->known && stopped())
        look_at_those(w, w->known, w->closely);
    side_effect_forget();
}

void side_effect_tell(u32 msr, u64 from, u64 to, u32 written)
{
    keep(&of_cpu(watches, cpu_index()), &(struct side_effect){msr, from, to, written, true});
}

void side_effect_begin(void)
{
    struct watch *w = &of_cpu(watches, cpu_index());
    side_effect_forget();
    w->change.msr = 0;
    w->closely = false;
    w->watched = true;
}

struct side_effect side_effect_end(void)
{
    struct watch *w = &of_cpu(watches, cpu_index());
    w->watched = false;
    return w->change;
}

void side_effect_forget(void)
{
    struct watch *w = &of_cpu(watches, cpu_index());
    w->writes++;
    w->written = w->known = w->known_before = 0;
}
