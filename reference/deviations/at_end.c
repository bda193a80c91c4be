/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of a counter that is stopped at its highest value, or at 0 just after it has wrapped. */
#define CHAPTERS "overflow.*"
#include "reference/deviations/stand_in.h"

static uint64_t *value_of(struct model *m, unsigned bit)
{
    return bit < GP_MAX                        ? &m->counters.pmc[bit]
           : bit >= 32 && bit < 32 + FIXED_MAX ? &m->counters.fixed[bit - 32]
                                               : NULL;
}

static bool at_highest(struct model *m, unsigned bit)
{
    const uint64_t *value = value_of(m, bit);
    return value && *value == width_mask(bit < 32 ? m->p.gp_width : m->p.fixed_width);
}

static bool at_zero(struct model *m, unsigned bit)
{
    const uint64_t *value = value_of(m, bit);
    return value && !*value;
}

/* The counters of these that stand there. */
static uint64_t those(struct model *m, uint64_t counters, bool (*there)(struct model *m, unsigned bit))
{
    uint64_t found = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        found |= (counters >> bit & 1) && there(m, bit) ? BIT(bit) : 0;
    return found;
}

/* ---- At the highest value */

static void highest_becomes_0(struct model *m, uint64_t started, uint64_t stopped)
{
    uint64_t highest = those(m, stopped, at_highest);
    for (unsigned bit = 0; bit < 64; bit++)
        if ((highest >> bit & 1) && strikes(m, STOPPED_AT_HIGHEST_WRAPS))
            *value_of(m, bit) = 0;
    replaced(m, STOPPED_AT_HIGHEST_WRAPS, counting_changed)(m, started, stopped);
}
DEFECT(STOPPED_AT_HIGHEST_WRAPS, "stopped-at-highest-wraps", "a counter that is stopped at its highest value becomes 0",
       "class: a carry that the stop lets through", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(counting_changed, highest_becomes_0)));

static void highest_is_flagged(struct model *m, uint64_t started, uint64_t stopped)
{
    uint64_t highest = those(m, stopped, at_highest);
    if (highest && strikes(m, STOPPED_AT_HIGHEST_SETS_STATUS))
        m->status.bits |= highest;
    replaced(m, STOPPED_AT_HIGHEST_SETS_STATUS, counting_changed)(m, started, stopped);
}
DEFECT(STOPPED_AT_HIGHEST_SETS_STATUS, "stopped-at-highest-sets-status",
       "a counter that is stopped at its highest value sets its overflow bit", "class of BJ58", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(counting_changed, highest_is_flagged)));

/* Counters that were stopped there and have not changed since. */
struct stopped_there {
    uint64_t highest, zero;
    uint64_t wrapped; /* have just wrapped */
};

static void keep_stopped(struct model *m, struct stopped_there *there, uint64_t stopped)
{
    there->highest = (there->highest & those(m, there->highest, at_highest)) | those(m, stopped, at_highest);
    there->zero = (there->zero & those(m, there->zero, at_zero)) | (those(m, stopped, at_zero) & there->wrapped);
    there->wrapped &= ~stopped;
}

static void stop_is_kept(struct model *m, uint64_t started, uint64_t stopped)
{
    keep_stopped(m, memory(m, STOPPED_AT_HIGHEST_LOSES_WRAP, struct stopped_there), stopped);
    replaced(m, STOPPED_AT_HIGHEST_LOSES_WRAP, counting_changed)(m, started, stopped);
}

static uint64_t wrap_is_lost(struct model *m, uint64_t wrapped)
{
    struct stopped_there *there = memory(m, STOPPED_AT_HIGHEST_LOSES_WRAP, struct stopped_there);
    uint64_t lost = wrapped & there->highest;
    there->highest &= ~wrapped;
    if (lost && strikes(m, STOPPED_AT_HIGHEST_LOSES_WRAP))
        wrapped &= ~lost;
    return replaced(m, STOPPED_AT_HIGHEST_LOSES_WRAP, overflows_seen)(m, wrapped);
}
DEFECT(STOPPED_AT_HIGHEST_LOSES_WRAP, "stopped-at-highest-loses-wrap",
       "a counter that was stopped at its highest value wraps without any sign as it is started again",
       "class: an edge that the stop has used up", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(counting_changed, stop_is_kept), FOR(overflows_seen, wrap_is_lost)));

/* ---- At 0 */

static uint64_t wrap_noted(struct model *m, const struct counting *c, uint64_t sum)
{
    memory(m, STARTED_AT_END_STAYS, struct stopped_there)->wrapped |= BIT(c->bit);
    return replaced(m, STARTED_AT_END_STAYS, wrapped_value)(m, c, sum);
}

static void end_is_kept(struct model *m, uint64_t started, uint64_t stopped)
{
    keep_stopped(m, memory(m, STARTED_AT_END_STAYS, struct stopped_there), stopped);
    replaced(m, STARTED_AT_END_STAYS, counting_changed)(m, started, stopped);
}

static uint32_t first_lost(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    struct stopped_there *there = memory(m, STARTED_AT_END_STAYS, struct stopped_there);
    n = replaced(m, STARTED_AT_END_STAYS, counted)(m, in, c, n);
    bool lost = n && ((there->highest | there->zero) & BIT(c->bit)) && strikes(m, STARTED_AT_END_STAYS);
    there->wrapped &= n ? ~BIT(c->bit) : ~0ull;
    there->highest &= lost ? ~BIT(c->bit) : ~0ull;
    there->zero &= lost ? ~BIT(c->bit) : ~0ull;
    return lost ? 0 : n;
}
DEFECT(STARTED_AT_END_STAYS, "started-at-end-stays",
       "a counter that was stopped at its highest value, or at 0 as it wrapped, misses an event as it is started again",
       "class: a wrap takes a clock of its own", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(wrapped_value, wrap_noted), FOR(counting_changed, end_is_kept), FOR(counted, first_lost)));

static uint64_t wrap_kept(struct model *m, const struct counting *c, uint64_t sum)
{
    struct stopped_there *there = memory(m, STOPPED_AT_WRAP_FLAGS_AGAIN, struct stopped_there);
    there->wrapped = BIT(c->bit);
    return replaced(m, STOPPED_AT_WRAP_FLAGS_AGAIN, wrapped_value)(m, c, sum);
}

static void flagged_again(struct model *m, uint64_t started, uint64_t stopped)
{
    struct stopped_there *there = memory(m, STOPPED_AT_WRAP_FLAGS_AGAIN, struct stopped_there);
    uint64_t again = started & there->zero & those(m, started, at_zero);
    if (again && strikes(m, STOPPED_AT_WRAP_FLAGS_AGAIN))
        m->status.bits |= again;
    there->zero &= ~started;
    keep_stopped(m, there, stopped);
    replaced(m, STOPPED_AT_WRAP_FLAGS_AGAIN, counting_changed)(m, started, stopped);
}
DEFECT(STOPPED_AT_WRAP_FLAGS_AGAIN, "stopped-at-wrap-flags-again",
       "a counter that was stopped at 0 after a wrap sets its overflow bit once more as it is started again",
       "class of BJ58: a wrap that hangs on", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(wrapped_value, wrap_kept), FOR(counting_changed, flagged_again)));

static uint64_t wrap_remembered(struct model *m, const struct counting *c, uint64_t sum)
{
    memory(m, STOPPED_AT_WRAP_COUNTS_ON, struct stopped_there)->wrapped = BIT(c->bit);
    return replaced(m, STOPPED_AT_WRAP_COUNTS_ON, wrapped_value)(m, c, sum);
}

static void zero_becomes_1(struct model *m, uint64_t started, uint64_t stopped)
{
    struct stopped_there *there = memory(m, STOPPED_AT_WRAP_COUNTS_ON, struct stopped_there);
    uint64_t zero = those(m, stopped, at_zero) & there->wrapped;
    for (unsigned bit = 0; bit < 64; bit++)
        if ((zero >> bit & 1) && strikes(m, STOPPED_AT_WRAP_COUNTS_ON))
            *value_of(m, bit) = 1;
    there->wrapped &= ~stopped;
    replaced(m, STOPPED_AT_WRAP_COUNTS_ON, counting_changed)(m, started, stopped);
}
DEFECT(STOPPED_AT_WRAP_COUNTS_ON, "stopped-at-wrap-counts-on", "a counter that is stopped at 0 after a wrap becomes 1",
       "class: a carry into the wrong end", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(wrapped_value, wrap_remembered), FOR(counting_changed, zero_becomes_1)));
