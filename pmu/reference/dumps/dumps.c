/*
 * A profile with a dump's values in it. Counters are only ever added: of what CPUID does not tell (a P core's beside
 * Atom cores) the profile says that it is there, as it is on silicon. The write rules of the registers that have bits
 * by counter follow.
 */
#include "pmu/reference/dumps/dumps.h"

#define ALL_EVENTS 32
#define NEWER_THAN_ANY_ERRATUM 0xffff0000u
#define LEAF1_ECX_DTES64 0x4u
#define LEAF1_ECX_PDCM 0x8000u
#define LEAF1_EDX_DS 0x200000u
#define LEAF7_EDX_HYBRID 0x8000u
#define LEAF7_1_EAX_LEAF23 0x100u

static const struct dumped_core *core_of(const struct dumped_cpu *cpu, unsigned n)
{
    return &dumped_cores[cpu->first_core + n];
}

/* The kind of core whose registers this one is given. */
static const struct profile *like(const struct dumped_core *core)
{
    const struct profile *p = model_profile(core->like);
    for (unsigned n = core->kind; p && n; n--)
        p = p->second;
    return p;
}

const struct profile *dump_like(const struct dumped_cpu *cpu)
{
    return model_profile(core_of(cpu, 0)->like);
}

static uint32_t with(uint32_t word, uint32_t bit, bool set)
{
    return set ? word | bit : word & ~bit;
}

/* ---- Leaves */

static void identity(struct profile *p, const struct dumped_cpu *cpu, const struct dumped_core *core)
{
    p->brand = cpu->name;
    p->signature = cpu->signature;
    p->microcode = NEWER_THAN_ANY_ERRATUM;
    p->errata = NULL;
    p->max_leaf = core->max_leaf;
    p->leaf1_ecx = with(p->leaf1_ecx, LEAF1_ECX_DTES64, core->flags & DUMPED_DTES64);
    p->leaf1_ecx = with(p->leaf1_ecx, LEAF1_ECX_PDCM, core->flags & DUMPED_PDCM);
    p->leaf1_edx = with(p->leaf1_edx, LEAF1_EDX_DS, core->flags & DUMPED_DS);
    p->leaf7_edx = with(p->leaf7_edx, LEAF7_EDX_HYBRID, cpu->cores > 1);
    p->leaf7_1_eax = with(p->leaf7_1_eax, LEAF7_1_EAX_LEAF23, core->leaves);
    for (unsigned i = 0; i < 4; i++)
        p->leaf0a[i] = cpu->leaf0a[i];
}

/* The profile's own leaves 1AH and 23H go. */
static unsigned other_leaves(struct profile *p)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < LEAVES_MAX; i++) {
        struct profile_leaf row = p->leaves[i];
        p->leaves[i] = (struct profile_leaf){0};
        if (row.leaf && row.leaf != 0x1a && row.leaf != 0x23)
            p->leaves[kept++] = row;
    }
    return kept;
}

static void leaves(struct profile *p, const struct dumped_core *core)
{
    unsigned n = other_leaves(p);
    if (core->leaf1a)
        p->leaves[n++] = (struct profile_leaf){.leaf = 0x1a, .value = {core->leaf1a}};
    for (unsigned i = 0; i < core->leaves && n < LEAVES_MAX; i++) {
        const struct dumped_leaf *row = &dumped_leaves[core->first_leaf + i];
        p->leaves[n] = (struct profile_leaf){.leaf = 0x23, .subleaf = row->subleaf};
        for (unsigned reg = 0; reg < 4; reg++)
            p->leaves[n].value[reg] = row->value[reg];
        n++;
    }
}

static const uint32_t *leaf_23(const struct dumped_core *core, uint32_t subleaf)
{
    static const uint32_t none[4];
    for (unsigned i = 0; i < core->leaves; i++)
        if (dumped_leaves[core->first_leaf + i].subleaf == subleaf)
            return dumped_leaves[core->first_leaf + i].value;
    return none;
}

/* ---- Counters and events */

static void allow(struct write_rule *rule, uint64_t bits)
{
    rule->faults &= ~bits;
    rule->dropped &= ~bits;
}

static uint32_t ones(unsigned count)
{
    return count < 32 ? (1u << count) - 1 : ~0u;
}

/* What CPUID names and the profile has not. */
static uint64_t missing(const struct profile *p, const struct dumped_core *core)
{
    uint32_t gp = ones(FIELD_GET(p->leaf0a[0], 15, 8)) | leaf_23(core, 1)[0];
    uint32_t fixed = ones(FIELD_GET(p->leaf0a[3], 4, 0)) | p->leaf0a[2] | leaf_23(core, 1)[1];
    gp &= ones(GP_MAX) & ~ones(p->gp_count);
    fixed &= ones(FIXED_MAX) & ~(uint32_t)p->fixed_bitmap;
    return (uint64_t)fixed << 32 | gp;
}

static void add_gp(struct profile *p)
{
    p->gp_count++;
    if (p->stored[STORED_GLOBAL_CTRL].reset)
        p->stored[STORED_GLOBAL_CTRL].reset |= ones(p->gp_count);
}

static void add_fixed(struct profile *p, unsigned i)
{
    p->fixed_bitmap |= (uint8_t)(1u << i);
    allow(&p->stored[STORED_FIXED_CTR_CTRL], FIXED_OS(i) | FIXED_USR(i) | FIXED_PMI(i));
}

static void counters(struct profile *p, const struct dumped_core *core)
{
    uint64_t more = missing(p, core);
    p->version = (uint8_t)p->leaf0a[0];
    allow(&p->stored[STORED_GLOBAL_CTRL], more);
    allow(&p->status_reset, more);
    allow(&p->status_set, more);
    for (unsigned bit = 0; bit < 64; bit++)
        if (more >> bit & 1 && bit < 32)
            add_gp(p);
        else if (more >> bit & 1)
            add_fixed(p, bit - 32);
    if (p->gp_count_alone && p->gp_count >= p->gp_count_alone)
        p->threads = 1;
}

/* Version 3 and 4, where EDX[15] does not take it back. */
static void any_thread(struct profile *p)
{
    p->any_thread = p->version >= 3 && p->version < 5 && !(p->leaf0a[3] >> 15 & 1);
    if (!p->any_thread)
        return;
    allow(&p->evtsel, EVTSEL_ANY);
    for (unsigned i = 0; i <= FIXED_REF_CYCLES; i++)
        allow(&p->stored[STORED_FIXED_CTR_CTRL], FIXED_ANY(i));
}

/* Every event counts that one of the leaves names. */
static void events(struct profile *p, const struct dumped_core *core)
{
    uint32_t live = (ones(FIELD_GET(p->leaf0a[0], 31, 24)) & ~p->leaf0a[1]) | leaf_23(core, 3)[0];
    p->event_length = 0;
    while (p->event_length < ALL_EVENTS && live >> p->event_length)
        p->event_length++;
    p->events_dead = ~live & ones(p->event_length);
}

static void registers(struct profile *p, const struct dumped_core *core)
{
    if (core->flags & DUMPED_PERFCAP)
        p->perf_capabilities = core->perfcap;
    if (!(core->flags & DUMPED_PDCM))
        p->perf_capabilities = 0;
    p->full_width = p->perf_capabilities & PERF_CAP_FULL_WIDTH;
    if (core->flags & DUMPED_MISC_ENABLE)
        p->stored[STORED_MISC_ENABLE].reset = core->misc_enable;
}

static bool make(struct profile *p, const struct dumped_cpu *cpu, const struct dumped_core *core)
{
    const struct profile *model = like(core);
    if (!model)
        return false;
    *p = *model;
    p->second = NULL;
    identity(p, cpu, core);
    leaves(p, core);
    registers(p, core);
    if (p->netburst_count)
        return true;
    counters(p, core);
    any_thread(p);
    events(p, core);
    return true;
}

const struct profile *dump_profile(const struct dumped_cpu *cpu, struct profile room[DUMPED_CORES_MOST])
{
    for (unsigned n = 0; n < cpu->cores; n++) {
        if (n == DUMPED_CORES_MOST || !make(&room[n], cpu, core_of(cpu, n)))
            return NULL;
        if (n)
            room[n - 1].second = &room[n];
    }
    return room;
}

const char *dump_assumed(const struct dumped_core *core)
{
    static const char *const texts[] = {
        "perf-capabilities misc-enable microcode reserved-bits clocks", "misc-enable microcode reserved-bits clocks",
        "perf-capabilities microcode reserved-bits clocks", "microcode reserved-bits clocks"};
    bool perfcap = core->flags & DUMPED_PERFCAP || !(core->flags & DUMPED_PDCM);
    return texts[perfcap + 2 * !!(core->flags & DUMPED_MISC_ENABLE)];
}
