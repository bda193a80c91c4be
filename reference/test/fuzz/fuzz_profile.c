/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a profile: no crash, no overrun; an accepted profile is within its bounds, and a refused one has a
 * reason. */
#include "tools/profile/text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_rule(const struct write_rule *rule)
{
    require(!(rule->reset & rule->faults) && !(rule->faults & rule->dropped));
}

static void check(const struct profile *p)
{
    require(p->name && strlen(p->name) <= 40 && p->brand && strlen(p->brand) <= 47 && strlen(p->vendor) == 12);
    require(p->gp_count <= GP_MAX && p->gp_count_alone <= GP_MAX && p->netburst_count <= NETBURST_COUNT);
    require(!p->fixed_bitmap == !p->fixed_width && p->fixed_width <= 64 && !(p->fixed_bitmap >> FIXED_MAX));
    require(!p->gp_count == !p->gp_width && p->gp_width <= 64);
    require(p->core_ratio && p->tsc_ratio && p->skid_spread && p->ref_step && p->slots && p->threads);
    require(p->event_length <= 32 && !(p->event_length && p->events_dead >> (p->event_length - 1)));
    check_rule(&p->evtsel);
    for (unsigned i = 0; i < STORED_COUNT; i++)
        check_rule(&p->stored[i]);
}

/* The other profile for `like`: a good one with two kinds of cores. */
static const struct profile *base(const char *name)
{
    static const struct profile efficient = {.name = "other",
                                             .core = "e",
                                             .brand = "b",
                                             .vendor = "GenuineIntel",
                                             .gp_count = 4,
                                             .gp_width = 48,
                                             .evtsel = {.exists = true},
                                             .core_ratio = 1,
                                             .tsc_ratio = 1,
                                             .skid_spread = 1,
                                             .ref_step = 1,
                                             .slots = 4,
                                             .threads = 1};
    static struct profile other;
    other = efficient;
    other.core = "p";
    other.second = &efficient;
    return name[0] == 'o' ? &other : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct profile_file file;
    struct profile_error error = {0};
    if (!profile_read((const char *)data, size, base, &file, &error)) {
        require(error.text[0] && strlen(error.text) < sizeof(error.text) && error.line <= size + 1);
        return 0;
    }
    require(file.cores >= 1 && file.cores <= PROFILE_CORES);
    for (unsigned i = 0; i < file.cores; i++)
        check(&file.core[i]);
    return 0;
}
