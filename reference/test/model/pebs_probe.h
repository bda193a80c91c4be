/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of PEBS by their effects: the result of a probe without a deviation and with it, each on the profile that
 * it names. */
#pragma once

#include "reference/test/model/model_probe.h"
#include "reference/test/model/pebs_rig.h"

#define SIZE 200 /* of a record of format 3 */

struct pebs_row {
    const char *name;
    u64 (*probe)(struct bench *b);
    u64 without, with;
};

static inline void check_pebs_rows(const struct pebs_row *rows, size_t count)
{
    for (const struct pebs_row *row = rows; row < rows + count; row++)
        for (int with = 0; with < 2; with++) {
            struct bench b;
            bench_open_on(&b, probe_profile(row->name), with ? row->name : NULL, 3);
            u64 got = row->probe(&b), want = with ? row->with : row->without;
            bench_close(&b);
            if (got != want)
                fail_msg("%s %s: %llx, not %llx", with ? "with" : "without", row->name, (unsigned long long)got,
                         (unsigned long long)want);
        }
}

/* With the precise distribution, on PMC1. */
static inline void sampling(struct bench *b, u64 period, unsigned records, unsigned threshold)
{
    set_area(b, DS, BUFFER, SIZE, records, threshold);
    sample_gp(b, 1, EVENT_CODE_PREC_DIST, period);
    start(b, 2);
}

static inline u64 written(struct bench *b)
{
    sampling(b, 1024, 20, 20);
    run(b, 5 * 1025);
    return records(b, SIZE);
}
