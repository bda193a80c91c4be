/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A model that samples: a DS area on the bench, written by offsets here, and consecutive instructions that their
 * registers identify: instruction k is at CODE + 4 * k, and after it RAX is k.
 */
#pragma once

#include "reference/test/model/model_rig.h"

#define DS 0x200000ull     /* address of the management area */
#define BUFFER 0x201000ull /* the first buffer */
#define OTHER_DS 0x218000ull
#define OTHER_BUFFER 0x219000ull
#define MEMORY_SIZE 0x20000ull
#define CODE 0x400000ull
#define LOAD_ADDRESS 0x123456789ab0ull

struct bench {
    struct rig r;
    u8 memory[MEMORY_SIZE];
    u64 k; /* instructions so far */
};

static inline u64 *word_at(struct bench *b, u64 address)
{
    return (u64 *)(void *)(b->memory + (address - DS));
}

/* Room for `records` records of `size` bytes, with a PMI after `threshold` of them. */
static inline void set_area(struct bench *b, u64 area, u64 buffer, u64 size, unsigned records, unsigned threshold)
{
    *word_at(b, area + 0x20) = buffer;
    *word_at(b, area + 0x28) = buffer;
    *word_at(b, area + 0x30) = buffer + records * size;
    *word_at(b, area + 0x38) = buffer + threshold * size;
}

static inline void bench_open_on(struct bench *b, const char *profile, const char *deviation, u32 cpu)
{
    rig_open_on(&b->r, profile, deviation, 1, cpu);
    b->r.memory = b->memory;
    b->r.address = DS;
    b->r.size = MEMORY_SIZE;
    b->k = 0;
    memset(b->memory, 0, sizeof(b->memory));
    rig_fill_registers(&b->r);
}

static inline void bench_open(struct bench *b, const char *profile)
{
    bench_open_on(b, profile, NULL, 0);
}

static inline void bench_close(struct bench *b)
{
    rig_close(&b->r);
}

static inline void run_one(struct bench *b, enum retired_kind kind, u8 cpl, u8 access)
{
    struct retired in = {.kind = kind,
                         .cpl = cpl,
                         .cpl_after = cpl,
                         .taken = true,
                         .access = access,
                         .rip = CODE + 4 * b->k,
                         .address = access ? LOAD_ADDRESS + 8 * b->k : 0};
    b->r.registers.general[0] = b->k++;
    b->r.registers.rip = CODE + 4 * b->k;
    b->r.instructions++;
    model_retire(b->r.model, &in);
}

static inline void run(struct bench *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        run_one(b, RETIRED_PLAIN, 0, ACCESS_NONE);
}

/* Counter n samples `event` every `period` occurrences, including the first. */
static inline void sample_gp(struct bench *b, unsigned n, u64 event, u64 period)
{
    struct rig *r = &b->r;
    *word_at(b, DS + 0x40 + 8 * n) = -period;
    wr(r, MSR_DS_AREA, DS);
    wr(r, MSR_PMC(n), -period);
    wr(r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | event);
    wr(r, MSR_PEBS_ENABLE, rd(r, MSR_PEBS_ENABLE) | PEBS_GP(n));
}

/* For version 2 and up; the WRMSR is not reported, so it counts nothing. */
static inline void start(struct bench *b, u64 counters)
{
    wr(&b->r, MSR_PERF_GLOBAL_CTRL, counters);
}

/* A WRMSR as the guest executes it. */
static inline void wrmsr_run(struct bench *b, u32 msr, u64 value)
{
    wr(&b->r, msr, value);
    run_one(b, RETIRED_WRMSR, 0, ACCESS_NONE);
}

static inline u64 index_of(struct bench *b, u64 area)
{
    return *word_at(b, area + 0x28);
}

static inline unsigned records(struct bench *b, u64 size)
{
    return (unsigned)((index_of(b, DS) - *word_at(b, DS + 0x20)) / size);
}

/* Deviations of PEBS by their effects: the result of a probe without a deviation and with it, each on the profile that
 * it names. */

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
