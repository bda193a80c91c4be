/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile as a hypervisor shows it to a guest: CPUID reports a hypervisor and its name, and the PMU has at most the
 * version that the hypervisor offers. Features of later versions are neither enumerated nor there.
 */
#include "reference/model/model_state.h"

#define EDX_ANYTHREAD_DEPRECATED BIT(15)
#define LEAF1_EDX_DS BIT(21)
#define LEAF7_EBX_PT BIT(25)
#define LEAF7_EDX_HYBRID_AND_LBR (BIT(15) | BIT(19))
#define LEAF7_1_EAX_LEAF23 BIT(8)

/* No PMU at all: its registers fault, and no leaf names it. */
static void below_1(struct profile *p)
{
    static const uint8_t parts[] = {STORED_PEBS_ENABLE,  STORED_PEBS_DATA_CFG, STORED_PEBS_LD_LAT, STORED_PEBS_FRONTEND,
                                    STORED_PEBS_BASE,    STORED_PEBS_INDEX,    STORED_DS_AREA,     STORED_PERF_METRICS,
                                    STORED_OFFCORE_RSP0, STORED_OFFCORE_RSP1,  STORED_LBR_SELECT};
    for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
        p->stored[parts[i]].exists = false;
    for (unsigned i = 0; i < ARRAY_SIZE(p->leaf0a); i++)
        p->leaf0a[i] = 0;
    p->gp_count = p->gp_count_alone = 0;
    p->full_width = false;
    p->lbr_depth = 0;
    p->perf_capabilities = 0;
    p->leaf1_ecx &= ~(uint32_t)CPUID_BIT_MASK(CPUID_PDCM);
    p->leaf1_edx &= ~(uint32_t)LEAF1_EDX_DS;
}

static void below_2(struct profile *p)
{
    p->fixed_bitmap = 0;
    p->leaf0a[2] = p->leaf0a[3] = 0;
    p->stored[STORED_FIXED_CTR_CTRL].exists = false;
    p->stored[STORED_GLOBAL_CTRL].exists = false;
    p->status_reset.exists = false;
    p->freeze = FREEZE_NONE;
}

static void below_3(struct profile *p)
{
    p->any_thread = false;
    p->leaf0a[3] |= (uint32_t)EDX_ANYTHREAD_DEPRECATED;
    p->evtsel.faults |= EVTSEL_ANY;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        p->stored[STORED_FIXED_CTR_CTRL].faults |= FIXED_ANY(i);
    p->status_reset.faults |= STATUS_OVF_UNCORE;
}

static void below_4(struct profile *p)
{
    p->inuse = false;
    p->status_set.exists = false;
    p->status_reset.faults |= STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI | STATUS_TRACE_TOPA_PMI;
    if (p->freeze == FREEZE_STREAMLINED)
        p->freeze = FREEZE_LEGACY;
    p->leaf7_ebx &= ~(uint32_t)LEAF7_EBX_PT;
}

static void below_5(struct profile *p)
{
    p->leaf0a[2] = 0;
    p->fixed_bitmap = (uint8_t)width_mask(p->leaf0a[3] & 0x1f);
    p->perf_capabilities &= ~PERF_CAP_METRICS;
    p->leaf7_edx &= ~(uint32_t)LEAF7_EDX_HYBRID_AND_LBR;
}

static void below_6(struct profile *p)
{
    p->aliases = false;
    p->leaf7_1_eax &= ~(uint32_t)LEAF7_1_EAX_LEAF23;
}

void profile_virtual(struct profile *p, const char *hypervisor, unsigned version)
{
    static void (*const below[])(struct profile *) = {
        [1] = below_1, [2] = below_2, [3] = below_3, [4] = below_4, [5] = below_5, [6] = below_6};
    p->hypervisor = CPUID_BIT_MASK(CPUID_HYPERVISOR);
    p->hypervisor_name = hypervisor;
    p->perf_capabilities &= ~PERF_CAP_FREEZE_WHILE_SMM; /* SMIs happen on the host */
    if (version >= p->version)
        return;
    for (unsigned later = p->version; later > version; later--)
        if (later < ARRAY_SIZE(below) && below[later])
            below[later](p);
    p->version = (uint8_t)version;
    p->leaf0a[0] = (p->leaf0a[0] & ~0xffu) | version;
}

static void lose_gp(struct profile *p, unsigned gp)
{
    p->gp_count = (uint8_t)gp;
    p->gp_count_alone = 0;
    p->leaf0a[0] = (p->leaf0a[0] & ~0xff00u) | gp << 8;
    p->pebs_gp &= (uint16_t)width_mask(gp);
    p->pebs_precise_gp &= (uint16_t)width_mask(gp);
}

/* Leaf 0AH names them by their number, and from version 5 on by a bitmap, too. */
static void lose_fixed(struct profile *p, unsigned fixed)
{
    p->fixed_bitmap = (uint8_t)width_mask(fixed);
    p->leaf0a[2] &= (uint32_t)width_mask(fixed);
    p->leaf0a[3] = (p->leaf0a[3] & ~0x1fu) | fixed;
    p->pebs_fixed &= (uint16_t)width_mask(fixed);
    p->pebs_precise_fixed &= (uint16_t)width_mask(fixed);
    for (unsigned i = fixed; i < FIXED_MAX; i++)
        p->stored[STORED_FIXED_CTR_CTRL].faults |= (uint64_t)0xf << 4 * i;
    p->stored[STORED_FIXED_CTR_CTRL].reset &= width_mask(4 * fixed);
    if (fixed > FIXED_TOPDOWN_SLOTS)
        return;
    p->perf_capabilities &= ~PERF_CAP_METRICS;
    p->stored[STORED_PERF_METRICS].exists = false;
}

void profile_counters(struct profile *p, unsigned gp, unsigned fixed)
{
    if (gp < p->gp_count)
        lose_gp(p, gp);
    if (p->fixed_bitmap & ~width_mask(fixed))
        lose_fixed(p, fixed);
    uint64_t lost = (0xffffffffu & ~width_mask(p->gp_count)) | (0xffffull & ~(uint64_t)p->fixed_bitmap) << 32;
    p->stored[STORED_GLOBAL_CTRL].faults |= lost;
    p->stored[STORED_GLOBAL_CTRL].reset &= ~lost;
    p->stored[STORED_PEBS_ENABLE].faults |= lost & 0xffffffff; /* above are other bits, too */
    p->status_reset.faults |= lost;
    p->status_set.faults |= lost;
    p->status &= ~lost;
}
