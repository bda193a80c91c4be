/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reference PMU on the bench: a model, the host that it calls back, and short functions for what happens. The host
 * keeps LVTPC and records what was delivered.
 */
#pragma once

#include "reference/deviations/deviations.h"
#include "reference/model/profile.h"
#include "tests/host/case.h"
#include <stdlib.h>
#include <string.h>

#define LVTPC_MASK 0x10000u
#define LVTPC_NMI_MODE 0x400u
#define VECTOR 0xf0

struct rig {
    struct model *model;
    struct model_host host;
    struct model_setup setup;
    struct deviating deviating; /* the setup's */
    u32 lvtpc;
    unsigned interrupts, nmis, others, forced; /* delivered so far */
    unsigned delivered_at;                     /* instruction number of the last delivery */
    unsigned machine_checks;
    u64 stalled; /* ticks that SMIs took */
    u8 vector;
    u32 other_cpu;
    unsigned instructions; /* reported so far */
    u64 time;
    u64 tick; /* the time advances by this at each look */
    /* Memory for PEBS: `size` bytes at linear address `address`; and the general registers */
    u8 *memory;
    u64 address, size;
    struct model_registers registers;
};

static bool rig_within(const struct rig *r, u64 address, u32 count)
{
    return r->memory && address >= r->address && address - r->address <= r->size &&
           count <= r->size - (address - r->address);
}

static bool rig_memory_read(void *context, u64 address, void *to, u32 count)
{
    const struct rig *r = context;
    bool within = rig_within(r, address, count);
    if (within)
        memcpy(to, r->memory + (address - r->address), count);
    return within;
}

static bool rig_memory_write(void *context, u64 address, const void *from, u32 count)
{
    struct rig *r = context;
    bool within = rig_within(r, address, count);
    if (within)
        memcpy(r->memory + (address - r->address), from, count);
    return within;
}

static void rig_registers(void *context, struct model_registers *registers)
{
    *registers = ((struct rig *)context)->registers;
}

static u32 rig_lvtpc_read(void *context)
{
    return ((struct rig *)context)->lvtpc;
}

static void rig_lvtpc_write(void *context, u32 value)
{
    ((struct rig *)context)->lvtpc = value;
}

static void rig_interrupt(void *context, u8 vector)
{
    struct rig *r = context;
    r->interrupts++;
    r->vector = vector;
    r->delivered_at = r->instructions;
}

static void rig_nmi(void *context)
{
    struct rig *r = context;
    r->nmis++;
    r->delivered_at = r->instructions;
}

static u64 rig_time(void *context)
{
    struct rig *r = context;
    return r->time += r->tick;
}

static void rig_other(void *context, u32 cpu, u8 vector, bool nmi)
{
    struct rig *r = context;
    (void)vector;
    (void)nmi;
    r->others++;
    r->other_cpu = cpu;
}

static void rig_forced(void *context, u8 vector)
{
    struct rig *r = context;
    r->forced++;
    r->vector = vector;
}

static void rig_machine_check(void *context)
{
    ((struct rig *)context)->machine_checks++;
}

static void rig_stall(void *context, u32 ticks)
{
    ((struct rig *)context)->stalled += ticks;
}

/* CPU `cpu` of 4 with this profile and the deviation of that name (NULL: none), which acts once in `rate` times. LVTPC:
 * VECTOR, unmasked. */
static inline void rig_open_on(struct rig *r, const char *profile, const char *deviation, u32 rate, u32 cpu)
{
    int index = deviation ? deviation_find(deviation) : -1;
    if (deviation && index < 0)
        fail_msg("no deviation %s", deviation);
    *r = (struct rig){.lvtpc = VECTOR, .tick = 1000};
    r->model = calloc(1, model_size());
    r->host = (struct model_host){
        .context = r,
        .lvtpc_read = rig_lvtpc_read,
        .lvtpc_write = rig_lvtpc_write,
        .interrupt = rig_interrupt,
        .nmi = rig_nmi,
        .time = rig_time,
        .interrupt_other = rig_other,
        .interrupt_forced = rig_forced,
        .machine_check = rig_machine_check,
        .stall = rig_stall,
        .memory_read = rig_memory_read,
        .memory_write = rig_memory_write,
        .registers = rig_registers,
    };
    r->deviating = (struct deviating){.deviation = index < 0 ? NULL : deviations[index], .rate = rate};
    r->setup = (struct model_setup){
        .profile = model_profile(profile), .cpu = cpu, .cpus = 4, .change = deviate, .how = &r->deviating};
    model_reset(r->model, &r->setup, &r->host);
}

static inline void rig_open(struct rig *r, const char *deviation, u32 rate, u32 cpu)
{
    rig_open_on(r, "skylake", deviation, rate, cpu);
}

static inline void rig_close(struct rig *r)
{
    free(r->model);
}

/* Registers that identify a record: each has another value. */
static inline void rig_fill_registers(struct rig *r)
{
    for (unsigned i = 1; i < 16; i++)
        r->registers.general[i] = 0x1111111111111111ull * i;
    for (unsigned i = 0; i < 16; i++) {
        r->registers.xmm[i][0] = 0x100 + i;
        r->registers.xmm[i][1] = 0x200 + i;
    }
    r->registers.rflags = 0x246;
}

static inline u64 rd(struct rig *r, u32 msr)
{
    u64 value = 0;
    if (!model_rdmsr(r->model, msr, &value))
        fail_msg("RDMSR %x faults", msr);
    return value;
}

static inline void wr(struct rig *r, u32 msr, u64 value)
{
    if (!model_wrmsr(r->model, msr, value))
        fail_msg("WRMSR %x of %llx faults", msr, (unsigned long long)value);
}

static inline bool rd_faults(struct rig *r, u32 msr)
{
    u64 value = 0x5a5a;
    bool faults = !model_rdmsr(r->model, msr, &value);
    return faults && value == 0x5a5a;
}

static inline bool wr_faults(struct rig *r, u32 msr, u64 value)
{
    return !model_wrmsr(r->model, msr, value);
}

static inline void retire(struct rig *r, enum retired_kind kind, u8 cpl, bool taken, unsigned times)
{
    struct retired instruction = {.kind = kind, .cpl = cpl, .cpl_after = cpl, .taken = taken, .rip = 0x100000};
    for (unsigned i = 0; i < times; i++) {
        r->instructions++;
        model_retire(r->model, &instruction);
    }
}

/* n plain instructions at CPL 0. */
static inline void plain(struct rig *r, unsigned n)
{
    retire(r, RETIRED_PLAIN, 0, false, n);
}

/* A WRMSR as an instruction: writes, then retires. */
static inline void wrmsr_retired(struct rig *r, u32 msr, u64 value)
{
    wr(r, msr, value);
    retire(r, RETIRED_WRMSR, 0, false, 1);
}

#define EVTSEL_BOTH (EVTSEL_EN | EVTSEL_OS | EVTSEL_USR)

/* ---- Deviations by their effects: the result of a probe without a deviation and with it. */

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
