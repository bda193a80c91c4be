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

STAND_IN(stopped_at_highest_wraps, counting_changed)
{
    uint64_t highest = those(m, stopped, at_highest);
    for (unsigned bit = 0; bit < 64; bit++)
        if ((highest >> bit & 1) && strikes())
            *value_of(m, bit) = 0;
    below(counting_changed);
}
DEFECT(stopped_at_highest_wraps, FUNCTIONS, "a counter that is stopped at its highest value becomes 0",
       "class: a carry that the stop lets through", ALSO_ON("lunar-lake"));

DEFECT(stopped_at_highest_sets_status,
       BEFORE(counting_changed, those(m, stopped, at_highest), m->status.bits |= those(m, stopped, at_highest)),
       "a counter that is stopped at its highest value sets its overflow bit", "class of BJ58", ALSO_ON("lunar-lake"));

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

STAND_IN(stopped_at_highest_loses_wrap, overflows_seen)
{
    struct stopped_there *there = memory(struct stopped_there);
    uint64_t lost = wrapped & there->highest;
    there->highest &= ~wrapped;
    if (lost && strikes())
        wrapped &= ~lost;
    return below(overflows_seen);
}
DEFECT(stopped_at_highest_loses_wrap,
       ALL(NOTES(counting_changed, true, keep_stopped(m, memory(struct stopped_there), stopped)), FUNCTIONS),
       "a counter that was stopped at its highest value wraps without any sign as it is started again",
       "class: an edge that the stop has used up", ALSO_ON("lunar-lake"));

/* ---- At 0 */

STAND_IN(started_at_end_stays, counted)
{
    struct stopped_there *there = memory(struct stopped_there);
    n = below(counted);
    bool lost = n && ((there->highest | there->zero) & BIT(c->bit)) && strikes();
    there->wrapped &= n ? ~BIT(c->bit) : ~0ull;
    there->highest &= lost ? ~BIT(c->bit) : ~0ull;
    there->zero &= lost ? ~BIT(c->bit) : ~0ull;
    return lost ? 0 : n;
}
DEFECT(started_at_end_stays,
       ALL(NOTES(wrapped_value, true, memory(struct stopped_there)->wrapped |= BIT(c->bit)),
           NOTES(counting_changed, true, keep_stopped(m, memory(struct stopped_there), stopped)), FUNCTIONS),
       "a counter that was stopped at its highest value, or at 0 as it wrapped, misses an event as it is started again",
       "class: a wrap takes a clock of its own", ALSO_ON("lunar-lake"));

STAND_IN(stopped_at_wrap_flags_again, counting_changed)
{
    struct stopped_there *there = memory(struct stopped_there);
    uint64_t again = started & there->zero & those(m, started, at_zero);
    if (again && strikes())
        m->status.bits |= again;
    there->zero &= ~started;
    keep_stopped(m, there, stopped);
    below(counting_changed);
}
DEFECT(stopped_at_wrap_flags_again,
       ALL(NOTES(wrapped_value, true, memory(struct stopped_there)->wrapped = BIT(c->bit)), FUNCTIONS),
       "a counter that was stopped at 0 after a wrap sets its overflow bit once more as it is started again",
       "class of BJ58: a wrap that hangs on", ALSO_ON("lunar-lake"));

STAND_IN(stopped_at_wrap_counts_on, counting_changed)
{
    struct stopped_there *there = memory(struct stopped_there);
    uint64_t zero = those(m, stopped, at_zero) & there->wrapped;
    for (unsigned bit = 0; bit < 64; bit++)
        if ((zero >> bit & 1) && strikes())
            *value_of(m, bit) = 1;
    there->wrapped &= ~stopped;
    below(counting_changed);
}
DEFECT(stopped_at_wrap_counts_on,
       ALL(NOTES(wrapped_value, true, memory(struct stopped_there)->wrapped = BIT(c->bit)), FUNCTIONS),
       "a counter that is stopped at 0 after a wrap becomes 1", "class: a carry into the wrong end",
       ALSO_ON("lunar-lake"));
