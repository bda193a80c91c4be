#include "harness/core/aspect.h"
#include "kernel/text/format.h"
#include "kernel/text/glob.h"
#include "kernel/text/string.h"

/* Permanent, because logs contain them. */
static const struct {
    u32 aspect;
    const char *name;
} names[] = {
    {ASPECT_INSTRUCTIONS, "instructions"},
    {ASPECT_LONG_COUNT, "long-count"},
    {ASPECT_BRANCHES, "branches"},
    {ASPECT_OWN_EVENTS, "own-events"},
    {ASPECT_ALL_AT_ONCE, "all-at-once"},
    {ASPECT_USR_ALONE, "usr-alone"},
    {ASPECT_COUNTER_VALUE, "counter-value"},
    {ASPECT_EVENT_SELECT, "event-select"},
    {ASPECT_IN_USE, "in-use"},
    {ASPECT_CONTROL_SEEN, "control-seen"},
    {ASPECT_STATUS_BIT, "status-bit"},
    {ASPECT_FIXED_OVERFLOW, "fixed-overflow"},
    {ASPECT_MASKED_VECTOR, "masked-vector"},
    {ASPECT_FREEZE, "freeze"},
    {ASPECT_STAYS_FROZEN, "stays-frozen"},
    {ASPECT_FREEZE_ENABLE, "freeze-enable"},
    {ASPECT_SAMPLED_LEVEL, "sampled-level"},
    {ASPECT_SAMPLED_STATUS, "sampled-status"},
    {ASPECT_BUFFER_BIT, "buffer-bit"},
    {ASPECT_THRESHOLD_PMI, "threshold-pmi"},
    {ASPECT_FULL_BUFFER, "full-buffer"},
    {ASPECT_DISABLED_RECORDS, "disabled-records"},
    {ASPECT_EACH_RECORD, "each-record"},
    {ASPECT_ODD_PERIOD, "odd-period"},
    {ASPECT_LATENCY, "latency"},
    {ASPECT_TRACE_WHOLE, "trace-whole"},
    {ASPECT_TRACE_FREEZE, "trace-freeze"},
    {ASPECT_TRACE_SET, "trace-set"},
    {ASPECT_PMI_MASKS, "pmi-masks"},
    {ASPECT_ANSWERS, "answers"},
};

const char *aspect_text(u32 aspects, char *text)
{
    size_t length = 0;
    format_text(text, ASPECT_TEXT, "nothing");
    for_each_row (names, row)
        if (aspects & row->aspect && length < ASPECT_TEXT)
            length += (size_t)format_text(text + length, ASPECT_TEXT - length, "%s%s", length ? "," : "", row->name);
    return text;
}

bool aspect_parse(const char *text, u32 *aspects)
{
    char name[40];
    bool all = true;
    *aspects = 0;
    while (list_next(&text, name, sizeof(name))) {
        bool found = !strcmp(name, "nothing");
        for_each_row (names, row)
            if (!strcmp(name, row->name)) {
                *aspects |= row->aspect;
                found = true;
            }
        all &= found;
    }
    return all;
}
