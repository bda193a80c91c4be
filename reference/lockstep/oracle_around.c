/* SPDX-License-Identifier: BSD-2-Clause */
/* What surrounds an oracle's model: its part of the local APIC, time, memory and registers, and its reset. */
#include "kernel/text/text.h"
#include "reference/lockstep/player.h"

/* ---- What the model asks of the machine around it. */

static u32 lvtpc_read(void *context)
{
    return ((struct oracle *)context)->lvtpc;
}

static void lvtpc_write(void *context, u32 value)
{
    ((struct oracle *)context)->lvtpc = value;
}

static void interrupt(void *context, u8 vector)
{
    struct oracle *o = context;
    o->fixed = true;
    o->vector = vector;
}

static void nmi(void *context)
{
    ((struct oracle *)context)->nmi = true;
}

static void interrupt_other(void *context, u32 cpu, u8 vector, bool is_nmi)
{
    struct oracle *other = ((struct oracle *)context)->other;
    (void)cpu;
    if (is_nmi)
        nmi(other);
    else
        interrupt(other, vector);
}

#define TICKS 10000 /* the time moves on by this at each look: what a stopped counter owes comes at once */

static u64 time_of(void *context)
{
    return ((struct oracle *)context)->time += TICKS;
}

/* ---- What records contain, and where they go. */

static bool within(u64 first, u64 bytes, u64 address, u32 count)
{
    u64 offset = address - first;
    return first && offset < bytes && count <= bytes - offset;
}

static void *in_memory(const struct oracle *o, u64 address, u32 count)
{
    if (within(o->places.records, LOCKSTEP_AREA, address, count))
        return o->memory + (address - o->places.records);
    if (within(o->places.trace, LOCKSTEP_TRACE, address, count))
        return o->memory + LOCKSTEP_AREA + (address - o->places.trace);
    return NULL;
}

bool player_memory_read(void *context, u64 address, void *to, u32 count)
{
    const void *from = in_memory(context, address, count);
    if (from)
        memcpy(to, from, count);
    return from;
}

bool player_memory_write(void *context, u64 address, const void *from, u32 count)
{
    void *to = in_memory(context, address, count);
    if (to)
        memcpy(to, from, count);
    return to;
}

static void registers(void *context, struct model_registers *registers)
{
    const struct oracle *o = context;
    *registers = o->registers;
    registers->rip = o->next;
}

/* What is known of the registers in a walk: those that no operation changes, and that those with addresses are not 0.
 * Flags have a bit that is always 1. */
void player_know_registers(struct oracle *o, const struct lockstep_run *run)
{
    static const u8 set[] = {RSP, R11, R12, R13, R15};
    u64 *words = (u64 *)(void *)&o->registers;
    for (u32 i = 0; i < sizeof(o->registers) / sizeof(*words); i++)
        words[i] = UNKNOWN;
    for (u32 i = 0; i < sizeof(set); i++)
        o->registers.general[set[i]] = UNKNOWN_BUT_SET;
    o->registers.rflags = UNKNOWN_BUT_SET;
    o->registers.general[RBP] = WALK_RBP;
    for (u32 n = 8; n <= 10; n++)
        o->registers.general[n] = WALK_RBP + n - 7;
    o->registers.general[RBX] = o->registers.general[R14] = (u64)run->memory;
}

u32 player_draws(struct oracle *o, u32 most)
{
    if (o->draws == DRAWS_MOST)
        return 0;
    o->most[o->draws] = most;
    return o->drawn[o->draws++];
}

static u32 draw(void *context, u32 most, u8 counter)
{
    struct oracle *o = context;
    bool decides = !o->chance || counter >= COUNTER_BITS || o->near >> counter & 1;
    u32 drawn = decides ? player_draws(o, most) : 0;
    o->chance = most > o->chance ? most : o->chance;
    if (counter < COUNTER_BITS)
        o->owed[counter] += most - drawn;
    return drawn;
}

void oracle_reset(struct oracle *oracle, struct model *model, const struct model_setup *setup, bool plays)
{
    struct model_setup own = *setup;
    bool samples = plays || oracle->modelled; /* when hardware writes records is its own affair */
    *oracle = (struct oracle){.model = model,
                              .modelled = oracle->modelled,
                              .reached = setup->reached,
                              .other = plays ? oracle->other : NULL,
                              .lvtpc = (u32)LVT_MASKED | VECTOR_PMI,
                              .time = UNKNOWN};
    oracle->host = (struct model_host){.context = oracle,
                                       .lvtpc_read = lvtpc_read,
                                       .lvtpc_write = lvtpc_write,
                                       .interrupt = interrupt,
                                       .nmi = nmi,
                                       .interrupt_other = oracle->other ? interrupt_other : NULL,
                                       .time = time_of,
                                       .memory_read = samples ? player_memory_read : NULL,
                                       .memory_write = samples ? player_memory_write : NULL,
                                       .physical_read = samples ? player_memory_read : NULL,
                                       .physical_write = samples ? player_memory_write : NULL,
                                       .registers = registers};
    own.arrivals_told = !plays;
    oracle->host.draw = plays ? NULL : draw;
    model_reset(model, &own, &oracle->host);
}
