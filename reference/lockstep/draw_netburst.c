/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scenes of NetBurst: the two counters that the write gate allows, each with its CCCR and ESCRs. A walk is made by one
 * thread of a core at a time, so it may use both, and the bits of both threads where the other, which waits at CPL 0,
 * counts nothing by them; but it asks for no PMI on the other one. SDM 3B, "Performance Monitoring (Processors Based on
 * Intel NetBurst Microarchitecture)".
 */
#include "pmu/area/ds.h"
#include "pmu/registers.h"
#include "reference/lockstep/draw.h"
#include "reference/lockstep/oracle.h"

#define WIDTH 40
#define SAMPLING_STEPS 28
#define RECORD_BYTES 144
#define RDPMC_FAST BIT(31)

/* The CCCR's numbers of the pairs of ESCRs. */
enum { CRU_ESCR_0_1 = 4, CRU_ESCR_2_3 = 5 };
enum { INSTR_RETIRED = 0x02, BRANCH_RETIRED = 0x06, FRONT_END_EVENT = 0x08, EXECUTION_EVENT = 0x0c, UOP_TYPE = 0x02 };
#define NOT_TAGGED 1
#define PREDICTED 5 /* taken and not taken */
#define ANY_BRANCH 15
#define NBOGUS 1
#define TAGLOADS 2
#define TAGSTORES 4

static u32 counter(unsigned n)
{
    return MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4) + n);
}

static u32 control(unsigned n)
{
    return MSR_CCCR(NETBURST_IQ_COUNTER(4) + n);
}

/* Rings of this thread; at times CPL 3 of the other one, which is not there now. */
static u64 rings(struct drawing *d)
{
    bool second = d->s->thread;
    u64 os = second ? ESCR_T1_OS : ESCR_T0_OS, user = second ? ESCR_T1_USR : ESCR_T0_USR;
    u64 user_of_other = second ? ESCR_T0_USR : ESCR_T1_USR;
    u64 values[] = {os | user, os | user, os, user, 0};
    return values[below(d, ARRAY_SIZE(values))] | (one_in(d, 4) ? user_of_other : 0);
}

static u64 escr(struct drawing *d, u64 event, u64 mask)
{
    return event << 25 | mask << 9 | rings(d);
}

/* Programs an ESCR that counter n can use, and returns the number by which its CCCR selects it. */
static u64 some_event(struct drawing *d, unsigned n)
{
    switch (below(d, 6)) {
    case 0:
    case 1:
    case 2:
        writes(d, MSR_CRU_ESCR(n), escr(d, INSTR_RETIRED, one_in(d, 8) ? 0 : NOT_TAGGED));
        return CRU_ESCR_0_1;
    case 3:
        writes(d, MSR_RAT_ESCR(n), escr(d, UOP_TYPE, one_in(d, 2) ? TAGLOADS : TAGSTORES));
        writes(d, MSR_CRU_ESCR(2 + n), escr(d, FRONT_END_EVENT, NBOGUS));
        return CRU_ESCR_2_3;
    case 4:
        writes(d, MSR_CRU_ESCR(2 + n), escr(d, EXECUTION_EVENT, NBOGUS)); /* no step of a walk has such uops */
        return CRU_ESCR_2_3;
    default:
        writes(d, MSR_CRU_ESCR(2 + n), escr(d, BRANCH_RETIRED, one_in(d, 4) ? ANY_BRANCH : PREDICTED));
        return CRU_ESCR_2_3;
    }
}

void draw_netburst_event(struct drawing *d)
{
    some_event(d, below(d, NETBURST_SAMPLERS));
}

void draw_netburst_value(struct drawing *d)
{
    unsigned n = below(d, NETBURST_SAMPLERS);
    writes(d, counter(n), draw_value(d, WIDTH, true));
    if (one_in(d, 4))
        step(d, OP_RDMSR, counter(n), 0);
}

static u64 own_pmi(const struct drawing *d)
{
    return d->s->thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0;
}

/* No counter is on that compares, as that counts cycles; nor one for a single thread, or for both of them. */
static u64 enabled(struct drawing *d, u64 select)
{
    bool never = d->s->caps->threads_per_core > 1 && one_in(d, 12);
    return FIELD(15, 13, select) | CCCR_ENABLE | (never ? 0 : CCCR_ACTIVE_THREAD) | (one_in(d, 3) ? 0 : own_pmi(d)) |
           (one_in(d, 8) ? CCCR_FORCE_OVF : 0) | (one_in(d, 8) ? CCCR_OVF : 0);
}

/* Of a counter that is off: any bit must read back. */
static u64 disabled(struct drawing *d)
{
    return draw_some_bits(d, gate_bits(d->s->caps, control(0))) & ~CCCR_ENABLE;
}

void draw_netburst_control(struct drawing *d)
{
    unsigned n = below(d, NETBURST_SAMPLERS);
    u64 select = one_in(d, 12) ? below(d, 8) : one_in(d, 2) ? CRU_ESCR_0_1 : CRU_ESCR_2_3;
    writes(d, control(n), one_in(d, 6) ? disabled(d) : enabled(d, select));
    if (one_in(d, 3))
        step(d, OP_RDMSR, control(n), 0);
}

/* A handler may do this, too. */
void draw_netburst_off(struct drawing *d)
{
    unsigned n = below(d, NETBURST_SAMPLERS);
    writes(d, control(n), one_in(d, 2) ? 0 : disabled(d));
}

/* A counter as the manual says: stopped, then its event and value, then on. */
void draw_netburst_program(struct drawing *d)
{
    unsigned n = below(d, NETBURST_SAMPLERS);
    writes(d, control(n), 0);
    u64 select = some_event(d, n);
    writes(d, counter(n), draw_value(d, WIDTH, true));
    writes(d, control(n), enabled(d, select));
}

/* It overflows soon, is read, and stopped with or without its flag; at times while its PMI is on its way. */
void draw_netburst_soon(struct drawing *d)
{
    unsigned n = below(d, NETBURST_SAMPLERS);
    u64 on = enabled(d, CRU_ESCR_0_1);
    writes(d, control(n), 0);
    writes(d, MSR_CRU_ESCR(n), escr(d, INSTR_RETIRED, NOT_TAGGED));
    writes(d, counter(n), MASK(WIDTH - 1, 0) - below(d, 20));
    writes(d, control(n), on);
    if (one_in(d, 2))
        step(d, OP_STRAIGHT, 0, 0);
    step(d, OP_RDMSR, control(one_in(d, 3) ? !n : n), 0);
    writes(d, control(n), on & ~(CCCR_ENABLE | (one_in(d, 2) ? CCCR_OVF : 0)));
    step(d, OP_RDMSR, control(n), 0);
}

/* Mostly of these two counters, all bits or the lower half; and at times an index behind the last one, which faults. */
void draw_netburst_rdpmc(struct drawing *d)
{
    u32 index = one_in(d, 4) ? below(d, NETBURST_COUNTERS + 2) : NETBURST_IQ_COUNTER(4) + below(d, NETBURST_SAMPLERS);
    step(d, OP_RDPMC, index | (one_in(d, 3) ? RDPMC_FAST : 0), 0);
}

void draw_netburst_read(struct drawing *d)
{
    unsigned n = below(d, NETBURST_SAMPLERS);
    step(d, OP_RDMSR, one_in(d, 2) ? control(n) : counter(n), 0);
}

/* The management area: room for some records, and the value after each. */
static void place_for_records(struct drawing *d, u64 period)
{
    struct ds_layout layout = ds_layout(true, 0);
    u64 base = d->s->places.records + LOCKSTEP_BUFFER, maximum = base + RECORD_BYTES * below(d, 5);
    u64 values[] = {base, base, one_in(d, 3) ? maximum : base + 2000, base + RECORD_BYTES * below(d, 6)};
    for (u32 i = 0; i < ARRAY_SIZE(values); i++)
        step(d, OP_POKE, 8 * (DS_PEBS_BASE + i), values[i]);
    step(d, OP_POKE, layout.gp_reset, 0 - period);
}

/* Loads, and the place of records, with everything off. */
static void prepare_sampling(struct drawing *d, unsigned n, u64 period)
{
    u64 os = d->s->thread ? ESCR_T1_OS : ESCR_T0_OS;
    for (unsigned i = 0; i < NETBURST_SAMPLERS; i++)
        writes(d, control(i), 0);
    writes(d, MSR_PEBS_ENABLE, 0);
    writes(d, MSR_RAT_ESCR(n), (u64)UOP_TYPE << 25 | TAGLOADS << 9 | os);
    writes(d, MSR_CRU_ESCR(2 + n), (u64)FRONT_END_EVENT << 25 | NBOGUS << 9 | os);
    writes(d, counter(n), (0 - 2 * (1ull + below(d, 4))) & MASK(WIDTH - 1, 0));
    place_for_records(d, period);
    writes(d, MSR_DS_AREA, d->s->places.records);
    writes(d, MSR_PEBS_ENABLE, PEBS_UOP_TAG | PEBS_MY_THREAD);
}

/* A counter samples loads; that of the other thread does not. */
void draw_netburst_sampling(struct drawing *d)
{
    unsigned n = one_in(d, 4) ? !d->s->thread : d->s->thread;
    bool asks = one_in(d, 3);
    u64 period = asks ? 5001 : 3 + 2 * below(d, 5);
    if (!d->s->places.records || d->walk->body_count + SAMPLING_STEPS > WALK_BODY)
        return;
    prepare_sampling(d, n, period);
    writes(d, control(n), FIELD(15, 13, CRU_ESCR_2_3) | CCCR_ENABLE | CCCR_ACTIVE_THREAD | (asks ? own_pmi(d) : 0));
    for (u32 loops = 1 + below(d, 8); loops; loops--)
        step(d, OP_LOOP, NETBURST_LOOP + below(d, TURNS_MOST), 0);
    writes(d, control(n), 0);
    if (!one_in(d, 4))
        writes(d, MSR_PEBS_ENABLE, 0);
    step(d, OP_PEEK, 8 * DS_PEBS_INDEX, 0);
}
