/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of CPUs as users write it: the option cpus. */
#include "kernel/cpu/cpus.h"
#include "kernel/text/text.h"

static bool parse_range(const char *item, u32 *first, u32 *last)
{
    if (!number_take(&item, first))
        return false;
    *last = *first;
    if (*item == '-') {
        item++;
        if (!number_take(&item, last))
            return false;
    }
    return !*item && *first <= *last;
}

bool cpu_list_parse(const char *list, u32 cpus, struct cpu_set *set, char error[CPU_LIST_ERROR])
{
    char item[32];
    u32 first, last;
    *set = (struct cpu_set){0};
    const char *rest = list;
    while (list_next(&rest, item, sizeof(item))) {
        if (!parse_range(item, &first, &last)) {
            format_text(error, CPU_LIST_ERROR, "cpus=%s: not a list like 0,2-3", list);
            return false;
        }
        if (last >= cpus) {
            format_text(error, CPU_LIST_ERROR, "cpus=%s: this machine runs CPUs 0 to %u", list, cpus - 1);
            return false;
        }
        for (u32 cpu = first; cpu <= last; cpu++)
            cpu_set_add(set, cpu);
    }
    for (u32 cpu = 0; cpu < cpus; cpu++)
        if (cpu_set_has(set, cpu))
            return true;
    format_text(error, CPU_LIST_ERROR, "cpus=%s names no CPU", list);
    return false;
}
