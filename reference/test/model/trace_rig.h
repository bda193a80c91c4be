/* SPDX-License-Identifier: BSD-2-Clause */
/* A reference PMU on the bench with memory for a processor trace: a table of two regions, and the regions. */
#pragma once

#include "reference/test/model/model_rig.h"

#define TABLE 0x10000u
#define FIRST 0x11000u
#define SECOND 0x12000u
#define TRACE_BYTES 0x4000u /* bytes of memory, from the table on */

static inline void put_entry(struct rig *r, unsigned n, u64 entry)
{
    rig_memory_write(r, TABLE + 8 * n, &entry, sizeof(entry));
}

/* Two regions with these bits, then back to the table; the trace is off. */
static inline void trace_rig_open(struct rig *r, const char *profile, u64 first, u64 second)
{
    rig_open_on(r, profile, NULL, 1, 0);
    r->memory = calloc(1, TRACE_BYTES);
    r->address = TABLE;
    r->size = TRACE_BYTES;
    r->host.physical_read = rig_memory_read;
    r->host.physical_write = rig_memory_write;
    model_reset(r->model, &r->setup, &r->host);
    put_entry(r, 0, FIRST | first);
    put_entry(r, 1, SECOND | second);
    put_entry(r, 2, TABLE | 1);
    wr(r, 0x560, TABLE);
    wr(r, 0x561, 0x7f);
}

static inline void trace_rig_close(struct rig *r)
{
    free(r->memory);
    rig_close(r);
}
