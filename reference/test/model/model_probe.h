/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations by their effects: the result of a probe without a deviation and with it. */
#pragma once

#include "reference/test/model/model_rig.h"

struct probe_row {
    const char *name;            /* of the deviation */
    u64 (*probe)(struct rig *r); /* starts from a fresh model and returns one number */
    u64 without, with;
};

static inline const char *probe_profile(const char *name)
{
    int index = deviation_find(name);
    return index >= 0 && deviations[index]->profile ? deviations[index]->profile : "skylake";
}

/* Runs each probe on the profile that its deviation names. */
static inline void check_probes(const struct probe_row *rows, size_t count)
{
    for (const struct probe_row *row = rows; row < rows + count; row++)
        for (int with = 0; with < 2; with++) {
            struct rig r;
            rig_open_on(&r, probe_profile(row->name), with ? row->name : NULL, 1,
                        3); /* the last CPU, for deviations of that CPU */
            u64 got = row->probe(&r), want = with ? row->with : row->without;
            rig_close(&r);
            if (got != want)
                fail_msg("%s %s: %llx, not %llx", with ? "with" : "without", row->name, (unsigned long long)got,
                         (unsigned long long)want);
        }
}
