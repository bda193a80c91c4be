/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any use of architectural PEBS. A good model writes only within the buffer, at WR, while EN is set and FULL is clear;
 * it writes a chain of fragments with their sizes, and WR is after it. With a deviation the model accesses no memory
 * but its own.
 */
#include "reference/deviations/deviations.h"
#include "reference/model/profile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define MEMORY 0x10000ull
#define MEMORY_SIZE 0x8000ull
#define CONTINUED (1ull << 31)
#define BASIC (1ull << 63)
#define RECORDS_MOST 8 /* in one instruction: counters that overflow together share a record */

struct host {
    u32 lvtpc;
    u64 ticks, base, index; /* the registers before the instruction */
    u64 offset;             /* the address of the next record */
    unsigned writes;
    bool honest;
};

struct input {
    const u8 *data;
    size_t left;
};

static void require(bool held)
{
    if (!held)
        abort();
}

static u64 take(struct input *in, size_t bytes)
{
    u64 value = 0;
    for (size_t i = 0; i < bytes && in->left; i++, in->left--)
        value = value << 8 | *in->data++;
    return value;
}

static u32 lvtpc_read(void *context)
{
    return ((struct host *)context)->lvtpc;
}

static void lvtpc_write(void *context, u32 value)
{
    ((struct host *)context)->lvtpc = value;
}

static void interrupt(void *context, u8 vector)
{
    (void)context;
    require(vector == 0xf0);
}

static void nmi(void *context)
{
    (void)context;
}

static u64 ticks(void *context)
{
    return ((struct host *)context)->ticks += 100;
}

static void registers(void *context, struct model_registers *r)
{
    (void)context;
    memset(r, 0x5a, sizeof(*r));
}

static bool physical_read(void *context, u64 address, void *to, u32 count)
{
    (void)context, (void)address;
    memset(to, 0, count);
    return false;
}

/* Checks one record: fragments one after the other, CONTINUED in all but the last, BASIC only in the first. */
static void is_a_record(const u8 *bytes, u32 count)
{
    bool first = true, continued = true;
    for (u32 at = 0; at < count; first = false) {
        u64 header;
        require(continued && count - at >= 16);
        memcpy(&header, bytes + at, sizeof(header));
        u32 size = header & 0xffff;
        require(size >= 16 && size % 16 == 0 && size <= count - at && !!(header & BASIC) == first);
        continued = header & CONTINUED;
        at += size;
    }
    require(!continued);
}

static bool physical_write(void *context, u64 address, const void *from, u32 count)
{
    struct host *h = context;
    u64 room = 4096ull << (h->base & 15);
    require(++h->writes <= RECORDS_MOST && count && count <= 0x2000);
    if (h->honest) {
        require((h->index & PEBS_INDEX_EN) && !(h->index & PEBS_INDEX_FULL));
        require(address == (h->base & ~0xfffull) + h->offset && h->offset + count <= room);
        is_a_record(from, count);
    }
    bool there = address >= MEMORY && address - MEMORY <= MEMORY_SIZE && count <= MEMORY_SIZE - (address - MEMORY);
    h->offset += there ? count : 0;
    return there;
}

static u64 read(struct model *m, u32 msr)
{
    u64 value = 0;
    return model_rdmsr(m, msr, &value) ? value : 0;
}

static void step(struct model *m, struct host *h, u8 what)
{
    struct retired in = {.kind = what & 1 ? RETIRED_BRANCH : RETIRED_PLAIN,
                         .branch = what & 1 ? BRANCH_CONDITIONAL : BRANCH_OTHER,
                         .taken = what & 2,
                         .cpl = what & 4 ? 3 : 0,
                         .cpl_after = what & 4 ? 3 : 0,
                         .access = (what >> 3 & 3) % 3,
                         .rip = 0x1000,
                         .address = 0x2000};
    h->base = read(m, MSR_PEBS_BASE);
    h->index = read(m, MSR_PEBS_INDEX);
    h->offset = h->index & PEBS_INDEX_WR;
    h->writes = 0;
    model_retire(m, &in);
    if (h->honest)
        require((read(m, MSR_PEBS_INDEX) & PEBS_INDEX_WR) == h->offset);
}

/* A counter that is about to overflow, with groups of its own. */
static void sample(struct model *m, struct input *in)
{
    static const u16 events[] = {0xc0, 0xc4, 0x81d0, 0x82d0, 0x3c};
    u32 n = (u32)take(in, 1) % 17, form = (u32)take(in, 1);
    u64 near = 0xffffffffffff - take(in, 1) % 16;
    u64 config = (form & 1 ? CFG_C_PEBS_EN : 0) | ((take(in, 4) << 32) & 0x6006037800000000) | (near & 0xffffffff);
    if (n < 10) {
        model_wrmsr(m, MSR_PMC_GP_CFG_C(n), config) ||
            model_wrmsr(m, MSR_PMC_GP_CFG_C(n), config & ~CFG_C_CNTR_METRICS);
        model_wrmsr(m, MSR_PMC_GP_CFG_A(n), EVTSEL_EN | EVTSEL_OS | EVTSEL_USR | events[form / 2 % 5]);
        model_wrmsr(m, MSR_PMC_GP_CTR(n), near);
    } else {
        u32 i = n - 10;
        model_wrmsr(m, MSR_PMC_FX_CFG_C(i), config) ||
            model_wrmsr(m, MSR_PMC_FX_CFG_C(i), config & ~CFG_C_CNTR_METRICS);
        model_wrmsr(m, MSR_FIXED_CTR_CTRL, read(m, MSR_FIXED_CTR_CTRL) | 3ull << 4 * i);
        model_wrmsr(m, MSR_PMC_FX_CTR(i), near);
    }
}

static void act(struct model *m, struct host *h, struct input *in)
{
    u8 what = (u8)take(in, 1);
    if (what % 8 == 0)
        model_wrmsr(m, MSR_PEBS_BASE, MEMORY | (take(in, 1) % 8 << 12) | (what >> 3 & 3));
    else if (what % 8 == 1)
        model_wrmsr(m, MSR_PEBS_INDEX,
                    PEBS_INDEX_EN | (take(in, 2) % 0x500 << 4) | (take(in, 2) << 36) |
                        (what & 8 ? PEBS_INDEX_FULL : 0));
    else if (what % 8 == 2)
        model_wrmsr(m, MSR_PERF_GLOBAL_CTRL, what & 8 ? 0xf000003ff & ~(take(in, 1)) : 0x700000000ff);
    else if (what % 8 == 3)
        model_wrmsr(m, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_ARCH_PEBS | take(in, 1));
    else if (what % 8 == 4)
        model_wrmsr(m, (u32)(MSR_PEBS_ENABLE - 1 + take(in, 1) % 8), take(in, 8));
    else if (what % 8 == 5)
        sample(m, in);
    else
        for (unsigned n = (unsigned)take(in, 1) % 64; n; n--)
            step(m, h, what >> 3);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    static const char *const names[] = {"panther-lake", "diamond-rapids", "clearwater-forest", "nova-lake"};
    struct input in = {data, size};
    u8 form = (u8)take(&in, 1);
    u32 which = form & 8 ? (u32)take(&in, 2) % deviation_count : 0;
    struct deviating how = {.deviation = form & 8 ? deviations[which] : NULL, .rate = 1};
    struct model_setup setup = {
        .profile = model_profile(names[form & 3]), .cpu = form >> 2 & 1, .cpus = 2, .change = deviate, .how = &how};
    struct host h = {.lvtpc = 0xf0, .honest = !(form & 8)};
    struct model_host host = {.context = &h,
                              .lvtpc_read = lvtpc_read,
                              .lvtpc_write = lvtpc_write,
                              .interrupt = interrupt,
                              .nmi = nmi,
                              .time = ticks,
                              .registers = registers,
                              .physical_read = physical_read,
                              .physical_write = physical_write};
    struct model *m = malloc(model_size());
    model_reset(m, &setup, &host);
    h.base = read(m, MSR_PEBS_BASE);
    while (in.left)
        act(m, &h, &in);
    free(m);
    return 0;
}
