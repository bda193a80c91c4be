/* SPDX-License-Identifier: BSD-2-Clause */
/* A histogram of 64-bit samples in fixed memory. */
#include "harness/core/tally.h"
#include "kernel/text/text.h"

static unsigned bucket_of(u64 sample)
{
    if (sample < HISTOGRAM_EXACT)
        return (unsigned)sample;
    unsigned top = 63 - (unsigned)__builtin_clzll(sample);
    return HISTOGRAM_EXACT + (top - 6) * 8 + (unsigned)(sample >> (top - 3) & 7);
}

u64 histogram_floor(unsigned bucket)
{
    if (bucket < HISTOGRAM_EXACT)
        return bucket;
    unsigned top = 6 + (bucket - HISTOGRAM_EXACT) / 8;
    return (8 + (u64)((bucket - HISTOGRAM_EXACT) % 8)) << (top - 3);
}

void histogram_clear(struct histogram *histogram)
{
    memset(histogram, 0, sizeof(*histogram));
}

void histogram_add(struct histogram *histogram, u64 sample)
{
    if (!histogram->n || sample < histogram->min)
        histogram->min = sample;
    if (sample > histogram->max)
        histogram->max = sample;
    histogram->n++;
    histogram->bucket[bucket_of(sample)]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (!from->n)
        return;
    if (!into->n || from->min < into->min)
        into->min = from->min;
    if (from->max > into->max)
        into->max = from->max;
    into->n += from->n;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
        into->bucket[b] += from->bucket[b];
}

u64 histogram_quantile(const struct histogram *histogram, unsigned permille)
{
    u64 rank = (histogram->n * permille + 999) / 1000, seen = 0;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++) {
        seen += histogram->bucket[b];
        if (seen && seen >= rank) {
            u64 value = histogram_floor(b);
            return value < histogram->min ? histogram->min : value;
        }
    }
    return histogram->max;
}

static unsigned buckets_in_use(const struct histogram *histogram, unsigned join)
{
    unsigned used = 0, last = ~0u;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
        if (histogram->bucket[b] && b / join != last) {
            last = b / join;
            used++;
        }
    return used;
}

const char *histogram_text(const struct histogram *histogram, unsigned most, char *text, size_t size)
{
    unsigned join = 1;
    size_t length = 0;
    while (buckets_in_use(histogram, join) > most)
        join *= 2;
    text[0] = 0;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b += join) {
        u64 count = 0;
        for (unsigned i = b; i < b + join && i < HISTOGRAM_BUCKETS; i++)
            count += histogram->bucket[i];
        if (!count)
            continue;
        char item[48];
        size_t more =
            (size_t)format_text(item, sizeof(item), "%s%lu:%lu", length ? "," : "", histogram_floor(b), count);
        if (length + more + 1 > size)
            break;
        memcpy(text + length, item, more + 1);
        length += more;
    }
    return text;
}
