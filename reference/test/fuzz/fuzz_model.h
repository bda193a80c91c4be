/* SPDX-License-Identifier: BSD-2-Clause */
/* The surroundings of a fuzzed model: input bytes that decide, a host that checks all stores, and sampling that the
 * bytes set up. */
#pragma once

#include "reference/deviations/deviations.h"
#include "reference/model/profile.h"

#include <stdlib.h>
#include <string.h>

struct input {
    const u8 *data;
    size_t left;
};

static u64 take(struct input *in, size_t bytes)
{
    u64 value = 0;
    for (size_t i = 0; i < bytes && in->left; i++, in->left--)
        value = value << 8 | *in->data++;
    return value;
}

static void require(bool held)
{
    if (!held)
        abort();
}

/* ---- MSRs that the model answers for */

static u32 owned[1024];
static unsigned owned_count;

static void find_owned(void)
{
    if (owned_count)
        return;
    for (u32 msr = 0; msr < 0x2000; msr++)
        if (model_owns_msr(msr)) {
            require(owned_count < ARRAY_SIZE(owned));
            owned[owned_count++] = msr;
        }
}

/* ---- The host */

static u32 lvtpc;
static u64 clock_ticks;

static u32 lvtpc_read(void *context)
{
    (void)context;
    return lvtpc;
}

static void lvtpc_write(void *context, u32 value)
{
    (void)context;
    require((value & ~0x10000u) == (lvtpc & ~0x10000u) || context);
    lvtpc = value;
}

static void interrupt(void *context, u8 vector)
{
    (void)context;
    require(vector >= 16);
}

static void nmi(void *context)
{
    (void)context;
}

static u64 ticks(void *context)
{
    (void)context;
    return clock_ticks += 100;
}

/*
 * Memory for PEBS, with a DS area anywhere in it. A store has to be either a record at the last read index, not below
 * the base, or that index plus the record's size; and each step may have only a few.
 */
#define MEMORY 0x10000ull
#define MEMORY_SIZE 0x2000ull

static u8 memory[MEMORY_SIZE];
static u64 management[4]; /* as last read: base, index, maximum, threshold */
static u64 management_at;
static u32 stored_size;
static unsigned stores;
static bool honest;     /* no deviation */
static bool skips_told; /* a CPU that reports records out of bounds: one may begin right at the maximum */
static bool sampled;    /* PEBS was enabled at some time */

static bool in_memory(u64 address, u32 count)
{
    return address >= MEMORY && address - MEMORY <= MEMORY_SIZE && count <= MEMORY_SIZE - (address - MEMORY);
}

static bool memory_read(void *context, u64 address, void *to, u32 count)
{
    (void)context;
    if (!in_memory(address, count))
        return false;
    memcpy(to, memory + (address - MEMORY), count);
    if (count == sizeof(management)) {
        memcpy(management, to, count);
        management_at = address;
    }
    return true;
}

static bool memory_write(void *context, u64 address, const void *from, u32 count)
{
    (void)context;
    require(++stores < 100 && count && count <= 0x2000);
    bool index = count == 8 && address == management_at + 8;
    u64 now;
    memcpy(&now, from, sizeof(now));
    if (honest && index)
        require(now == management[1] + stored_size && now > management[0]);
    else if (honest)
        require(address == management[1] && address >= management[0] && address < management[2] + skips_told);
    stored_size = index ? stored_size : count;
    if (!in_memory(address, count))
        return false;
    memcpy(memory + (address - MEMORY), from, count);
    return true;
}

static void registers(void *context, struct model_registers *r)
{
    (void)context;
    memset(r, 0x5a, sizeof(*r));
}

/* A word of the memory: most often an address in it, or a small distance to a counter's end. */
static inline void place(struct input *in)
{
    u64 offset = take(in, 2) * 8 % MEMORY_SIZE, form = take(in, 1);
    u64 value = form % 4 == 0   ? take(in, 8)
                : form % 4 == 1 ? -take(in, 1)
                                : MEMORY + take(in, 2) % (MEMORY_SIZE + 0x100);
    memcpy(memory + offset, &value, sizeof(value));
}

/* Counters that are about to overflow, and sample as the input says; writes of absent registers fault. */
static inline void sample(struct model *m, struct input *in)
{
    static const u64 events[] = {0xc0, 0x1c0, 0xc4, 0x4c4, 0x81d0, 0x82d0, 0x1cd, 0x100b};
    static const u64 all[] = {0xf0000000f, 0x70000000f, 0xf000000ff, 3, 0x700000003};
    u8 n = (u8)take(in, 1) % 8, form = (u8)take(in, 1);
    u64 near = 0xffffffffffffffff - take(in, 1) % 16;
    model_wrmsr(m, MSR_PERF_GLOBAL_CTRL, 0);
    model_wrmsr(m, MSR_PERFEVTSEL(n),
                EVTSEL_EN | EVTSEL_OS | EVTSEL_USR | events[form % 8] | (u64)(form >> 3 & 1) << 34);
    model_wrmsr(m, MSR_PMC(n), near);
    model_wrmsr(m, MSR_FIXED_CTR(0), near & 0xffffffffffff);
    model_wrmsr(m, MSR_FIXED_CTR_CTRL, 3 | (u64)(form >> 3 & 1) << 32);
    model_wrmsr(m, MSR_PEBS_ENABLE,
                1ull << n | (form & 16 ? 1ull << 32 : 0) | (form & 32 ? 1ull << (32 + n) : 0) | 0x3000000);
    model_wrmsr(m, MSR_PEBS_ENABLE, 1ull << n | (form & 16 ? 1ull << 32 : 0) | (form & 32 ? 1ull << (32 + n) : 0));
    for (unsigned i = 0; i < ARRAY_SIZE(all); i++)
        model_wrmsr(m, MSR_PERF_GLOBAL_CTRL, all[i]);
    for (unsigned thread = 0; thread < 2; thread++) {
        model_wrmsr(m, MSR_RAT_ESCR(thread), 0x0400000f | (u64)(form & 6) << 9);
        model_wrmsr(m, MSR_CRU_ESCR(2 + thread), (form & 64 ? 0x12000200 : 0x10000200) | 15);
        model_wrmsr(m, MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4 + thread)), near);
        model_wrmsr(m, MSR_CCCR(NETBURST_IQ_COUNTER(4 + thread)), 0xc03b000);
    }
}

/* A usable area at the start of the memory, and PEBS pointed at it. */
static inline void set_up_sampling(struct model *m, struct input *in)
{
    u64 words[] = {MEMORY + 0x400, MEMORY + 0x400, MEMORY + 0x400 + take(in, 2) % 0x2000, MEMORY + 0x400 + take(in, 2)};
    memcpy(memory + 0x20, words, sizeof(words));
    for (u64 slot = 0x40; slot < 0x180; slot += 8)
        memory[slot] = (u8)take(in, 1);
    model_wrmsr(m, MSR_DS_AREA, MEMORY);
    model_wrmsr(m, MSR_PEBS_DATA_CFG, take(in, 4));
    sample(m, in);
}

static inline void start_host(struct model_host *host, bool without_deviation)
{
    *host = (struct model_host){.lvtpc_read = lvtpc_read,
                                .lvtpc_write = lvtpc_write,
                                .interrupt = interrupt,
                                .nmi = nmi,
                                .time = ticks,
                                .memory_read = memory_read,
                                .memory_write = memory_write,
                                .registers = registers};
    honest = without_deviation;
    skips_told = false;
    sampled = false;
    memset(memory, 0, sizeof(memory));
    memset(management, 0, sizeof(management));
    management_at = stored_size = 0;
}
