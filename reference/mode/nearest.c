/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A reference PMU like the machine's own, from what its CPU states: the profile or the dump of its signature; otherwise
 * the profile that is most like it, with the CPU's own identity, counters and leaves.
 */
#include "kernel/text/text.h"
#include "pmu/cpu/class.h"
#include "reference/mode/runs.h"
#include "reference/model/profile.h"

#define FIXED_BIT 32 /* of fixed counter 0 in IA32_PERF_GLOBAL_CTRL */
#define FIELD_BITS 4 /* of a fixed counter in IA32_FIXED_CTR_CTRL */
#define PEBS_FORMAT(capabilities) ((capabilities) >> 8 & 0xf)
#define LBR_FORMAT(capabilities) ((capabilities)&0x3f)

/* ---- The CPU's own. */

static bool own_profile(u32 signature, struct nearest *nearest)
{
    for (unsigned i = 0; i < profile_count && !nearest->profile; i++)
        if (profiles[i]->signature == signature)
            nearest->profile = profiles[i];
    nearest->like = nearest->base = nearest->profile ? nearest->profile->name : NULL;
    return nearest->profile;
}

static bool own_dump(u32 signature, struct nearest *nearest)
{
    char name[DUMPED_NAME];
    format_text(name, sizeof(name), "%x", signature);
    for (unsigned i = 0; i < dumped_cpu_count && !nearest->profile; i++)
        if (!strcmp(dumped_cpus[i].name, name)) {
            nearest->profile = dump_profile(&dumped_cpus[i], nearest->room);
            nearest->like = dumped_cpus[i].name;
            nearest->base = dump_like(&dumped_cpus[i])->name;
        }
    return nearest->profile;
}

/* ---- The most similar one. */

static u8 core_type_of(const struct profile *profile)
{
    for (unsigned i = 0; i < LEAVES_MAX && profile->leaves[i].leaf; i++)
        if (profile->leaves[i].leaf == 0x1a)
            return (u8)(profile->leaves[i].value[0] >> 24);
    return 0;
}

static enum cpu_class class_of(const struct profile *profile)
{
    struct cpuid_regs vendor = {.ebx = 0x756e6547, .ecx = 0x6c65746e, .edx = 0x49656e69}; /* GenuineIntel */
    struct caps_dump dump = {.leaf0 = vendor, .leaf1.eax = profile->signature};
    struct pmu_caps caps;
    dump.leaf1a.eax = (u32)core_type_of(profile) << 24;
    caps_decode(&dump, &caps);
    return cpu_class(&caps);
}

static u64 counters_of(const struct profile *profile)
{
    return (BIT(profile->gp_count) - 1) | (u64)profile->fixed_bitmap << FIXED_BIT;
}

/* The version decides what exists at all, then the class, then the formats of records. */
static unsigned likeness(const struct profile *profile, const struct pmu_caps *caps)
{
    u64 theirs = profile->perf_capabilities, ours = caps->perf_capabilities;
    if (profile->version != caps->version || profile->netburst_count || profile->hypervisor)
        return 0;
    return 1 + 32 * (class_of(profile) == cpu_class(caps)) + 16 * (core_type_of(profile) == caps->core_type) +
           8 * (PEBS_FORMAT(theirs) == PEBS_FORMAT(ours)) + 4 * (LBR_FORMAT(theirs) == LBR_FORMAT(ours)) +
           2 * (counters_of(profile) == caps_counter_bits(caps));
}

static const struct profile *most_alike(const struct pmu_caps *caps)
{
    const struct profile *best = NULL;
    unsigned most = 0;
    for (unsigned i = 0; i < profile_count; i++)
        for (const struct profile *kind = profiles[i]; kind; kind = kind->second)
            if (likeness(kind, caps) > most) {
                most = likeness(kind, caps);
                best = kind;
            }
    return best;
}

/* ---- With the CPU's own values. */

static void accept(struct write_rule *rule, u64 less, u64 more)
{
    rule->faults = (rule->faults | less) & ~more;
}

static u64 fields(u64 counters)
{
    u64 mask = 0;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (counters >> (FIXED_BIT + i) & 1)
            mask |= MASK(FIELD_BITS - 1, 0) << FIELD_BITS * i;
    return mask;
}

/* Bits of counters that the profile has and the CPU has not, and the other way round. */
static void take_counters(struct profile *p, u64 counters)
{
    u64 less = counters_of(p) & ~counters, more = counters & ~counters_of(p);
    accept(&p->stored[STORED_GLOBAL_CTRL], less, more);
    accept(&p->status_reset, less, more);
    accept(&p->status_set, less, more);
    accept(&p->stored[STORED_FIXED_CTR_CTRL], fields(less), fields(more));
    p->stored[STORED_GLOBAL_CTRL].reset &= ~less;
    p->stored[STORED_PEBS_ENABLE].faults |= less;
    p->pebs_gp &= (u16)counters;
    p->pebs_fixed &= (u16)(counters >> FIXED_BIT);
    p->pebs_precise_gp &= p->pebs_gp;
    p->pebs_precise_fixed &= p->pebs_fixed;
    p->pebs_latency_gp &= p->pebs_gp;
    p->reload_gp &= (u16)counters;
    p->reload_fixed &= (u16)(counters >> FIXED_BIT);
    p->fixed_bitmap = (u8)(counters >> FIXED_BIT);
    p->gp_count_alone = 0;
}

/* Leaves that the profile answers, and that describe parts of the PMU that it has. */
static void take_leaves(struct profile *p, const struct pmu_caps *caps, caps_leaf *leaf, void *context)
{
    bool depth = p->lbr_depth && caps->lbr_depths >> (p->lbr_depth / 8 - 1) & 1;
    for (unsigned i = 0; i < LEAVES_MAX && p->leaves[i].leaf; i++) {
        struct profile_leaf *row = &p->leaves[i];
        if (row->leaf != 0x14 && row->leaf != 0x23 && (row->leaf != 0x1c || !depth))
            continue;
        struct cpuid_regs own = leaf(context, row->leaf, row->subleaf);
        *row = (struct profile_leaf){row->leaf, row->subleaf, {own.eax, own.ebx, own.ecx, own.edx}};
    }
}

static void take(struct profile *p, const struct pmu_caps *caps, caps_leaf *leaf, void *context)
{
    p->second = NULL;
    p->core = NULL;
    p->signature = caps->signature;
    p->errata = NULL;
    take_counters(p, caps_counter_bits(caps));
    p->gp_count = caps->gp_count;
    p->gp_width = caps->gp_width;
    p->fixed_width = caps->fixed_width;
    p->leaf0a[0] = caps->leaf0a.eax;
    p->leaf0a[1] = caps->leaf0a.ebx;
    p->leaf0a[2] = caps->leaf0a.ecx;
    p->leaf0a[3] = caps->leaf0a.edx;
    if (caps->perf_capabilities && !caps->perf_capabilities_unread) {
        p->perf_capabilities = caps->perf_capabilities;
        p->full_width = caps->full_width;
    }
    take_leaves(p, caps, leaf, context);
}

bool nearest_find(const struct pmu_caps *caps, caps_leaf *leaf, void *context, struct nearest *nearest)
{
    *nearest = (struct nearest){0};
    nearest->own = own_profile(caps->signature, nearest) || own_dump(caps->signature, nearest);
    if (nearest->own)
        return true;
    const struct profile *like = most_alike(caps);
    if (!like)
        return false;
    nearest->like = nearest->base = like->name;
    nearest->room[0] = *like;
    take(&nearest->room[0], caps, leaf, context);
    nearest->profile = &nearest->room[0];
    return true;
}
