/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms of values that are stored in several fields: counters, events, PEBS, clocks. */
#include "tools/profile/form.h"

/* Also takes the version from the leaf. */
static bool read_leaf0a(struct profile_reader *r, void *field)
{
    uint32_t *value = field;
    if (!profile_read_leaf(r, value))
        return false;
    r->profile->version = (uint8_t)value[0];
    return true;
}

static void print_leaf0a(FILE *out, const struct key *key, const struct profile *profile)
{
    const uint32_t *value = profile_field(key, profile);
    fprintf(out, "    .version = %u,\n", profile->version);
    fprintf(out, "    .%s = {0x%08x, 0x%08x, 0x%08x, 0x%08x},\n", key->field, value[0], value[1], value[2], value[3]);
}

static void store_byte(uint8_t *field, unsigned value)
{
    *field = (uint8_t)value;
}

static bool read_count_and_width(struct profile_reader *r, unsigned most, uint8_t *count_field, uint8_t *width_field)
{
    unsigned count, width;
    if (!profile_number(r, 1, most, &count) || !profile_expect(r, "x") || !profile_number(r, 32, 64, &width))
        return false;
    store_byte(count_field, count);
    store_byte(width_field, width);
    return true;
}

/* `4 x 48, 8 without hyper-threading`, `none` */
static bool read_gp(struct profile_reader *r, void *field)
{
    struct profile *p = r->profile;
    unsigned alone = 0;
    if (profile_take(r, "none")) {
        p->gp_count = p->gp_width = p->gp_count_alone = 0;
        return true;
    }
    if (!read_count_and_width(r, GP_MAX, field, &p->gp_width))
        return false;
    if (profile_take(r, ",") && (!profile_number(r, 1, GP_MAX, &alone) || !profile_expect(r, "without") ||
                                 !profile_expect(r, "hyper-threading")))
        return false;
    store_byte(&p->gp_count_alone, alone);
    return true;
}

static void print_gp(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    fprintf(out, "    .gp_count = %u, .gp_width = %u, .gp_count_alone = %u,\n", profile->gp_count, profile->gp_width,
            profile->gp_count_alone);
    if (profile->full_width)
        fprintf(out, "    .full_width = true,\n");
}

bool profile_indices(struct profile_reader *r, const char *prefix, unsigned most, uint64_t *bits)
{
    *bits = 0;
    for (;;) {
        unsigned first, last;
        struct span word = profile_peek(r), item = word;
        if (!span_skip(&item, prefix) || !span_number(&item, &first))
            break;
        last = first;
        if ((span_skip(&item, "-") && !span_number(&item, &last)) || item.length)
            return profile_not_allowed(r, word);
        if (first > last || last >= most)
            return profile_wrong(r, "\"%.*s\": indices are 0 to %u, the lower first", SHOWN(word), most - 1);
        *bits |= MASK(last, first);
        profile_word(r);
    }
    return *bits != 0 || profile_not_allowed(r, profile_peek(r));
}

/* `3 x 40, drops upper`, `0-2 4-6 x 48`, `none` */
static bool read_fixed(struct profile_reader *r, void *field)
{
    struct profile *p = r->profile;
    struct span start = r->rest;
    unsigned count, width;
    uint64_t bits;
    p->fixed_bitmap = p->fixed_width = 0;
    p->fixed_drops_upper = false;
    if (profile_take(r, "none"))
        return true;
    struct span first = profile_word(r), digits = first;
    if (span_number(&digits, &count) && !digits.length && profile_is(profile_peek(r), "x")) {
        if (count < 1 || count > FIXED_MAX)
            return profile_wrong(r, "%u is out of range: 1 to %d", count, FIXED_MAX);
        bits = MASK(count - 1, 0);
    } else {
        r->rest = start;
        if (!profile_indices(r, "", FIXED_MAX, &bits))
            return false;
    }
    if (!profile_expect(r, "x") || !profile_number(r, 32, 64, &width))
        return false;
    if (profile_take(r, ",")) {
        if (!profile_expect(r, "drops") || !profile_expect(r, "upper"))
            return false;
        p->fixed_drops_upper = true;
    }
    store_byte(field, (unsigned)bits);
    store_byte(&p->fixed_width, width);
    return true;
}

static void print_fixed(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    fprintf(out, "    .fixed_bitmap = 0x%x, .fixed_width = %u, .fixed_drops_upper = %s,\n", profile->fixed_bitmap,
            profile->fixed_width, profile->fixed_drops_upper ? "true" : "false");
}

static bool read_netburst(struct profile_reader *r, void *field)
{
    return read_count_and_width(r, NETBURST_COUNT, field, &r->profile->netburst_width);
}

static void print_netburst(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    if (profile->netburst_count)
        fprintf(out, "    .netburst_count = %u, .netburst_width = %u,\n", profile->netburst_count,
                profile->netburst_width);
}

/* Reads the architectural events that count; an index missing in between does not count. */
static bool read_events(struct profile_reader *r, void *field)
{
    uint64_t live = 0;
    unsigned length = 0;
    if (!profile_take(r, "none") && !profile_indices(r, "", 32, &live))
        return false;
    while (live >> length)
        length++;
    store_byte(field, length);
    r->profile->events_dead = length ? (uint32_t)(~live & MASK(length - 1, 0)) : 0;
    return true;
}

static void print_events(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    fprintf(out, "    .event_length = %u, .events_dead = 0x%x,\n", profile->event_length, profile->events_dead);
}

/* pmc0-3 fixed0-2: GP and fixed counters; either may be missing. */
static bool read_counters(struct profile_reader *r, uint16_t *gp, uint16_t *fixed)
{
    struct span word = profile_peek(r);
    uint64_t gp_bits = 0, fixed_bits = 0;
    if (span_skip(&word, "pmc") && !profile_indices(r, "pmc", GP_MAX, &gp_bits))
        return false;
    word = profile_peek(r);
    if (span_skip(&word, "fixed") && !profile_indices(r, "fixed", FIXED_MAX, &fixed_bits))
        return false;
    *gp = (uint16_t)gp_bits;
    *fixed = (uint16_t)fixed_bits;
    return gp_bits || fixed_bits || profile_not_allowed(r, profile_peek(r));
}

/* `format 3, pmc0-3 fixed0-2, precise pmc1, latency pmc0-3`; the format repeats PERF_CAPABILITIES, for readers. */
static bool read_pebs(struct profile_reader *r, void *field)
{
    struct profile *p = r->profile;
    unsigned format;
    uint16_t no_fixed = 0;
    (void)field;
    p->pebs_gp = p->pebs_fixed = p->pebs_precise_gp = p->pebs_precise_fixed = p->pebs_latency_gp = 0;
    p->pebs_without_instructions = 0;
    if (profile_take(r, "none"))
        return true;
    if (!profile_expect(r, "format") || !profile_number(r, 0, 15, &format))
        return false;
    if (p->perf_capabilities && format != FIELD_GET(p->perf_capabilities, 11, 8))
        return profile_wrong(r, "format %u, but perfcap says %u", format,
                             (unsigned)FIELD_GET(p->perf_capabilities, 11, 8));
    while (profile_take(r, ",")) {
        bool good = profile_take(r, "precise")   ? read_counters(r, &p->pebs_precise_gp, &p->pebs_precise_fixed)
                    : profile_take(r, "latency") ? read_counters(r, &p->pebs_latency_gp, &no_fixed)
                    : profile_take(r, "without-instructions")
                        ? read_counters(r, &p->pebs_without_instructions, &no_fixed)
                        : read_counters(r, &p->pebs_gp, &p->pebs_fixed);
        if (!good)
            return false;
    }
    return !no_fixed || profile_wrong(r, "latency and without-instructions take pmc counters only");
}

static void print_pebs(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    if (!profile->pebs_gp)
        return;
    fprintf(out, "    .pebs_gp = 0x%x, .pebs_fixed = 0x%x,\n", profile->pebs_gp, profile->pebs_fixed);
    fprintf(out, "    .pebs_precise_gp = 0x%x, .pebs_precise_fixed = 0x%x, .pebs_latency_gp = 0x%x,\n",
            profile->pebs_precise_gp, profile->pebs_precise_fixed, profile->pebs_latency_gp);
    fprintf(out, "    .pebs_without_instructions = 0x%x,\n", profile->pebs_without_instructions);
}

static bool read_reload(struct profile_reader *r, void *field)
{
    (void)field;
    return read_counters(r, &r->profile->reload_gp, &r->profile->reload_fixed);
}

static void print_reload(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    if (profile->reload_gp)
        fprintf(out, "    .reload_gp = 0x%x, .reload_fixed = 0x%x,\n", profile->reload_gp, profile->reload_fixed);
}

/* `42:40`, core clock : TSC */
static bool read_clock(struct profile_reader *r, void *field)
{
    struct span word = profile_word(r), item = word;
    unsigned core, tsc;
    (void)field;
    if (!span_number(&item, &core) || !span_skip(&item, ":") || !span_number(&item, &tsc) || item.length)
        return profile_not_allowed(r, word);
    if (core < 1 || core > 1000 || tsc < 1 || tsc > 1000)
        return profile_wrong(r, "clocks are 1 to 1000");
    r->profile->core_ratio = (uint16_t)core;
    r->profile->tsc_ratio = (uint16_t)tsc;
    return true;
}

static void print_clock(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    fprintf(out, "    .core_ratio = %u, .tsc_ratio = %u,\n", profile->core_ratio, profile->tsc_ratio);
}

/* `1 to 4`, instructions */
static bool read_skid(struct profile_reader *r, void *field)
{
    unsigned low, high;
    (void)field;
    if (!profile_number(r, 0, 1000, &low) || !profile_expect(r, "to") || !profile_number(r, low, 1000, &high))
        return false;
    r->profile->skid_min = (uint16_t)low;
    r->profile->skid_spread = (uint16_t)(high - low + 1);
    return true;
}

static void print_skid(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)key;
    fprintf(out, "    .skid_min = %u, .skid_spread = %u,\n", profile->skid_min, profile->skid_spread);
}

const struct form form_leaf0a = {"EAX-EBX-ECX-EDX", read_leaf0a, print_leaf0a};
const struct form form_gp = {"none, COUNT x WIDTH, or COUNT x WIDTH, COUNT without hyper-threading", read_gp, print_gp};
const struct form form_fixed = {"none, COUNT x WIDTH or INDICES x WIDTH, then optionally , drops upper", read_fixed,
                                print_fixed};
const struct form form_netburst = {"COUNT x WIDTH", read_netburst, print_netburst};
const struct form form_events = {"none, or indices such as 0-1 3-6", read_events, print_events};
const struct form form_pebs = {"none, or format N, COUNTERS, precise COUNTERS, latency COUNTERS, without-instructions "
                               "COUNTERS; such as pmc0-3 fixed0",
                               read_pebs, print_pebs};
const struct form form_reload = {"counters such as pmc2-7 fixed0-1", read_reload, print_reload};
const struct form form_clock = {"CORE:TSC", read_clock, print_clock};
const struct form form_skid = {"LEAST to MOST", read_skid, print_skid};
