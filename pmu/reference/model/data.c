/*
 * Deviations that are other data, in this file: what CPUID says and what firmware left. Each changes the model's own
 * copy of the profile, at reset.
 */
#include "pmu/reference/model/model_state.h"

static void set_leaf_gp_count(struct profile *p, unsigned count)
{
    p->leaf0a[0] = (p->leaf0a[0] & ~0xff00u) | count << 8;
}

static void set_leaf_fixed_count(struct profile *p, unsigned count)
{
    p->leaf0a[3] = (p->leaf0a[3] & ~0x1fu) | count;
}

/* `count` GP counters exist, whatever the leaf says; never fewer than before. */
static void set_gp_count(struct profile *p, unsigned count)
{
    if (count <= p->gp_count)
        return;
    p->gp_count = (uint8_t)count;
    p->stored[STORED_GLOBAL_CTRL].faults &= ~width_mask(count);
    p->stored[STORED_GLOBAL_CTRL].reset |= width_mask(count);
    p->status_reset.faults &= ~width_mask(count);
    p->status_set.faults &= ~width_mask(count);
}

/* A core without hyper-threading, which has the counters of both threads where the profile says so. */
static void without_threads(struct profile *p)
{
    unsigned leaf = FIELD_GET(p->leaf0a[0], 15, 8);
    p->threads = 1;
    set_gp_count(p, p->gp_count_alone);
    set_leaf_gp_count(p, leaf > p->gp_count_alone ? leaf : p->gp_count_alone);
}

static void deviate_leaf(struct model *m, struct profile *p)
{
    unsigned gp = FIELD_GET(p->leaf0a[0], 15, 8), fixed = p->leaf0a[3] & 0x1f;
    switch (m->deviation) {
    case DEV_FIXED_COUNT_ZERO_IN_LEAF:
        set_leaf_fixed_count(p, 0);
        break;
    case DEV_FIXED_COUNT_ONE_IN_LEAF:
        set_leaf_fixed_count(p, 1);
        break;
    case DEV_VERSION_WITHOUT_COUNTERS:
        set_leaf_gp_count(p, 0);
        break;
    case DEV_WIDTH_BELOW_32:
        p->leaf0a[0] = (p->leaf0a[0] & ~0xff0000u) | 31 << 16;
        break;
    case DEV_LEAF_OVERSTATES:
        set_leaf_gp_count(p, gp + 1);
        break;
    case DEV_LEAF_OVERSTATES_FIXED:
        set_leaf_fixed_count(p, fixed + 1);
        break;
    case DEV_EIGHT_COUNTERS:
    case DEV_EVTSEL4_7_READBACK_STALE: /* these show on counters 4 to 7 alone */
    case DEV_PMC4_7_DEAD_USR_ONLY:
    case DEV_CTR_FRZ_SPARES_PMC4_7:
    case DEV_NETBURST_ONE_THREAD:
        without_threads(p);
        break;
    case DEV_COUNTERS_BEYOND_LEAF:
        set_gp_count(p, 8);
        break;
    case DEV_UNKNOWN_VERSION: /* and the events that it adds are not there */
        p->leaf0a[0] = (p->leaf0a[0] & 0xffff00u) | 16u << 24 | 7;
        p->leaf0a[1] |= 0xff80;
        p->leaf0a[2] = p->fixed_bitmap;
        p->leaf0a[3] |= (uint32_t)(BIT(19) | MASK(14, 13));
        break;
    }
}

/* The last CPU is another than the rest, under the same name. */
static void deviate_last_cpu(struct model *m, struct profile *p)
{
    switch (m->deviation) {
    case DEV_ONE_CPU_DIFFERS:
        set_leaf_gp_count(p, FIELD_GET(p->leaf0a[0], 15, 8) - 1);
        break;
    case DEV_ONE_CPU_DIFFERS_EVENTS:
        p->leaf0a[1] |= (uint32_t)BIT(6);
        break;
    case DEV_ONE_CPU_DIFFERS_BITMAP:
        p->leaf0a[2] = p->fixed_bitmap;
        break;
    case DEV_ONE_CPU_DIFFERS_FIXED:
        set_leaf_fixed_count(p, (p->leaf0a[3] & 0x1f) - 1);
        break;
    case DEV_ONE_CPU_DIFFERS_CAPABILITIES:
        p->perf_capabilities &= ~PERF_CAP_FREEZE_WHILE_SMM;
        break;
    case DEV_MICROCODE_DIFFERS:
        p->microcode -= 0x10;
        break;
    case DEV_ONE_CORE_ALONE:
        without_threads(p);
        break;
    }
}

static void set_leaf_1a(struct profile *p, uint32_t eax)
{
    struct profile_leaf *row = p->leaves;
    while (row < p->leaves + LEAVES_MAX - 1 && row->leaf && row->leaf != 0x1a)
        row++;
    *row = (struct profile_leaf){.leaf = 0x1a, .value = {eax}};
}

/* Performance, efficient and low-power cores in turn, of which the last two take fewer bits of an event select. */
static void three_core_types(struct model *m, struct profile *p)
{
    static const uint32_t types[] = {0x40000001, 0x20000001, 0x20000002};
    uint32_t kind = m->cpu % ARRAY_SIZE(types);
    p->leaf7_edx |= (uint32_t)BIT(15);
    p->max_leaf = p->max_leaf < 0x1a ? 0x1a : p->max_leaf;
    set_leaf_1a(p, types[kind]);
    p->evtsel.faults |= kind ? EVTSEL_ANY : 0;
    if (kind == 2)
        p->evtsel.dropped |= EVTSEL_PC;
}

static void deviate_identity(struct model *m, struct profile *p)
{
    switch (m->deviation) {
    case DEV_NO_SMI_COUNT:
        p->smi_count = false;
        break;
    case DEV_HYPERVISOR_BIT:
        p->hypervisor = CPUID_1_ECX_HYPERVISOR;
        break;
    case DEV_OTHER_VENDOR:
        p->vendor = "  Shanghai  ";
        break;
    case DEV_PERF_METRICS_CAP_ZERO:
        p->perf_capabilities &= ~PERF_CAP_METRICS;
        break;
    case DEV_THREE_CORE_TYPES:
        three_core_types(m, p);
        break;
    case DEV_CPUID_LIMITED:
        p->max_leaf = 3;
        p->stored[STORED_MISC_ENABLE].reset |= MISC_ENABLE_LIMIT_CPUID;
        break;
    case DEV_LEAF_MISSING:
        p->max_leaf = 9;
        break;
    }
}

static void deviate_handoff(struct model *m, struct profile *p)
{
    switch (m->deviation) {
    case DEV_APIC_X2:
        p->apic_x2 = p->apic_x2_available = true;
        break;
    case DEV_APIC_X2_AVAILABLE:
        p->apic_x2_available = true;
        break;
    case DEV_HANDOFF_ZERO:
        p->stored[STORED_GLOBAL_CTRL].reset = 0;
        break;
    case DEV_HANDOFF_FIXED_ON:
        p->stored[STORED_GLOBAL_CTRL].reset |= (uint64_t)p->fixed_bitmap << 32;
        break;
    case DEV_LBR_ENABLED_AT_POWER_UP:
        p->stored[STORED_DEBUGCTL].reset |= DEBUGCTL_LBR;
        break;
    case DEV_CONDCHGD_STICKY:
        p->status |= STATUS_COND_CHGD;
        break;
    case DEV_FIRMWARE_COUNTER_IMMOVABLE:
        p->stored[STORED_GLOBAL_CTRL].reset |= GLOBAL_FIXED(1);
        p->stored[STORED_FIXED_CTR_CTRL].reset |= FIXED_OS(1) | FIXED_USR(1);
        break;
    case DEV_HANDOFF_STATUS_0:
        p->status = STATUS_GP(0);
        break;
    case DEV_HANDOFF_CONDCHGD:
        p->status = STATUS_COND_CHGD;
        break;
    case DEV_FIRMWARE_COUNTERS_RUN:
        p->stored[STORED_GLOBAL_CTRL].reset |= GLOBAL_FIXED(1) | GLOBAL_FIXED(2);
        p->stored[STORED_FIXED_CTR_CTRL].reset = 0x330;
        break;
    case DEV_LVTPC_FOUND_NMI:
        p->lvtpc = (uint32_t)(LVTPC_MASKED | LVTPC_NMI);
        break;
    case DEV_LVTPC_FOUND_SMI:
        p->lvtpc = (uint32_t)(LVTPC_MASKED | LVTPC_SMI);
        break;
    case DEV_FIRMWARE_PROGRAMMED:
        p->last_evtsel = ARCH_EVENT_LLC_MISS | EVTSEL_OS | EVTSEL_USR;
        p->last_pmc = 0x1234567;
        break;
    }
}

void model_deviate_data(struct model *m)
{
    deviate_leaf(m, &m->p);
    deviate_identity(m, &m->p);
    if (last_cpu(m))
        deviate_last_cpu(m, &m->p);
    deviate_handoff(m, &m->p);
    model_deviate_leaf_23(m);
    model_deviate_hardware(m);
}
