/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the lines of a profile from the values of a log. */
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/profile/make.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

uint32_t profile_leaf_value(const struct maker *m, uint32_t leaf, uint32_t subleaf, unsigned reg)
{
    const struct facts_leaf *found = facts_leaf(m->core, leaf, subleaf);
    return found ? found->value[reg] : 0;
}

uint32_t profile_gp_bitmap(const struct maker *m)
{
    uint64_t bitmap = 0;
    uint32_t told = profile_leaf_value(m, 0x0a, 0, FIELD_EAX) >> 8 & 0xff;
    if (!log_hex(m->core->record, "gp-bitmap", &bitmap))
        bitmap = told < 32 ? (1ull << told) - 1 : 0;
    return (uint32_t)bitmap;
}

uint64_t profile_perfcap(const struct maker *m)
{
    uint64_t value = 0;
    log_hex(m->core->record, "perfcap", &value);
    return value;
}

double profile_measured(const struct maker *m, const char *test, const char *name, const char *value, double otherwise)
{
    const struct log_boot *boot = m->facts->boot;
    for_each_item (m->facts->run->results, result)
        for_each_record (boot, result, r) {
            const char *its = log_value(r, "name"), *text = log_value(r, value);
            if (log_is(r, "measure") && strcmp(r->subject, test) == 0 && its && strcmp(its, name) == 0 && text &&
                facts_cpu_in(log_value(r, "cpus"), m->core->id))
                return strtod(text, NULL);
        }
    return otherwise;
}

/* ---- Writing */

void profile_line(const struct maker *m, const char *key, const char *source, const char *format, ...)
{
    va_list args;
    char value[512];
    va_start(args, format);
    vsnprintf(value, sizeof(value), format, args);
    va_end(args);
    fprintf(m->out, source ? "%-15s %-36s # %s\n" : "%-15s %s\n", key, value, source);
}

const char *profile_mask(uint64_t mask, char text[FACTS_BITS])
{
    return mask ? facts_bits(mask, text) : "none";
}
