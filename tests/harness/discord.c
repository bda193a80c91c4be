/* SPDX-License-Identifier: BSD-2-Clause */
/* The first thing in a sequence of steps that is not as it must be, and the writes that led to it. */
#include "harness/test.h"
#include "pmu/state/register.h"

void discord_range(struct discord *first, const char *label, u64 got, u64 low, u64 high, u64 aspects, u32 msr)
{
    if (first->label || (got >= low && got <= high))
        return;
    first->label = label;
    first->got = got;
    first->low = low;
    first->high = high;
    first->aspects = aspects;
    first->msr = msr;
}

void discord_wrote(struct discord *first, u32 msr, u64 value)
{
    if (first->label)
        return;
    first->last[first->writes % DISCORD_STEPS].msr = msr;
    first->last[first->writes++ % DISCORD_STEPS].value = value;
}

void discord_unless(struct discord *first, const char *label, u64 got, u64 want, u64 aspects, u32 msr)
{
    discord_range(first, label, got, want, want, aspects, msr);
}

void check_no_discord(struct test *t, const struct discord *d, const char *otherwise)
{
    const char *label = d->label ? d->label : otherwise;
    if (d->low == d->high)
        check_equal(about(t, d->aspects), label, d->got, d->low, d->msr);
    else
        check_range(about(t, d->aspects), label, d->got, d->low, d->high, d->msr);
}

void discord_tell(struct test *t, const struct discord *d, u64 seed)
{
    char name[REGISTER_NAME_SIZE];
    u32 told = d->writes < DISCORD_STEPS ? d->writes : DISCORD_STEPS;
    for (u32 i = d->writes - told; d->label && i < d->writes; i++)
        note(t, "steps", d->label, "", "seed=%lu write=%u %s=0x%lx", seed, i + 1,
             register_name(t->caps, d->last[i % DISCORD_STEPS].msr, name), d->last[i % DISCORD_STEPS].value);
}
