#include "harness/counting.h"

#define SHORT_K 2
#define LONG_K 10
#define FILTER_SHORT_K 1
#define FILTER_LONG_K 5

void check_counted(struct test *t, const char *label, const struct workload *w, const struct counter *list, unsigned n,
                   u64 each)
{
    struct slope slope[COUNTERS_MAX];
    count_slope(t, w, list, n, SHORT_K, LONG_K, false, slope);
    for (unsigned i = 0; i < n; i++)
        check_slope(t, label, &list[i], &slope[i], each * (LONG_K - SHORT_K));
}

void check_exact(struct test *t, const char *block, const struct counter *list, unsigned n, u16 event)
{
    const struct workload *w = workload(block);
    setup_counters(list, n, event, COUNT_OS);
    check_counted(t, block, w, list, n, event == ARCH_EVENT_BRANCHES ? w->branches_per_k : w->instructions_per_k);
}

void check_filter(struct test *t, const struct filter *filter, const struct counter *list, unsigned n)
{
    const struct workload *w = &workloads[0];
    struct slope slope[COUNTERS_MAX];
    u64 all = w->instructions_per_k * (FILTER_LONG_K - FILTER_SHORT_K);
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, filter->flags);
    count_slope(t, w, list, n, FILTER_SHORT_K, FILTER_LONG_K, filter->user, slope);
    for (unsigned i = 0; i < n; i++)
        if (counts_exactly(list[i]) || (!filter->counts && !filter->user))
            check_slope(t, filter->label, &list[i], &slope[i], filter->counts ? all : 0);
}

void check_filters(struct test *t, const struct counter *list, unsigned n)
{
    static const struct filter filters[] = {
        {"usr-at-cpl-0", COUNT_USR, false, false},
        {"os-at-cpl-3", COUNT_OS, true, false},
        {"usr-at-cpl-3", COUNT_USR, true, true},
        {"both-at-cpl-3", COUNT_OS | COUNT_USR, true, true},
        {"neither", 0, true, false},
    };
    for_each_row (filters, filter)
        check_filter(t, filter, list, n);
}
