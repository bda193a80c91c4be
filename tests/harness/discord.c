/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/discord.h"

void discord_note(struct discord *first, const struct discord *seen)
{
    if (!first->label && (seen->got < seen->low || seen->got > seen->high))
        *first = *seen;
}

void discord_unless(struct discord *first, const char *label, u64 got, u64 want, u64 aspects, u32 msr)
{
    discord_note(first, &(struct discord){label, got, want, want, aspects, msr});
}

void check_no_discord(struct test *t, const struct discord *d, const char *otherwise)
{
    const char *label = d->label ? d->label : otherwise;
    if (d->low == d->high)
        check_equal(about(t, d->aspects), label, d->got, d->low, d->msr);
    else
        check_range(about(t, d->aspects), label, d->got, d->low, d->high, d->msr);
}
