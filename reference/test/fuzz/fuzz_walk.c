/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random walks from bytes instead of a seed: which profile, and the walk as text, or its seed. All of them are parsed,
 * made and retold within bounds; a drawn walk shows no difference on a good PMU.
 */
#include "reference/lockstep/oracle.h"
#include "reference/test/lockstep/bench.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define DRAWN 128 /* from this first byte on */
#define WALKS 4   /* walks in a row, each from the state that the last one has left */

const u8 stubs[4096];

static void make_drawn(struct bench *b, const uint8_t *data, size_t size)
{
    u64 seed = 0;
    struct difference difference;
    memcpy(&seed, data, size < sizeof(seed) ? size : sizeof(seed));
    for (u32 n = 0; n < WALKS; n++)
        if (!bench_walk(b, seed + n, false, &difference) && !b->follower.undecided)
            abort();
}

/* Writes need not be allowed, nor reads be promised: only bounds are checked. */
static void make_parsed(struct bench *b, const uint8_t *data, size_t size)
{
    char text[WALK_TEXT] = "", error[WALK_ERROR];
    struct difference difference;
    struct walk again;
    memcpy(text, data, size < sizeof(text) ? size : sizeof(text) - 1);
    if (!walk_parse(text, &b->walk, error))
        return;
    if (walk_text(&b->walk, text, sizeof(text)) &&
        (!walk_parse(text, &again, error) || again.body_count != b->walk.body_count))
        abort();
    bench_make(b, &b->walk, true, &difference);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bench b;
    if (size < 2)
        return 0;
    const struct profile *profile = profiles[data[0] % profile_count];
    if (bench_open(&b, profile, data[1] % bench_kinds(profile), NULL, NULL)) {
        if (data[0] >= DRAWN)
            make_drawn(&b, data + 2, size - 2);
        else
            make_parsed(&b, data + 2, size - 2);
    }
    bench_close(&b);
    return 0;
}
